// `backup --keep`: several backups, made while a server runs, and the time of the last backup in
// the metrics.

import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type ChildServer, makeKey, runCli, startChild } from '../../helpers/child-server.ts'
import {
  contentsIn,
  newDataDirectory,
  removeDataDirectories,
} from '../../helpers/data-directory.ts'
import { readMetrics, valueOf } from '../../helpers/metrics.ts'
import { buildForm, send } from '../../helpers/server.ts'

const LAST = 'cms_backup_last_timestamp_seconds'
const dataDir = newDataDirectory()
const directory = newDataDirectory()
let child: ChildServer
let key: string

before(async () => {
  child = await startChild(dataDir)
  key = await makeKey(dataDir)
})
after(async () => {
  await child.kill('SIGTERM')
  removeDataDirectories()
})

async function backUp(...args: readonly string[]) {
  const ended = await runCli(['backup', directory, '--keep', '2', '--data', dataDir, ...args])
  return { ...ended, names: readdirSync(directory).toSorted() }
}

async function lastBackup(): Promise<number> {
  const samples = await readMetrics((method, path) => send(child.url, method, path, { key }))
  return Number(valueOf(samples, LAST))
}

test('each run adds a backup and removes the oldest; other files of the directory stay', async () => {
  assert.equal(await lastBackup(), 0)
  const begun = Date.now() / 1_000
  const first = await backUp()
  assert.equal(first.code, 0, first.stderr)
  assert.match(first.stdout, /\/cms-backup-20\S+Z\nmoment /)
  assert.ok((await lastBackup()) >= Math.floor(begun))

  writeFileSync(join(directory, 'note.txt'), 'mine')
  mkdirSync(join(directory, 'cms-backup-2020-01-01T00-00-00.000Z'))
  const second = await backUp()
  const third = await backUp()
  assert.deepEqual([second.code, third.code], [0, 0], second.stderr + third.stderr)
  const made = first.names[0] ?? ''
  assert.ok(second.names.includes(made))
  assert.match(third.stdout, new RegExp(`^removed .*/${made}$`, 'm'))
  const kept = third.names.filter((name) => name.startsWith('cms-backup-202') && name !== made)
  // The empty directory is not a backup, so it is neither linked to nor removed.
  assert.equal(kept.length, 3)
  assert.ok(!third.names.includes(made))
  assert.ok(third.names.includes('note.txt'))
  const newest = join(directory, third.names.filter((name) => name.endsWith('Z')).at(-1) ?? '')
  assert.equal((await runCli(['check', '--data', newest])).code, 0)
})

test('a backup with faults removes none and does not count as the last one', async () => {
  const { contentType, body } = buildForm([
    { name: 'asset_category_id', value: '1' },
    { name: 'Filedata', bytes: Buffer.alloc(200_000, 7), fileName: 'a.bin' },
  ])
  const headers = { 'content-type': contentType }
  assert.equal((await send(child.url, 'POST', '/upload', { key, body, headers })).status, 201)
  for (const path of contentsIn(dataDir)) rmSync(path)
  const [before, last] = [readdirSync(directory), await lastBackup()]
  const { code, stdout, names } = await backUp()
  assert.equal(code, 1)
  assert.match(stdout, /^FAULT /m)
  assert.doesNotMatch(stdout, /^removed /m)
  assert.equal(names.length, before.length + 1)
  assert.equal(await lastBackup(), last)
})

test('--keep and --previous exclude each other', async () => {
  const { code, stderr } = await backUp('--previous', directory)
  assert.equal(code, 2)
  assert.match(stderr, /--previous.*cannot be used with.*--keep/)
})
