// Verifies the records before this process maps them: LMDB trusts its file, and a damaged file ends the process by a
// signal. The header and the length are checked first, at no cost. After an unclean stop a child process then walks all
// records; its exit status shows whether the file is readable.

import { fork, type ChildProcess } from 'node:child_process'
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AssetFileVersion } from '../../schema/asset-file.ts'
import type { DataPaths } from '../embedded/data-paths.ts'
import { RefusedError } from '../embedded/refusal.ts'
import type { RecordFault } from './faults.ts'
import type { Depth, VerifyReport } from './verify-records.ts'

const LMDB_MAGIC = 0xbeefc0de
const PAGE_HEADER_BYTES = 24
const MIN_BYTES = 8_192

/** Refuses a file that is not an LMDB environment. */
export function requireWhole(dataPaths: DataPaths): void {
  const { size } = statSync(dataPaths.dataFile)
  const head = Buffer.alloc(PAGE_HEADER_BYTES + 4)
  const fd = openSync(dataPaths.dataFile, 'r')
  try {
    readSync(fd, head, 0, head.length, 0)
  } finally {
    closeSync(fd)
  }

  const hasMagic = [16, 24].some((offset) => head.readUInt32LE(offset) === LMDB_MAGIC)
  if (size >= MIN_BYTES && hasMagic) return
  throw new RefusedError(
    'The records (records/data.mdb) are damaged: the file is not an LMDB file. Nothing was changed. Restore a backup of records/.',
  )
}

/** Opens the files in the same way as LMDB: if an open fails there, lmdb-js crashes with SIGSEGV without a message. */
export function requireOpens({ records, dataFile }: DataPaths): void {
  const opened: number[] = []
  try {
    // LMDB opens the data file twice; writes through the second descriptor are synchronous.
    for (const path of [join(records, 'lock.mdb'), dataFile, dataFile])
      opened.push(openSync(path, 'a+', 0o600))
  } finally {
    for (const fd of opened) closeSync(fd)
  }
}

export interface Inspection {
  /** Faults that can be repaired. */
  readonly faults: readonly RecordFault[]
  /** Paths that no version refers to. */
  readonly orphans: readonly string[]
  /** Versions whose bytes are missing or truncated and that are not marked as damaged. */
  readonly cut: readonly AssetFileVersion[]
}

/** Larger files are verified by two child processes; below this size starting the second one costs more than it saves. */
const SHARED_FROM_BYTES = 16 * 1024 * 1024

/** Walks all records and compares them with the bytes. Refuses a damaged record or a file that crashes a child. */
export async function inspectInChildren(dataPaths: DataPaths): Promise<Inspection> {
  const isShared = statSync(dataPaths.dataFile).size >= SHARED_FROM_BYTES
  // Both shares take about the same time.
  const shares: Task[][] = isShared
    ? [['start', 'orphans'], ['cut']]
    : [['start', 'orphans', 'cut']]
  const parts = await Promise.all(shares.map((tasks) => runChild(dataPaths, tasks)))
  if (parts.includes(undefined)) throw damagedRecords()
  const report = Object.assign({}, ...parts) as Walk & Pick<Inspection, 'orphans' | 'cut'>
  if (!report.isIdentified && existsSync(dataPaths.instance)) {
    throw new RefusedError(
      'The records hold no site identity. Nothing was changed. Restore a backup of records/.',
    )
  }
  const first = report.faults.find((fault) => fault.kind === 'record')
  if (first === undefined) return report
  throw new RefusedError(
    `The records are damaged: ${first.detail} Nothing was changed. Restore a backup of records/, or run "cms-server check" for details.`,
  )
}

interface Walk extends VerifyReport {
  /** The records name their site; an interrupted first start may not have written the name. */
  readonly isIdentified: boolean
}

/** Returns the report of the walk; undefined if the file crashed the child. */
export async function inspectInChild(
  dataPaths: DataPaths,
  depth: Depth,
): Promise<Walk | undefined> {
  return (await runChild(dataPaths, [depth])) as Walk | undefined
}

/** Tasks of a child; each contributes members to one answer. */
export type Task = Depth | 'orphans' | 'cut' | 'rows'

/** Returns undefined if the child crashed. */
function runChild(dataPaths: DataPaths, tasks: readonly Task[]): Promise<object | undefined> {
  const isSource = import.meta.url.endsWith('.ts')
  const script = fileURLToPath(
    new URL(`./inspect-records-child${isSource ? '.ts' : '.js'}`, import.meta.url),
  )
  const execArgv = isSource ? ['--import', import.meta.resolve('tsx')] : []

  return new Promise((resolve, reject) => {
    const child = fork(script, [dataPaths.dataDir, ...tasks], {
      execArgv,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    let report: object | undefined
    child.on('message', (message) => {
      report = message as object
      killAfterGrace(child)
    })
    child.on('error', reject)
    // Not 'exit', which may come before the message.
    child.on('close', () => resolve(report))
  })
}

/** Reads every row of any format; undefined if the file crashed the child. */
export function readRowsInChild(dataPaths: DataPaths): Promise<RowsRead | undefined> {
  return runChild(dataPaths, ['rows'])
}

export interface RowsRead {
  /** The first record that differs from what was written. */
  readonly fault?: string
}

/** The error for a file that crashed the child. */
export function damagedRecords(): RefusedError {
  return new RefusedError(
    'The records (records/data.mdb) are damaged: the process that read them crashed. Nothing was changed. Restore a backup of records/.',
  )
}

// Ends a child process that has sent its last message.

const GRACE_MS = 1_000

/**
 * Call after the last message of a child, which then has a moment to exit. Node can hang for ever in its own exit if V8
 * compiles or collects garbage at that moment (nodejs/node#54918), and the parent would wait for ever. The exit status of
 * a child therefore means nothing; its messages count.
 */
export function killAfterGrace(child: ChildProcess): void {
  const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
  child.once('exit', () => clearTimeout(timer))
}
