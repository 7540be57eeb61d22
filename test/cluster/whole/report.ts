// The report of a run: a line of JSON for each fault as soon as it is over, so that an interrupted
// run counts up to there, and a table of all faults at the end.

import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SEED } from '../../helpers/seed.ts'
import type { Load } from './load.ts'

export interface Told {
  readonly name: string
  /** The longest time without a settled write. */
  readonly gapMs: number
  /** The time from the beginning of the fault until the cluster was healthy. */
  readonly wellMs: number
}

export interface Report {
  readonly told: readonly Told[]
  fault(told: Told, load: Load): void
  /** Records any other event; `what` names it. */
  note(what: string, more?: object): void
  /** Writes the totals at the end of the run. */
  end(load: Load, nodesEnded: readonly string[]): void
}

/** Writes the report to two files in the directory and to stderr. */
export function openReport(out: string): Report {
  const told: Told[] = []
  const notes = new Map<string, number>()

  function write(line: object): void {
    const text = JSON.stringify({ at: new Date().toISOString(), ...line })
    appendFileSync(join(out, 'faults.jsonl'), `${text}\n`)
    console.error(text)
  }

  return {
    told,
    fault(one, { doors, reads, wrong }) {
      told.push(one)
      write({ ...one, settled: doors.settledAt.length, reads, wrong: wrong.length })
    },
    note(what, more) {
      notes.set(what, (notes.get(what) ?? 0) + 1)
      write({ note: what, ...more })
    },
    end(load, nodesEnded) {
      const text = [summaryOf(load, told), JSON.stringify([...notes]), ...nodesEnded].join('\n')
      writeFileSync(join(out, 'summary.md'), `${text}\n`)
      console.error(text)
    },
  }
}

function summaryOf({ done, reads, doors, wrong }: Load, told: readonly Told[]): string {
  const kinds = [...new Set(told.map(({ name }) => name))].sort().map((name) => {
    const gaps = told.filter((one) => one.name === name).map(({ gapMs }) => gapMs)
    const sorted = gaps.sort((a, b) => a - b)
    return `| ${name} | ${gaps.length} | ${sorted[Math.floor(sorted.length / 2)]} | ${sorted.at(-1)} |`
  })
  return `seed ${SEED}: ${told.length} faults, ${JSON.stringify(done)}, ${doors.settledAt.length} writes settled, ${doors.again} of them by sending again, ${reads} reads compared, ${wrong.length} wrong
${wrong.join('\n')}
| Fault | times | median gap, ms | longest, ms |
| --- | ---: | ---: | ---: |
${kinds.join('\n')}`
}
