// Runs the commands import and export.

import { ClientError } from '../client/client-error.ts'
import { exportEntries } from '../client/export-entries.ts'
import { exportTree } from '../client/export.ts'
import { importCalendar } from '../client/import-calendar.ts'
import { importEntries } from '../client/import-entries.ts'
import { importTree } from '../client/import.ts'
import { openProgress } from '../client/progress.ts'
import type { RowRange } from '../client/row-ranges.ts'
import {
  formatCalendarImport,
  formatEntriesExport,
  formatEntriesImport,
  formatExport,
  formatImport,
} from '../client/summary.ts'
import { EXIT } from './exit.ts'

export interface ServerFlags {
  readonly url: string
  readonly key: string
  readonly concurrency: number
}

export interface ImportFlags extends ServerFlags {
  readonly category?: number
  readonly publish: boolean
  readonly records: boolean
  readonly module?: string
  readonly delimiter?: string
  readonly ignoreUnknown: boolean
  readonly asNew: boolean
  readonly dryRun: boolean
  readonly update: boolean
  readonly refused?: string
  readonly rows?: RowRange
}

export interface ExportFlags extends ServerFlags {
  readonly category: number
  readonly state: 'live' | 'stage' | 'latest'
  readonly module?: string
  readonly fields?: readonly string[]
  readonly qry?: string
  readonly order?: { readonly field: string; readonly isDescending: boolean }
  readonly guardFormulas: boolean
}

export function runImport(source: string, flags: ImportFlags): Promise<void> {
  if (flags.module === undefined) return importFiles(source, flags)
  return source.toLowerCase().endsWith('.ics')
    ? importEvents(source, flags)
    : importRows(source, flags)
}

export function runExport(target: string, flags: ExportFlags): Promise<void> {
  return flags.module === undefined ? exportFiles(target, flags) : exportRows(target, flags)
}

async function importEvents(source: string, flags: ImportFlags): Promise<void> {
  const { module = '', url, key, dryRun: isDryRun } = flags
  const stop = 'import was stopped; run it again to continue.'
  const summary = await withProgress({ label: 'import', unit: 'rows', stop }, ({ signal }) =>
    importCalendar({ source, module, url, key, isDryRun, signal }),
  )
  finish(formatCalendarImport(summary), summary.refused_count === 0)
}

async function importFiles(source: string, flags: ImportFlags): Promise<void> {
  const { category: categoryId = 0, publish, records, url, key, concurrency } = flags
  const stop = 'import was stopped; run it again to continue.'
  const summary = await withProgress({ label: 'import', unit: 'files', stop }, (run) =>
    importTree({ url, key, concurrency, publish, records, ...run, source, categoryId }),
  )
  finish(formatImport(summary), summary.failed === 0)
}

async function importRows(source: string, flags: ImportFlags): Promise<void> {
  const { module = '', category, publish, records, dryRun, ...rest } = flags
  const stop = 'by Ctrl-C.'
  const summary = await withProgress({ label: 'import', unit: 'rows', stop }, (run) =>
    importEntries({ ...rest, ...run, source, module }),
  )
  finish(formatEntriesImport(summary), summary.failed === 0 && summary.stopped === undefined)
}

async function exportFiles(target: string, flags: ExportFlags): Promise<void> {
  const { category: categoryId, state, url, key, concurrency } = flags
  const stop = 'export was stopped; run it again to continue.'
  const summary = await withProgress({ label: 'export', unit: 'files', stop }, (run) =>
    exportTree({ url, key, concurrency, state, ...run, target, categoryId }),
  )
  finish(formatExport(summary), summary.failed === 0)
}

async function exportRows(target: string, flags: ExportFlags): Promise<void> {
  const { module = '', url, key, fields, qry, order, guardFormulas: guardsFormulas } = flags
  const stop = 'export was stopped; nothing was written.'
  const summary = await withProgress({ label: 'export', unit: 'rows', stop }, (run) =>
    exportEntries({ url, key, fields, qry, order, guardsFormulas, ...run, target, module }),
  )
  finish(formatEntriesExport(summary), true)
}

interface Shown {
  readonly label: string
  readonly unit: 'files' | 'rows'
  /** Message when a signal stops the command. */
  readonly stop: string
}

interface RunFlags {
  readonly signal: AbortSignal
  readonly onProgress: (done: number, total: number, bytes: number) => void
}

const STOPPING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Ctrl-C or a closed terminal stops the run; acknowledged changes stay. */
export async function withProgress<T>(
  shown: Shown,
  work: (run: RunFlags) => Promise<T>,
): Promise<T> {
  const progress = openProgress(shown)
  const stop = new AbortController()
  const onSignal = (): void => stop.abort(new ClientError('stopped', shown.stop))
  for (const signal of STOPPING) process.once(signal, onSignal)
  try {
    return await work({ signal: stop.signal, onProgress: progress.update })
  } finally {
    progress.close()
    for (const signal of STOPPING) process.off(signal, onSignal)
  }
}

export function finish(text: string, isWhole: boolean): void {
  process.stdout.write(text)
  if (!isWhole) process.exitCode = EXIT.failed
}
