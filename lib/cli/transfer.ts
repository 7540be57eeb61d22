// cms-server import | export: a folder tree over the HTTP interface.

import { type Command, InvalidArgumentError, Option } from 'commander'
import { type ExportSummary, exportTree } from '../client/export.ts'
import { type ImportSummary, importTree } from '../client/import.ts'
import { openProgress } from '../client/progress.ts'
import { formatExport, formatImport } from '../client/summary.ts'
import { EXIT } from './exit.ts'

interface ServerFlags {
  readonly url: string
  readonly key: string
  readonly concurrency: number
}

interface ImportFlags extends ServerFlags {
  readonly category: number
  readonly publish: boolean
}

interface ExportFlags extends ServerFlags {
  readonly category: number
  readonly state: 'live' | 'stage'
}

export function addTransferCommands(program: Command): void {
  addServerFlags(program.command('import <source>'))
    .description('load a directory or a file; what is there with the same bytes is not sent again')
    .requiredOption('--category <id>', 'asset category that takes the content', readCount)
    .option('--publish', 'make the latest version of every file live', false)
    .action(async (source: string, flags: ImportFlags) => {
      const { category: categoryId, ...rest } = flags
      const summary = await withProgress('import', (run) =>
        importTree({ ...rest, ...run, source, categoryId }),
      )
      finish(summary, formatImport(summary))
    })

  addServerFlags(program.command('export <target>'))
    .description('write the tree of an asset category to a directory, byte for byte')
    .option('--category <id>', 'asset category to write', readCount, 1)
    .addOption(
      new Option('--state <state>', 'which versions').choices(['live', 'stage']).default('live'),
    )
    .action(async (target: string, flags: ExportFlags) => {
      const { category: categoryId, ...rest } = flags
      const summary = await withProgress('export', (run) =>
        exportTree({ ...rest, ...run, target, categoryId }),
      )
      finish(summary, formatExport(summary))
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

function readCount(text: string): number {
  const value = Number(text)
  if (/^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(value)) return value
  throw new InvalidArgumentError('Give a whole number from 1.')
}

interface RunFlags {
  readonly signal: AbortSignal
  readonly onProgress: (done: number, total: number, bytes: number) => void
}

/** Ctrl-C stops the run; what was acknowledged stays. */
async function withProgress<T>(label: string, work: (run: RunFlags) => Promise<T>): Promise<T> {
  const progress = openProgress({ label })
  const stop = new AbortController()
  const onSignal = (): void => stop.abort(new Error(`${label} was stopped; run it again to go on.`))
  process.once('SIGINT', onSignal)
  try {
    return await work({ signal: stop.signal, onProgress: progress.update })
  } finally {
    progress.close()
    process.off('SIGINT', onSignal)
  }
}

function finish(summary: ImportSummary | ExportSummary, text: string): void {
  process.stdout.write(text)
  if (summary.failed > 0) process.exitCode = EXIT.failed
}
