// The trash against a plain model: deletions, restores, renames, creates under released names, removals for good and
// restarts in any order, and a server that is killed in between. Nothing that was acknowledged is lost, nothing deleted is
// visible, and names and unique values hold. TEST_SEED repeats a run.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, test } from 'node:test'
import { verifyRecords } from '../../lib/storage/integrity/verify-records.ts'
import { killChildren, makeKey, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { makeTable } from '../helpers/modules.ts'
import { fc } from '../helpers/properties.ts'
import { type Answer, type Answering, type Call, send, startTestServer } from '../helpers/server.ts'
import { tamper } from '../helpers/site.ts'
import { listTrash, restore as askRestore } from '../helpers/trash.ts'
import {
  drop,
  type Item,
  isTaken,
  newState,
  refusalOf,
  removeEntry,
  removeFile,
  removeFolder,
  restore,
  ROOT,
  type State,
} from './trash/model.ts'
import { IS_FULL } from './sampling.ts'

after(async () => {
  await killChildren()
  removeDataDirectories()
})

type Kind =
  | 'folder'
  | 'file'
  | 'entry'
  | 'rename'
  | 'publish'
  | 'remove-file'
  | 'remove-folder'
  | 'remove-entry'
  | 'restore'
  | 'discard'
  | 'restart'

interface Command {
  readonly kind: Kind
  readonly at: number
  readonly name: string
}

const WEIGHTS: Readonly<Record<Kind, number>> = {
  folder: 2,
  file: 6,
  entry: 4,
  rename: 3,
  publish: 2,
  'remove-file': 5,
  'remove-folder': 2,
  'remove-entry': 3,
  restore: 8,
  discard: 1,
  restart: 1,
}

const command: fc.Arbitrary<Command> = fc.oneof(
  ...Object.entries(WEIGHTS).map(([kind, weight]) => ({
    weight,
    arbitrary: fc.record({
      kind: fc.constant(kind as Kind),
      at: fc.nat(1_000),
      name: fc.constantFrom('a', 'b', 'c', 'd'),
    }),
  })),
)

interface Run {
  readonly state: State
  readonly url: string
  call(method: string, path: string, call?: Call): Promise<Answer>
}

function pick<T>(items: Iterable<T>, at: number): T | undefined {
  const all = [...items]
  return all[at % Math.max(1, all.length)]
}

/** Sends one command, and changes the model as the answer must. */
async function play(run: Run, { kind, at, name }: Command): Promise<void> {
  const { state } = run
  const fileId = pick(state.files.keys(), at) ?? 0
  const file = state.files.get(fileId)
  const folder = pick([ROOT, ...state.folders.keys()], at) ?? ROOT
  const path = `/api/v2/asset_file/${fileId}`
  if (kind === 'folder') {
    const answer = await run.call('POST', '/api/v2/asset_category', { json: { name } })
    if (expectStatus(answer, isTaken(state, ROOT, name) ? 409 : 201))
      state.folders.set(answer.body.asset_category_id, name)
  } else if (kind === 'file') {
    const json = { name, type: 'txt', parent_category_id: folder, pageContent: name }
    const answer = await run.call('POST', '/api/v2/asset_file', { json })
    const made = { name, folder, isLive: false, versions: 1 }
    if (expectStatus(answer, isTaken(state, folder, name) ? 409 : 201))
      state.files.set(answer.body.asset_file_id, made)
  } else if (kind === 'entry') {
    const prefer = { prefer: 'return=representation' }
    const answer = await run.call('POST', run.url, { json: { code: name }, headers: prefer })
    if (expectStatus(answer, [...state.entries.values()].includes(name) ? 409 : 201))
      state.entries.set(answer.body.datatable_entry.datatable_entry_id, name)
  } else if (kind === 'restore' || kind === 'discard') {
    const item = pick(state.trash, at)
    if (item !== undefined) await playItem(run, kind, item)
  } else if (kind === 'remove-folder') {
    const id = pick(state.folders.keys(), at)
    if (id === undefined) return
    expectStatus(await run.call('DELETE', `/api/v2/asset_category/${id}?recursive=true`), 204)
    removeFolder(state, id)
  } else if (kind === 'remove-entry') {
    const id = pick(state.entries.keys(), at)
    if (id === undefined) return
    expectStatus(await run.call('DELETE', `${run.url}/${id}`), 204)
    removeEntry(state, id)
  } else if (file !== undefined && kind === 'rename' && !file.isLive) {
    const answer = await run.call('POST', path, { json: { name } })
    if (expectStatus(answer, isTaken(state, file.folder, name, fileId) ? 409 : 200))
      state.files.set(fileId, { ...file, name, versions: file.versions + 1 })
  } else if (file !== undefined && kind === 'publish') {
    expectStatus(await run.call('POST', `${path}/publish`), 200)
    state.files.set(fileId, { ...file, isLive: true })
  } else if (file !== undefined && kind === 'remove-file') {
    expectStatus(await run.call('DELETE', path), 204)
    removeFile(state, fileId)
  }
}

/** Whether the request succeeded, as the model says. */
function expectStatus(answer: Answer, status: number): boolean {
  assert.equal(answer.status, status, answer.text)
  return status < 300
}

async function playItem(run: Run, kind: 'restore' | 'discard', item: Item): Promise<void> {
  const found = await settledItem(run, item)
  if (kind === 'discard') {
    expectStatus(await run.call('DELETE', `/api/v2/trash/${found.trash_id}`), 204)
    return drop(run.state, item)
  }
  const refusal = refusalOf(run.state, item)
  const answer = await askRestore(run, found)
  if (refusal === undefined) {
    assert.equal(answer.status, 200, answer.text)
    restore(run.state, item)
  } else assert.equal(answer.body.code, refusal, answer.text)
}

/** Another deletion or restore of the same record may still end in the background. */
async function settledItem(run: Answering, { object, id }: Item): Promise<any> {
  for (;;) {
    const found = await listTrash(run, { object, object_id: id })
    const [item] = found.filter(({ state }) => state === 'complete')
    if (item !== undefined) return item
    await sleep(10)
  }
}

async function requireSame(run: Run): Promise<void> {
  const { state } = run
  const list = async (path: string, name: string): Promise<readonly any[]> => {
    const { body, text } = await run.call('GET', `${path}?length=1000&fields=*`)
    assert.ok(Array.isArray(body[name]), text)
    return body[name]
  }
  const files = await list('/api/v2/asset_file', 'asset_file')
  const shown = files.map((file) => [
    file.asset_file_id,
    {
      name: file.name,
      folder: file.parent_category_id,
      isLive: file.live_version !== null,
      versions: file.version,
    },
  ])
  assert.deepEqual(new Map(shown as [number, object][]), state.files)
  const folders = await list('/api/v2/asset_category', 'asset_category')
  const own = folders.filter(({ asset_category_id: id }) => id > 12)
  assert.deepEqual(
    new Map(own.map((folder) => [folder.asset_category_id, folder.name])),
    new Map([...state.folders].toSorted(([left], [right]) => left - right)),
  )
  const entries = await list(run.url, 'datatable_entry')
  assert.deepEqual(
    new Map(entries.map((entry) => [entry.datatable_entry_id, entry.code])),
    new Map([...state.entries].toSorted(([left], [right]) => left - right)),
  )
  // A restore that has ended removes its item a moment later.
  for (;;) {
    const items = await listTrash(run, { state: 'complete' })
    const all = await listTrash(run)
    if (items.length !== all.length) {
      await sleep(10)
      continue
    }
    const names = items.map(({ object, object_id: id }) => `${object} ${id}`)
    const expected = state.trash.map(({ object, id }) => `${object} ${id}`)
    return assert.deepEqual(names.toSorted(), expected.toSorted())
  }
}

/** Each version of each file that exists is there with its bytes. */
async function requireContents({ state, call }: Run): Promise<void> {
  for (const [id, { versions }] of state.files)
    for (let version = 1; version <= versions; version += 1) {
      const path = `/api/v2/asset_file/${id}/versions/${version}/content`
      assert.equal((await call('GET', path)).status, 200, path)
    }
}

async function requireWhole(dataDir: string): Promise<void> {
  await tamper(dataDir, async (kv) => assert.deepEqual(verifyRecords(kv).faults, []))
}

test('the trash has the state of a plain model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 20, maxLength: 60 }), async (commands) => {
      const dataDir = newDataDirectory()
      let server = await startTestServer({ dataDir, config: { processes: 1 } })
      const { url } = await makeTable(server, 'code C(9) UNIQUE')
      const call: Run['call'] = (method, path, rest) => server.call(method, path, rest)
      const run: Run = { state: newState(), url, call }
      try {
        for (const item of commands) {
          if (item.kind === 'restart') {
            await server.stop()
            server = await startTestServer({ dataDir, config: { processes: 1 } })
          } else await play(run, item)
          await requireSame(run)
        }
        await requireContents(run)
      } finally {
        await server.stop()
      }
      await requireWhole(dataDir)
    }),
    { numRuns: IS_FULL ? 60 : 5 },
  )
})

for (const round of Array.from({ length: IS_FULL ? 20 : 3 }, (_, at) => at)) {
  test(`a server that is killed while a folder is deleted and restored loses nothing: ${round}`, async () => {
    const dataDir = newDataDirectory()
    let child = await startChild(dataDir)
    const key = await makeKey(dataDir, ['--name', 'rig'])
    const ask = (method: string, path: string, call: Call = {}): Promise<Answer> =>
      send(child.url, method, path, { key, ...call })
    const { body: folder } = await ask('POST', '/api/v2/asset_category', { json: { name: 'all' } })
    const id = folder.asset_category_id
    const json = Array.from({ length: 300 }, (_, at) => ({
      name: `${at}.txt`,
      type: 'txt',
      parent_category_id: id,
      pageContent: `${at}`,
      fileState: 'publish',
    }))
    for (let at = 0; at < json.length; at += 50)
      assert.equal(
        (await ask('POST', '/api/v2/asset_file', { json: json.slice(at, at + 50) })).status,
        201,
      )
    const path = `/api/v2/asset_category/${id}`
    const count = async (): Promise<number> => {
      const { body } = await ask('GET', '/api/v2/asset_file?count=exact&length=1')
      return body.page.total
    }

    for (const step of ['delete', 'restore', 'delete'] as const) {
      const doing =
        step === 'delete'
          ? ask('DELETE', `${path}?recursive=true`)
          : ask(
              'POST',
              `/api/v2/trash/${(await settledItem({ call: ask }, folderItem(id))).trash_id}/restore`,
              { json: {} },
            )
      const done = doing.then(
        ({ status }) => status,
        () => 0,
      )
      await sleep(10 + ((round * 37) % 150))
      await child.kill('SIGKILL')
      const status = await done
      child = await startChild(dataDir)
      const isThere = (await ask('GET', path)).status === 200
      // Acknowledged or not, the folder is there with everything in it, or not at all.
      assert.equal(await count(), isThere ? 300 : 0, `${step}: ${status}`)
      if (status === 204) assert.ok(!isThere)
      if (status === 200) assert.ok(isThere)
      if (!isThere && step === 'restore') await untilThere(ask, id)
      if (isThere && step === 'delete') await ask('DELETE', `${path}?recursive=true`)
    }
    await untilThere(ask, id)
    assert.equal(await count(), 300)
    const { body } = await ask('GET', '/api/v2/asset_file?length=1000&fields=url')
    for (const { url } of body.asset_file.slice(0, 20))
      assert.equal((await ask('GET', url)).status, 200)
    await child.kill('SIGTERM')
    await requireWhole(dataDir)
  })
}

function folderItem(id: number): Item {
  return { object: 'asset_category', id, folder: ROOT, files: new Map(), code: undefined }
}

async function untilThere(ask: Answering['call'], id: number): Promise<void> {
  const item = await settledItem({ call: ask }, folderItem(id))
  const answer = await askRestore({ call: ask }, item)
  assert.equal(answer.status, 200, answer.text)
}
