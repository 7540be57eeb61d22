// SQL of a move of a whole site into or out of the PostgreSQL tables.
//
// Into the tables: the row of cms_move is written first and deleted last, and no server opens the tables in between
// (makeTables). Each run writes its own name into the row, which fences earlier runs: their writes have no effect. Each
// run also changes the epoch of the log, so that a server that has the empty tables open ends.
// The epoch also proves that no write was lost. It is changed before the final walk, which finds all rows present and
// writes none. A server that has the new epoch has everything written before it. A promoted standby without all
// acknowledged writes lacks the epoch, and the move does not complete.
// Out of the tables: one transaction holds the lock of the newest commit. All servers keep reading, and no change is
// made.
//
// Every statement may be repeated if the first answer was lost.

import { randomUUID } from 'node:crypto'
import { CmsError } from '../base/errors.ts'
import { RefusedError } from '../storage/embedded/refusal.ts'
import { IDENTITY_KEY } from '../storage/records/format.ts'
import type { Pair } from '../storage/records/kv.ts'
import type { Place } from './local-copy.ts'
import type { Write } from './log-body.ts'
import type { Lane } from './primary.ts'
import { HEAD, hex, HOLD_FOR_MOVE, pairsIn, placeIn } from './postgres-tables.ts'

const SLOW = { timeoutMs: 120_000 }
const ROWS_AT_ONCE = 2_000
/** A page ends with the row that exceeds this size. */
const BYTES_AT_ONCE = 4 * 1024 * 1024

const IDENTITY = `select value from cms_kv where key = ${hex(IDENTITY_KEY)}`

export interface TargetTables {
  /** The site that is being moved in. */
  readonly moving: string | undefined
  /** The site in the tables. */
  readonly site: string | undefined
  readonly isEmpty: boolean
}

export async function readTargetTables(lane: Lane): Promise<TargetTables> {
  const [moves, head, first, identity] = await lane.query(
    `select site from cms_move where id = 1; ${HEAD}; select key from cms_kv limit 1; ${IDENTITY}`,
    SLOW,
  )
  const moving = moves?.rows[0]?.['site']
  return {
    moving: moving === undefined ? undefined : String(moving),
    site: textIn(identity?.rows[0]?.['value']),
    isEmpty: placeIn(head).seq === 0 && first?.rows.length === 0,
  }
}

/** Begins a move into empty tables or resumes the move of the same site. Returns the name of this run. */
export async function beginMove(lane: Lane, site: string): Promise<string> {
  const run = randomUUID()
  const [, , begun] = await lane.query(
    `begin;
    select seq from cms_head where id = 1 for update;
    insert into cms_move select 1, '${site}', '${run}'::uuid
      where exists (select 1 from cms_move where site = '${site}')
        or (exists (select 1 from cms_head where id = 1 and seq = 0) and not exists (select 1 from cms_kv))
      on conflict (id) do update set run = excluded.run where cms_move.site = excluded.site
      returning run;
    update cms_head set epoch = '${run}' where id = 1 and ${isRun(run)};
    commit`,
    SLOW,
  )
  if (begun?.rows.length === 1) return run
  throw new RefusedError(
    'Another server or move has started to use the database meanwhile. Choose an empty database.',
  )
}

/** Throws if another run has replaced this run. */
export async function writeRows(lane: Lane, run: string, writes: readonly Write[]): Promise<void> {
  const puts = writes.flatMap(({ key, value }) =>
    value === undefined ? [] : [`(${hex(key)}::bytea, ${hex(value)}::bytea)`],
  )
  const removed = writes.flatMap(({ key, value }) => (value === undefined ? [hex(key)] : []))
  const statements = [
    'begin',
    // `for share` makes a run that wants to replace this one wait for the commit; a run that waits here reads the new row.
    'select run from cms_move where id = 1 for share',
    ...(puts.length === 0
      ? []
      : [
          `insert into cms_kv select key, value from (values ${puts.join()}) as rows (key, value)
            where ${isRun(run)} on conflict (key) do update set value = excluded.value`,
        ]),
    ...(removed.length === 0
      ? []
      : [`delete from cms_kv where ${isRun(run)} and key in (${removed.join()})`]),
    'commit',
  ]
  const [, moves] = await lane.query(statements.join('; '), SLOW)
  if (moves?.rows[0]?.['run'] !== run) throw replaced()
}

/** Call before the rows are compared; pass the returned mark to endMove. */
export async function markRows(lane: Lane, run: string): Promise<string> {
  const mark = randomUUID()
  const [, marked] = await lane.query(
    `begin;
    update cms_head set epoch = '${mark}' where id = 1 and ${isRun(run)} returning id;
    commit`,
    SLOW,
  )
  if (marked?.rows.length !== 1) throw replaced()
  return mark
}

export interface MoveEnd {
  readonly run: string
  readonly mark: string
}

/** From here on servers may open the tables. */
export async function endMove(lane: Lane, { run, mark }: MoveEnd): Promise<void> {
  const own = randomUUID()
  const results = await lane.query(
    `begin;
    select seq from cms_head where id = 1 for update;
    delete from cms_move where id = 1 and run = '${run}'
      and exists (select 1 from cms_head where id = 1 and epoch = '${mark}');
    update cms_head set epoch = '${own}' where id = 1 and epoch = '${mark}'
      and not exists (select 1 from cms_move);
    select run from cms_move where id = 1;
    ${HEAD};
    commit`,
    SLOW,
  )
  const [moves, head] = results.slice(4)
  // Also true if a first attempt succeeded and its answer was lost.
  if (placeIn(head).epoch === own) return
  throw moves?.rows[0]?.['run'] === run ? lost() : replaced()
}

function isRun(run: string): string {
  return `exists (select 1 from cms_move where id = 1 and run = '${run}')`
}

function replaced(): RefusedError {
  return new RefusedError(
    'Another "cms-server migrate" has taken over this move. This run has stopped.',
  )
}

function lost(): CmsError {
  return new CmsError(
    'unavailable',
    'The database has lost acknowledged writes: a standby without the newest writes was promoted. The move is incomplete. Run the same command again.',
  )
}

export interface HeldSite {
  readonly site: string | undefined
  readonly place: Place
}

/** Blocks all commits until the connection ends. The call must be the first on its connection. */
export async function holdCommits(link: Lane): Promise<HeldSite> {
  const [, , moves, head, identity] = await link.query(
    `begin isolation level read committed;
    set local idle_in_transaction_session_timeout = 0;
    select site from cms_move;
    ${HEAD} for update; ${IDENTITY};
    ${HOLD_FOR_MOVE}`,
    SLOW,
  )
  if (moves?.rows.length !== 0)
    throw new RefusedError(
      'The site in the database is incomplete: a move into it was interrupted. Finish that move first, with the same command as before.',
    )
  return { site: textIn(identity?.rows[0]?.['value']), place: placeIn(head) }
}

export async function readPlace(lane: Lane): Promise<Place> {
  const [head] = await lane.query(HEAD, SLOW)
  return placeIn(head)
}

export interface SizeOfRows {
  readonly rows: number
  readonly bytes: number
}

export async function sizeOfRows(lane: Lane): Promise<SizeOfRows> {
  const [sums] = await lane.query(
    'select count(*) as rows, coalesce(sum(length(key) + length(value)), 0) as bytes from cms_kv',
    SLOW,
  )
  const row = sums?.rows[0]
  return { rows: Number(row?.['rows']), bytes: Number(row?.['bytes']) }
}

/** Rows after this key in key order, one bounded page; an empty page means the end. */
export async function rowsAfter(lane: Lane, key: Buffer): Promise<readonly Pair[]> {
  const [found] = await lane.query(
    `select key, value from (
      select key, value, sum(length(value)) over (order by key) - length(value) as before
      from (select key, value from cms_kv where key > ${hex(key)} order by key limit ${ROWS_AT_ONCE}) as page
    ) as sized where before < ${BYTES_AT_ONCE} order by key`,
    SLOW,
  )
  return pairsIn(found)
}

function textIn(value: unknown): string | undefined {
  return Buffer.isBuffer(value) ? value.toString() : undefined
}
