// Writes the entries of a module to one file, .csv, .json or .ndjson, which import takes as it is.
//
// The file appears when all of it is written. CSV has no types: null and an empty text are both an
// empty cell, which an import reads as null, and a decimal comes back as a text; the JSON formats
// keep everything. Entries that are written while the export runs are in it or not; each is whole,
// and none comes twice.

import { stringify } from 'csv-stringify/sync'
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Api, openApi } from './api.ts'
import { ClientError, reasonOf } from './client-error.ts'
import { type EntryFormat, requireReadable } from './entry-file.ts'
import { isRow, type Row } from './entry-row.ts'
import { type ModuleInfo, parseModuleAddress, readModule } from './module-info.ts'
import { openRun, type Run, type RunOptions, type RunResult } from './run.ts'

const PAGE_LENGTH = 1_000

export interface ExportEntriesOptions extends RunOptions {
  /** The file to write; what is there is replaced. */
  readonly target: string
  /** The address of the module, or its path on the server at `url`. */
  readonly module: string
  readonly url: string
  readonly key: string
  /** Names of the columns to write, in this order; all without it. */
  readonly fields?: readonly string[] | undefined
  /** A search, as the list of the module takes it. */
  readonly qry?: string | undefined
  readonly order?: Order | undefined
}

export interface Order {
  readonly field: string
  readonly isDescending: boolean
}

export interface ExportEntriesSummary extends RunResult {
  readonly written: number
}

/** Rejects when it cannot go on; the target is then what it was. */
export async function exportEntries(options: ExportEntriesOptions): Promise<ExportEntriesSummary> {
  const { target, key } = options
  const format = requireReadable(target)
  const address = parseModuleAddress(options.module, options.url)
  const run = openRun(options)
  const api = openApi({ url: address.url, key, concurrency: 1, signal: run.signal })

  try {
    const module = await readModule(api, address)
    const names = options.fields ?? module.fieldNames
    const counts = { written: 0 }
    const pages = readPages({ api, run, module, query: buildQuery(options) }, counts)
    await writeFile(target, encode({ format, names, pages }), run)
    return { ...counts, ...run.finish() }
  } finally {
    await api.close()
  }
}

function buildQuery({ fields, qry, order }: ExportEntriesOptions): URLSearchParams {
  return new URLSearchParams({
    length: String(PAGE_LENGTH),
    count: 'exact',
    ...(fields !== undefined && { fields: fields.join(',') }),
    ...(qry !== undefined && { qry }),
    ...(order !== undefined && { orderStr: order.field }),
    ...(order !== undefined && { orderDir: order.isDescending ? 'DESC' : 'ASC' }),
  })
}

interface Listing {
  readonly api: Api
  readonly run: Run
  readonly module: ModuleInfo
  readonly query: URLSearchParams
}

async function* readPages(
  { api, run, module, query }: Listing,
  counts: { written: number },
): AsyncGenerator<readonly Row[]> {
  for (;;) {
    const path = `${module.path}?${query}`
    const answer = await api.retrying(() => api.sendJson({ method: 'GET', path }))
    const rows = answer[`${module.kind}_entry`]
    const page = answer['page']
    if (!Array.isArray(rows) || !rows.every(isRow) || !isRow(page)) throw unexpected()

    const isFirst = query.has('count')
    if (isFirst && typeof page['total'] === 'number') run.addTotal(page['total'])
    yield rows
    counts.written += rows.length
    run.addDone(rows.length)
    if (typeof page['next'] !== 'string') return
    query.set('cursor', page['next'])
    query.delete('count')
  }
}

function unexpected(): ClientError {
  const detail = 'The answer is not a list of entries: the address is not that of a content server.'
  return new ClientError('not-a-content-server', detail)
}

interface Encoding {
  readonly format: EntryFormat
  readonly names: readonly string[]
  readonly pages: AsyncIterable<readonly Row[]>
}

async function* encode({ format, names, pages }: Encoding): AsyncGenerator<string> {
  if (format === 'csv') yield toCsv(names, [names])
  if (format === 'json') yield '['
  let isFirst = true

  for await (const rows of pages) {
    if (rows.length === 0) continue
    if (format === 'csv') yield toCsv(names, rows)
    else if (format === 'ndjson') yield `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`
    else yield `${isFirst ? '' : ','}\n${rows.map((row) => JSON.stringify(row)).join(',\n')}`
    isFirst = false
  }
  if (format === 'json') yield '\n]\n'
}

function toCsv(names: readonly string[], rows: readonly (Row | readonly string[])[]): string {
  return stringify([...rows], {
    columns: [...names],
    record_delimiter: 'windows',
    // The empty text in quotes, null without: as csv-rows.ts reads them.
    cast: { boolean: String, string: (text) => ({ value: text, quoted_empty: true }) },
    quoted_match: /[\r\n]/,
    // Without quotes the row would be an empty line, which means no row.
    quoted_empty: names.length === 1,
  })
}

async function writeFile(target: string, text: AsyncIterable<string>, run: Run): Promise<void> {
  const temporary = join(dirname(target), `.cms-export-${randomUUID()}`)

  async function* measure(): AsyncGenerator<Buffer> {
    for await (const part of text) {
      const bytes = Buffer.from(part)
      run.addBytes(bytes.length)
      yield bytes
    }
  }

  try {
    const file = createWriteStream(temporary, { flags: 'wx', flush: true })
    await pipeline(measure, file, { signal: run.signal })
    await rename(temporary, target)
  } catch (cause) {
    run.signal.throwIfAborted()
    if (cause instanceof ClientError) throw cause
    const detail = `${target} cannot be written: ${reasonOf(cause)}.`
    throw new ClientError('unwritable', detail, { cause })
  } finally {
    await rm(temporary, { force: true })
  }
}
