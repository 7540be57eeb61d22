// Authenticates callers in a cluster of several machines. An invalid key is counted for the whole cluster before it
// is answered. A valid key waits for nothing: a process learns up to a second later that an address guesses, which
// helps no attacker, because wrong keys are counted immediately.
//
// Requests per second are counted locally and reported to the other processes every 100 ms. Until then each process
// may admit as many as if it were alone; the excess is deducted afterwards.

import type { Party } from '../http/quota.ts'
import type { SharedCounts, Spent } from '../storage/counts.ts'
import { openCallers } from './caller.ts'
import {
  type Guard,
  type GuardOptions,
  invalidOrTooMany,
  openRequestRate,
  requireRate,
  tooManyFailures,
} from './guard.ts'

export interface SharedGuardOptions extends Omit<GuardOptions, 'onGuessing'> {
  readonly counts: SharedCounts
}

const REPORT_RATES_MS = 100
/** Maximum number of entries per report; the rest follows in the next report. */
const MAX_REPORTED = 1_000

export function openSharedGuard({
  records,
  limits: { most, windowMs, tableSize },
  rates,
  isFamiliar,
  counts,
}: SharedGuardOptions): Guard {
  const findCaller = openCallers(records, tableSize)
  const takeRate = rates.ofKey === 0 ? undefined : openReportedRate({ rates, tableSize, counts })

  async function refuse(hash: string, source: string | undefined): Promise<never> {
    const asked = [{ kind: 'secret', name: hash, most, windowMs }]
    if (source !== undefined) asked.push({ kind: 'source', name: source, most, windowMs })
    throw invalidOrTooMany(await counts.take(asked))
  }

  return {
    authenticate({ secret, source, now }) {
      const caller = findCaller(secret, now)
      const waitSeconds =
        source === undefined ? undefined : counts.waitOf({ kind: 'source', name: source })
      if (source === undefined || waitSeconds === undefined)
        return caller ?? refuse(secret.hash, source)

      const isExempt = caller !== undefined && isFamiliar(caller.key.api_key_id, source)
      if (!isExempt) throw tooManyFailures(waitSeconds)
      return caller
    },
    checkRate(party) {
      if (takeRate !== undefined) requireRate(takeRate(party), rates, party)
    },
  }
}

interface ReportedRateOptions extends Pick<SharedGuardOptions, 'rates' | 'counts'> {
  readonly tableSize: number
}

function openReportedRate({ rates, tableSize, counts }: ReportedRateOptions) {
  const rate = openRequestRate(rates, tableSize)
  const unreported = new Map<string, Spent>()
  let timer: NodeJS.Timeout | undefined

  async function report(): Promise<void> {
    const spent = [...unreported.values()].slice(0, MAX_REPORTED)
    for (const { name } of spent) unreported.delete(name)
    for (const [name, restedInMs] of await counts.spend(spent)) rate.raise(name, restedInMs)
  }

  function scheduleReport(): void {
    timer ??= setTimeout(() => {
      // A failed report is dropped: without the database no request is answered.
      const reported = report().catch(() => undefined)
      void reported.then(() => {
        timer = undefined
        if (unreported.size > 0) scheduleReport()
      })
    }, REPORT_RATES_MS).unref()
  }

  return (party: Party): number | undefined => {
    const waitSeconds = rate.take(party)
    if (waitSeconds !== undefined) return waitSeconds
    for (const cost of rate.costsOf(party))
      unreported.set(cost.name, { ...cost, count: (unreported.get(cost.name)?.count ?? 0) + 1 })
    scheduleReport()
    return undefined
  }
}
