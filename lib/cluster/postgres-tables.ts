// The tables in PostgreSQL, and what is said to them. SQL that other databases of its protocol know, too, but for the
// lock under which the tables are made.
//
//   cms_format(version)              what these tables are; a server refuses those of a newer one
//   cms_head(seq, op, epoch)         one row: the newest commit. Who holds its lock is the one who commits
//   cms_log(seq, op, at, node, body) what each commit did (log-body.ts); op is how its node finds it again
//   cms_kv(key, value)               the state after the newest commit: for copies that are made anew
//   cms_ids(name, last)              identifiers that were given before their commit
//   cms_counts, cms_rates            what is counted for all processes together (counts.ts); no part of the site
//   cms_nodes(node, until_at, ...)   the servers that run, each with when it counts as one no more (node-life.ts)
//   cms_move(id, site, run)          one row while a site is moved in (move-tables.ts): no server opens the tables
//
// Numbers of commits and bytes are written into the text of a query: they are digits and hexadecimal digits.

import { randomUUID } from 'node:crypto'
import { RefusedError } from '../storage/embedded/refusal.ts'
import type { Commit, Place } from './local-copy.ts'
import { decodeWrites, encodeWrites, type Write } from './log-body.ts'
import type { Rows } from './database-connections.ts'
import type { Lane } from './primary.ts'

const VERSION = 1
/** Any number, but the same for all. */
const LOCK = 7_165_133
/** Commits that are fetched at once. */
const ROWS_AT_ONCE = 256

const SCHEMA = `
  begin;
  select pg_advisory_xact_lock(${LOCK});
  create table if not exists cms_format (id int primary key, version int not null);
  create table if not exists cms_head
    (id int primary key, seq bigint not null, op uuid not null, epoch uuid not null);
  create table if not exists cms_log (seq bigint primary key, op uuid not null unique,
    at timestamptz not null, node uuid not null, body bytea not null);
  create table if not exists cms_kv (key bytea primary key, value bytea not null);
  create table if not exists cms_ids (name text primary key, last bigint not null);
  create table if not exists cms_counts
    (name text primary key, until_at timestamptz not null, count int not null, most int not null);
  create index if not exists cms_counts_full on cms_counts (until_at) where count >= most;
  create table if not exists cms_rates (name text primary key, rested_at timestamptz not null);
  create table if not exists cms_nodes (node uuid primary key, until_at timestamptz not null,
    name text not null, form int not null);
  create table if not exists cms_move (id int primary key, site text not null, run uuid not null);
  insert into cms_format values (1, ${VERSION}) on conflict (id) do nothing;`

/** Makes what is not there yet. Throws where the tables are those of a newer server, or no whole site. */
export async function makeTables(lane: Lane): Promise<void> {
  if (!(await makeMissing(lane)).isMoving) return
  throw new RefusedError(
    'A site is being moved into this database, or that was cut off: it is not whole. Run the same "cms-server migrate" again, which goes on; start the server when it is done.',
  )
}

/** Likewise, whole or not. */
export async function makeMissing(lane: Lane): Promise<{ readonly isMoving: boolean }> {
  const epoch = randomUUID()
  // The state before the first commit is one to follow from, as any other.
  const results = await lane.query(`${SCHEMA}
    insert into cms_head values (1, 0, '${epoch}', '${epoch}') on conflict (id) do nothing;
    insert into cms_log select seq, op, now(), epoch, '' from cms_head where seq = 0
      on conflict (seq) do nothing;
    select version from cms_format where id = 1;
    select site from cms_move;
    commit`)
  const version = Number(results.at(-3)?.rows[0]?.['version'])
  if (version <= VERSION) return { isMoving: results.at(-2)?.rows.length !== 0 }
  throw new Error('The database was made by a newer version of cms-server. Start that one.')
}

/** Of the session, not of a transaction: a commit goes on beside it, and an idle one is ended by the server. */
const LOCK_OF_WORK = LOCK + 1
const ALONE_WITHIN_MS = 60_000

/** Does the work while no other connection to the database does such work. Where the connection ends, so does the lock. */
export async function workAlone<T>(lane: Lane, work: () => Promise<T>): Promise<T> {
  const waiting = { timeoutMs: ALONE_WITHIN_MS }
  const wait = `set lock_timeout = ${ALONE_WITHIN_MS}`
  await lane.query(`${wait}; select pg_advisory_lock(${LOCK_OF_WORK})`, waiting)
  try {
    return await work()
  } finally {
    await lane.query(`select pg_advisory_unlock(${LOCK_OF_WORK})`).catch(() => undefined)
  }
}

/** A move of this site holds it while it holds the lock of the newest commit, so that others can say why they wait. */
const MOVE_LOCK = `${LOCK + 2}, hashtext(current_schema())`
export const HOLD_FOR_MOVE = `select pg_advisory_xact_lock(${MOVE_LOCK})`

export async function isHeldByMove(lane: Lane): Promise<boolean> {
  const [free] = await lane.query(`select pg_try_advisory_xact_lock_shared(${MOVE_LOCK}) as free`)
  return free?.rows[0]?.['free'] === false
}

export const HEAD = 'select seq, op, epoch from cms_head where id = 1'

/** The commit that this process shows comes with the others, to prove that they follow it. */
function rowsFrom(seq: number): string {
  return `select seq, op, case when seq > ${seq} then body end as body from cms_log
    where seq >= ${seq} order by seq limit ${ROWS_AT_ONCE + 1}`
}

export interface Fetched {
  readonly head: Place
  /** Those that follow, in their order; the head may be farther. */
  readonly commits: readonly Commit[]
  /** The log does not go on from where the copy is: it was cut off, or it is another one. */
  readonly isGap: boolean
}

export async function fetchAfter(lane: Lane, from: Place): Promise<Fetched> {
  const [head, rows] = await lane.query(`${HEAD}; ${rowsFrom(from.seq)}`)
  return fetchedIn(head, rows, from)
}

/** The same, and from here on until the transaction ends no other process commits. */
export async function beginCommit(lane: Lane, from: Place): Promise<Fetched> {
  const text = `begin isolation level read committed; ${HEAD} for update; ${rowsFrom(from.seq)}`
  const [, head, rows] = await lane.query(text)
  return fetchedIn(head, rows, from)
}

export async function endWithout(lane: Lane): Promise<void> {
  await lane.query('rollback')
}

export interface NewCommit extends Commit {
  readonly node: string
}

/** Ends what `beginCommit` began: after an error it may have happened all the same. */
export async function endCommit(
  lane: Lane,
  { seq, op, node, writes }: NewCommit,
  timeoutMs: number,
): Promise<void> {
  const puts = writes.flatMap(({ key, value }) =>
    value === undefined ? [] : [`(${hex(key)}, ${hex(value)})`],
  )
  const removed = writes.flatMap(({ key, value }) => (value === undefined ? [hex(key)] : []))
  const statements = [
    `insert into cms_log values (${seq}, '${op}', now(), '${node}', ${hex(encodeWrites(writes))})`,
    ...(puts.length === 0
      ? []
      : [
          `insert into cms_kv values ${puts.join()} on conflict (key) do update set value = excluded.value`,
        ]),
    ...(removed.length === 0 ? [] : [`delete from cms_kv where key in (${removed.join()})`]),
    `update cms_head set seq = ${seq}, op = '${op}' where id = 1`,
    'commit',
  ]
  await lane.query(statements.join('; '), { timeoutMs })
}

/**
 * Whether a commit happened of which nobody knows. It is a change itself: a server that is cut off from its standby,
 * and so cannot keep anything, cannot answer either; and it waits until a transaction that is still open has ended.
 */
export async function hasHappened(lane: Lane, op: string): Promise<boolean> {
  const results = await lane.query(`begin isolation level read committed;
    update cms_head set seq = seq where id = 1;
    select seq from cms_log where op = '${op}';
    commit`)
  return results[2]?.rows.length === 1
}

/** Calls `onPairs` with the whole state of one moment, in the order of its keys, and gives the moment. */
export async function readState(
  lane: Lane,
  onPairs: (writes: readonly Write[]) => void,
): Promise<Place> {
  const pairsAfter = (key: Buffer): string =>
    `select key, value from cms_kv where key > ${hex(key)} order by key limit ${PAIRS_AT_ONCE}`
  let last: Buffer = Buffer.alloc(0)
  const begin = 'begin isolation level repeatable read, read only'
  const [, head, first] = await lane.query(`${begin}; ${HEAD}; ${pairsAfter(last)}`, SLOW)
  let pairs = pairsIn(first)
  for (let end = pairs.at(-1); end !== undefined; end = pairs.at(-1)) {
    onPairs(pairs)
    last = end.key
    const [next] = await lane.query(pairsAfter(last), SLOW)
    pairs = pairsIn(next)
  }
  await lane.query('commit')
  return placeIn(head)
}

const PAIRS_AT_ONCE = 2_000
const SLOW = { timeoutMs: 60_000 }

/** Takes numbers that nobody was given, in a transaction of its own: commits do not wait for it. */
export async function takeIds(
  lane: Lane,
  { name, count, above }: { readonly name: string; readonly count: number; readonly above: number },
): Promise<number> {
  const [taken] = await lane.query(
    `insert into cms_ids values ($1, $2::bigint + $3::bigint) on conflict (name) do update
      set last = greatest(cms_ids.last, $2::bigint) + $3::bigint returning last`,
    { values: [name, above, count] },
  )
  return Number(taken?.rows[0]?.['last'])
}

/** Forgets all but so many of the last commits. A crash may bring some of them back: no disk or standby is waited for. */
export async function trimLog(lane: Lane, keep: number): Promise<void> {
  await lane.query(
    `set synchronous_commit = off;
    delete from cms_log where seq < (select seq from cms_head where id = 1) - ${keep}`,
    SLOW,
  )
}

function fetchedIn(headRows: Rows | undefined, rows: Rows | undefined, from: Place): Fetched {
  const head = placeIn(headRows)
  const [own, ...others] = rows?.rows ?? []
  const isOwn = own !== undefined && Number(own['seq']) === from.seq && own['op'] === from.op
  const isGap = head.epoch !== from.epoch || (head.seq >= from.seq && !isOwn)
  const commits = isGap ? [] : others.map(commitIn)
  return { head, commits, isGap }
}

function commitIn(row: Readonly<Record<string, unknown>>): Commit {
  const writes = decodeWrites(row['body'] as Buffer)
  return { seq: Number(row['seq']), op: String(row['op']), writes }
}

export function placeIn(found: Rows | undefined): Place {
  const row = found?.rows[0]
  if (row === undefined) throw new Error('The database has no state: cms_head is empty.')
  return { seq: Number(row['seq']), op: String(row['op']), epoch: String(row['epoch']) }
}

export function pairsIn(
  found: Rows | undefined,
): readonly { readonly key: Buffer; value: Buffer }[] {
  return (found?.rows ?? []) as unknown as readonly { key: Buffer; value: Buffer }[]
}

export function hex(bytes: Buffer): string {
  return `'\\x${bytes.toString('hex')}'`
}
