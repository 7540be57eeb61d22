// The PostgreSQL tables and their SQL. Other databases with the same protocol also support this SQL, except for the lock
// under which the tables are created.
//
//   cms_format(version)              version of these tables; a server refuses a newer version
//   cms_head(seq, op, epoch)         one row: the newest commit. A committing transaction holds the lock of this row
//   cms_log(seq, op, at, node, body) the effect of each commit (log-body.ts); op identifies it to its node
//   cms_kv(key, value)               the state after the newest commit, for filling new copies
//   cms_ids(name, last)              identifiers that were handed out before their commit
//   cms_counts, cms_rates            counters shared by all processes (shared-counts.ts); not part of the site
//   cms_nodes(node, until_at, ...)   running servers with the expiry of their heartbeats (node-life.ts)
//   cms_move(id, site, run)          one row while a site is moved in (move-tables.ts): no server opens the tables
//
// Numbers of commits and bytes are written into the query text, as digits and hexadecimal digits. Only large commits are
// sent as parameters.

import { randomUUID } from 'node:crypto'
import { RefusedError } from '../storage/embedded/refusal.ts'
import type { Commit, Place } from './local-copy.ts'
import { decodeWrites, encodeWrites, putOffsets, type Write } from './log-body.ts'
import type { Rows } from './database-connections.ts'
import type { Lane } from './primary.ts'

const VERSION = 1
/** Arbitrary, but the same for all processes. */
const LOCK = 7_165_133
/** Commits fetched by one query. */
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

/** Creates missing tables. Throws if the tables belong to a newer server or to an incomplete site. */
export async function makeTables(lane: Lane): Promise<void> {
  if (!(await makeMissing(lane)).isMoving) return
  throw new RefusedError(
    'The site in the database is incomplete: a move into it is running or was interrupted. Run the same "cms-server migrate" command again to finish the move, then start the server.',
  )
}

/** Creates missing tables, also for an incomplete site. */
export async function makeMissing(lane: Lane): Promise<{ readonly isMoving: boolean }> {
  const epoch = randomUUID()
  // The state before the first commit is a valid place to follow from.
  const results = await lane.query(`${SCHEMA}
    insert into cms_head values (1, 0, '${epoch}', '${epoch}') on conflict (id) do nothing;
    insert into cms_log select seq, op, now(), epoch, '' from cms_head where seq = 0
      on conflict (seq) do nothing;
    select version from cms_format where id = 1;
    select site from cms_move;
    commit`)
  const version = Number(results.at(-3)?.rows[0]?.['version'])
  if (version <= VERSION) return { isMoving: results.at(-2)?.rows.length !== 0 }
  throw new Error('The database was created by a newer version of cms-server. Start that version.')
}

/** A session lock, not a transaction lock: commits run meanwhile, and the server would end an idle transaction. */
const LOCK_OF_WORK = LOCK + 1
const ALONE_WITHIN_MS = 60_000

/** Runs the work exclusively among all connections to the database. The lock ends with the connection. */
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

/** Held by a move of this site together with the lock of the newest commit, so that waiting servers can say why they wait. */
const MOVE_LOCK = `${LOCK + 2}, hashtext(current_schema())`
export const HOLD_FOR_MOVE = `select pg_advisory_xact_lock(${MOVE_LOCK})`

export async function isHeldByMove(lane: Lane): Promise<boolean> {
  const [free] = await lane.query(`select pg_try_advisory_xact_lock_shared(${MOVE_LOCK}) as free`)
  return free?.rows[0]?.['free'] === false
}

export const HEAD = 'select seq, op, epoch from cms_head where id = 1'

/** Includes the newest applied commit, to prove that the following commits continue from it. */
function rowsFrom(seq: number): string {
  return `select seq, op, case when seq > ${seq} then body end as body from cms_log
    where seq >= ${seq} order by seq limit ${ROWS_AT_ONCE + 1}`
}

export interface Fetched {
  readonly head: Place
  /** Following commits in order; the head may be further ahead. */
  readonly commits: readonly Commit[]
  /** The log does not continue from the copy's place: it was trimmed, or it is another log. */
  readonly isGap: boolean
}

export async function fetchAfter(lane: Lane, from: Place): Promise<Fetched> {
  const [head, rows] = await lane.query(`${HEAD}; ${rowsFrom(from.seq)}`)
  return fetchedIn(head, rows, from)
}

/** Fetches like `fetchAfter` and blocks commits of other processes until the transaction ends. */
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

/** Commits the transaction of `beginCommit`. After an error the commit may still have happened. */
export async function endCommit(
  lane: Lane,
  { seq, op, node, writes }: NewCommit,
  timeoutMs: number,
): Promise<void> {
  const options = { timeoutMs, isContinued: true }
  const body = encodeWrites(writes)
  const isLarge = body.length >= LARGE_BYTES
  if (isLarge) {
    const { keys, keyLengths, values, valueLengths } = putOffsets(writes)
    const parts = [keys, keyLengths, values, valueLengths]
    await lane.query(KEEP_LARGE, { values: [seq, op, node, body, ...parts], ...options })
  }
  const puts = writes.flatMap(({ key, value }) =>
    value === undefined || isLarge ? [] : [`(${hex(key)}, ${hex(value)})`],
  )
  const removed = writes.flatMap(({ key, value }) => (value === undefined ? [hex(key)] : []))
  const statements = [
    ...(isLarge
      ? []
      : [`insert into cms_log values (${seq}, '${op}', now(), '${node}', ${hex(body)})`]),
    ...(puts.length === 0
      ? []
      : [
          `insert into cms_kv values ${puts.join()} on conflict (key) do update set value = excluded.value`,
        ]),
    ...(removed.length === 0 ? [] : [`delete from cms_kv where key in (${removed.join()})`]),
    `update cms_head set seq = ${seq}, op = '${op}' where id = 1`,
    'commit',
  ]
  await lane.query(statements.join('; '), options)
}

/**
 * A smaller commit is sent as digits in one round trip: four times its bytes, twice for the log and twice for the state. The text of a
 * large commit blocked the event loop for 50 to 80 ms, so its bytes are sent once, in binary form, in a round trip of their own.
 */
const LARGE_BYTES = 256 * 1024

const KEEP_LARGE = `
  with log as (insert into cms_log values ($1::bigint, $2::uuid, now(), $3::uuid, $4::bytea))
  insert into cms_kv
    select substring($4::bytea from k for kl), substring($4::bytea from v for vl)
    from unnest($5::int[], $6::int[], $7::int[], $8::int[]) as part (k, kl, v, vl)
    on conflict (key) do update set value = excluded.value`

/**
 * Whether a commit with an unknown outcome happened. The query is a change itself, so a server that is cut off from its
 * standby and cannot commit cannot answer either. The query also waits until a transaction that is still open has ended.
 */
export async function hasHappened(lane: Lane, op: string): Promise<boolean> {
  const results = await lane.query(`begin isolation level read committed;
    update cms_head set seq = seq where id = 1;
    select seq from cms_log where op = '${op}';
    commit`)
  return results[2]?.rows.length === 1
}

/** Calls `onPairs` with the whole state of one snapshot, in key order, and returns the place of the snapshot. */
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

/** Reserves unused numbers in a transaction of its own, so that commits do not wait for it. */
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

/** Deletes all but the last `keep` commits. No disk or standby is waited for: a crash may bring some commits back. */
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
  if (row === undefined) throw new Error('The database is damaged: cms_head is empty.')
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
