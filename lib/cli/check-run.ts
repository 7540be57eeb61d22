// Runs the command check and prints its report.

import { resolve } from 'node:path'
import { counted } from '../schema/message-text.ts'
import type { CheckReport } from '../storage/integrity/check.ts'
import type { CheckProgress } from '../storage/integrity/check-contents.ts'
import { checkCluster } from '../cluster/open-cluster.ts'
import { checkStorage, workAsOwner } from '../server/open-storage.ts'
import { openPool, type Pool } from '../workers/pool.ts'
import { clusterAt, openStepProgress, stoppable } from './step-progress.ts'
import { EXIT } from './exit.ts'
import type { Place } from './places.ts'
import { printLine } from './print.ts'

export interface CheckFlags {
  readonly data: string
  readonly repair: boolean
}

interface Looking {
  readonly pool: Pool
  readonly isRepair: boolean
  readonly onProgress: (progress: CheckProgress) => void
}

const SHOWN_FAULTS = 100

export async function runCheck(place: Place, { repair }: CheckFlags): Promise<void> {
  if (place.kind === 'directory') workAsOwner(resolve(place.dataDir), 'command')
  const pool = openPool(2)
  const progress = openStepProgress()
  const onProgress = (made: CheckProgress): void =>
    progress.update({ step: 'versions compared', ...made, totalBytes: 0 })
  try {
    const report = await checkPlace(place, { pool, isRepair: repair, onProgress })
    progress.close()
    printReport(report)
    if (report.faults.some((fault) => !fault.isMended)) process.exitCode = EXIT.failed
  } finally {
    progress.close()
    await pool.close()
  }
}

function checkPlace(place: Place, looking: Looking): Promise<CheckReport> {
  if (place.kind === 'directory')
    return checkStorage({ dataDir: resolve(place.dataDir), ...looking })
  const cluster = clusterAt(place)
  return stoppable('The check was stopped.', (signal) =>
    checkCluster({ ...looking, cluster, signal }),
  )
}

function printReport({
  records,
  versions,
  contents,
  bytes,
  faults,
  notes,
  advice,
}: CheckReport): void {
  const looked = [counted(records, 'record'), counted(versions, 'version')].join(', ')
  printLine(`${looked}, ${counted(contents, 'content')} of ${counted(bytes, 'byte')}`)
  for (const fault of faults.slice(0, SHOWN_FAULTS)) {
    printLine(`${fault.isMended ? 'fixed' : 'FAULT'} ${fault.kind}: ${fault.detail}`)
  }
  if (faults.length > SHOWN_FAULTS) printLine(`… and ${faults.length - SHOWN_FAULTS} more`)
  for (const note of notes.slice(0, SHOWN_FAULTS)) printLine(`known: ${note}.`)
  if (notes.length > SHOWN_FAULTS) printLine(`… and ${notes.length - SHOWN_FAULTS} more`)

  const open = faults.filter((fault) => !fault.isMended).length
  const mended = faults.length - open
  if (faults.length > 0) printLine(summaryOf(open, mended, advice))
  else printLine(notes.length === 0 ? 'No faults found.' : 'No other faults found.')
}

function summaryOf(open: number, mended: number, advice: string): string {
  const counts = `${counted(open, 'fault')}${mended > 0 ? `, ${mended} fixed` : ''}.`
  return open > 0 ? `${counts} ${advice}` : counts
}
