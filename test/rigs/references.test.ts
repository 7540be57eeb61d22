// References against a plain model: creates, updates, deletions, changes of columns and restarts in any order, and a
// server that is killed while it deletes many dependents. There is never a reference to a missing record, and
// every index has exactly the rows of its records. TEST_SEED repeats a run.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, test } from 'node:test'
import { verifyRecords } from '../../lib/storage/integrity/verify-records.ts'
import { killChildren, makeKey, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { siteBehind } from '../helpers/engine.ts'
import { listAll, makeTable } from '../helpers/modules.ts'
import { fc } from '../helpers/properties.ts'
import { send, startTestServer, type TestServer } from '../helpers/server.ts'
import { tamper } from '../helpers/site.ts'
import {
  type Column,
  COLUMNS,
  isValid,
  type Part,
  remove,
  type Rule,
  type State,
} from './references/model.ts'
import { IS_FULL } from './sampling.ts'

after(async () => {
  await killChildren()
  removeDataDirectories()
})

const RULES: readonly Rule[] = ['RESTRICT', 'SET NULL', 'CASCADE']

type Command =
  | { readonly kind: 'top' }
  | { readonly kind: 'part' | 'change'; readonly id: number; readonly part: Part }
  | { readonly kind: 'remove'; readonly table: 'top' | 'part'; readonly id: number }
  | { readonly kind: 'rule'; readonly column: Column; readonly rule: Rule }
  | { readonly kind: 'restart' }

const number = fc.integer({ min: 1, max: 6 })
const part = fc.record({
  top: fc.option(number),
  next: fc.option(number),
  all: fc.uniqueArray(number, { maxLength: 3 }),
})
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'top' } as const) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('part' as const), id: number, part }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('change' as const), id: number, part }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('remove' as const),
      table: fc.constantFrom('top' as const, 'part' as const),
      id: number,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('rule' as const),
      column: fc.constantFrom(...COLUMNS),
      rule: fc.constantFrom(...RULES),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' } as const) },
)

const RUNS = IS_FULL ? Number(process.env['CMS_RIG_ROUNDS'] ?? 500) : 12

test('creates, updates, deletions and changes of columns have the effect of the model', async () => {
  const commands = fc.array(command, { minLength: 10, maxLength: 40 })
  await fc.assert(fc.asyncProperty(commands, play), { numRuns: RUNS })
})

async function play(commands: readonly Command[]): Promise<void> {
  const dataDir = newDataDirectory()
  let server = await startTestServer({ dataDir })
  try {
    const tops = await makeTable(server, 'a I')
    const rules: Record<Column, Rule> = { top: 'RESTRICT', next: 'SET NULL', all: 'CASCADE' }
    const schema = (): string =>
      `top I REFERENCES datatable ${tops.id} ON DELETE ${rules.top}, next I REFERENCES SELF ON DELETE ${rules.next}, ` +
      `all I REFERENCES datatable ${tops.id} MANY ON DELETE ${rules.all}`
    const parts = await makeTable(server, schema())
    const state: State = { tops: new Set(), parts: new Map() }
    const post = (url: string, json: object) => server.call('POST', url, { json })
    let made = 0

    for (const given of [...FIRST, ...commands]) {
      const item = inPlace(given, state)
      if (item.kind === 'top') {
        assert.equal((await post(tops.url, {})).status, 201)
        state.tops.add(Math.max(0, ...state.tops, await highest(server, tops.url)))
      } else if (item.kind === 'part') {
        const { status } = await post(parts.url, item.part)
        assert.equal(status, isValid(state, item.part) ? 201 : 422)
        if (status === 201) {
          made = Math.max(made, await highest(server, parts.url))
          state.parts.set(made, { ...item.part })
        }
      } else if (item.kind === 'change') {
        const isThere = state.parts.has(item.id)
        const { status } = await post(`${parts.url}/${item.id}`, item.part)
        assert.equal(status, isThere ? (isValid(state, item.part) ? 200 : 422) : 404)
        if (status === 200) state.parts.set(item.id, { ...item.part })
      } else if (item.kind === 'remove') {
        const isThere = (item.table === 'top' ? state.tops : state.parts).has(item.id)
        const { url } = item.table === 'top' ? tops : parts
        const { status } = await server.call('DELETE', `${url}/${item.id}`)
        assert.equal(status, isThere ? (remove(state, rules, item) ? 204 : 409) : 404)
      } else if (item.kind === 'rule') {
        rules[item.column] = item.rule
        assert.equal((await post(parts.path, { table_schema: schema() })).status, 200)
      } else {
        await server.stop()
        server = await startTestServer({ dataDir })
      }
      await compare(server, { tops: tops.url, parts: parts.url, state })
    }
  } finally {
    await server.stop()
  }
  await tamper(dataDir, async (kv) => assert.deepEqual(verifyRecords(kv).faults, []))
}

const FIRST: readonly Command[] = Array.from({ length: 3 }, () => ({ kind: 'top' }))
/** Stands for a record that does not exist. */
const MISSING = 6

/** Numbers of commands are positions among the records, so that most references lead to a record. */
function inPlace(item: Command, { tops, parts }: State): Command {
  const find = (ids: Iterable<number>, at: number): number => {
    const all = [...ids]
    return at === MISSING || all.length === 0 ? 9_999 : (all[at % all.length] ?? 9_999)
  }
  if (item.kind === 'remove')
    return { ...item, id: find(item.table === 'top' ? tops : parts.keys(), item.id) }
  if (item.kind !== 'part' && item.kind !== 'change') return item
  const { top, next, all } = item.part
  return {
    kind: item.kind,
    id: find(parts.keys(), item.id),
    part: {
      top: top === null ? null : find(tops, top),
      next: next === null || parts.size === 0 ? null : find(parts.keys(), next),
      all: [...new Set(all.map((at) => find(tops, at)))],
    },
  }
}

async function highest(server: TestServer, url: string): Promise<number> {
  const all = await listAll(server, url)
  return Math.max(0, ...all.map((entry) => entry.datatable_entry_id))
}

async function compare(
  server: TestServer,
  { tops, parts, state }: { readonly tops: string; readonly parts: string; readonly state: State },
): Promise<void> {
  const [allTops, allParts] = [await listAll(server, tops), await listAll(server, parts)]
  assert.deepEqual(new Set(allTops.map((entry) => entry.datatable_entry_id)), state.tops)
  assert.deepEqual(
    new Map(allParts.map(({ datatable_entry_id: id, top, next, all }) => [id, { top, next, all }])),
    state.parts,
  )
}

const DEPENDENTS = IS_FULL ? 100_000 : 4_000
const ARGS = ['--log-level', 'error', '--min-free-mb', '0', '--scrub-days', '0']

test('a server that is killed while it deletes dependents completes the deletion', async () => {
  const dataDir = newDataDirectory()
  const site = await siteBehind(dataDir)
  // Loaded only for clusters.
  const env = site && (await import('../helpers/cluster.ts')).variablesOf(site)
  let child = await startChild(dataDir, ARGS, { ...(env && { env }) })
  const key = await makeKey(dataDir)
  const call = (method: string, path: string, json?: unknown) =>
    send(child.url, method, path, { key, ...(json !== undefined && { json }) })
  const made = async (path: string, json: object) => (await call('POST', path, json)).body
  const top = await made('/api/v2/datatable', { name: 'top', table_schema: 'a I' })
  const table_schema = `top I REFERENCES datatable ${top.datatable_id} ON DELETE CASCADE, next I REFERENCES SELF ON DELETE SET NULL`
  const parts = await made('/api/v2/datatable', { name: 'parts', table_schema })
  await made(top.module_url, {})
  for (let count = 0; count < DEPENDENTS; count += 500) {
    const list = Array.from({ length: 500 }, () => ({ top: 1, next: count === 0 ? null : count }))
    assert.equal((await call('POST', parts.module_url, list)).status, 201)
  }
  assert.equal((await call('DELETE', `${top.module_url}/1`)).status, 202)
  await child.kill('SIGKILL')
  await tamper(dataDir, async (kv) => assert.deepEqual(verifyRecords(kv).faults, []))

  child = await startChild(dataDir, ARGS, { ...(env && { env }) })
  const isThere = async () => (await call('GET', `${top.module_url}/1`)).status === 200
  for (let waitedMs = 0; await isThere(); waitedMs += 50) {
    assert.ok(waitedMs < 300_000, 'the deletion does not end')
    // The target may be gone by now.
    const { status } = await call('POST', parts.module_url, { top: 1 })
    assert.ok(status === 409 || status === 422)
    await sleep(50)
  }
  assert.equal((await call('GET', parts.module_url)).body.page.total, 0)
  await child.kill('SIGTERM')
  await tamper(dataDir, async (kv) => assert.deepEqual(verifyRecords(kv).faults, []))
})
