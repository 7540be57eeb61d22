// What check does, and what it prints.

import { resolve } from 'node:path'
import { counted } from '../schema/sentence.ts'
import type { CheckReport } from '../storage/integrity/check.ts'
import { checkStorage, workAsOwner } from '../storage/open.ts'
import { openPool } from '../workers/pool.ts'
import { EXIT } from './exit.ts'
import { printLine } from './print.ts'

export interface CheckFlags {
  readonly data: string
  readonly repair: boolean
}

const SHOWN_FAULTS = 100
const MIB = 1024 * 1024

export async function runCheck({ data, repair }: CheckFlags): Promise<void> {
  workAsOwner(resolve(data), 'command')
  const pool = openPool(2)
  try {
    const report = await checkStorage({
      dataDir: resolve(data),
      pool,
      isRepair: repair,
      onProgress: showProgress,
    })
    printReport(report)
    if (report.faults.some((fault) => !fault.isMended)) process.exitCode = EXIT.failed
  } finally {
    await pool.close()
  }
}

function showProgress(contents: number, bytes: number): void {
  if (!process.stderr.isTTY || contents % 100 !== 0) return
  process.stderr.write(`\r${contents} contents, ${Math.round(bytes / MIB)} MiB`)
}

function printReport({ records, versions, contents, bytes, faults, notes }: CheckReport): void {
  if (process.stderr.isTTY) process.stderr.write('\r')
  const looked = [counted(records, 'record'), counted(versions, 'version')].join(', ')
  printLine(`${looked}, ${counted(contents, 'content')} of ${counted(bytes, 'byte')}`)
  for (const fault of faults.slice(0, SHOWN_FAULTS)) {
    printLine(`${fault.isMended ? 'mended' : 'FAULT '} ${fault.kind}: ${fault.detail}`)
  }
  if (faults.length > SHOWN_FAULTS) printLine(`… and ${faults.length - SHOWN_FAULTS} more`)
  for (const note of notes.slice(0, SHOWN_FAULTS)) printLine(`known: ${note}.`)
  if (notes.length > SHOWN_FAULTS) printLine(`… and ${notes.length - SHOWN_FAULTS} more`)

  const open = faults.filter((fault) => !fault.isMended).length
  const mended = faults.length - open
  if (faults.length > 0) printLine(summaryOf(open, mended))
  else printLine(notes.length === 0 ? 'All is well.' : 'All else is well.')
}

function summaryOf(open: number, mended: number): string {
  const counts = `${counted(open, 'fault')}${mended > 0 ? `, ${mended} mended` : ''}.`
  return open > 0 ? `${counts} Mend with --repair, or restore a backup.` : counts
}
