// Columns of a table with 20,000 entries change while other clients read and write, and across restarts. No
// request waits, no write bypasses a new rule, and every search is correct at every moment.

import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import { read } from '../../helpers/content.ts'
import {
  changeSchema,
  entriesOf,
  listAll,
  listEntries,
  type MadeModule,
  makeEntries,
  makeTable,
  queryOf,
} from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { tamper } from '../../helpers/site.ts'
import { pendingWork } from '../../../lib/schema/pending-work.ts'
import { verifyRecords } from '../../../lib/storage/integrity/verify-records.ts'

const SIZE = 20_000
/** Enough entries that the index is built after the answer. */
const SMALLER = 4_000
let server: TestServer
let table: MadeModule
before(async () => {
  server = await startTestServer()
  table = await makeTable(server, 'a C(20), b I')
  await makeEntries(
    server,
    table.url,
    Array.from({ length: SIZE }, (_, at) => rowOf(at)),
  )
})
after(() => server.close())

function rowOf(at: number): object {
  return { a: `word ${at % 100}`, ...(at % 5 !== 0 && { b: at % 1_000 }) }
}

const idsOf = (entries: readonly any[]) => entries.map((entry) => entry.datatable_entry_id)

async function change({ path }: MadeModule, json: object): Promise<void> {
  const answer = await changeSchema(server, path, json)
  assert.equal(answer.status, 200, answer.text)
}

async function makeSmaller(schema: string, row: object): Promise<MadeModule> {
  const made = await makeTable(server, schema)
  await makeEntries(
    server,
    made.url,
    Array.from({ length: SMALLER }, () => row),
  )
  return made
}

/** A search cannot sort by a column until the index of the column is complete. */
async function waitForIndex(url: string, orderStr: string): Promise<void> {
  for (let left = 600; left > 0; left -= 1) {
    const answer = await server.call('GET', `${url}?${queryOf({ orderStr, length: 1 })}`)
    if (answer.status === 200) return
    assert.deepEqual([answer.status, answer.headers['retry-after']], [503, '1'], answer.text)
    await wait(50)
  }
  assert.fail(`the index of ${orderStr} was not complete in time`)
}

/** Compares searches that may use the index of a column with the filtered list of all entries. */
async function assertSearchesRight(url: string, name: string, values: readonly unknown[]) {
  const fields = `datatable_entry_id,${name}`
  const all = await listAll(server, url, { fields })
  for (const value of values) {
    const found = await listAll(server, url, { fields, qry: { [name]: value } })
    assert.deepEqual(
      found,
      all.filter((entry) => entry[name] === value),
      String(value),
    )
  }
  const sorted = await listAll(server, url, { fields, orderStr: name })
  assert.deepEqual(new Set(idsOf(sorted)), new Set(idsOf(all)))
  assert.equal(sorted.length, all.length)
}

test('reads and writes continue while columns are added, renamed, widened and dropped', async () => {
  const before = await read(server, `${table.url}/1`)
  const statuses = new Set<number>()
  const written = new Map<number, number>()
  let isOver = false

  /** Changes a separate range of entries, using only columns that stay. */
  async function write(first: number): Promise<void> {
    for (let at = 0; !isOver; at += 1) {
      const id = first + (at % 50)
      const answer = await server.call('POST', `${table.url}/${id}`, { json: { b: 5_000 + at } })
      statuses.add(answer.status)
      if (answer.status === 200) written.set(id, 5_000 + at)
      await wait(2)
    }
  }
  async function readOn(): Promise<void> {
    while (!isOver) {
      const body = await listEntries(server, table.url, { qry: { b: 777 }, length: 1_000 })
      assert.equal(entriesOf(body).length, SIZE / 1_000)
      await wait(2)
    }
  }
  const others = [write(1_001), write(3_001), readOn()]
  await change(table, { table_schema: 'a C(20), b I, c C(10) DEFAULT new, d I' })
  await change(table, {
    table_schema: 'a C(20), b I, e C(200) DEFAULT new, d I',
    columns: [{ name: 'e', renamed_from: 'c' }],
  })
  await change(table, { table_schema: 'a C(40), b N(12.2), e C(200), d I' })
  await change(table, { table_schema: 'a C(40), b N(12.2), e C(200)' })
  await waitForIndex(table.url, 'e')
  isOver = true
  await Promise.all(others)

  assert.deepEqual([...statuses], [200])
  assert.deepEqual(await read(server, `${table.url}/1`), before)
  const all = await listAll(server, table.url)
  assert.equal(all.length, SIZE)
  for (const entry of all) {
    const id = entry.datatable_entry_id
    assert.deepEqual([entry.e, entry.a], ['new', `word ${(id - 1) % 100}`])
    if (written.has(id)) assert.equal(entry.b, String(written.get(id)))
  }
  await assertSearchesRight(table.url, 'e', ['new', null])
  await assertSearchesRight(table.url, 'a', ['word 7'])
})

test('a search during the drop of its column is correct or reports that the column is gone', async () => {
  const own = await makeSmaller('a C(20), b X', { a: 'x', b: 'y' })
  await server.call('POST', `${own.url}/1`, { json: { b: 'a needle' } })
  // The index rows are deleted from the beginning, and the search reads from the end.
  const order = { orderStr: 'a', orderDir: 'DESC' }
  const query = queryOf({ qry: { b: { $contains: 'needle' } }, ...order })
  const json = { table_schema: 'b X' }
  const dropping = changeSchema(server, own.path, json, '?confirm=drop')
  const searches = []
  for (let isOver = false; !isOver; ) {
    searches.push(server.call('GET', `${own.url}?${query}`))
    isOver = await Promise.race([dropping.then(() => true), wait(15, false)])
  }
  assert.equal((await dropping).status, 200)
  for (const { status, body } of await Promise.all(searches)) {
    if (status === 200) assert.deepEqual(idsOf(entriesOf(body)), [1])
    else assert.equal(body.code, 'bad-qry')
  }
})

test('a column that is renamed while its index is being built is found by its values', async () => {
  const own = await makeSmaller('a C(20)', { a: 'x' })
  await change(own, { table_schema: 'a C(20), f C(20)' })
  await change(own, {
    table_schema: 'a C(20), g C(20)',
    columns: [{ name: 'g', renamed_from: 'f' }],
  })
  const last = Array.from({ length: 8 }, (_, at) => SMALLER - at)
  const writes = last.map((id) =>
    server.call('POST', `${own.url}/${id}`, { json: { g: `set ${id % 3}` } }),
  )
  for (const { status } of await Promise.all(writes)) assert.equal(status, 200)
  await waitForIndex(own.url, 'g')
  await assertSearchesRight(own.url, 'g', [null, 'set 0', 'set 1', 'set 2'])
})

test('a column that is dropped while its index is being built can be added again', async () => {
  const own = await makeSmaller('a C(20)', { a: 'x' })
  await change(own, { table_schema: 'a C(20), f C(20)' })
  await change(own, { table_schema: 'a C(20)' })
  await change(own, { table_schema: 'a C(20), f I' })
  await waitForIndex(own.url, 'f')
  await assertSearchesRight(own.url, 'f', [null])
})

test('no entry without a value is stored while a column becomes NOTNULL', async () => {
  const own = await makeTable(server, 'a C(20), b I')
  await makeEntries(
    server,
    own.url,
    Array.from({ length: 4_000 }, () => ({ a: 'x', b: 1 })),
  )
  for (let round = 0; round < 6; round += 1) {
    const changing = changeSchema(server, own.path, { table_schema: 'a C(20) NOTNULL, b I' })
    await wait(round * 4)
    const id = 1 + round
    const writes = await Promise.all([
      server.call('POST', `${own.url}/${id}`, { json: { a: null } }),
      server.call('POST', own.url, { json: { b: 2 } }),
    ])
    const changed = await changing
    const empty = entriesOf(await listEntries(server, own.url, { qry: { a: null } }))
    for (const { status } of writes) assert.ok([200, 201, 422].includes(status))
    assert.equal(changed.status, empty.length === 0 ? 200 : 409, changed.text)
    if (changed.status === 409) assert.ok(changed.body.plan.required[0].entries <= empty.length)

    assert.equal(
      (await changeSchema(server, own.path, { table_schema: 'a C(20), b I' })).status,
      200,
    )
    for (const entry of empty)
      await server.call('POST', `${own.url}/${entry.datatable_entry_id}`, { json: { a: 'x' } })
  }
})

test('a value written during a drop or a narrowing is kept, or one of the two requests is refused', async () => {
  const own = await makeTable(server, 'a C(20), b I')
  await makeEntries(
    server,
    own.url,
    Array.from({ length: 4_000 }, () => ({ a: 'x' })),
  )
  for (let round = 0; round < 4; round += 1) {
    const changing = changeSchema(server, own.path, { table_schema: 'a C(2)' })
    await wait(round * 4)
    const json = round % 2 === 0 ? { b: 5 } : { a: 'long' }
    const written = await server.call('POST', `${own.url}/1`, { json })
    const changed = await changing
    assert.deepEqual(
      [written.status, changed.status].sort(),
      written.status === 200 ? [200, 409] : [200, 422],
    )
    await changeSchema(server, own.path, { table_schema: 'a C(20), b I' }, '?confirm=drop')
    await server.call('POST', `${own.url}/1`, { json: { a: 'x', b: null } })
  }
})

test('two concurrent changes are both applied, or one gets a conflict', async () => {
  const own = await makeTable(server, 'a C(20)')
  await makeEntries(
    server,
    own.url,
    Array.from({ length: 2_000 }, () => ({ a: 'x' })),
  )
  const { etag } = await read(server, own.path)
  const send = (table_schema: string) =>
    server.call('POST', own.path, { json: { table_schema }, headers: { 'if-match': etag } })
  const answers = await Promise.all([send('a C(20) NOTNULL, b I'), send('a C(20) NOTNULL, c I')])
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 412])

  const free = (json: object) => changeSchema(server, own.path, json)
  const both = await Promise.all([free({ title: 'T' }), free({ table_schema: 'a C(30) NOTNULL' })])
  assert.deepEqual(
    both.map((answer) => answer.status),
    [200, 200],
  )
  const { body } = await read(server, own.path)
  assert.deepEqual([body.title, body.table_schema], ['T', 'a C(30) NOTNULL'])
})

test('a stop interrupts the building of an index, and the next start finishes it', async () => {
  const own = await makeSmaller('a C(20)', { a: 'x' })
  await change(own, { table_schema: 'a C(20), h I DEFAULT 3' })
  await server.stop()
  // Missing rows that are still to be built are not faults.
  await tamper(server.dataDir, async (kv) => assert.deepEqual(verifyRecords(kv).faults, []))
  server = await startTestServer({ dataDir: server.dataDir })
  const during = await server.call('GET', `${own.url}?${queryOf({ orderStr: 'h' })}`)
  assert.equal(during.status, 503)
  const counted = await listEntries(server, own.url, { qry: { h: 3 }, count: 'exact', length: 1 })
  assert.equal(counted.page.total, SMALLER)
  const written = await server.call('POST', `${own.url}/${SMALLER}`, { json: { h: 4 } })
  assert.equal(written.status, 200)
  await waitForIndex(own.url, 'h')
  await assertSearchesRight(own.url, 'h', [3, 4, null])
})

test('a restart keeps modules, entries, columns and numbers, and deleted modules stay deleted', async () => {
  const own = await makeTable(server, 'a C(20)')
  await makeEntries(
    server,
    own.url,
    Array.from({ length: 3_000 }, () => ({ a: 'x' })),
  )
  const before = await listAll(server, table.url)
  const record = await read(server, table.path)
  assert.equal((await server.call('DELETE', own.path)).status, 204)
  await server.stop()
  server = await startTestServer({ dataDir: server.dataDir })

  assert.equal((await server.call('GET', own.url)).status, 404)
  assert.deepEqual(await read(server, table.path), record)
  assert.deepEqual(await listAll(server, table.url), before)
  const next = await makeTable(server, 'a C(20)')
  assert.ok(next.id > own.id)
  assert.deepEqual(await listAll(server, next.url), [])
  const created = await server.call('POST', table.url, {
    json: {},
    headers: { prefer: 'return=representation' },
  })
  assert.equal(created.body.datatable_entry.datatable_entry_id, SIZE + 1)
})

test('at the end no work is pending, and records, index rows and counters agree', async () => {
  await server.stop()
  for (let left = 50; (await findWork()).length > 0 && left > 0; left -= 1) {
    server = await startTestServer({ dataDir: server.dataDir })
    await wait(300)
    await server.stop()
  }
  assert.deepEqual(await findWork(), [])
  await tamper(server.dataDir, async (kv) => assert.deepEqual(verifyRecords(kv).faults, []))
})

async function findWork(): Promise<readonly unknown[]> {
  const found: unknown[] = []
  await tamper(server.dataDir, async (_, records) => {
    found.push(...records.list(pendingWork, []))
  })
  return found
}
