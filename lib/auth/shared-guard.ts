// Lets callers in where several processes do, each on a machine of its own. A key that is not valid is counted for all of
// them before it is answered. A key that holds waits for nobody: that others guess from its address is known here up to a
// second later, which helps nobody, as wrong keys are counted there and then.
//
// Requests in a second are counted here, and told to the others a few times in a second: until then each process may let
// in as many as if it were alone. What was too much is taken off what may be sent after that.

import type { SharedCounts, Spent } from '../storage/counts.ts'
import { openCallers } from './caller.ts'
import {
  type Guard,
  type GuardOptions,
  invalidOrTooMany,
  requireRate,
  tooManyFailures,
} from './guard.ts'
import { openRequestRate, type RateParty } from './request-rate.ts'

export interface SharedGuardOptions extends Omit<GuardOptions, 'onGuessing'> {
  readonly counts: SharedCounts
}

const TELL_RATES_MS = 100
/** Told at once; the others are told next. */
const MOST_TOLD = 1_000

export function openSharedGuard({
  records,
  limits: { most, windowMs, tableSize },
  rates,
  isFamiliar,
  counts,
}: SharedGuardOptions): Guard {
  const findCaller = openCallers(records, tableSize)
  const takeRate = rates.ofKey === 0 ? undefined : openToldRate({ rates, tableSize, counts })

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

      const isLetIn = caller !== undefined && isFamiliar(caller.key.api_key_id, source)
      if (!isLetIn) throw tooManyFailures(waitSeconds)
      return caller
    },
    checkRate({ key }) {
      if (takeRate !== undefined) requireRate(takeRate(key), rates)
    },
  }
}

interface ToldRateOptions extends Pick<SharedGuardOptions, 'rates' | 'counts'> {
  readonly tableSize: number
}

function openToldRate({ rates, tableSize, counts }: ToldRateOptions) {
  const rate = openRequestRate(rates, tableSize)
  const untold = new Map<string, Spent>()
  let timer: NodeJS.Timeout | undefined

  async function tell(): Promise<void> {
    const spent = [...untold.values()].slice(0, MOST_TOLD)
    for (const { name } of spent) untold.delete(name)
    for (const [name, restedInMs] of await counts.spend(spent)) rate.raise(name, restedInMs)
  }

  function tellSoon(): void {
    timer ??= setTimeout(() => {
      // What cannot be told is forgotten: without the database nobody is answered.
      const told = tell().catch(() => undefined)
      void told.then(() => {
        timer = undefined
        if (untold.size > 0) tellSoon()
      })
    }, TELL_RATES_MS).unref()
  }

  return (party: RateParty): number | undefined => {
    const waitSeconds = rate.take(party)
    if (waitSeconds !== undefined) return waitSeconds
    for (const cost of rate.costsOf(party))
      untold.set(cost.name, { ...cost, count: (untold.get(cost.name)?.count ?? 0) + 1 })
    tellSoon()
    return undefined
  }
}
