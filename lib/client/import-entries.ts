// Imports a file of rows into a module: a row with an identifier changes that entry, every other row creates a
// new entry.
//
// The file is read twice: once to check it, and once to send it in batches, so that memory use does not
// depend on its size. A few batches are in flight at once, so rows of one file that change the same entry may
// be applied in any order. If the run ends early (see send-entries.ts, or the signal), batches in flight are
// finished, and the summary lists exactly the rows that were not sent; `rows` resumes the import there.

import pMap from 'p-map'
import { type Api, openApi } from './api.ts'
import { ClientError, reasonOf } from './client-error.ts'
import type { CsvFile } from './csv-rows.ts'
import { type EntryFormat, openRows, requireReadable } from './entry-file.ts'
import { openOriginCheck } from './entry-origin.ts'
import { type NumberedRow, prepareRow, type RowRules } from './entry-row.ts'
import { besideSource, refuseUnknown, type Scan, scanRows, writeRefused } from './entry-scan.ts'
import { type ModuleInfo, parseModuleAddress, readModule } from './module-info.ts'
import { type RowRange, toRanges } from './row-ranges.ts'
import { openRun, type Run, type RunOptions, type RunResult } from './run.ts'
import { type Ledger, refuseRow, sendBatch } from './send-entries.ts'

/** Characters of JSON text that fill a batch. */
const BATCH_LENGTH = 1024 * 1024
/**
 * The server commits batches one after the other, so more of them in flight would only put more rows in doubt.
 */
const MAX_CONCURRENCY = 4

export interface ImportEntriesOptions extends RunOptions {
  readonly source: string
  /** The address of the module, or its path on the server at `url`. */
  readonly module: string
  readonly url: string
  readonly key: string
  readonly concurrency?: number | undefined
  /** Delimiter of a CSV file; default: detected in its header. */
  readonly delimiter?: string | undefined
  /** Skips columns that the module does not have. */
  readonly ignoreUnknown?: boolean | undefined
  /** Creates a new entry for every row, even for rows with an identifier. */
  readonly asNew?: boolean | undefined
  /**
   * Changes the entries with the numbers in the rows, even if it is unknown whether the file is from this
   * module.
   */
  readonly update?: boolean | undefined
  /** File for rejected rows; default: next to the source. */
  readonly refused?: string | undefined
  /** Sends only these rows; the first row is 1. */
  readonly rows?: RowRange | undefined
}

export interface ImportEntriesSummary extends RunResult {
  readonly created: number
  readonly updated: number
  /** Name of the imported list, if the file is an object that contains it. */
  readonly listName: string | undefined
  /** Why the run ended early. */
  readonly stopped: string | undefined
  readonly inDoubt: readonly RowRange[]
  readonly unsent: readonly RowRange[]
  /** The file with the rejected rows, or why it could not be written; undefined if no row failed. */
  readonly refusedFile: string | ClientError | undefined
}

/**
 * Rejects before anything is sent: the file cannot be read or does not fit the module, the module does not
 * exist, or the key is rejected. All later failures are in the summary.
 */
export async function importEntries(options: ImportEntriesOptions): Promise<ImportEntriesSummary> {
  const { source, key, delimiter, ignoreUnknown = false, asNew = false } = options
  const refused = options.refused ?? besideSource(source)
  requireFormat(refused, requireReadable(source))
  const file = { path: source, delimiter }
  const address = parseModuleAddress(options.module, options.url)
  const concurrency = Math.min(options.concurrency ?? MAX_CONCURRENCY, MAX_CONCURRENCY)
  const run = openRun(options)
  // A separate signal, because requests in flight are finished when the run stops.
  const { signal } = new AbortController()
  const api = openApi({ url: address.url, key, concurrency, signal })

  try {
    const module = await readModule(api, address)
    const scan = await scanFile({ api, module, file, signal: run.signal }, options)
    if (!ignoreUnknown) refuseUnknown(scan.unknown, module)
    const range = clip(options.rows, scan)
    run.addTotal(Math.max(0, range.last - range.first + 1))

    const ledger: Ledger = { created: 0, updated: 0, inDoubt: [], unsent: [], refused: new Map() }
    const reading: Reading = {
      run,
      file,
      range,
      rules: { module, asNew, isCsv: requireReadable(source) === 'csv' },
      ledger,
      last: range.first - 1,
    }
    await pMap(readBatches(reading), (batch) => sendBatch({ api, run, module, ledger }, batch), {
      concurrency,
    })
    const refusedFile = await keepRefused(file, ledger, refused)
    return { ...summarize(reading, scan), refusedFile }
  } finally {
    await api.close()
  }
}

/** A file of rejected rows has the format of the source, so that nothing is lost in conversion. */
function requireFormat(path: string, format: EntryFormat): void {
  if (requireReadable(path) === format) return
  throw new ClientError('bad-format', `--refused must name a .${format} file, like the source.`)
}

interface Scanning {
  readonly api: Api
  readonly module: ModuleInfo
  readonly file: CsvFile
  readonly signal: AbortSignal
}

async function scanFile(
  { api, module, file, signal }: Scanning,
  { asNew, update, rows: range }: ImportEntriesOptions,
): Promise<Scan> {
  const origin = asNew === true || update === true ? undefined : openOriginCheck(api, module)
  const scan = await scanRows(openRows(file), module, {
    signal,
    onRow:
      origin &&
      (async (value, row) => {
        if (range === undefined || (row >= range.first && row <= range.last))
          await origin.add(value, row)
      }),
  })
  await origin?.finish()
  return scan
}

/** The import is finished by now, so an error is reported in the summary instead of thrown. */
async function keepRefused(
  file: CsvFile,
  { refused }: Ledger,
  target: string,
): Promise<ImportEntriesSummary['refusedFile']> {
  if (refused.size === 0) return undefined
  try {
    await writeRefused(file, refused, target)
    return target
  } catch (error) {
    return error instanceof ClientError ? error : new ClientError('unwritable', reasonOf(error))
  }
}

function clip({ first, last }: RowRange = { first: 1, last: Infinity }, { rows }: Scan): RowRange {
  return { first, last: Math.min(last, rows) }
}

interface Reading {
  readonly run: Run
  readonly file: CsvFile
  readonly range: RowRange
  readonly rules: RowRules
  readonly ledger: Ledger
  /** The last row that was added to a batch or failed. */
  last: number
}

async function* readBatches(reading: Reading): AsyncGenerator<readonly NumberedRow[]> {
  const { run, rules } = reading
  let batch: NumberedRow[] = []
  let length = 0

  try {
    for await (const row of readRange(reading)) {
      batch.push(row)
      length += row.body.length
      if (batch.length < rules.module.maxEntries && length < BATCH_LENGTH) continue
      yield batch
      if (run.signal.aborted) return
      batch = []
      length = 0
    }
    if (batch.length > 0) yield batch
  } catch (error) {
    // Batches are in flight, so the error stops the run instead of being thrown.
    run.stop(error)
    if (batch.length > 0) yield batch
  }
}

/** The rows of the range; rows that cannot be sent are recorded as failed. */
async function* readRange(reading: Reading): AsyncGenerator<NumberedRow> {
  const { run, file, range, rules, ledger } = reading
  let number = 0

  for await (const value of openRows(file).rows) {
    number += 1
    if (number < range.first) continue
    if (number > range.last) return
    const row = prepareRow(rules, value, number)
    reading.last = number
    if ('fault' in row) refuseRow({ run, ledger }, number, row.fault)
    else yield row
  }
}

function summarize(
  { run, range, last, ledger }: Reading,
  scan: Scan,
): Omit<ImportEntriesSummary, 'refusedFile'> {
  const { created, updated, inDoubt, unsent } = ledger
  const isCut = last < range.last
  return {
    created,
    updated,
    listName: scan.listName,
    stopped: run.signal.aborted ? reasonOf(run.signal.reason) : undefined,
    inDoubt: toRanges(inDoubt),
    unsent: [...toRanges(unsent), ...(isCut ? [{ first: last + 1, last: range.last }] : [])],
    ...run.result(),
  }
}
