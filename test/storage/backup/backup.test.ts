// Backups on the command line: their contents, and the files that they share.

import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { dataPathsOf } from '../../../lib/storage/embedded/data-paths.ts'
import { type Ended, runCli } from '../../helpers/child-server.ts'
import { makeFile } from '../../helpers/content.ts'
import { contentsIn, fingerprint, removeDataDirectories } from '../../helpers/data-directory.ts'
import { startTestServer } from '../../helpers/server.ts'
import { copySite, makeSite, type Site } from '../../helpers/site.ts'

let site: Site
before(async () => {
  site = await makeSite()
})
after(removeDataDirectories)

/** A path next to the data directory. */
function beside(dataDir: string, name: string): string {
  return join(dirname(dataDir), name)
}

function backup(dataDir: string, target: string, args: readonly string[] = []): Promise<Ended> {
  return runCli(['backup', target, '--data', dataDir, ...args])
}

async function makeBackup(dataDir: string, name: string, previous?: string): Promise<string> {
  const target = beside(dataDir, name)
  const args = previous === undefined ? [] : ['--previous', previous]
  const { code, stderr } = await backup(dataDir, target, args)
  assert.equal(code, 0, stderr)
  return target
}

async function check(dataDir: string): Promise<string> {
  return (await runCli(['check', '--data', dataDir])).stdout
}

function readManifest(target: string): any {
  return JSON.parse(readFileSync(dataPathsOf(target).manifest, 'utf8'))
}

function namesOf(dataDir: string): readonly string[] {
  return contentsIn(dataDir).map((path) => basename(path))
}

/** Replaces the bytes of a content by different bytes of the same length. */
function damage(path: string): void {
  const bytes = readFileSync(path)
  bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0)
  rmSync(path)
  writeFileSync(path, bytes)
}

describe('a backup', () => {
  test('of a stopped site is a separate data directory without faults', async () => {
    const original = fingerprint(site.dataDir)
    const target = await makeBackup(site.dataDir, 'whole')

    assert.deepEqual(namesOf(target), namesOf(site.dataDir))
    assert.match(await check(target), /\nNo faults found\.\n$/)
    assert.deepEqual(fingerprint(site.dataDir), original)
    const inodes = (dataDir: string) => contentsIn(dataDir).map((path) => statSync(path).ino)
    const shared = inodes(target).filter((inode) => inodes(site.dataDir).includes(inode))
    assert.deepEqual(shared, [])
    assert.deepEqual(
      [statSync(target).mode & 0o777, statSync(dataPathsOf(target).dataFile).mode & 0o777],
      [0o700, 0o600],
    )
  })

  test('shares unchanged files with --previous and copies again what is damaged there', async () => {
    const dataDir = copySite(site.dataDir)
    const first = await makeBackup(dataDir, 'first')
    const [bad = '', good = ''] = contentsIn(first)
    damage(bad)
    const server = await startTestServer({ dataDir })
    await makeFile(server)
    await server.stop()
    const second = await makeBackup(dataDir, 'second', first)

    const inodeOf = (path: string) => statSync(path).ino
    const same = (path: string) => join(second, path.slice(first.length))
    assert.equal(inodeOf(same(good)), inodeOf(good))
    assert.notEqual(inodeOf(same(bad)), inodeOf(bad))
    assert.equal(namesOf(second).length, namesOf(first).length + 1)
    assert.match(await check(second), /\nNo faults found\.\n$/)
  })

  test('shares no files once a server starts on it, and the other backup stays unchanged', async (t) => {
    const dataDir = copySite(site.dataDir)
    const first = await makeBackup(dataDir, 'older')
    const second = await makeBackup(dataDir, 'newer', first)
    const untouched = fingerprint(first)
    const server = await startTestServer({ dataDir: second })
    t.after(() => server.stop())

    const [id] = site.fileIds
    assert.equal((await server.call('GET', `/file/${id}/a.html`)).text, '<p>a.html 1</p>')
    const links = contentsIn(second).map((path) => statSync(path).nlink)
    assert.deepEqual([...new Set(links)], [1])
    assert.ok(!existsSync(dataPathsOf(second).manifest))
    assert.equal((await server.call('DELETE', `/api/v2/asset_file/${id}`)).status, 204)
    assert.deepEqual(fingerprint(first), untouched)
  })

  test('omits a damaged content, reports it, and keeps the rest', async () => {
    const dataDir = copySite(site.dataDir)
    const [bad = '', gone = '', ...rest] = contentsIn(dataDir)
    damage(bad)
    rmSync(gone)
    const target = beside(dataDir, 'faulty')
    const { code, stdout } = await backup(dataDir, target)

    assert.equal(code, 1)
    assert.match(stdout, /FAULT asset_file \d version \d: the bytes are wrong\.\n/)
    assert.match(stdout, /FAULT asset_file \d version \d: the bytes are missing\.\n/)
    assert.match(stdout, /\n2 faults\. Everything else is complete\.\n$/)
    const kept = rest.map((path) => basename(path))
    assert.deepEqual(namesOf(target), kept)
    assert.equal(readManifest(target).faults.length, 2)
    assert.match(await check(target), /2 faults/)
  })

  test('does not count a known loss as a fault', async () => {
    const dataDir = copySite(site.dataDir)
    rmSync(contentsIn(dataDir)[0] ?? '')
    assert.equal((await runCli(['check', '--data', dataDir, '--repair'])).code, 0)
    const { code, stdout } = await backup(dataDir, beside(dataDir, 'known'))
    assert.equal(code, 0)
    assert.match(stdout, /\nknown: 1 version already marked as damaged\.\n$/)
  })
})
