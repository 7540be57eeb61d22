// Looks at the records before this process maps them: LMDB trusts its file, and a damaged one ends
// the process by a signal. First the head and the length, which cost nothing; then, after a stop that
// was not clean, a walk over everything in a child process, judged by how that ends.

import { fork } from 'node:child_process'
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AssetFileVersion } from '../../schema/asset-file.ts'
import { endSoon } from '../embedded/child-end.ts'
import type { DataPaths } from '../embedded/data-paths.ts'
import { RefusedError } from '../embedded/refusal.ts'
import type { RecordFault } from './faults.ts'
import type { Depth, VerifyReport } from './verify-records.ts'

const LMDB_MAGIC = 0xbeefc0de
const PAGE_HEADER_BYTES = 24
const MIN_BYTES = 8_192

/** Refuses a file that is no LMDB environment. */
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
    'The records (records/data.mdb) are damaged: this is no LMDB file. Nothing was changed. Restore a backup of records/.',
  )
}

/** Opens the files of LMDB as it will: where it cannot, lmdb-js says nothing and ends by SIGSEGV. */
export function requireOpens({ records, dataFile }: DataPaths): void {
  const opened: number[] = []
  try {
    // It holds the records twice: what it writes with the second is durable at once.
    for (const path of [join(records, 'lock.mdb'), dataFile, dataFile])
      opened.push(openSync(path, 'a+', 0o600))
  } finally {
    for (const fd of opened) closeSync(fd)
  }
}

export interface Looked {
  /** Faults that can be mended. */
  readonly faults: readonly RecordFault[]
  /** Paths that no version names. */
  readonly orphans: readonly string[]
  /** Versions whose bytes are gone or cut, and that are not marked so. */
  readonly cut: readonly AssetFileVersion[]
}

/** Records of more are looked at by two child processes: one costs more to start than it would save below. */
const SHARED_FROM_BYTES = 16 * 1024 * 1024

/**
 * Walks all records, and compares them with the bytes. Refuses when a record is damaged, or when a child
 * does not come back.
 */
export async function lookInChildren(dataPaths: DataPaths): Promise<Looked> {
  const isShared = statSync(dataPaths.dataFile).size >= SHARED_FROM_BYTES
  // These two have about as much to do.
  const shares: Task[][] = isShared
    ? [['start', 'orphans'], ['cut']]
    : [['start', 'orphans', 'cut']]
  const parts = await Promise.all(shares.map((tasks) => runChild(dataPaths, tasks)))
  if (parts.includes(undefined)) throw damagedRecords()
  const report = Object.assign({}, ...parts) as Walk & Pick<Looked, 'orphans' | 'cut'>
  if (!report.isIdentified && existsSync(dataPaths.instance)) {
    throw new RefusedError(
      'The records do not know this site. Nothing was changed. Restore a backup of records/.',
    )
  }
  const first = report.faults.find((fault) => fault.kind === 'record')
  if (first === undefined) return report
  throw new RefusedError(
    `The records are damaged: ${first.detail} Nothing was changed. Restore a backup of records/, or look with "cms-server check".`,
  )
}

interface Walk extends VerifyReport {
  /** The records name the site that they belong to: a start that was cut short may not have come so far. */
  readonly isIdentified: boolean
}

/** The report of the walk; undefined when the child died of the file. */
export async function walkInChild(dataPaths: DataPaths, depth: Depth): Promise<Walk | undefined> {
  return (await runChild(dataPaths, [depth])) as Walk | undefined
}

/** What a child can be asked for; each gives members of one answer. */
export type Task = Depth | 'orphans' | 'cut' | 'old'

/** Undefined when the child died. */
function runChild(dataPaths: DataPaths, tasks: readonly Task[]): Promise<object | undefined> {
  const isSource = import.meta.url.endsWith('.ts')
  const script = fileURLToPath(
    new URL(`./look-at-records-child${isSource ? '.ts' : '.js'}`, import.meta.url),
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
      endSoon(child)
    })
    child.on('error', reject)
    // Not 'exit', which may come before the message.
    child.on('close', () => resolve(report))
  })
}

/** What is there of an earlier format; undefined when the child died of the file. */
export async function readOldInChild(dataPaths: DataPaths): Promise<OldRows | undefined> {
  return (await runChild(dataPaths, ['old'])) as OldRows | undefined
}

export interface OldRows {
  readonly rows: number
  /** The first that cannot be read. */
  readonly fault?: string
}

/** The walk did not come back. */
export function damagedRecords(): RefusedError {
  return new RefusedError(
    'The records (records/data.mdb) are damaged: reading them ended the reader. Nothing was changed. Restore a backup of records/.',
  )
}
