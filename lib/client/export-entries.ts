// Writes the entries of a module to one .csv, .json or .ndjson file, which can be imported again.
//
// The file appears once it is complete. CSV has no types: null and an empty text both become an empty cell,
// which an import reads as null, and a decimal comes back as a text. The JSON formats preserve everything. An
// entry that is written during the export may be missing, but no entry is partial or duplicated.

import { type Api, openApi } from './api.ts'
import { MAX_LIST_LENGTH } from '../shared/limits.ts'
import { ClientError } from './client-error.ts'
import { requireReadable } from './entry-file.ts'
import { encodeRows, writeEntryFile } from './entry-output.ts'
import { isRow, type Row } from './entry-row.ts'
import { type ModuleInfo, parseModuleAddress, readModule } from './module-info.ts'
import { openRun, type Run, type RunOptions, type RunResult } from './run.ts'

export interface ExportEntriesOptions extends RunOptions {
  /** The file to write; an existing file is replaced. */
  readonly target: string
  /** The address of the module, or its path on the server at `url`. */
  readonly module: string
  readonly url: string
  readonly key: string
  /** Names of the columns to write, in this order; default: all. */
  readonly fields?: readonly string[] | undefined
  /** A search, as the list of the module accepts it. */
  readonly qry?: string | undefined
  readonly order?: Order | undefined
  /** Whether formulas in a CSV file are prefixed with an apostrophe. */
  readonly guardsFormulas?: boolean | undefined
}

export interface Order {
  readonly field: string
  readonly isDescending: boolean
}

export interface ExportEntriesSummary extends RunResult {
  readonly written: number
}

/** On rejection the target is unchanged. */
export async function exportEntries(options: ExportEntriesOptions): Promise<ExportEntriesSummary> {
  const { target, key, guardsFormulas = false } = options
  const format = requireReadable(target)
  if (guardsFormulas && format !== 'csv')
    throw new ClientError('bad-format', '--guard-formulas works only for .csv files: omit it.')
  const address = parseModuleAddress(options.module, options.url)
  const run = openRun(options)
  const api = openApi({ url: address.url, key, concurrency: 1, signal: run.signal })

  try {
    const module = await readModule(api, address)
    const names = options.fields ?? module.fieldNames
    const counts = { written: 0 }
    const pages = readPages({ api, run, module, query: buildQuery(options) }, counts)
    const text = encodeRows({ format, names, pages, guardsFormulas, kinds: module.columns })
    await writeEntryFile(target, text, { signal: run.signal, onBytes: run.addBytes })
    return { ...counts, ...run.finish() }
  } finally {
    await api.close()
  }
}

function buildQuery({ fields, qry, order }: ExportEntriesOptions): URLSearchParams {
  return new URLSearchParams({
    length: String(MAX_LIST_LENGTH),
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
  const detail =
    'The response is not a list of entries: the address does not belong to a content server.'
  return new ClientError('not-a-content-server', detail)
}
