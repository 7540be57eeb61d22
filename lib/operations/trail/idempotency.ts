// Carries out each request once, however often it is sent. The row of a request is in the commit of its change, so it
// exists exactly if the change does; the answer is added before it is sent.
//
// Processes that write claim a key independently; the commit decides which of them was first.
//
// A crash in between leaves a row without an answer. No client has received the answer then, so a retry gets the
// present state of the records that the row names.

import { hash } from 'node:crypto'
import type { Caller } from '../../auth/caller.ts'
import { CmsError } from '../../base/errors.ts'
import {
  idempotencyCount,
  type IdempotencyRow,
  idempotencyRow,
  type Made,
} from '../../schema/server-records.ts'
import type { Id, JsonValue } from '../../schema/values.ts'
import type { Change, Reader, Records, Unit } from '../../storage/port.ts'
import type { Addition } from './additions.ts'
import type { Background } from '../background/background.ts'
import type { RetentionClock } from '../background/retention-clock.ts'
import { isNamedType } from './recorded-changes.ts'
import { runRounds } from '../background/rounds.ts'

/** Rows per commit. */
const BATCH = 200
const EXPIRE_EVERY_MS = 600_000

interface Parts {
  readonly records: Records
  readonly now: () => Date
  readonly retentionClock: RetentionClock
  readonly limits: { readonly idempotencyMs: number; readonly maxIdempotencyRows: number }
}

export interface Idempotency {
  /** Claims the key for one attempt, until its `end`; throws while another attempt holds the key. */
  begin(apiKeyId: number, key: string): Attempt
}

export interface Attempt {
  /** The earlier result under this key. */
  find(): IdempotencyRow | undefined
  /**
   * Throws if the key has too many rows, or if a row was written meanwhile. Call it before the change is made,
   * because note() runs after the change.
   */
  readonly requireRoom: (unit: Unit) => void
  /** Writes the row, in the commit of the change; with `keepsOutcome`, also the result of its plan, which must be JSON. */
  note(request: RequestMarks, keepsOutcome?: boolean): Addition
  /** Adds the answer; call it before the answer is sent. */
  keep(request: RequestMarks, answer: JsonValue): Promise<void>
  end(): void
}

/** The properties compared with those of a retry. */
export type RequestMarks = Pick<IdempotencyRow, 'fingerprint' | 'authority'>

/** Equal for the same limits and roles, whatever grants they give in the present folders. */
export function authorityOf({ key, user }: Caller): string {
  const { grants, asset_category_id: scope } = key
  const { role, category_roles: roles, role_grants: own } = user
  return hash('sha256', JSON.stringify([grants, scope, role, roles, own]))
}

export function openIdempotency(parts: Parts): Idempotency {
  const running = new Set<string>()

  return {
    begin(apiKeyId, key) {
      const name = `${apiKeyId} ${key}`
      if (running.has(name)) throw inUse()
      running.add(name)
      return openAttempt(parts, [apiKeyId, key], () => running.delete(name))
    },
  }
}

type RowIds = readonly [apiKeyId: number, key: string]

function openAttempt(parts: Parts, ids: RowIds, end: () => void): Attempt {
  const { records, limits } = parts
  const newRow = ({ fingerprint, authority }: RequestMarks, made: Made): IdempotencyRow => ({
    fingerprint,
    authority,
    date_added: parts.now().toISOString(),
    made,
    answer: null,
  })

  return {
    find: () => findRow(parts, records, ids),
    requireRoom(unit) {
      // A row of a faster process: within this process nobody else holds the key.
      if (findRow(parts, unit, ids) !== undefined) throw inUse()
      void requireRoom(unit, ids, limits)
    },
    note: (request, keepsOutcome) => (unit, changes, result) => {
      const updated = madeBy(changes.filter(({ before }) => before !== undefined))
      const row = {
        ...newRow(request, madeBy(changes)),
        ...(Object.keys(updated).length > 0 && { updated }),
        ...(keepsOutcome === true && { outcome: result as JsonValue }),
      }
      putRow(unit, ids, { row, limits })
    },
    async keep(request, answer) {
      await records.commit((unit) => {
        const row = findRow(parts, unit, ids) ?? newRow(request, {})
        putRow(unit, ids, { row: { ...row, answer }, limits })
      })
    },
    end,
  }
}

/** An expired row counts as missing, even before it is removed. */
function findRow(parts: Parts, reader: Pick<Reader, 'get'>, ids: RowIds) {
  const row = reader.get(idempotencyRow, ...ids)?.value
  return row === undefined || isExpired(parts, row) ? undefined : row
}

function isExpired({ retentionClock, limits }: Parts, { date_added }: IdempotencyRow): boolean {
  return retentionClock.since(date_added) >= limits.idempotencyMs
}

type RowLimits = Pick<Parts['limits'], 'maxIdempotencyRows'>

interface NewRow {
  readonly row: IdempotencyRow
  readonly limits: RowLimits
}

function putRow(unit: Unit, ids: RowIds, { row, limits }: NewRow): void {
  const rows = requireRoom(unit, ids, limits)
  if (rows !== undefined) unit.put(idempotencyCount, [ids[0]], { rows: rows + 1 })
  unit.put(idempotencyRow, ids, row)
}

/** Number of rows of the key; undefined if this row exists already. */
function requireRoom(
  unit: Unit,
  ids: RowIds,
  { maxIdempotencyRows }: RowLimits,
): number | undefined {
  if (unit.get(idempotencyRow, ...ids) !== undefined) return undefined
  const rows = countRows(unit, ids[0])
  if (rows >= maxIdempotencyRows) throw tooMany(maxIdempotencyRows)
  return rows
}

function countRows(reader: Pick<Reader, 'get'>, apiKeyId: number): number {
  return reader.get(idempotencyCount, apiKeyId)?.value.rows ?? 0
}

/** Records that answers name, with a single number as identifier. */
function madeBy(changes: readonly Change[]): Made {
  const made: Record<string, number[]> = {}
  for (const { type, ids, stored } of changes) {
    const [id, ...others] = ids
    if (stored === undefined || typeof id !== 'number' || others.length > 0) continue
    if (!isNamedType(type)) continue
    made[type.name] ??= []
    made[type.name]?.push(id)
  }
  return made
}

/** Removes expired rows, now and every ten minutes, until the signal aborts. */
export async function expireRows(
  services: Parts & { readonly background: Background },
  signal: AbortSignal,
): Promise<void> {
  const rounds = { name: 'expire-idempotency', everyMs: EXPIRE_EVERY_MS, signal }
  await runRounds(services, rounds, () => removeExpired(services, signal))
}

async function removeExpired(parts: Parts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && findExpired(parts, parts.records).length > 0) {
    await parts.records.commit((unit) => {
      for (const [apiKeyId, key] of findExpired(parts, unit)) {
        unit.remove(idempotencyRow, Number(apiKeyId), String(key))
        const rows = countRows(unit, Number(apiKeyId)) - 1
        if (rows > 0) unit.put(idempotencyCount, [Number(apiKeyId)], { rows })
        else unit.remove(idempotencyCount, Number(apiKeyId))
      }
    })
  }
}

function findExpired(parts: Parts, reader: Reader): readonly (readonly Id[])[] {
  const oldest = reader.lookup(idempotencyRow, 'date_added', [], BATCH)
  return oldest.filter(
    ([apiKeyId, key]) => findRow(parts, reader, [Number(apiKeyId), String(key)]) === undefined,
  )
}

function inUse(): CmsError {
  return new CmsError(
    'idempotency-key-in-use',
    'The first request with this Idempotency-Key is still running. Send the request again in a second.',
    { headers: { 'retry-after': '1' } },
  )
}

function tooMany(max: number): CmsError {
  return new CmsError(
    'too-many-requests',
    `The API key has used ${max} Idempotency-Keys within 24 hours. Use another API key, or send several entries in one request.`,
    { headers: { 'retry-after': '60' } },
  )
}
