// Two processes that read and write the same records concurrently.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { openSharedRecords } from '../../../lib/cluster/replicated-kv.ts'
import { forgetIndex } from '../../../lib/storage/records/type-numbers.ts'
import type { RecordType } from '../../../lib/schema/values.ts'
import { book, chapter, makeBook, searchable } from '../../helpers/book.ts'
import { type Postgres, query, startPostgres } from '../../helpers/postgres.ts'
import { temporaryDirectory } from '../../helpers/server.ts'
import { countUp, type Node, openNode, openNodes, pagesOf } from './nodes.ts'

const IS_FULL = process.env['CMS_RIG'] === 'full'
const READS_OF_WRITES = IS_FULL ? 5_000 : 500
const COUNTS = IS_FULL ? 2_000 : 200

let postgres: Postgres | undefined

before(async () => {
  postgres = await startPostgres({ isFast: true })
})

after(() => postgres?.stop())

async function newSite(): Promise<string> {
  return (await postgres?.newSite()) ?? ''
}

async function openPair(t: TestContext): Promise<readonly [Node, Node]> {
  const [one, two] = await openNodes(t, await newSite())
  assert.ok(one && two)
  return [one, two]
}

test('no update is lost when two processes increment one record', async (t) => {
  const nodes = await openPair(t)
  const seen = await Promise.all(
    Array.from({ length: COUNTS }, (_, at) => countUp(nodes[at % 2 === 0 ? 0 : 1].records)),
  )

  assert.deepEqual(
    seen.toSorted((left, right) => left - right),
    Array.from({ length: COUNTS }, (_, at) => at + 1),
  )
  for (const { records } of nodes) {
    await records.renew()
    assert.equal(pagesOf(records), COUNTS)
    assert.equal(records.get(book, 1)?.revision, COUNTS)
    assert.equal(records.count(book), 1)
    assert.deepEqual(records.lookup(book, 'pages', [COUNTS]), [[1]])
    assert.deepEqual(records.lookup(book, 'pages', [COUNTS - 1]), [])
  }
})

test('a request at one process sees everything that the other process has answered', async (t) => {
  const [one, two] = await openPair(t)
  for (let at = 1; at <= READS_OF_WRITES; at += 1) {
    const [writing, reading] = at % 2 === 0 ? [one, two] : [two, one]
    assert.equal(await countUp(writing.records), at)
    await reading.records.renew()
    assert.equal(pagesOf(reading.records), at)
  }
})

test('a commit notifies the other processes of its site and of no other site', async (t) => {
  const [one, two] = await openPair(t)
  const elsewhere = await openNode(t, { databaseUrl: await newSite() })
  let strays = 0
  elsewhere.kv.others.onCommit(() => {
    strays += 1
  })
  for (const [writing, hearing] of [
    [one, two],
    [two, one],
  ] as const) {
    const heard = new Promise<void>((resolve) => hearing.kv.others.onCommit(resolve))
    await countUp(writing.records)
    await heard
  }
  assert.equal(strays, 0)
})

test('cached values stay valid until the other process changes them', async (t) => {
  const [one, two] = await openPair(t)
  await one.records.commit((unit) => {
    for (const id of [1, 2]) unit.put(book, [id], makeBook(id, { title: 'old' }))
  })
  // The first commit of a type assigns a number to the type and clears all caches, so this commit
  // comes before the test.
  await two.records.commit((unit) => unit.put(book, [3], makeBook(3)))
  await two.records.renew()
  const kept = two.records.get(book, 2)
  const trace = two.records.trace()
  trace.records.get(book, 2)
  const isCurrent = trace.close()
  const titles = async (): Promise<readonly unknown[]> => {
    const page = await two.records.search(book, searchable, { length: 10 })
    return page.records.map(({ value }) => value['title'])
  }
  assert.deepEqual(await titles(), ['old', 'old', null])

  await one.records.commit((unit) => unit.put(book, [1], makeBook(1, { title: 'new' })))
  await two.records.renew()
  assert.equal(two.records.get(book, 1)?.value['title'], 'new')
  assert.equal(two.records.get(book, 2), kept)
  assert.equal(isCurrent(), true)
  assert.deepEqual(await titles(), ['new', 'old', null])

  await one.records.commit((unit) => unit.remove(book, 2))
  await two.records.renew()
  assert.equal(isCurrent(), false)
  assert.equal(two.records.get(book, 2), undefined)
})

test('identifiers are issued once across processes', async (t) => {
  const [one, two] = await openPair(t)
  await one.records.commit((unit) => unit.put(book, [40], makeBook(40)))
  await two.records.renew()
  const taken = await Promise.all(
    Array.from({ length: 50 }, async (_, at) =>
      (at % 2 === 0 ? one : two).records.newIds(book, 1 + (at % 3)),
    ),
  )

  const ids = taken.flat()
  assert.equal(new Set(ids).size, ids.length)
  assert.equal(Math.min(...ids), 41)
  assert.equal(Math.max(...ids), 40 + ids.length)
})

test('an identifier issued in a plan is higher than all identifiers of other processes', async (t) => {
  const nodes = await openPair(t)
  const putNext = ({ records }: Node): Promise<number> =>
    records.commit((unit) => {
      const id = records.nextId(book)
      unit.put(book, [id], makeBook(id))
      return id
    })
  const ids: number[] = []
  for (let at = 0; at < 10; at += 1)
    ids.push(...(await Promise.all([...nodes, ...nodes, ...nodes].map(putNext))))

  assert.equal(new Set(ids).size, 60)
  await nodes[0].records.renew()
  assert.equal(nodes[0].records.count(book), 60)
})

test('a type that one process dropped gets new numbers at both processes', async (t) => {
  const [one, two] = await openPair(t)
  const heading = 'first'
  for (const { records } of [one, two])
    await records.commit((unit) => unit.put(chapter, [1, records.nextId(chapter)], { heading }))
  await one.records.dropType(chapter.name, AbortSignal.timeout(10_000))
  await two.records.commit((unit) => unit.put(chapter, [2, 1], { heading: 'second' }))
  await one.records.renew()

  for (const { records } of [one, two]) {
    assert.deepEqual(records.lookup(chapter, 'heading', [heading]), [])
    assert.deepEqual(records.lookup(chapter, 'heading', ['second']), [[2, 1]])
    assert.equal(records.count(chapter), 1)
  }
})

test('the number of an index that one process dropped is not reused by the other', async (t) => {
  const [one, two] = await openPair(t)
  for (const [at, { records }] of [one, two].entries())
    await records.commit((unit) => unit.put(book, [at + 1], makeBook(at + 1, { title: 'old' })))
  // Maintenance of an index commits without notifying of any record.
  await one.kv.commit((writer) => {
    forgetIndex(writer, book.name, 'title')
  })
  await two.records.commit((unit) => unit.put(book, [3], makeBook(3, { title: 'new' })))
  await one.records.renew()

  assert.deepEqual(one.records.lookup(book, 'title', ['new']), [[3]])
  assert.deepEqual(one.records.lookup(book, 'title', ['old']), [])
})

test('the longest keys and large records reach the other process', async (t) => {
  const databaseUrl = await newSite()
  const [one, two] = await openNodes(t, databaseUrl)
  assert.ok(one && two)
  // Close to the maximum length of a key: NUL takes two bytes.
  const texts = ['\0'.repeat(390), '\0'.repeat(390), 'x'.repeat(310)]
  const wide: RecordType<{ readonly note: string }> = {
    name: 'wide',
    indexes: [{ name: 'all', rows: () => [texts] }],
  }
  const note = 'x'.repeat(3_000_000)
  await one.records.commit((unit) => void unit.put(wide, [1], { note }))
  await two.records.renew()

  assert.equal(two.records.get(wide, 1)?.value.note, note)
  assert.deepEqual(two.records.lookup(wide, 'all', texts), [[1]])
  const lengths = await query(databaseUrl, 'select max(length(key)) as longest from cms_kv')
  assert.ok(Number(lengths[0]?.['longest']) > 1_870)
})

test('a closed process continues from its position, and a killed process starts over', async (t) => {
  const databaseUrl = await newSite()
  const [one, two] = await openNodes(t, databaseUrl)
  assert.ok(one && two)
  await countUp(one.records)
  await one.close()
  await countUp(two.records)
  // Damages the record in the shared state only, so only a process that rebuilds its copy reads the
  // damaged value.
  const key = '(select max(key) from cms_kv)'
  const [changed] = await query(
    databaseUrl,
    `update cms_kv set value = '\\x00' where key = ${key} returning key`,
  )
  const lengthAt = ({ kv }: Node): number | undefined => kv.get(changed?.['key'] as Buffer)?.length

  const again = await openNode(t, { databaseUrl, directory: one.directory })
  assert.equal(pagesOf(again.records), 2)
  assert.notEqual(lengthAt(again), 1)
  await again.close()
  rmSync(join(one.directory, 'closed'))
  assert.equal(lengthAt(await openNode(t, { databaseUrl, directory: one.directory })), 1)
})

test('a process that is too far behind starts over, or exits if it is running', async (t) => {
  const databaseUrl = await newSite()
  const [one, two] = await openNodes(t, databaseUrl)
  assert.ok(one && two)
  for (const id of [1, 2]) await countUp(one.records, id)
  await one.close()
  for (let at = 0; at < 3; at += 1) await countUp(two.records)
  await two.records.commit((unit) => unit.remove(book, 2))
  await query(databaseUrl, 'delete from cms_log where seq < 5')

  const again = await openNode(t, { databaseUrl, directory: one.directory })
  assert.equal(pagesOf(again.records), 4)
  assert.deepEqual(again.records.list(book, []), [[1]])
  await two.records.renew()
  assert.deepEqual(two.failures, [])
  await query(databaseUrl, "update cms_head set epoch = '00000000-0000-4000-8000-000000000000'")
  await assert.rejects(async () => two.records.renew(), { code: 'unavailable' })
  assert.equal(two.failures.length, 1)
  await assert.rejects(countUp(two.records), { code: 'unavailable' })
})

test('a record that the other process created is changed and not created again', async (t) => {
  const [one, two] = await openPair(t)
  for (const id of [1, 2])
    await two.records.commit((unit) => unit.put(book, [id], makeBook(id, { title: 'two' })))
  await one.records.commit((unit) => unit.put(book, [5], makeBook(5, { title: 'one' })))
  const { revision } = await two.records.commit((unit) =>
    unit.put(book, [5], makeBook(5, { title: 'two' })),
  )

  assert.equal(revision, 2)
  assert.equal(two.records.count(book), 3)
  assert.deepEqual(two.records.lookup(book, 'title', ['one']), [])
})

test('writes of the other process are reported, even under a type that this process has numbered since', async (t) => {
  const [one, two] = await openPair(t)
  const heard: string[] = []
  one.kv.others.onPut({
    isWaiting: () => true,
    wants: () => true,
    notice: ({ typeName, isNew }) => void heard.push(`${typeName} ${isNew ? 'new' : 'changed'}`),
    lose: () => void heard.push('lost'),
  })

  // The other process names a type, so this process reads the known names.
  await countUp(two.records)
  await one.records.renew()
  const named = { ...book, name: 'named_here' }
  await one.records.commit((unit) => unit.put(named, [1], makeBook(1)))
  assert.deepEqual(heard.splice(0), [`${book.name} new`], 'own puts are not told')

  await two.records.commit((unit) => {
    unit.put(named, [1], makeBook(1, { pages: 2 }))
    unit.put(named, [2], makeBook(2))
  })
  await one.records.renew()
  assert.deepEqual(heard, ['named_here changed', 'named_here new'])
})

test('a database server with older data than was shown is not read', async (t) => {
  const databaseUrl = await newSite()
  const node = await openNode(t, { databaseUrl })
  await countUp(node.records)
  await query(databaseUrl, 'update cms_head set seq = seq - 1')
  await Promise.all([
    assert.rejects(async () => node.records.renew(), { code: 'unavailable' }),
    assert.rejects(countUp(node.records), { code: 'unavailable' }),
  ])
  await query(databaseUrl, 'update cms_head set seq = seq + 1')

  assert.equal(await countUp(node.records), 2)
  assert.deepEqual(node.failures, [])
})

test('tables of a newer version are refused', async (t) => {
  const databaseUrl = await newSite()
  const node = await openNode(t, { databaseUrl })
  await node.close()
  await query(databaseUrl, 'update cms_format set version = 2')
  const directory = temporaryDirectory()
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  await assert.rejects(
    openSharedRecords({ databaseUrl, directory, onFailure: () => undefined }),
    /newer version/,
  )
})
