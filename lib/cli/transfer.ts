// cms-server import | export: a folder tree, or the entries of a module, over the HTTP interface. The
// flags are here; what runs is loaded when it is asked for, so that no other command waits for it.

import { type Command, Option } from 'commander'
import { readCount } from './read-count.ts'
import type { ExportFlags, ImportFlags } from './transfer-run.ts'
import { readDelimiter, readFields, readOrder, readRows } from './transfer-values.ts'

export function addTransferCommands(program: Command): void {
  const importing = addServerFlags(program.command('import <source>'))
    .description('load a directory or a file into a category, or rows of a file into a module')
    .option('--category <id>', 'asset category that takes the content', readCount)
    .option('--publish', 'make the latest version of every file live', false)
    .option('--no-records', 'do not set titles, descriptions and states from .cms/records.ndjson')
    .addOption(moduleOption('that takes the rows of a .csv, .json or .ndjson file'))
    .option('--delimiter <character>', 'of a .csv file: , ; or tab', readDelimiter)
    .option('--ignore-unknown', 'leave out columns that the module does not have', false)
    .option('--as-new', 'make new entries also of rows that have an identifier', false)
    .addOption(
      new Option(
        '--update',
        'change the entries that have the numbers of the rows, whatever module they are from',
      )
        .default(false)
        .conflicts('asNew'),
    )
    .option('--refused <file>', 'file for rows that are not taken; beside the source without it')
    .option('--rows <first-last>', 'send these rows alone; the first is 1', readRows)
    .action(async (source: string, flags: ImportFlags) => {
      requireOneTarget(importing, flags)
      const { runImport } = await import('./transfer-run.ts')
      await runImport(source, flags)
    })

  const exporting = addServerFlags(program.command('export <target>'))
    .description('write the tree of an asset category to a directory, or a module to a file')
    .option('--category <id>', 'asset category to write', readCount, 1)
    .addOption(
      new Option('--state <state>', 'which versions')
        .choices(['live', 'stage', 'latest'])
        .default('live'),
    )
    .addOption(moduleOption('to write to a .csv, .json or .ndjson file'))
    .option('--fields <names>', 'columns to write, separated by commas', readFields)
    .option('--qry <json>', 'entries to write, as a list takes it')
    .option('--order <field>', 'order by this field; with " desc" behind it downwards', readOrder)
    .option(
      '--guard-formulas',
      'put an apostrophe in front of cells of a .csv file that a spreadsheet would run; an import keeps it',
      false,
    )
    .action(async (target: string, flags: ExportFlags) => {
      requireModuleFlags(exporting, flags.module, ['fields', 'qry', 'order', 'guardFormulas'])
      const { runExport } = await import('./transfer-run.ts')
      await runExport(target, flags)
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
      new Option('--concurrency <number>', 'requests in flight').default(16).argParser(readCount),
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
