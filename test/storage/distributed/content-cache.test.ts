import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ContentCache, openContentCache } from '../../../lib/cluster/content-cache.ts'
import { newUid } from '../../../lib/storage/embedded/data-paths.ts'
import type { ContentName } from '../../../lib/storage/port.ts'
import { sha256 } from '../../helpers/data-directory.ts'
import { temporaryDirectory } from '../../helpers/server.ts'

const KIB = 1024
const MAX_BYTES = 800 * KIB

function openIn(directory = join(temporaryDirectory(), 'cache')): ContentCache {
  return openContentCache({ directory, maxBytes: MAX_BYTES })
}

function add(cache: ContentCache, sizeBytes: number): ContentName {
  const name = { fileId: 3, uid: newUid() }
  addAs(cache, name, sizeBytes)
  return name
}

function addAs(cache: ContentCache, name: ContentName, sizeBytes: number): void {
  const bytes = Buffer.alloc(sizeBytes, name.uid)
  const path = join(cache.tmp, newUid())
  writeFileSync(path, bytes)
  cache.add(name, { sizeBytes, sha256: sha256(bytes) }, path)
}

/** The size of all cached files, without the files that are being removed. */
function bytesIn(cache: ContentCache): number {
  const directory = join(cache.tmp, '..')
  return readdirSync(directory)
    .filter((shard) => shard !== '.tmp')
    .flatMap((shard) =>
      readdirSync(join(directory, shard)).map((name) => join(directory, shard, name)),
    )
    .reduce((sum, path) => sum + readFileSync(path).length, 0)
}

test('never exceeds its bound and evicts the least recently used file', () => {
  const cache = openIn()
  const names: ContentName[] = []
  for (let at = 0; at < 40; at += 1) {
    names.push(add(cache, 50 * KIB))
    cache.find(names[0] ?? { fileId: 3, uid: '' })
    assert.ok(bytesIn(cache) <= MAX_BYTES)
    assert.equal(bytesIn(cache), cache.status().bytes)
  }
  const left = names.map((name) => existsSync(cache.pathOf(name)))
  assert.deepEqual(left, [true, ...Array(24).fill(false), ...Array(15).fill(true)])
})

test('counts files that are being added', () => {
  const cache = openIn()
  for (let at = 0; at < 20; at += 1) add(cache, 50 * KIB)
  const release = cache.reserve(400 * KIB)
  assert.equal(bytesIn(cache), 400 * KIB)
  add(cache, 50 * KIB)
  assert.equal(bytesIn(cache), 400 * KIB)
  release()
  for (let at = 0; at < 20; at += 1) add(cache, 50 * KIB)
  assert.equal(bytesIn(cache), 800 * KIB)
})

test('does not store a file that would evict too much', async () => {
  const cache = openIn()
  const kept = add(cache, 100 * KIB)
  const large = add(cache, 100 * KIB + 1)
  assert.deepEqual([cache.find(kept)?.sizeBytes, cache.find(large)], [100 * KIB, undefined])
  await sleep(50)
  assert.deepEqual(readdirSync(cache.tmp), [])
})

test('a file in use stays after it was dropped, and is reused if it is added again', async () => {
  const cache = openIn()
  const [first, second] = [add(cache, KIB), add(cache, KIB)]
  const [pathOfFirst, pathOfSecond] = [cache.pathOf(first), cache.pathOf(second)]
  const releases = [cache.hold(first), cache.hold(first), cache.hold(second)]
  cache.drop(first)
  cache.drop(second)
  assert.equal(cache.find(first), undefined)
  addAs(cache, second, KIB)
  releases[0]?.()
  assert.deepEqual([existsSync(pathOfFirst), existsSync(pathOfSecond)], [true, true])
  releases[1]?.()
  releases[2]?.()
  assert.deepEqual([existsSync(pathOfFirst), existsSync(pathOfSecond)], [false, true])
  await sleep(50)
  assert.deepEqual(readdirSync(cache.tmp), [])
})

test('keeps its files over a start in the order of use, unverified, and removes other files', () => {
  const cache = openIn()
  const names = Array.from({ length: 16 }, () => add(cache, 50 * KIB))
  const [oldest, ...others] = names.toReversed()
  assert.ok(oldest)
  utimesSync(cache.pathOf(oldest), 1, 1)
  assert.equal(cache.find(oldest)?.isVerified, true)
  const directory = join(cache.tmp, '..')
  writeFileSync(join(cache.tmp, 'half'), 'half')
  writeFileSync(join(directory, 'ab', 'other'), 'other')
  mkdirSync(join(directory, 'ab', `1.${newUid()}.${'a'.repeat(64)}`))

  const again = openIn(directory)
  assert.deepEqual([again.status().files, bytesIn(again)], [16, 800 * KIB])
  assert.deepEqual(readdirSync(again.tmp), [])
  add(again, 50 * KIB)
  assert.equal(again.find(oldest), undefined)
  for (const name of others) assert.equal(again.find(name)?.isVerified, false)
  const [name] = others
  assert.ok(name)
  again.noteVerified(name)
  assert.equal(again.find(name)?.isVerified, true)
})

test('a smaller bound applies from the start', () => {
  const cache = openIn()
  for (let at = 0; at < 16; at += 1) add(cache, 50 * KIB)
  const small = openContentCache({ directory: join(cache.tmp, '..'), maxBytes: 400 * KIB })
  assert.equal(bytesIn(small), 400 * KIB)
})
