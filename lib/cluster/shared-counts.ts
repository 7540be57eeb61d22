// Counters shared by all processes: guesses of secrets, whose limit must not grow with the number of processes, and
// requests of a key. Counted by the clock of the database, under a hash of the counted name.
//
//   cms_counts(name, until_at, count, most)  count in a window that ends at until_at
//   cms_rates(name, rested_at)               when a key will have been silent long enough (auth/guard.ts)
//
// No count waits for a disk or a standby: a crash of the database that loses counts allows a few more guesses. While the
// database does not answer, nothing can be counted, so possible guesses are refused as unavailable.

import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { upTo } from '../base/cache-bound.ts'
import type { AskedCount, Counted, SharedCounts, Spent } from '../storage/counts.ts'
import { tryAgain } from './database-retry.ts'
import type { Rows } from './database-connections.ts'
import type { Lane } from './primary.ts'

export interface DatabaseCounts extends SharedCounts {
  /** Reads the full counters of other processes. Call every second. */
  follow(): Promise<void>
  /** Deletes expired counters. Call now and then. */
  trim(): Promise<void>
}

interface Taking {
  readonly asked: readonly (AskedCount & { readonly key: string })[]
  readonly resolve: (waitSeconds: number | undefined) => void
  readonly reject: (error: unknown) => void
}

const WITHIN_MS = 3_000
const SOON = 'set synchronous_commit = off; '
/** Bounds the rows: a client that changes its address could create any number. */
const MOST_ROWS = 100_000
const MOST_FULL = 10_000
/** Attempts in one query. */
const MOST_TAKEN = 500
/** Prefix of the kinds whose full counters are cached. Kinds are constants; the rest of a name is a hash. */
const TOLD = 'source'

export function openCounts(lane: Lane): DatabaseCounts {
  /** End of the window of each full counter, by the clock of this process. */
  const full = new LRUCache<string, number>(upTo(MOST_FULL))

  async function ask(text: string): Promise<Rows | undefined> {
    const work = (): Promise<readonly Rows[]> => lane.query(SOON + text)
    return (await tryAgain({ work, withinMs: WITHIN_MS })).at(-1)
  }

  function noteFull(key: string, seconds: number): void {
    if (key.startsWith(TOLD)) full.set(key, performance.now() + seconds * 1_000)
  }

  return {
    take: openTaking(ask, noteFull),
    takeBack(counted) {
      const keys = counted.map((one) => `'${keyOf(one)}'`)
      // If this fails, a client has one attempt fewer.
      void ask(`update cms_counts set count = count - 1
        where name in (${keys.join()}) and count > 0 and until_at > statement_timestamp()`).catch(
        () => undefined,
      )
    },
    waitOf(counted) {
      if (full.size === 0) return undefined
      const leftMs = (full.get(keyOf(counted)) ?? 0) - performance.now()
      return leftMs > 0 ? Math.ceil(leftMs / 1_000) : undefined
    },
    spend: async (spent) => restedIn(spent, await ask(spendText(spent))),
    async follow() {
      const found = await ask(FOLLOW)
      for (const row of found?.rows ?? []) noteFull(String(row['name']), Number(row['seconds']))
    },
    trim: async () => void (await ask(TRIM)),
  }
}

type Ask = (text: string) => Promise<Rows | undefined>
type OnFull = (key: string, seconds: number) => void

/** Batches all attempts that arrive during a query into the next query. */
function openTaking(ask: Ask, onFull: OnFull): SharedCounts['take'] {
  let waiting: Taking[] = []
  let isAsking = false

  async function askAll(): Promise<void> {
    isAsking = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_TAKEN)
      waiting = waiting.slice(MOST_TAKEN)
      try {
        answer(batch, await ask(takeText(batch)), onFull)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isAsking = false
  }

  return (asked) =>
    new Promise((resolve, reject) => {
      const keyed = asked.map((one) => ({ ...one, key: keyOf(one) }))
      waiting.push({ asked: keyed, resolve, reject })
      if (!isAsking) void askAll()
    })
}

function keyOf({ kind, name }: Counted): string {
  return `${kind}-${hash('sha256', name)}`
}

const NOW = 'statement_timestamp()'
const SECONDS = `extract(epoch from until_at - ${NOW}) as seconds`

/** Counts attempts that no full counter refuses. The first ones of concurrent attempts are admitted. */
function takeText(batch: readonly Taking[]): string {
  const rows = batch.flatMap(({ asked }, attempt) =>
    asked.map(({ key, most, windowMs }) => `(${attempt}, '${key}', ${most}, ${windowMs})`),
  )
  return `with asked (attempt, name, most, ms) as (values ${rows.join()}),
    late as (select name, until_at from cms_counts c where until_at > ${NOW}
      and exists (select 1 from asked a where a.name = c.name and c.count >= a.most)),
    going as (select name, max(most) as most, max(ms) as ms, count(*)::int as n from asked
      where attempt not in (select a.attempt from asked a join late l on l.name = a.name)
      group by name order by name),
    taken as (insert into cms_counts as c (name, until_at, count, most)
      select name, ${NOW} + ms * interval '1 millisecond', n, most from going order by name
      on conflict (name) do update set
        count = case when c.until_at > ${NOW} then c.count else 0 end + excluded.count,
        until_at = case when c.until_at > ${NOW} then c.until_at else excluded.until_at end,
        most = excluded.most
      returning name, count, until_at)
    select name, null as count, ${SECONDS} from late
      union all select name, count, ${SECONDS} from taken`
}

interface Found {
  /** Count including this batch; undefined if the counter was full before. */
  readonly count: number | undefined
  readonly seconds: number
}

function answer(batch: readonly Taking[], rows: Rows | undefined, onFull: OnFull): void {
  const found = new Map<string, Found>()
  for (const { name, count, seconds } of rows?.rows ?? []) {
    const waitSeconds = Math.max(1, Math.ceil(Number(seconds)))
    found.set(String(name), { count: numberOf(count), seconds: waitSeconds })
  }
  const isLate = ({ asked }: Taking): boolean =>
    asked.some(({ key }) => found.get(key)?.count === undefined)
  const before = new Map<string, number>()
  for (const { asked } of batch.filter((one) => !isLate(one)))
    for (const { key } of asked)
      before.set(key, (before.get(key) ?? found.get(key)?.count ?? 0) - 1)

  for (const taking of batch) {
    const secondsOf = (key: string): number => found.get(key)?.seconds ?? 1
    const refused = taking.asked.filter(({ key, most }) => {
      if (isLate(taking)) return found.has(key) && found.get(key)?.count === undefined
      const count = (before.get(key) ?? 0) + 1
      before.set(key, count)
      // The last admitted attempt fills the counter, so the next one is refused without a query.
      if (count === most) onFull(key, secondsOf(key))
      return count > most
    })
    for (const { key } of refused) onFull(key, secondsOf(key))
    const waits = refused.map(({ key }) => secondsOf(key))
    taking.resolve(waits.length === 0 ? undefined : Math.max(...waits))
  }
}

function numberOf(value: unknown): number | undefined {
  return value === null ? undefined : Number(value)
}

/** Rows in a fixed order, so that two processes cannot deadlock. */
function spendText(spent: readonly Spent[]): string {
  const rows = spent.map(
    ({ name, count, stepMs }) => `('${keyOf({ kind: 'rate', name })}', ${count * stepMs})`,
  )
  return `insert into cms_rates as c (name, rested_at)
    select name, ${NOW} + ms * interval '1 millisecond' from (values ${rows.join()}) as a (name, ms)
      order by name
    on conflict (name) do update set
      rested_at = greatest(c.rested_at, ${NOW}) + (excluded.rested_at - ${NOW})
    returning name, 1000 * extract(epoch from rested_at - ${NOW}) as rested_ms`
}

function restedIn(spent: readonly Spent[], found: Rows | undefined): ReadonlyMap<string, number> {
  const rested = new Map(found?.rows.map((row) => [String(row['name']), Number(row['rested_ms'])]))
  return new Map(spent.map(({ name }) => [name, rested.get(keyOf({ kind: 'rate', name })) ?? 0]))
}

const FOLLOW = `select name, ${SECONDS} from cms_counts
  where count >= most and until_at > ${NOW} and name like '${TOLD}-%' limit ${MOST_FULL}`

const TRIM = `delete from cms_counts where until_at < ${NOW};
  delete from cms_rates where rested_at < ${NOW};
  delete from cms_counts where name in
    (select name from cms_counts order by until_at desc offset ${MOST_ROWS})`
