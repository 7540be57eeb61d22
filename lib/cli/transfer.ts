// cms-server import | export: transfers a folder tree, or the entries of a module, over the HTTP interface.
// This file holds the flags; the code behind them is loaded on demand, so that other commands start quickly.

import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Order } from '../client/export-entries.ts'
import { parseRange, type RowRange } from '../client/row-ranges.ts'
import { DELIMITERS } from '../shared/csv-dialect.ts'
import { readCount } from './exit.ts'
import type { ExportFlags, ImportFlags } from './transfer-run.ts'

export function addTransferCommands(program: Command): void {
  const importing = addServerFlags(program.command('import <source>'))
    .description(
      'import a directory or a file into a folder of the site, rows of a file into a module, or an .ics file into a calendar',
    )
    .option(
      '--category <id>',
      'identifier of the folder (asset_category) to import into',
      readCount,
    )
    .option('--publish', 'publish the latest version of every file', false)
    .option('--no-records', 'ignore titles, descriptions, states and menus in .cms/records.ndjson')
    .addOption(
      moduleOption('for the rows of a .csv, .json or .ndjson file, or the events of an .ics file'),
    )
    .option('--delimiter <character>', 'delimiter of a .csv file: , ; or tab', readDelimiter)
    .option('--ignore-unknown', 'skip columns that the module does not have', false)
    .option('--as-new', 'create new entries even for rows with an identifier', false)
    .addOption(
      new Option(
        '--update',
        'update the entries with the identifiers in the rows, whichever module the file was exported from',
      )
        .default(false)
        .conflicts('asNew'),
    )
    .option('--refused <file>', 'file for rejected rows; default: next to the source')
    .option('--rows <first-last>', 'send only these rows; the first row is 1', readRows)
    .option('--dry-run', 'show what an .ics file would change, without changing anything', false)
    .action(async (source: string, flags: ImportFlags) => {
      requireOneTarget(importing, flags)
      requireFlagsOfSource(importing, source)
      const { runImport } = await import('./transfer-run.ts')
      await runImport(source, flags)
    })

  const exporting = addServerFlags(program.command('export <target>'))
    .description(
      'export the tree of a folder of the site to a directory, or the entries of a module to a file',
    )
    .option('--category <id>', 'identifier of the folder (asset_category) to export', readCount, 1)
    .addOption(
      new Option('--state <state>', 'versions to export')
        .choices(['live', 'stage', 'latest'])
        .default('live'),
    )
    .addOption(moduleOption('to export to a .csv, .json or .ndjson file'))
    .option('--fields <names>', 'columns to export, separated by commas', readFields)
    .option('--qry <json>', 'search for the entries to export, as in the qry of a list')
    .option('--order <field>', 'sort by this field; append " desc" for descending order', readOrder)
    .option(
      '--guard-formulas',
      'put an apostrophe in front of cells of a .csv file that a spreadsheet would run as a formula; an import keeps the apostrophe',
      false,
    )
    .action(async (target: string, flags: ExportFlags) => {
      requireModuleFlags(exporting, flags.module, ['fields', 'qry', 'order', 'guardFormulas'])
      const { runExport } = await import('./transfer-run.ts')
      await runExport(target, flags)
    })
}

/** The flags of commands that read or write through a server. */
export function addServerFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--url <url>', 'address of the server')
        .env('CMS_URL')
        .default('http://127.0.0.1:8080'),
    )
    .addOption(new Option('--key <secret>', 'API key').env('CMS_KEY').makeOptionMandatory())
    .addOption(
      new Option('--concurrency <number>', 'number of concurrent requests')
        .default(16)
        .argParser(readCount),
    )
}

function moduleOption(purpose: string): Option {
  const option = new Option('--module <url>', `address (or path) of a module ${purpose}`)
  return option.conflicts(['category', 'publish', 'state'])
}

const ENTRY_FLAGS = ['delimiter', 'ignoreUnknown', 'asNew', 'update', 'refused', 'rows']

function requireOneTarget(command: Command, { category, module }: ImportFlags): void {
  if (category === undefined && module === undefined)
    command.error('error: give --category for files, or --module for rows')
  requireModuleFlags(command, module, ENTRY_FLAGS)
}

/** An .ics file has events and no rows. */
function requireFlagsOfSource(command: Command, source: string): void {
  const isEvents = source.toLowerCase().endsWith('.ics')
  const given = (isEvents ? ENTRY_FLAGS : ['dryRun']).find(
    (name) => command.getOptionValueSource(name) === 'cli',
  )
  const flag = command.options.find((option) => option.attributeName() === given)?.long
  if (flag !== undefined)
    command.error(
      `error: ${flag} is for ${isEvents ? 'rows, not for events' : 'the events of an .ics file'}`,
    )
}

function requireModuleFlags(
  command: Command,
  module: string | undefined,
  names: readonly string[],
): void {
  const isGiven = (name: string): boolean => command.getOptionValueSource(name) === 'cli'
  const name = module === undefined ? names.find(isGiven) : undefined
  const flag = command.options.find((option) => option.attributeName() === name)?.long
  if (flag !== undefined) command.error(`error: ${flag} is for entries: add --module`)
}

/** Parses values of the flags of import and export. */
function readDelimiter(text: string): string {
  const delimiter = text === 'tab' || text === '\\t' ? '\t' : text
  if (DELIMITERS.some((known) => known === delimiter)) return delimiter
  throw new InvalidArgumentError('Give a comma, a semicolon or the word "tab".')
}

function readRows(text: string): RowRange {
  const range = parseRange(text)
  if (range !== undefined) return range
  throw new InvalidArgumentError(
    'Give a range such as 1001-2000, or 1001- for all rows from 1001 on.',
  )
}

function readFields(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.every((name) => name !== '')) return names
  throw new InvalidArgumentError('Give column names separated by commas.')
}

/** Accepts `name`, "name asc" and "name desc". */
function readOrder(text: string): Order {
  const found = /^\s*(\S+)(?:\s+(asc|desc))?\s*$/i.exec(text)
  if (found === null) throw new InvalidArgumentError('Give a field, such as name or "name desc".')
  return { field: found[1] ?? '', isDescending: found[2]?.toLowerCase() === 'desc' }
}
