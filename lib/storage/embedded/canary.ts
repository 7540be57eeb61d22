// Looks at the records before this process maps them: LMDB trusts its file, and a damaged one ends
// the process by a signal. First the head and the length, which cost nothing; then, after a stop that
// was not clean, a walk over everything in a child process, judged by how that ends.

import { fork } from 'node:child_process'
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AssetFileVersion } from '../../schema/asset-file.ts'
import type { Layout } from './layout.ts'
import { RefusedError } from './refused.ts'
import type { Depth, RecordFault, VerifyReport } from './verify-records.ts'

const LMDB_MAGIC = 0xbeefc0de
const PAGE_HEADER_BYTES = 24
const MIN_BYTES = 8_192

/** Refuses a file that is no LMDB environment. */
export function requireWhole(layout: Layout): void {
  const { size } = statSync(layout.dataFile)
  const head = Buffer.alloc(PAGE_HEADER_BYTES + 4)
  const fd = openSync(layout.dataFile, 'r')
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
export function requireOpens({ records, dataFile }: Layout): void {
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

/**
 * Walks all records, and compares them with the bytes, in two child processes that have about as much to
 * do. Refuses when a record is damaged, or when a child does not come back.
 */
export async function lookInChildren(layout: Layout): Promise<Looked> {
  const [report, cut] = await Promise.all([
    runChild<Walk & Pick<Looked, 'orphans'>>(layout, 'start and orphans'),
    runChild<Looked['cut']>(layout, 'bytes'),
  ])
  if (report === undefined || cut === undefined) throw damagedRecords()
  if (!report.isIdentified && existsSync(layout.instance)) {
    throw new RefusedError(
      'The records do not know this site. Nothing was changed. Restore a backup of records/.',
    )
  }
  const first = report.faults.find((fault) => fault.kind === 'record')
  if (first === undefined) return { faults: report.faults, orphans: report.orphans, cut }
  throw new RefusedError(
    `The records are damaged: ${first.detail} Nothing was changed. Restore a backup of records/, or look with "cms-server check".`,
  )
}

interface Walk extends VerifyReport {
  /** The records name the site that they belong to: a start that was cut short may not have come so far. */
  readonly isIdentified: boolean
}

/** The report of the walk; undefined when the child died of the file. */
export function walkInChild(layout: Layout, depth: Depth): Promise<Walk | undefined> {
  return runChild<Walk>(layout, depth)
}

/** What a child can be asked for. */
export type Task = Depth | 'start and orphans' | 'bytes'

function runChild<T>(layout: Layout, task: Task): Promise<T | undefined> {
  const isSource = import.meta.url.endsWith('.ts')
  const script = fileURLToPath(
    new URL(`./canary-child${isSource ? '.ts' : '.js'}`, import.meta.url),
  )
  const execArgv = isSource ? ['--import', import.meta.resolve('tsx')] : []

  return new Promise((resolve, reject) => {
    const child = fork(script, [layout.dataDir, task], {
      execArgv,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    let report: T | undefined
    child.on('message', (message) => {
      report = message as T
    })
    child.on('error', reject)
    // Not 'exit', which may come before the message.
    child.on('close', (code) => resolve(code === 0 ? report : undefined))
  })
}

/** The walk did not come back. */
export function damagedRecords(): RefusedError {
  return new RefusedError(
    'The records (records/data.mdb) are damaged: reading them ended the reader. Nothing was changed. Restore a backup of records/.',
  )
}
