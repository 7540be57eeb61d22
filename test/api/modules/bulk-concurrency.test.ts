// Bulk updates and bulk deletes during other writes, and in random sequences compared with a plain list.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem } from '../../helpers/content.ts'
import { ask } from '../../helpers/follow.ts'
import {
  listAll,
  type MadeModule,
  makeEntries,
  makeEntry,
  makeTable,
} from '../../helpers/modules.ts'
import { fc } from '../../helpers/properties.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const rowsOf = (length: number): readonly object[] =>
  Array.from({ length }, (_, n) => ({ title: `t${n}`, kind: n % 2 === 0 ? 'even' : 'odd', n }))

async function filled(length: number): Promise<MadeModule> {
  const table = await makeTable(server, 'title C(40), kind C(9), n I')
  await makeEntries(server, table.url, rowsOf(length))
  return table
}

const update = (url: string, json: unknown): Promise<Answer> =>
  server.call('POST', `${url}/bulk_update`, { json })
const remove = (url: string, json: unknown): Promise<Answer> =>
  server.call('POST', `${url}/bulk_delete`, { json })

test('during other writes, exactly the entries that match at the commit are changed', async () => {
  // No index serves the search, so it takes a while, and entries that it has passed come to match.
  const { url } = await makeTable(server, 'kind C(9), n I, t X')
  const rows = Array.from({ length: 2_000 }, (_, n) => ({ kind: 'even', n, t: 'x'.repeat(800) }))
  await makeEntries(server, url, rows)
  const { page } = await ask(server)
  let writing = 4
  const write = async (first: number): Promise<void> => {
    for (let id = first; id <= 400; id += 4)
      assert.equal(
        (await server.call('POST', `${url}/${id}`, { json: { kind: 'odd' } })).status,
        200,
      )
    writing -= 1
  }
  const select = { qry: { kind: { $ne: 'even' } }, values: { kind: 'even', n: -1 } }
  const updateAll = async (): Promise<void> => {
    while (writing > 0) {
      const { status, text } = await update(url, select)
      assert.equal(status, 200, text)
    }
  }
  await Promise.all([updateAll(), ...[1, 2, 3, 4].map(write)])

  // The change log has the order of the commits. Only an update that selects entries changes n.
  const { change } = await ask(server, `length=1000&since=${page.next}`)
  const odd = new Set<number>()
  const isSelecting = (item: any): boolean => item?.changed_fields.includes('n') === true
  for (const [at, item] of change.entries()) {
    if (!isSelecting(item)) odd.add(item.object_id)
    else {
      assert.ok(odd.delete(item.object_id), `entry ${item.object_id} did not match`)
      if (!isSelecting(change[at + 1])) assert.equal(odd.size, 0, 'an entry was left out')
    }
  }
})

test('a search that takes too long changes nothing', async (t) => {
  const own = await startTestServer({ limits: { searchMs: 0, scannedRecords: 100 } })
  t.after(() => own.close())
  const { url } = await makeTable(own, 'kind C(9), n I')
  await makeEntries(
    own,
    url,
    Array.from({ length: 250 }, (_, n) => ({ kind: 'even', n })),
  )
  const qry = { kind: { $ne: 'even' } }
  const answer = await own.call('POST', `${url}/bulk_delete`, { json: { qry } })
  assert.match(assertProblem(answer, 'too-large').detail, /more than 0 s.*Narrow qry/)
  assert.equal((await listAll(own, url)).length, 250)
})

test('the numbers of concurrent changes add up to the number of entries', async () => {
  const { url } = await filled(200)
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) => remove(url, { qry: { n: { $gte: at * 10 } } })),
  )
  const sum = answers.reduce((all, { body }) => all + body.changed, 0)
  assert.equal(sum, 200)
  const moved = await filled(100)
  const updates = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      update(moved.url, { qry: { n: { $lt: 1_000 } }, values: { n: 1_000 + at } }),
    ),
  )
  assert.deepEqual(
    updates.map(({ body }) => body.changed).toSorted((left, right) => right - left),
    [100, 0, 0, 0, 0, 0, 0, 0],
  )
})

test('any sequence of creates, updates and deletes agrees with a plain list', async () => {
  const value = fc.nat(5)
  const qry = fc.oneof(
    fc.record({ n: value }),
    fc.record({ n: fc.record({ $gte: value }) }),
    fc.record({ n: fc.record({ $in: fc.array(value, { maxLength: 3 }) }) }),
    fc.record({ title: fc.record({ $regex: fc.constantFrom('^a', 'b$', '.') }) }),
  )
  const step = fc.oneof(
    fc.record({ kind: fc.constant('create'), n: value, title: fc.constantFrom('ab', 'ba') }),
    fc.record({ kind: fc.constant('update'), qry, n: value }),
    fc.record({ kind: fc.constant('delete'), qry }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const { url } = await makeTable(server, 'title C(9), n I')
      let model: readonly { n: number; title: string }[] = []
      for (const item of steps) {
        if ('title' in item) {
          const { n, title } = item
          model = [...model, { n, title }]
          await makeEntry(server, url, { n, title })
          continue
        }
        const isSelected = selects(item.qry)
        const matched = model.filter(isSelected).length
        if ('n' in item) {
          const values = { n: item.n }
          const { body } = await update(url, { qry: item.qry, values, expect: matched })
          const changed = model.filter((entry) => isSelected(entry) && entry.n !== item.n).length
          assert.deepEqual(body, { matched, changed, dry_run: false })
          model = model.map((entry) => (isSelected(entry) ? { ...entry, n: item.n } : entry))
        } else {
          const { body } = await remove(url, { qry: item.qry, expect: matched })
          assert.deepEqual(body, { matched, changed: matched, dry_run: false })
          model = model.filter((entry) => !isSelected(entry))
        }
      }
      const stored = await listAll(server, url, { fields: 'n,title' })
      assert.deepEqual(
        stored.map(({ n, title }) => ({ n, title })),
        model,
      )
    }),
    { numRuns: 15 },
  )
})

function selects(qry: any): (entry: { readonly n: number; readonly title: string }) => boolean {
  const { n, title } = qry
  if (title !== undefined) return (entry) => new RegExp(title.$regex).test(entry.title)
  if (typeof n === 'number') return (entry) => entry.n === n
  return (entry) => (n.$gte !== undefined ? entry.n >= n.$gte : n.$in.includes(entry.n))
}
