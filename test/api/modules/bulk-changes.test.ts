// POST …/bulk_update and POST …/bulk_delete: changes of all entries that a search selects.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertProblem, pointersOf } from '../../helpers/content.ts'
import { ask } from '../../helpers/follow.ts'
import {
  listAll,
  type MadeModule,
  makeCalendar,
  makeEntries,
  makeEntry,
  makeTable,
} from '../../helpers/modules.ts'
import { type Answer, type Call, startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const SCHEMA = 'title C(40) NOTNULL, kind C(9), n I, code C(20) UNIQUE'
const rowsOf = (length: number, fields: object = {}): readonly object[] =>
  Array.from({ length }, (_, n) => ({
    title: `t${n}`,
    kind: n % 2 === 0 ? 'even' : 'odd',
    n,
    ...fields,
  }))

async function filled(length: number, schema = SCHEMA): Promise<MadeModule> {
  const table = await makeTable(server, schema)
  await makeEntries(server, table.url, rowsOf(length))
  return table
}

const update = (url: string, json: unknown, call: Omit<Call, 'json'> = {}): Promise<Answer> =>
  server.call('POST', `${url}/bulk_update`, { json, ...call })
const remove = (url: string, json: unknown, call: Omit<Call, 'json'> = {}): Promise<Answer> =>
  server.call('POST', `${url}/bulk_delete`, { json, ...call })

test('an update changes the matching entries and returns the number of changed entries', async () => {
  const { url } = await filled(10)
  const before = await listAll(server, url)
  const answer = await update(url, { qry: { n: { $gte: 6 } }, values: { kind: 'even' } })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(answer.body, { matched: 4, changed: 2, dry_run: false })
  const now = await listAll(server, url)
  const kindOf = ({ n, kind }: any): string => (n >= 6 ? 'even' : kind)
  assert.deepEqual(
    now.map((entry) => ({ ...entry, date_modified: '' })),
    before.map((entry) => ({ ...entry, kind: kindOf(entry), date_modified: '' })),
  )
  // An entry that stays the same keeps its date.
  assert.deepEqual([now[6], now[8]], [before[6], before[8]])
  // Index rows follow.
  const found = await listAll(server, url, { qry: { kind: 'even' } })
  assert.equal(found.length, 7)
})

test('a delete removes the matching entries', async () => {
  const { url } = await filled(10)
  const answer = await remove(url, { qry: { kind: 'odd' }, expect: 5 })
  assert.deepEqual(answer.body, { matched: 5, changed: 5, dry_run: false })
  const left = await listAll(server, url)
  assert.deepEqual(
    left.map(({ n }) => n),
    [0, 2, 4, 6, 8],
  )
  assert.deepEqual((await remove(url, { qry: { kind: 'odd' } })).body.matched, 0)
})

test('a number that differs from expect changes nothing, and the error has the actual number', async () => {
  const { url } = await filled(6)
  for (const answer of [
    await update(url, { qry: { kind: 'odd' }, values: { n: 0 }, expect: 4 }),
    await remove(url, { qry: '{"kind":"odd"}', expect: 2 }),
    await remove(url, { qry: { kind: 'odd' }, expect: 0, dry_run: true }),
  ])
    assert.equal(assertProblem(answer, 'count-differs').matched, 3)
  assert.equal((await listAll(server, url)).filter(({ n }) => n > 0).length, 5)
})

test('a dry run checks everything and changes nothing', async () => {
  const { url } = await filled(6)
  const before = await listAll(server, url)
  const { page } = await ask(server)
  const run = { qry: { n: { $lt: 4 } }, values: { kind: 'odd' }, dry_run: true }
  assert.deepEqual((await update(url, run)).body, { matched: 4, changed: 2, dry_run: true })
  assert.deepEqual((await remove(url, { qry: {}, dry_run: true })).body, {
    matched: 6,
    changed: 6,
    dry_run: true,
  })
  assert.deepEqual(pointersOf(await update(url, { ...run, values: { title: null } })), [
    '/values/title',
  ])
  assertProblem(await update(url, { ...run, values: { code: 'x' } }), 'not-unique')
  assert.deepEqual(await listAll(server, url), before)
  assert.deepEqual((await ask(server, `since=${page.next}`)).change, [])
})

test('a fault of a rule over several columns names the entry', async () => {
  const { url } = await filled(3, `${SCHEMA}, CHECK(n < 5), CHECK(kind <> 'odd' OR n <> 2)`)
  const { errors } = assertProblem(
    await update(url, { qry: { n: { $gte: 0 } }, values: { kind: 'odd' } }),
    'invalid-content',
  )
  const detail = "must satisfy CHECK(kind <> 'odd' OR n <> 2) (datatable_entry_id 3)"
  assert.deepEqual(errors, [{ pointer: '/values/kind', detail }])
})

test('If-Match is refused, because it compares one record', async () => {
  const { url } = await filled(3)
  const headers = { 'if-match': '"r1"' }
  for (const answer of [
    await update(url, { qry: { n: 1 }, values: { n: 2 } }, { headers }),
    await remove(url, { qry: { n: 1 } }, { headers }),
    await server.call('POST', `${url}?on_conflict=code`, { json: { code: 'a' }, headers }),
  ])
    assert.match(assertProblem(answer, 'bad-request').detail, /If-Match compares one record/)
  assert.equal((await listAll(server, url)).length, 3)
})

describe('the body', () => {
  test('needs a qry, and selecting every entry also needs expect', async () => {
    const { url } = await filled(3)
    assert.deepEqual(pointersOf(await remove(url, {})), ['/qry'])
    assert.deepEqual(pointersOf(await remove(url, { qry: null })), ['/qry'])
    assert.deepEqual(pointersOf(await update(url, { qry: {} })), ['/values'])
    for (const qry of [{}, '{}', { $and: [{}] }]) {
      assert.deepEqual(pointersOf(await remove(url, { qry })), ['/expect'])
      assert.deepEqual(pointersOf(await update(url, { qry, values: { n: 1 } })), ['/expect'])
    }
    assert.deepEqual((await remove(url, { qry: {}, expect: 3 })).body.changed, 3)
  })

  test('is refused with the reason', async () => {
    const { url } = await filled(3)
    for (const [json, pointer] of [
      [{ qry: 5 }, '/qry'],
      [{ qry: {}, expect: -1 }, '/expect'],
      [{ qry: {}, expect: '3' }, '/expect'],
      [{ qry: {}, dry_run: 'yes' }, '/dry_run'],
      [{ qry: {}, values: {} }, '/values'],
      [{ qry: { $or: Array.from({ length: 500 }, () => ({ n: 1 })) } }, '/qry'],
    ] as const)
      assert.deepEqual(pointersOf(await remove(url, json)), [pointer], JSON.stringify(json))
    assert.deepEqual(pointersOf(await remove(url, [])), [''])
    for (const qry of [{ nope: 1 }, { n: 'x' }, 'no JSON', { title: { $near: 1 } }])
      assertProblem(await remove(url, { qry }), 'bad-qry')
    const answer = await server.call('POST', `${url}/bulk_delete?dry_run=true`, {
      json: { qry: {} },
    })
    assertProblem(answer, 'bad-request')
    const selected = { qry: { n: 1 } }
    assert.deepEqual(pointersOf(await update(url, { ...selected, values: {} })), ['/values'])
    assert.deepEqual(pointersOf(await update(url, { ...selected, values: [] })), ['/values'])
    assert.deepEqual(
      pointersOf(await update(url, { ...selected, values: { nope: 1, n: 'x', owner: 'eve' } })),
      ['/values/n', '/values/nope', '/values/owner'],
    )
    assert.equal((await listAll(server, url)).length, 3)
  })
})

test('more entries than one commit may change are refused, with a way to continue that works', async () => {
  const { url } = await filled(1_100, 'title C(40), kind C(9), n I')
  let { detail, matched } = assertProblem(
    await remove(url, { qry: { kind: { $exists: true } } }),
    'too-large',
  )
  assert.equal(matched, 1_100)
  let requests = 0
  for (; requests < 9; requests += 1) {
    const part = JSON.parse(/\{.*\}/.exec(detail)?.[0] ?? '')
    const qry = { kind: { $exists: true }, ...part }
    assert.deepEqual((await remove(url, { qry, expect: 500 })).body.changed, 500)
    const rest = await remove(url, { qry: { kind: { $exists: true } } })
    if (rest.status === 200) break
    ;({ detail, matched } = assertProblem(rest, 'too-large'))
  }
  assert.deepEqual([requests, matched], [1, 600])
  assert.deepEqual(await listAll(server, url), [])
  const { url: other } = await filled(600)
  assert.equal(
    assertProblem(await remove(other, { qry: {}, expect: 601 }), 'count-differs').matched,
    600,
  )
})

test('large entries count by their bytes', async () => {
  const table = await makeTable(server, 'a I, t X')
  for (let a = 0; a < 3; a += 1) await makeEntry(server, table.url, { a, t: 'x'.repeat(1_000_000) })
  const all = { qry: { a: { $gte: 0 } } }
  const { detail } = assertProblem(
    await update(table.url, { ...all, values: { a: 1 } }),
    'too-large',
  )
  assert.match(detail, /matches 3 entries, and one request may change the first 2/)
  const grown = await update(table.url, {
    qry: { a: { $lt: 2 } },
    values: { t: 'y'.repeat(1_100_000) },
  })
  assert.match(assertProblem(grown, 'too-large').detail, /Narrow qry/)
  assert.equal((await remove(table.url, { qry: { a: { $lt: 2 } } })).body.changed, 2)
})

test('the rules of a single update apply', async () => {
  const { url } = await filled(4)
  const select = { qry: { n: { $lt: 2 } } }
  const { errors } = assertProblem(
    await update(url, { ...select, values: { code: 'same' } }),
    'not-unique',
  )
  assert.deepEqual(errors, [
    {
      pointer: '/values/code',
      detail: 'must be unique, and another entry of this request has the same value',
    },
  ])
  assert.equal((await update(url, { qry: { n: 0 }, values: { code: 'same' } })).body.changed, 1)
  assertProblem(await update(url, { qry: { n: 1 }, values: { code: 'same' } }), 'not-unique')
  assert.equal((await update(url, { ...select, values: { code: null } })).body.changed, 1)

  const authors = await makeTable(server, 'name C(9)')
  const books = await filled(
    3,
    `title C(9), kind C(9), n I, a I REFERENCES datatable ${authors.id}`,
  )
  const refused = await update(books.url, { qry: { n: { $gte: 0 } }, values: { a: 7 } })
  assert.deepEqual(pointersOf(refused), ['/values/a'])

  const pairs = await filled(4, 'title C(9), kind C(9), n I, UNIQUE(kind, n)')
  const together = await update(pairs.url, { qry: { kind: 'odd' }, values: { n: 8 } })
  assert.deepEqual(assertProblem(together, 'not-unique').errors, [
    {
      pointer: '/values/kind',
      detail:
        'must be unique together with n, and another entry of this request has the same values (datatable_entry_id 4)',
    },
  ])

  const checked = await filled(3, 'title C(9), kind C(9), n I, CHECK(n < 9)')
  const broken = await update(checked.url, { qry: { n: { $gte: 1 } }, values: { n: 9 } })
  assert.deepEqual(assertProblem(broken, 'invalid-content').errors, [
    { pointer: '/values/n', detail: 'must satisfy CHECK(n < 9) (datatable_entry_id 2)' },
    { pointer: '/values/n', detail: 'must satisfy CHECK(n < 9) (datatable_entry_id 3)' },
  ])

  const numbered = await filled(3, 'title C(9), kind C(9), n I, no I AUTO')
  const empty = await update(numbered.url, { qry: { n: { $gte: 0 } }, values: { no: null } })
  assert.deepEqual(pointersOf(empty), ['/values/no'])
})

test('a delete follows the references to its entries', async () => {
  for (const [rule, left] of [
    ['', undefined],
    ['ON DELETE SET NULL', [null, null, 3]],
    ['ON DELETE CASCADE', [3]],
  ] as const) {
    const authors = await filled(3)
    const books = await makeTable(server, `a I REFERENCES datatable ${authors.id} ${rule}`)
    await makeEntries(server, books.url, [{ a: 1 }, { a: 2 }, { a: 3 }])
    const selection = { qry: { n: { $lt: 2 } } }
    const dry = await remove(authors.url, { ...selection, dry_run: true })
    assert.equal((await listAll(server, books.url)).length, 3)
    const answer = await remove(authors.url, selection)
    if (left === undefined) {
      assert.equal(assertProblem(dry, 'in-use').count, 2)
      assert.equal(assertProblem(answer, 'in-use').count, 2)
      assert.equal((await remove(books.url, { qry: { a: 1 } })).body.changed, 1)
      assert.equal((await remove(authors.url, { qry: { n: 0 } })).body.changed, 1)
      continue
    }
    assert.deepEqual([dry.body.changed, answer.body.changed], [2, 2])
    const stored = await listAll(server, books.url)
    assert.deepEqual(
      stored.map(({ a }) => a),
      left,
    )
  }
  // Entries that refer to each other are deleted together.
  const nodes = await makeTable(server, 'a I')
  await server.call('POST', nodes.path, {
    json: { table_schema: `a I REFERENCES datatable ${nodes.id}` },
  })
  await makeEntries(server, nodes.url, [{}])
  await makeEntries(server, nodes.url, [{ a: 1 }])
  assertProblem(await remove(nodes.url, { qry: { a: null } }), 'in-use')
  assert.equal((await remove(nodes.url, { qry: {}, expect: 2 })).body.changed, 2)
})

test('events are checked as wholes, and a fault names its event', async () => {
  const { url } = await makeCalendar(server)
  const event = { event_title: 'a', start_time: '2026-03-02T09:00:00Z' }
  await makeEntries(server, url, [event, { ...event, start_time: '2026-03-05T09:00:00Z' }])
  const values = { end_time: '2026-03-03T00:00:00Z' }
  const { errors } = assertProblem(
    await update(url, { qry: { event_title: 'a' }, values }),
    'invalid-content',
  )
  assert.deepEqual(errors, [
    {
      pointer: '/values/end_time',
      detail: 'must not be before start_time (calendar_entry_id 2)',
    },
  ])
  const qry = { calendar_entry_id: 1 }
  assert.equal((await update(url, { qry, values: { ...values, all_day: true } })).body.changed, 1)
  const [first] = await listAll(server, url, { qry })
  assert.deepEqual(
    [first.start_time, first.end_time],
    ['2026-03-02T00:00:00.000Z', '2026-03-03T00:00:00.000Z'],
  )
  assert.equal((await remove(url, { qry: {}, expect: 2 })).body.changed, 2)
})

test('each request needs its grant and the grant view', async () => {
  const { url } = await filled(2)
  const json = { qry: { n: 0 }, values: { n: 0 } }
  for (const [grants, isUpdate, isRemove] of [
    ['modify', false, false],
    ['delete', false, false],
    ['view,modify', true, false],
    ['view,delete', false, true],
    ['view,create', false, false],
  ] as const) {
    const key = await server.makeKey({ name: grants, grants })
    const updated = await update(url, json, { key })
    const removed = await remove(url, { qry: json.qry, dry_run: true }, { key })
    assert.deepEqual([updated.status === 200, removed.status === 200], [isUpdate, isRemove], grants)
    if (!isUpdate) assertProblem(updated, 'grant-missing')
    if (!isRemove) assertProblem(removed, 'grant-missing')
  }
})

test('a retry with the same Idempotency-Key changes nothing and gets the same numbers', async () => {
  const { url } = await filled(4)
  const headers = { 'idempotency-key': `bulk-${url}` }
  const json = { qry: { kind: 'odd' }, expect: 2 }
  const first = await remove(url, json, { headers })
  const again = await remove(url, json, { headers })
  assert.equal(again.headers['idempotency-replayed'], 'true')
  assert.deepEqual([again.status, again.body], [200, first.body])
  assert.equal(first.body.changed, 2)
})

test('the change feed and the audit trail list every entry', async () => {
  const { id, url } = await filled(4)
  const { page } = await ask(server)
  await update(url, { qry: { n: { $lt: 3 } }, values: { kind: 'x', n: 9 } })
  await remove(url, { qry: { n: 9 } })
  const { change } = await ask(server, `since=${page.next}`)
  const told = (action: string, changed: readonly string[] | null) =>
    [1, 2, 3].map((entry) => [action, entry, id, changed])
  assert.deepEqual(
    change.map((item: any) => [item.action, item.object_id, item.module_id, item.changed_fields]),
    [...told('update', ['kind', 'n']), ...told('delete', null)],
  )
  const audit = await server.call('GET', '/api/v2/audit?orderStr=audit_id&orderDir=DESC&length=2')
  assert.deepEqual(
    audit.body.audit.map(({ action, count }: any) => [action, count]),
    [
      ['delete', 3],
      ['update', 3],
    ],
  )
})
