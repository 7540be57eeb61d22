// Leases let work run only once: two processes share a database, and one process falls silent.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSharedLeases, withOwner } from '../../../lib/operations/background/leases.ts'
import { finishWork, putWork } from '../../../lib/operations/pending-work.ts'
import { nodeLease, workOwner } from '../../../lib/schema/server-records.ts'
import type { Records } from '../../../lib/storage/port.ts'
import { book, makeBook } from '../../helpers/book.ts'
import { type Postgres, query, startPostgres } from '../../helpers/postgres.ts'
import { countUp, type Node, openNodes, pagesOf } from '../../storage/distributed/nodes.ts'

let postgres: Postgres | undefined

before(async () => {
  postgres = await startPostgres({ isFast: true })
})

after(() => postgres?.stop())

const LIVES_MS = 3_000

async function openPair(t: TestContext) {
  const databaseUrl = (await postgres?.newSite()) ?? ''
  const nodes = await openNodes(t, databaseUrl, { livesMs: LIVES_MS })
  const [one, two] = nodes.map((node) => openOne(t, node))
  assert.ok(one && two)
  return [one, two] as const
}

function openOne(t: TestContext, { records, kv }: Node) {
  const { life } = kv
  // A halted process sends no heartbeat for a while and then continues as if it were alive.
  const halted = { is: false }
  const owned = withOwner(records, life.own)
  const leases = openSharedLeases({
    records: owned,
    life: { ...life, isLiving: () => halted.is || life.isLiving() },
    livesMs: LIVES_MS,
  })
  const stop = new AbortController()
  t.after(() => stop.abort())
  return { records: owned, leases, life, halted, stop, own: life.own }
}

type One = ReturnType<typeof openOne>

/** Resolves with the payload when the lease is acquired. The lease is held until it is ended. */
function hold({ leases, stop }: One, kind: string) {
  let ended: Promise<void> = Promise.resolve()
  const held = new Promise<{ readonly records: Records; readonly signal: AbortSignal }>(
    (resolve) => {
      ended = leases.hold(kind, stop.signal, async (given) => {
        resolve(given)
        if (!given.signal.aborted) await once(given.signal, 'abort')
      })
    },
  )
  return { held, ended }
}

test('one of two nodes does the work, and the other continues once the lease is released', async (t) => {
  const [one, two] = await openPair(t)
  const first = hold(one, 'counting')
  await first.held
  const second = hold(two, 'counting')
  await two.records.renew()
  assert.equal(two.records.get(nodeLease, 'counting')?.value.node, one.own)

  one.stop.abort()
  await first.ended
  const { records } = await second.held
  await records.commit((unit) => unit.put(book, [1], makeBook(1, { pages: 0 })))
  assert.equal(records.get(nodeLease, 'counting')?.value.node, two.own)
})

test('a node that lost its lease without notice cannot commit for the work', async (t) => {
  const [one, two] = await openPair(t)
  const { records, signal } = await hold(one, 'counting').held
  await records.commit((unit) => unit.put(book, [1], makeBook(1, { pages: 0 })))
  assert.equal(await countUp(records), 1)

  one.halted.is = true
  await two.records.commit((unit) =>
    unit.put(nodeLease, ['counting'], { node: two.own, term: 'b' }),
  )
  await assert.rejects(countUp(records), /Another process owns this work now/)
  assert.equal(signal.aborted, true)
  await two.records.renew()
  assert.equal(pagesOf(two.records), 1)
})

test('a node without heartbeats for a while cannot commit for its work, taken over or not', async (t) => {
  const [one] = await openPair(t)
  const { records, signal } = await hold(one, 'counting').held
  await records.commit((unit) => unit.put(book, [1], makeBook(1, { pages: 0 })))
  assert.equal(signal.aborted, false)
  postgres?.pause()
  try {
    await once(signal, 'abort')
  } finally {
    postgres?.resume()
  }
  await assert.rejects(countUp(records), /Another process owns this work now/)
})

const FULL = `create sequence tries;
  create function refuse() returns trigger language plpgsql as $$ begin
    perform nextval('tries'); raise exception 'no room' using errcode = '53100'; end $$;
  create trigger full_disk before insert on cms_log execute function refuse()`

test('a node that cannot store its lease in a full database gets the work once there is space', async (t) => {
  const databaseUrl = (await postgres?.newSite()) ?? ''
  const [node] = await openNodes(t, databaseUrl, { count: 1, livesMs: LIVES_MS })
  assert.ok(node)
  await query(databaseUrl, FULL)
  const { held, ended } = hold(openOne(t, node), 'counting')
  const isRefused = 'select 1 from tries where is_called'
  while ((await query(databaseUrl, isRefused)).length === 0) await sleep(10)

  await query(databaseUrl, 'drop trigger full_disk on cms_log')
  await Promise.race([held, ended.then(() => assert.fail('it has given up'))])
  assert.equal(node.records.get(nodeLease, 'counting')?.value.node, node.kv.life.own)
})

test('pending work of a dead process is claimed once and completed by its new owner', async (t) => {
  const [one, two] = await openPair(t)
  const work = { kind: 'remove', contents: [] } as const
  await one.records.commit((unit) => putWork(unit, 'a work', work))
  await two.records.renew()
  assert.deepEqual(await two.leases.claim(['a work']), [])
  assert.deepEqual(await one.leases.claim(['a work']), [])

  // The row names a node that is not alive.
  await one.records.commit((unit) => unit.put(workOwner, ['a work'], { node: 'nobody' }))
  await two.records.renew()
  const claimed = await Promise.all([1, 2].map(() => two.leases.claim(['a work'])))
  assert.deepEqual(claimed.flat(), ['a work'])
  await assert.rejects(finishWork(one.records, 'a work'), /Another process owns this work now/)
  await finishWork(two.records, 'a work')
  assert.equal(two.records.get(workOwner, 'a work'), undefined)
  assert.deepEqual(await two.leases.claim(['a work']), [])
})
