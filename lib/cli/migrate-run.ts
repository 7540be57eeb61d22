// Runs the command migrate and prints its report.

import { resolve } from 'node:path'
import { counted } from '../schema/message-text.ts'
import { moveSite } from '../cluster/open-cluster.ts'
import { workAsOwner } from '../server/open-storage.ts'
import { openPool } from '../workers/pool.ts'
import { clusterAt, openStepProgress, stoppable } from './step-progress.ts'
import { EXIT } from './exit.ts'
import type { Place } from './places.ts'
import { printLine } from './print.ts'

export interface Migration {
  readonly from: Place
  readonly to: Place
  readonly leaveDamaged: boolean
}

const THREADS = 4
const SHOWN_FAULTS = 100
const STOPPED = 'The migration was stopped. To resume it, run the same command again.'

export async function runMigrate({ from, to, leaveDamaged }: Migration): Promise<void> {
  process.umask(0o077)
  const [directory, place] = from.kind === 'directory' ? [from, to] : [to, from]
  if (directory.kind !== 'directory' || place.kind !== 'cluster') return
  const dataDir = resolve(directory.dataDir)
  const cluster = clusterAt(place)
  if (from.kind === 'directory') workAsOwner(dataDir, 'command')

  const pool = openPool(THREADS)
  const progress = openStepProgress()
  const asked = { target: to.kind, dataDir, cluster, leaveDamaged, pool }
  const told = { onProgress: progress.update, onNote: (line: string) => console.error(line) }
  try {
    const report = await stoppable(STOPPED, (signal) => moveSite({ ...asked, ...told, signal }))
    progress.close()
    printReport(report)
  } finally {
    progress.close()
    await pool.close()
  }
}

function printReport({
  site,
  rows,
  movedRows,
  contents,
  inline,
  isWhole,
}: Awaited<ReturnType<typeof moveSite>>): void {
  const { faults, known } = contents
  printLine(`site ${site}`)
  printLine(
    `${counted(rows.rows, 'row')} of ${counted(rows.bytes, 'byte')}, all compared, ${movedRows} written; SHA-256 ${rows.sha256}`,
  )
  printLine(
    `${counted(contents.count, 'content')} of ${counted(contents.bytes, 'byte')}, all read back, ${contents.moved} written`,
  )
  if (inline > 0)
    printLine(
      `${counted(inline, 'small content')} stored in the rows; a server will write them to the store.`,
    )
  for (const fault of faults.slice(0, SHOWN_FAULTS)) printLine(`FAULT ${fault}`)
  if (faults.length > SHOWN_FAULTS) printLine(`… and ${faults.length - SHOWN_FAULTS} more`)
  if (known > 0) printLine(`known: ${counted(known, 'content')} already marked as damaged.`)
  if (isWhole)
    return printLine(
      faults.length === 0 ? 'The migration is complete.' : 'Everything else was migrated.',
    )
  printLine(
    `The migration is incomplete: ${counted(faults.length, 'content')} could not be copied. Repair them and run the same command again, or add --leave-damaged to leave them out.`,
  )
  process.exitCode = EXIT.failed
}
