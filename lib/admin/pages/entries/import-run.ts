// Imports CSV rows into a datatable: a row with an entry ID changes that entry, any other row creates one. New
// entries are sent in lists, which the server creates completely or not at all. If the server rejects rows of a list,
// the rest is sent again without them. While the server is unreachable, the import waits and then repeats the request
// with its Idempotency-Key, so that nothing is created twice. Every rejected row is reported with its line and the
// reason.

import { COLUMN_TYPES } from '../../../shared/column-types.ts'
import { isTexted, readValue } from '../../../shared/value-text.ts'
import { MAX_BULK, MAX_BULK_VALUES } from '../../../shared/limits.ts'
import { type EntrySize, maxListEntries } from '../../../shared/list-size.ts'
import type { Connection } from '../../client/connection.ts'
import type { Entry, EntryValue } from '../../client/module-paths.ts'
import { NoConnection, Problem } from '../../client/problem.ts'
import { newRequestKey } from '../../client/api.ts'
import { type Cell, type CsvForm, type CsvRow, rowsIn } from './csv.ts'
import { type DecimalMark, withPoint } from './decimal-mark.ts'
import type { EntryRequests } from './entry-requests.ts'
import { type EntryField, ID, isDecimal } from './fields.ts'

export interface ImportFault {
  readonly row: CsvRow
  readonly reason: string
}

export interface ImportState {
  readonly bytes: number
  readonly created: number
  readonly updated: number
  readonly faults: readonly ImportFault[]
  /** Last line sent; 0 before the first. */
  readonly line: number
  readonly isStopped: boolean
}

export interface ImportJob {
  readonly file: File
  readonly form: CsvForm
  /** The decimal mark of the file. */
  readonly mark: DecimalMark
  /** The target of each file column; undefined to skip it. */
  readonly targets: readonly (EntryField | undefined)[]
  readonly requests: EntryRequests
  readonly connection: Connection
  /** The columns of the datatable. */
  readonly size: EntrySize
  readonly signal: AbortSignal
  readonly onState: (state: ImportState) => void
  readonly words: ImportWords
}

/** Reasons that the page finds itself. */
export interface ImportWords {
  readonly length: (found: number, wanted: number) => string
  readonly number: string
  readonly badJson: string
  readonly ambiguous: (column: string, text: string) => string
  readonly reasonOf: (error: unknown) => string
  readonly faultText: (detail: string) => string
}

interface Sendable {
  readonly row: CsvRow
  readonly id: number | undefined
  readonly body: Entry
}

const AT_ONCE = 4

export function runImport(job: ImportJob): Promise<ImportState> {
  return new ImportRun(job).run()
}

class ImportRun {
  readonly #job: ImportJob
  readonly #faults: ImportFault[] = []
  #bytes = 0
  #created = 0
  #updated = 0
  #line = 0

  constructor(job: ImportJob) {
    this.#job = job
  }

  async run(): Promise<ImportState> {
    const { file, form, size, signal } = this.#job
    const most = maxListEntries(size, { maxBulk: MAX_BULK, maxBulkValues: MAX_BULK_VALUES })
    const onBytes = (read: number): void => void (this.#bytes = read)
    let batch: Sendable[] = []
    let isHead = true
    try {
      for await (const row of rowsIn(file, form, { onBytes, signal })) {
        signal.throwIfAborted()
        if (isHead) {
          isHead = false
          continue
        }
        const made = sendableOf(row, this.#job)
        if ('reason' in made) this.#faults.push(made)
        else batch.push(made)
        if (batch.length < most) continue
        await this.#send(batch)
        batch = []
      }
      await this.#send(batch)
    } catch (error) {
      if (!signal.aborted) throw error
      return this.#state(true)
    }
    return this.#state(false)
  }

  #state(isStopped: boolean): ImportState {
    return {
      bytes: this.#bytes,
      created: this.#created,
      updated: this.#updated,
      faults: this.#faults.toSorted((left, right) => left.row.line - right.row.line),
      line: this.#line,
      isStopped,
    }
  }

  #refuse(row: CsvRow, error: unknown): void {
    const reason = typeof error === 'string' ? error : this.#job.words.reasonOf(error)
    this.#faults.push({ row, reason })
  }

  async #send(batch: readonly Sendable[]): Promise<void> {
    await this.#create(batch.filter(({ id }) => id === undefined))
    await this.#update(batch.filter(({ id }) => id !== undefined))
    this.#line = batch.at(-1)?.row.line ?? this.#line
    this.#job.onState(this.#state(false))
  }

  async #create(rows: readonly Sendable[]): Promise<void> {
    const { requests, signal, words } = this.#job
    let rest = rows
    while (rest.length > 0) {
      const key = newRequestKey()
      const bodies = rest.map(({ body }) => body)
      try {
        await again(this.#job, () => requests.createMany(bodies, key))
        this.#created += rest.length
        return
      } catch (error) {
        if (signal.aborted) throw error
        if (rest.length > 1 && error instanceof Problem && error.facts.status === 413) {
          const half = Math.ceil(rest.length / 2)
          await this.#create(rest.slice(0, half))
          rest = rest.slice(half)
          continue
        }
        const named = faultsByRow(error, rest.length, words.faultText)
        const isAll = named.size === 0
        for (const [at, { row }] of rest.entries())
          if (isAll || named.has(at)) this.#refuse(row, named.get(at) ?? error)
        rest = isAll ? [] : rest.filter((_, at) => !named.has(at))
      }
    }
  }

  async #update(rows: readonly Sendable[]): Promise<void> {
    const { requests, signal } = this.#job
    const rest = rows.values()
    const worker = async (): Promise<void> => {
      for (const { row, id = 0, body } of rest) {
        try {
          await again(this.#job, () => requests.change(id, body))
          this.#updated += 1
        } catch (error) {
          if (signal.aborted) throw error
          this.#refuse(row, error)
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
  }
}

/** Repeats requests without a response: changes are idempotent, and creations have a key. */
async function again<T>({ connection, signal }: ImportJob, work: () => Promise<T>): Promise<T> {
  for (;;) {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      const isBusy = error instanceof Problem && [429, 503].includes(error.facts.status)
      if (isBusy) await pause((error.facts.retrySeconds ?? 1) * 1_000)
      else if (error instanceof NoConnection) await connection.back(signal)
      else throw error
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

/** Errors by list position: `/3/name`. */
function faultsByRow(
  error: unknown,
  count: number,
  faultText: ImportWords['faultText'],
): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  if (!(error instanceof Problem)) return found
  for (const { pointer, detail } of error.facts.errors) {
    const [, at = '', ...path] = pointer.split('/')
    const row = Number(at)
    if (!/^\d+$/.test(at) || row >= count) continue
    const told = path.length === 0 ? faultText(detail) : `${path.join('/')}: ${faultText(detail)}`
    found.set(row, found.has(row) ? `${found.get(row)} ${told}` : told)
  }
  return found
}

function sendableOf(row: CsvRow, { targets, mark, words }: ImportJob): Sendable | ImportFault {
  const { cells } = row
  if (cells.length !== targets.length)
    return { row, reason: words.length(cells.length, targets.length) }
  const isAlone = cells.length === 1
  const pairs = targets.flatMap((field, at) => {
    const cell = cells[at] ?? null
    return field === undefined ? [] : [[field, isAlone && cell === '' ? null : cell] as const]
  })
  const given = pairs.find(([field]) => field.name === ID)?.[1] ?? null
  if (given !== null && !/^\s*[1-9]\d{0,14}\s*$/.test(given)) return { row, reason: words.number }
  const isBadJson = pairs.some(
    ([{ kind }, cell]) => kind === 'json' && cell !== null && readValue('json', cell) === undefined,
  )
  if (isBadJson) return { row, reason: words.badJson }
  const unclear = pairs.find(
    ([field, cell]) => isDecimal(field) && withPoint(cell ?? '', mark) === undefined,
  )
  if (unclear !== undefined)
    return { row, reason: words.ambiguous(unclear[0].label, unclear[1] ?? '') }
  const id = given === null ? undefined : Number(given)
  const body = pairs.flatMap(([field, cell]) =>
    // New entries get column defaults.
    field.name === ID || (cell === null && id === undefined)
      ? []
      : [[field.name, sentOf(field, cell, mark)] as const],
  )
  return { row, id, body: Object.fromEntries(body) }
}

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false }

/** All other values are sent as text, which loses no digit; the server reports errors. */
function sentOf(field: EntryField, cell: Cell, mark: DecimalMark): EntryValue {
  const { kind, column } = field
  if (cell === null) return null
  if (kind === 'boolean') return BOOLEANS[cell.trim().toLowerCase()] ?? cell
  if (isDecimal(field)) return withPoint(cell, mark) ?? cell
  const { kind: valueKind } = COLUMN_TYPES[column?.type ?? 'C']
  return isTexted(valueKind) ? ((readValue(valueKind, cell) ?? cell) as EntryValue) : cell
}
