// Backups of a server while several clients write, and backups that are killed. The expected
// content of a backup follows from the time at which each write was acknowledged.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, test, type TestContext } from 'node:test'
import {
  type ChildCommand,
  type ChildServer,
  makeKey,
  runCli,
  startChild,
  startCli,
} from '../helpers/child-server.ts'
import { contentsIn, newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { eventually } from '../helpers/raw.ts'
import { type Answer, buildForm, send } from '../helpers/server.ts'

const LARGE_BYTES = 200_000
const BOOKS = '/api/v2/module/datatable/1/books'

after(removeDataDirectories)

interface Write {
  readonly sentMs: number
  readonly acknowledgedMs: number
}

interface Storm {
  readonly url: string
  readonly key: string
  /** The times at which each file was created and deleted, by identifier. */
  readonly created: Map<number, Write>
  readonly deleted: Map<number, Write>
  /** Pairs of entries by number; each pair is written in one commit. */
  readonly pairs: Map<number, Write>
  isOver: boolean
}

async function timed(work: () => Promise<Answer>): Promise<Write & { readonly answer: Answer }> {
  const sentMs = Date.now()
  const answer = await work()
  assert.ok(answer.status < 300, answer.text)
  return { answer, sentMs, acknowledgedMs: Date.now() }
}

/** Creates small and large files, publishes them, and deletes every third file. */
async function writeFiles(storm: Storm, client: number): Promise<void> {
  const { url, key, created, deleted } = storm
  const post = (path: string, json: object) => send(url, 'POST', `/api/v2/${path}`, { key, json })
  for (let round = 0; !storm.isOver; round++) {
    const name = `file-${client}-${round}`
    const page = { name, type: 'html', parent_category_id: 1, pageContent: name }
    const { answer, ...write } = await timed(() =>
      round % 2 === 0 ? upload(storm, name) : post('asset_file', page),
    )
    const id = answer.body.asset_file_id as number
    created.set(id, write)
    await timed(() => post(`asset_file/${id}/publish`, {}))
    if (round % 3 !== 0) continue
    const gone = await timed(() => send(url, 'DELETE', `/api/v2/asset_file/${id}`, { key }))
    deleted.set(id, gone)
  }
}

function upload({ url, key }: Storm, fileName: string): Promise<Answer> {
  const bytes = Buffer.alloc(LARGE_BYTES, fileName)
  const { contentType, body } = buildForm([
    { name: 'asset_category_id', value: '1' },
    { name: 'Filedata', fileName, bytes },
  ])
  const headers = { 'content-type': contentType }
  return send(url, 'POST', '/upload', { key, body, headers })
}

/** Writes two entries in each commit. */
async function writePairs(storm: Storm): Promise<void> {
  const { url, key, pairs } = storm
  for (let pair = 1; !storm.isOver; pair++) {
    const json = [{ pair }, { pair }]
    pairs.set(pair, await timed(() => send(url, 'POST', BOOKS, { key, json })))
  }
}

/**
 * Deletes older files while the load runs, including bytes of the point in time that is being
 * copied.
 */
async function deleteOld({ url, key, deleted }: Storm, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    const gone = await timed(() => send(url, 'DELETE', `/api/v2/asset_file/${id}`, { key }))
    deleted.set(id, gone)
    await sleep(20)
  }
}

async function startStorm(server: ChildServer, key: string): Promise<Storm> {
  const { url } = server
  const table = { name: 'Books', table_schema: 'pair I NOTNULL' }
  assert.equal((await send(url, 'POST', '/api/v2/datatable', { key, json: table })).status, 201)
  const lists = { created: new Map(), deleted: new Map(), pairs: new Map() }
  const storm: Storm = { url, key, ...lists, isOver: false }
  for (let count = 0; count < 60; count++) {
    const { answer, ...write } = await timed(() => upload(storm, `old-${count}`))
    storm.created.set(answer.body.asset_file_id, write)
  }
  return storm
}

function readMoment(target: string): number {
  const manifest = JSON.parse(readFileSync(join(target, 'backup.json'), 'utf8'))
  return Date.parse(manifest.moment)
}

test('S41: a backup during many writes has every write before its moment and no partial write', async (t) => {
  const dataDir = newDataDirectory()
  const server = await startChild(dataDir, ['--log-level', 'error'])
  t.after(() => server.kill('SIGKILL'))
  const key = await makeKey(dataDir)
  const storm = await startStorm(server, key)
  const old = [...storm.created.keys()]
  const load = [writePairs(storm), writeFiles(storm, 1), writeFiles(storm, 2)]
  const target = `${dataDir}-backup`
  assert.ok(await eventually(() => storm.pairs.size > 5 && storm.created.size > old.length + 5))

  const made = runCli(['backup', target, '--data', dataDir])
  load.push(deleteOld(storm, old))
  const { code, stderr } = await made
  assert.equal(code, 0, stderr)
  storm.isOver = true
  await Promise.all(load)

  const momentMs = readMoment(target)
  assert.match((await runCli(['check', '--data', target])).stdout, /\nNo faults found\.\n$/)
  await requireMoment(t, storm, { target, momentMs })
  const heldBack = old.filter((id) => (storm.deleted.get(id)?.sentMs ?? 0) > momentMs)
  assert.ok(heldBack.length > 0, 'nothing was deleted while the backup was made')
  t.diagnostic(`${storm.created.size} files, ${storm.pairs.size} pairs, ${heldBack.length} held`)

  assert.equal((await server.kill('SIGTERM')).code, 0)
  assert.match((await runCli(['check', '--data', dataDir])).stdout, /\nNo faults found\.\n$/)
})

/** Compares a server on the backup with the writes that were acknowledged by then. */
async function requireMoment(
  t: TestContext,
  { key, created, deleted, pairs }: Storm,
  { target, momentMs }: { readonly target: string; readonly momentMs: number },
): Promise<void> {
  const copy = await startChild(target, ['--log-level', 'error'])
  t.after(() => copy.kill('SIGKILL'))
  const { url } = copy
  const files = new Map((await readAll(url, key, 'asset_file')).map((file) => [file.name, file]))
  const ids = new Set([...files.values()].map((file) => file.asset_file_id))
  // The copy is made a little after the recorded moment, so it may include later deletes. It then
  // includes all writes that were acknowledged before the latest included delete was sent.
  const isOld = (id: number): boolean => (created.get(id)?.acknowledgedMs ?? Infinity) < momentMs
  const included = [...deleted].filter(([id]) => isOld(id) && !ids.has(id))
  const copiedMs = Math.max(momentMs, ...included.map(([, { sentMs }]) => sentMs))
  for (const id of created.keys()) {
    const gone = deleted.get(id)
    if (isOld(id) && (gone === undefined || gone.sentMs > copiedMs))
      assert.ok(ids.has(id), `file ${id} is missing`)
    if (gone !== undefined && gone.acknowledgedMs < copiedMs)
      assert.ok(!ids.has(id), `file ${id} is there again`)
  }
  for (const { name, url: path, live_version: live } of files.values()) {
    const answer = await send(url, 'GET', live === null ? `${path}?version=1` : path, { key })
    assert.equal(answer.status, 200, answer.text)
    assert.ok(answer.bytes.equals(Buffer.alloc(answer.bytes.length, name)), name)
  }

  const entries = (await readAll(url, key, BOOKS.slice('/api/v2/'.length))).map(({ pair }) => pair)
  const numbers = [...new Set(entries)].sort((left, right) => left - right)
  assert.equal(entries.length, numbers.length * 2)
  assert.deepEqual(
    numbers,
    Array.from(numbers, (_, index) => index + 1),
  )
  const before = [...pairs].filter(([, { acknowledgedMs }]) => acknowledgedMs < momentMs)
  assert.ok(before.length > 0 && before.every(([pair]) => pair <= numbers.length))
}

async function readAll(url: string, key: string, list: string): Promise<readonly any[]> {
  const records: any[] = []
  for (let cursor = ''; ; ) {
    const path = `/api/v2/${list}?length=1000${cursor}`
    const { status, body, text } = await send(url, 'GET', path, { key })
    assert.equal(status, 200, text)
    const { page, ...lists } = body
    records.push(...(Object.values(lists)[0] as any[]))
    if (page.next === null) return records
    cursor = `&cursor=${encodeURIComponent(page.next)}`
  }
}

/** Starts a backup and pauses the process. */
async function startFrozen(dataDir: string, target: string): Promise<ChildCommand> {
  const command = startCli(['backup', target, '--data', dataDir])
  assert.ok(await eventually(() => partialsOf(target).length > 0))
  command.signal('SIGSTOP')
  return command
}

function partialsOf(target: string): readonly string[] {
  return readdirSync(dirname(target)).filter((name) => name.startsWith('.cms-backup-'))
}

async function startWithFiles(t: TestContext): Promise<{ server: ChildServer; dataDir: string }> {
  const dataDir = newDataDirectory()
  const server = await startChild(dataDir, ['--log-level', 'error'])
  t.after(() => server.kill('SIGKILL'))
  await startStorm(server, await makeKey(dataDir))
  return { server, dataDir }
}

test('S41: a killed backup has no final name, and the next one removes its remains', async (t) => {
  const { dataDir } = await startWithFiles(t)
  const target = `${dataDir}-backup`
  const command = await startFrozen(dataDir, target)
  command.signal('SIGKILL')
  await command.ended
  assert.deepEqual([existsSync(target), partialsOf(target).length], [false, 1])

  const { code, stderr } = await runCli(['backup', target, '--data', dataDir])
  assert.equal(code, 0, stderr)
  assert.deepEqual(partialsOf(target), [])
  const names = (directory: string) => contentsIn(directory).map((path) => basename(path))
  assert.deepEqual(names(target), names(dataDir))
})

test('S41: a backup whose server is killed fails with a message and leaves nothing', async (t) => {
  const { server, dataDir } = await startWithFiles(t)
  const target = `${dataDir}-backup`
  const command = await startFrozen(dataDir, target)
  await server.kill('SIGKILL')
  command.signal('SIGCONT')
  const { code, stderr } = await command.ended
  assert.match(stderr, /The server stopped during the backup\. Try again\./)
  assert.deepEqual([code, existsSync(target), partialsOf(target)], [1, false, []])
})

test('S41: a backup that is stopped by a signal leaves nothing', async (t) => {
  const { dataDir } = await startWithFiles(t)
  const target = `${dataDir}-backup`
  const command = await startFrozen(dataDir, target)
  command.signal('SIGINT')
  command.signal('SIGCONT')
  const { code, stderr } = await command.ended
  assert.match(stderr, /The backup was stopped; its incomplete files were removed\./)
  assert.deepEqual([code, existsSync(target), partialsOf(target)], [1, false, []])
})
