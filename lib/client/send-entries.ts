// Sends one batch of an import of entries: new entries in one request, all or none, and changes one by one.
//
// A request whose response is lost (the connection breaks, or the server is killed) is sent again. A
// repeated change has the same result, and new entries carry an Idempotency-Key, with which the server creates
// them once. If no response can be obtained at all (the server stays unreachable, the run is stopped, the key
// is rejected), the batch was stored completely or not at all. Then the run stops, and the summary names the
// rows in doubt so that the user can check them.

import { randomUUID } from 'node:crypto'
import type { Api, ApiRequest } from './api.ts'
import { ClientError, isFatal, isTransient, KEY_STATUSES, reasonOf } from './client-error.ts'
import type { NumberedRow } from './entry-row.ts'
import type { ModuleInfo } from './module-info.ts'
import type { Run } from './run.ts'

export interface Sending {
  readonly api: Api
  readonly run: Run
  readonly module: ModuleInfo
  readonly ledger: Ledger
}

/** The outcome of the rows that did not fail. */
export interface Ledger {
  created: number
  updated: number
  /** Numbers of rows that were sent but whose response was lost. */
  readonly inDoubt: number[]
  /** Numbers of rows that were not sent before the run ended. */
  readonly unsent: number[]
  /** Rows that failed, and why. */
  readonly refused: Map<number, string>
}

export function refuseRow(
  { run, ledger }: Pick<Sending, 'run' | 'ledger'>,
  row: number,
  detail: string,
): void {
  ledger.refused.set(row, detail)
  run.fail({ path: `row ${row}` }, detail)
}

export async function sendBatch(sending: Sending, batch: readonly NumberedRow[]): Promise<void> {
  await createAll(
    sending,
    batch.filter(({ id }) => id === undefined),
  )
  for (const row of batch) if (row.id !== undefined) await update(sending, row)
}

/**
 * Removes rows that the server rejects and sends the rest again. A batch that is too large for one request,
 * including column defaults, is split in half.
 */
async function createAll(sending: Sending, rows: readonly NumberedRow[]): Promise<void> {
  const { run, ledger } = sending
  let rest = rows

  while (rest.length > 0) {
    try {
      await create(sending, rest)
      ledger.created += rest.length
      return noteSent(run, rest)
    } catch (error) {
      if (rest.length > 1 && error instanceof ClientError && error.status === 413) {
        const half = Math.ceil(rest.length / 2)
        await createAll(sending, rest.slice(0, half))
        rest = rest.slice(half)
        continue
      }
      const faults = faultsByIndex(error, rest.length)
      if (faults.size === 0) return giveUp(sending, rest, error)
      for (const [at, detail] of faults) refuseRow(sending, rest[at]?.row ?? 0, detail)
      rest = rest.filter((_, at) => !faults.has(at))
    }
  }
}

/** Rejects with `in-doubt` if the entries may have been created. */
async function create(sending: Sending, rows: readonly NumberedRow[]): Promise<void> {
  const { api, run, module } = sending
  const body = `[${rows.map((row) => row.body).join(',')}]`
  const request = toPost(module.path, body, { 'idempotency-key': randomUUID() })
  let isLost = false

  try {
    const reply = await api.retrying(async () => {
      run.signal.throwIfAborted()
      return api.send(request).catch((error: unknown) => {
        isLost ||= !isOutcomeKnown(error)
        throw error
      })
    })
    // The status alone shows that the entries exist, even if the rest of the response is lost.
    await reply.body.arrayBuffer().catch(() => undefined)
  } catch (error) {
    if (error instanceof ClientError && error.code === 'answer-lost') return
    throw isLost && !wasRefused(error) ? inDoubt(error) : error
  }
}

async function update(sending: Sending, row: NumberedRow): Promise<void> {
  const { api, run, module, ledger } = sending
  try {
    await api.retrying(async () => {
      run.signal.throwIfAborted()
      return api.sendJson(toPost(`${module.path}/${row.id}`, row.body))
    })
    ledger.updated += 1
    noteSent(run, [row])
  } catch (error) {
    giveUp(sending, [row], error)
  }
}

function toPost(path: string, body: string, headers: ApiRequest['headers'] = {}): ApiRequest {
  return { method: 'POST', path, headers: { 'content-type': 'application/json', ...headers }, body }
}

function noteSent(run: Run, rows: readonly NumberedRow[]): void {
  run.addBytes(rows.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0))
  run.addDone(rows.length)
}

function giveUp({ run, ledger }: Sending, rows: readonly NumberedRow[], error: unknown): void {
  const numbers = rows.map(({ row }) => row)
  const isLost = error instanceof ClientError && error.code === IN_DOUBT
  if (isLost) ledger.inDoubt.push(...numbers)
  else if (run.signal.aborted || isFatal(error)) ledger.unsent.push(...numbers)
  else for (const row of numbers) refuseRow({ run, ledger }, row, reasonOf(error))
  if (isLost || isFatal(error)) run.stop(error)
}

const IN_DOUBT = 'in-doubt'

/** Codes after which nothing was stored: the request did not arrive, or the server refused it. */
const KNOWN_CODES = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'unavailable',
  'too-many-requests',
])

function isOutcomeKnown(error: unknown): boolean {
  if (!(error instanceof ClientError)) return false
  const isAnswer = error.status > 0 && !isTransient(error)
  return isAnswer || KNOWN_CODES.has(error.code)
}

/** The server validated the request itself, so it has not carried the request out before. */
function wasRefused(error: unknown): boolean {
  if (!(error instanceof ClientError) || isTransient(error)) return false
  return error.status > 0 && !KEY_STATUSES.has(error.status)
}

function inDoubt(cause: unknown): ClientError {
  return new ClientError(IN_DOUBT, reasonOf(cause), { cause })
}

/** The errors of a problem document: {"pointer": "/3/title", "detail": "is required"}. */
function faultsByIndex(error: unknown, count: number): ReadonlyMap<number, string> {
  const faults = new Map<number, string>()
  const isRefused =
    error instanceof ClientError && (error.status === 422 || error.code === 'not-unique')
  const errors = isRefused ? error.members['errors'] : undefined
  if (!Array.isArray(errors)) return faults

  for (const { pointer, detail } of errors as readonly Record<string, unknown>[]) {
    const path = String(pointer).slice(1).split('/').map(unescapePointer)
    // For a list with one entry, a server may omit the index.
    const hasIndex = /^\d+$/.test(path[0] ?? '')
    const at = hasIndex ? Number(path.shift()) : 0
    if (at >= count || (!hasIndex && count > 1)) continue
    const text = `${path.join('/')} ${String(detail)}`.trim()
    faults.set(at, faults.has(at) ? `${faults.get(at)}; ${text}` : text)
  }
  return faults
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
