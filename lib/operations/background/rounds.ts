// Work that repeats in the background, such as the retention of the trash, of versions and of the audit trail.

import { setTimeout as sleep } from 'node:timers/promises'
import { mayPass } from '../../base/errors.ts'
import type { Background } from './background.ts'

export interface Rounds {
  readonly name: string
  readonly everyMs: number
  readonly signal: AbortSignal
}

/** After a fault that may pass, such as a full disk, the next round begins sooner, because it may free space. */
const AGAIN_MS = 10_000

/**
 * Runs the work now and every `everyMs`, until the signal aborts. An error is logged, and the next round runs as usual. A fault
 * that lasts for several rounds is logged once.
 */
export async function runRounds(
  { background }: { readonly background: Pick<Background, 'run'> },
  { name, everyMs, signal }: Rounds,
  work: () => Promise<void>,
): Promise<void> {
  let isFailing = false
  async function round(): Promise<void> {
    const wasFailing = isFailing
    isFailing = false
    try {
      await work()
    } catch (error) {
      isFailing = mayPass(error)
      if (!isFailing || !wasFailing) throw error
    }
  }
  for (;;) {
    await background.run(name, round)
    const pauseMs = isFailing ? Math.min(everyMs, AGAIN_MS) : everyMs
    await sleep(pauseMs, undefined, { signal, ref: false })
  }
}
