// Commits during failures of connections and servers: no acknowledged commit is lost, and no commit
// that happened is reported as refused.

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CmsError } from '../../../lib/base/errors.ts'
import { nextSlice } from '../../../lib/schema/time-slicing.ts'
import { book, makeBook } from '../../helpers/book.ts'
import {
  type PostgresPair,
  query,
  startPostgres,
  startPostgresPair,
} from '../../helpers/postgres.ts'
import { openCutting } from './cut.ts'
import { countUp, type Node, openNode, openNodes, pagesOf } from './nodes.ts'

const IS_FULL = process.env['CMS_RIG'] === 'full'
const CUTS = IS_FULL ? 100 : 10
const FAILOVERS = IS_FULL ? 5 : 1

/** Two nodes of one site, and the proxy that cuts the connection of the first. */
async function openCutNode(t: TestContext) {
  const postgres = await startPostgres({ isFast: true })
  t.after(() => postgres.stop())
  const cutting = await openCutting(postgres.port)
  t.after(() => cutting.close())
  const url = await postgres.newSite()
  const databaseUrl = url.replace(`:${postgres.port}/`, `:${cutting.port}/`)
  const node = await openNode(t, { databaseUrl })
  const other = await openNode(t, { databaseUrl: url })
  return { url, cutting, node, other }
}

test('a commit with a lost response is found, and a lost commit is repeated', async (t) => {
  const { cutting, node, other } = await openCutNode(t)
  let counted = 0
  for (let at = 0; at < CUTS; at += 1) {
    cutting.cutNext(at % 2 === 0 ? 'after' : 'before')
    const results = await Promise.all([
      countUp(node.records),
      countUp(other.records),
      countUp(node.records),
    ])
    counted += results.length
    assert.equal(Math.max(...results), counted)
  }

  assert.equal(cutting.cuts(), CUTS)
  for (const { records, failures } of [node, other]) {
    await records.renew()
    assert.equal(pagesOf(records), counted)
    assert.deepEqual(failures, [])
  }
})

// A large commit takes a second query, which must not run without the transaction of the first one.
test('a large commit whose connection is lost is repeated as a whole', async (t) => {
  const { url, cutting, node, other } = await openCutNode(t)
  const notes: string[] = []
  for (const when of ['before', 'begun', 'after'] as const) {
    const note = when.repeat(400_000)
    notes.push(note)
    cutting.cutNext(when)
    await node.records.commit((unit) => {
      unit.remove(book, notes.length - 1)
      // The commit waits for the slices of other work, and learns meanwhile that the connection is lost.
      for (let slices = 0; slices < 20; slices += 1) void nextSlice()
      unit.put(book, [notes.length], makeBook(notes.length, { note, tags: [7, 8] }))
    })
    assert.equal(await countUp(other.records, 9), notes.length)
  }

  assert.equal(cutting.cuts(), 4)
  const late = await openNode(t, { databaseUrl: url })
  for (const { records, failures } of [node, other, late]) {
    await records.renew()
    assert.deepEqual(records.list(book, []), [[3], [9]])
    assert.equal(records.get(book, 3)?.value['note'], notes[2])
    assert.deepEqual(records.lookup(book, 'tags', [7]), [[3]])
    assert.deepEqual(failures, [])
  }
})

test('reads and changes fail while no database server responds and succeed afterwards', async (t) => {
  const postgres = await startPostgres()
  t.after(() => postgres.stop())
  const node = await openNode(t, { databaseUrl: await postgres.newSite() })
  await countUp(node.records)
  postgres.kill()
  const [read, change, id] = await Promise.allSettled([
    node.records.renew(),
    countUp(node.records),
    node.records.newIds(book, 1),
  ])
  for (const outcome of [read, change, id]) {
    const { code, facts } = (outcome as PromiseRejectedResult).reason as CmsError
    assert.equal(code, 'unavailable')
    assert.equal(facts.headers?.['retry-after'], '1')
  }

  await postgres.start()
  await node.records.renew()
  assert.equal(pagesOf(node.records), 1)
  assert.equal(await countUp(node.records), 2)
  assert.deepEqual(node.failures, [])
})

test('a suspended database server is used again after it resumes', async (t) => {
  const postgres = await startPostgres()
  t.after(() => postgres.stop())
  const [one, two] = await openNodes(t, await postgres.newSite())
  assert.ok(one && two)
  const before = await countUp(one.records)
  postgres.pause()
  const outcome = countUp(two.records).catch((error: CmsError) => error.code)
  await sleep(1_000)
  postgres.resume()

  const counted = await outcome
  assert.equal(counted, before + 1)
  await one.records.renew()
  assert.equal(pagesOf(one.records), before + 1)
})

for (let run = 1; run <= FAILOVERS; run += 1) {
  test(`a promoted standby has all acknowledged commits (${run})`, async (t) => {
    const pair = await startPostgresPair()
    t.after(() => pair.stop())
    const nodes = await openNodes(t, await pair.newSite())
    const load = openLoad(nodes)
    await failOver(pair, load)
    const { acknowledged, refused, unknown } = await load.end()

    for (const { records } of nodes) await records.renew()
    const stored = new Set(nodes[0]?.records.list(book, []).map(([id]) => Number(id)))
    assert.deepEqual(
      acknowledged.filter((id) => !stored.has(id)),
      [],
    )
    assert.deepEqual(
      refused.filter((id) => stored.has(id)),
      [],
    )
    for (const { records, failures } of nodes) {
      assert.deepEqual(failures, [])
      assert.equal(records.count(book), stored.size)
      assert.deepEqual(records.list(book, []).length, stored.size)
    }
    const counts = { acknowledged, refused, unknown }
    t.diagnostic(
      JSON.stringify(counts, (_, value: unknown) => (isIds(value) ? value.length : value)),
    )
  })
}

// PostgreSQL shows a commit to other sessions if its wait for the standby is interrupted, for
// example by a shutdown. So a node can have shown a commit that no standby has. The node must not
// continue from that state.
test('a node that showed a commit that the new primary lacks exits', async (t) => {
  const pair = await startPostgresPair()
  t.after(() => pair.stop())
  const databaseUrl = await pair.newSite()
  const [maker, reader] = await openNodes(t, databaseUrl)
  assert.ok(maker && reader)
  await countUp(maker.records)
  pair.standby.stop()
  const making = countUp(maker.records).catch((error: CmsError) => error.code)
  await endWaitForStandby(pair.primary.url('public'))
  while (pagesOf(reader.records) < 2) await reader.records.renew()

  pair.primary.kill()
  await pair.standby.start()
  await pair.promote()
  // The maker may also have seen its own commit and have ended.
  const made = await making
  const after = await openNode(t, { databaseUrl })
  const stored = pagesOf(after.records)
  assert.equal(stored, typeof made === 'number' ? 2 : 1)
  assert.equal(await countUp(after.records), stored + 1)
  while (reader.failures.length === 0) await assert.rejects(async () => reader.records.renew())
  assert.match(String(reader.failures), /does not continue from commit 2/)
})

test('without a standby, sessions do not accumulate and reads continue', async (t) => {
  const pair = await startPostgresPair()
  t.after(() => pair.stop())
  const nodes = await openNodes(t, await pair.newSite(), { count: 3 })
  for (const { records } of nodes) await countUp(records)
  for (const { records } of nodes) await records.renew()
  const url = pair.primary.url('public')
  const before = await sessionsOf(url)
  pair.standby.stop()

  let isOver = false
  const reads = nodes.map(async ({ records }) => {
    let count = 0
    while (!isOver) {
      await records.renew()
      assert.equal(pagesOf(records), 3)
      count += 1
      await sleep(20)
    }
    return count
  })
  const changes = nodes.map(async ({ records }) => {
    const codes: unknown[] = []
    for (let at = 0; at < 3; at += 1)
      codes.push(await countUp(records).catch(({ code }: CmsError) => code))
    return codes
  })
  const codes = (await Promise.all(changes)).flat()
  isOver = true
  for (const count of await Promise.all(reads)) assert.ok(count > 50, String(count))
  assert.deepEqual([...new Set(codes)].toSorted(), ['outcome-unknown', 'unavailable'])
  // One session waits for the standby; the other sessions wait for its lock and end.
  const after = await sessionsOf(url)
  assert.ok(after <= before + 3, `${before} sessions before, ${after} after`)
  for (const { life } of nodes.map(({ kv }) => kv)) assert.ok(life.isLiving())

  await pair.waitForNone()
  const [first] = nodes
  assert.ok(first)
  assert.ok((await countUp(first.records)) >= 4)
})

async function sessionsOf(url: string): Promise<number> {
  const text = "select count(*) from pg_stat_activity where application_name = 'cms-server'"
  const [row] = await query(url, text)
  return Number(row?.['count'])
}

/** Waits until a commit waits for the standby, then terminates its session. */
async function endWaitForStandby(url: string): Promise<void> {
  const text = `select pg_terminate_backend(pid) from pg_stat_activity
    where wait_event = 'SyncRep' and query like '%insert into cms_log%'`
  while ((await query(url, text)).length === 0) await sleep(10)
}

function isIds(value: unknown): value is readonly number[] {
  return Array.isArray(value)
}

async function failOver(pair: PostgresPair, load: Load): Promise<void> {
  await load.until(50)
  pair.primary.kill()
  await pair.promote()
  await load.until(load.count() + 50)
}

interface Load {
  readonly count: () => number
  until(count: number): Promise<void>
  end(): Promise<Outcomes>
}

interface Outcomes {
  readonly acknowledged: number[]
  readonly refused: number[]
  readonly unknown: number[]
}

/** Each node commits records with new numbers, several at once, and notes each outcome. */
function openLoad(nodes: readonly Node[]): Load {
  const outcomes: Outcomes = { acknowledged: [], refused: [], unknown: [] }
  let next = 0
  let isOver = false

  async function work({ records }: Node): Promise<void> {
    while (!isOver) {
      next += 1
      const id = next
      const told = await records
        .commit((unit) => void unit.put(book, [id], makeBook(id, { pages: id })))
        .then(() => outcomes.acknowledged)
        .catch((error: CmsError) =>
          error.code === 'unavailable' ? outcomes.refused : outcomes.unknown,
        )
      told.push(id)
      await sleep(1)
    }
  }

  const workers = nodes.flatMap((node) => [work(node), work(node), work(node)])
  const count = (): number => outcomes.acknowledged.length
  return {
    count,
    async until(wanted) {
      while (count() < wanted) await sleep(10)
    },
    async end() {
      isOver = true
      await Promise.all(workers)
      return outcomes
    },
  }
}
