// cms-server import | export: a folder tree, or the entries of a module, over the HTTP interface.

import { type Command, Option } from 'commander'
import { ClientError } from '../client/client-error.ts'
import { exportEntries } from '../client/export-entries.ts'
import { exportTree } from '../client/export.ts'
import { importEntries } from '../client/import-entries.ts'
import { importTree } from '../client/import.ts'
import { openProgress } from '../client/progress.ts'
import type { RowRange } from '../client/row-ranges.ts'
import {
  formatEntriesExport,
  formatEntriesImport,
  formatExport,
  formatImport,
} from '../client/summary.ts'
import { EXIT } from './exit.ts'
import { readCount, readDelimiter, readFields, readOrder, readRows } from './transfer-values.ts'

interface ServerFlags {
  readonly url: string
  readonly key: string
  readonly concurrency: number
}

interface ImportFlags extends ServerFlags {
  readonly category?: number
  readonly publish: boolean
  readonly module?: string
  readonly delimiter?: string
  readonly ignoreUnknown: boolean
  readonly asNew: boolean
  readonly rows?: RowRange
}

interface ExportFlags extends ServerFlags {
  readonly category: number
  readonly state: 'live' | 'stage'
  readonly module?: string
  readonly fields?: readonly string[]
  readonly qry?: string
  readonly order?: { readonly field: string; readonly isDescending: boolean }
}

export function addTransferCommands(program: Command): void {
  const importing = addServerFlags(program.command('import <source>'))
    .description('load a directory or a file into a category, or rows of a file into a module')
    .option('--category <id>', 'asset category that takes the content', readCount)
    .option('--publish', 'make the latest version of every file live', false)
    .addOption(moduleOption('that takes the rows of a .csv, .json or .ndjson file'))
    .option('--delimiter <character>', 'of a .csv file: , ; or tab', readDelimiter)
    .option('--ignore-unknown', 'leave out columns that the module does not have', false)
    .option('--as-new', 'make new entries also of rows that have an identifier', false)
    .option('--rows <first-last>', 'send these rows alone; the first is 1', readRows)
    .action(async (source: string, flags: ImportFlags) => {
      requireOneTarget(importing, flags)
      await (flags.module === undefined ? runImport(source, flags) : runRows(source, flags))
    })

  const exporting = addServerFlags(program.command('export <target>'))
    .description('write the tree of an asset category to a directory, or a module to a file')
    .option('--category <id>', 'asset category to write', readCount, 1)
    .addOption(
      new Option('--state <state>', 'which versions').choices(['live', 'stage']).default('live'),
    )
    .addOption(moduleOption('to write to a .csv, .json or .ndjson file'))
    .option('--fields <names>', 'columns to write, separated by commas', readFields)
    .option('--qry <json>', 'entries to write, as a list takes it')
    .option('--order <field>', 'order by this field; with " desc" behind it downwards', readOrder)
    .action(async (target: string, flags: ExportFlags) => {
      requireModuleFlags(exporting, flags.module, ['fields', 'qry', 'order'])
      await (flags.module === undefined ? runExport(target, flags) : runEntries(target, flags))
    })
}

function addServerFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--url <url>', 'address of the server')
        .env('CMS_URL')
        .default('http://127.0.0.1:8080'),
    )
    .addOption(new Option('--key <secret>', 'API key').env('CMS_KEY').makeOptionMandatory())
    .addOption(
      new Option('--concurrency <number>', 'requests in flight').default(8).argParser(readCount),
    )
}

function moduleOption(purpose: string): Option {
  const option = new Option('--module <url>', `address (or path) of a module ${purpose}`)
  return option.conflicts(['category', 'publish', 'state'])
}

function requireOneTarget(command: Command, { category, module }: ImportFlags): void {
  if (category === undefined && module === undefined)
    command.error('error: give --category for files, or --module for rows')
  requireModuleFlags(command, module, ['delimiter', 'ignoreUnknown', 'asNew', 'rows'])
}

function requireModuleFlags(
  command: Command,
  module: string | undefined,
  names: readonly string[],
): void {
  const isGiven = (name: string): boolean => command.getOptionValueSource(name) === 'cli'
  const name = module === undefined ? names.find(isGiven) : undefined
  const flag = command.options.find((option) => option.attributeName() === name)?.long
  if (flag !== undefined) command.error(`error: ${flag} is for entries: give --module with it`)
}

async function runImport(source: string, flags: ImportFlags): Promise<void> {
  const { category: categoryId = 0, publish, url, key, concurrency } = flags
  const stop = 'import was stopped; run it again to go on.'
  const summary = await withProgress({ label: 'import', unit: 'files', stop }, (run) =>
    importTree({ url, key, concurrency, publish, ...run, source, categoryId }),
  )
  finish(formatImport(summary), summary.failed === 0)
}

async function runRows(source: string, flags: ImportFlags): Promise<void> {
  const { module = '', category, publish, ...rest } = flags
  const stop = 'by Ctrl-C.'
  const summary = await withProgress({ label: 'import', unit: 'rows', stop }, (run) =>
    importEntries({ ...rest, ...run, source, module }),
  )
  finish(formatEntriesImport(summary), summary.failed === 0 && summary.stopped === undefined)
}

async function runExport(target: string, flags: ExportFlags): Promise<void> {
  const { category: categoryId, state, url, key, concurrency } = flags
  const stop = 'export was stopped; run it again to go on.'
  const summary = await withProgress({ label: 'export', unit: 'files', stop }, (run) =>
    exportTree({ url, key, concurrency, state, ...run, target, categoryId }),
  )
  finish(formatExport(summary), summary.failed === 0)
}

async function runEntries(target: string, flags: ExportFlags): Promise<void> {
  const { module = '', url, key, fields, qry, order } = flags
  const stop = 'export was stopped; nothing was written.'
  const summary = await withProgress({ label: 'export', unit: 'rows', stop }, (run) =>
    exportEntries({ url, key, fields, qry, order, ...run, target, module }),
  )
  finish(formatEntriesExport(summary), true)
}

interface Shown {
  readonly label: string
  readonly unit: 'files' | 'rows'
  /** What is said when somebody stops it. */
  readonly stop: string
}

interface RunFlags {
  readonly signal: AbortSignal
  readonly onProgress: (done: number, total: number, bytes: number) => void
}

/** Ctrl-C stops the run; what was acknowledged stays. */
async function withProgress<T>(shown: Shown, work: (run: RunFlags) => Promise<T>): Promise<T> {
  const progress = openProgress(shown)
  const stop = new AbortController()
  const onSignal = (): void => stop.abort(new ClientError('stopped', shown.stop))
  process.once('SIGINT', onSignal)
  try {
    return await work({ signal: stop.signal, onProgress: progress.update })
  } finally {
    progress.close()
    process.off('SIGINT', onSignal)
  }
}

function finish(text: string, isWhole: boolean): void {
  process.stdout.write(text)
  if (!isWhole) process.exitCode = EXIT.failed
}
