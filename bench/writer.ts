// Writes at a fixed rate, whether or not the previous writes were answered. Runs as a separate process, so
// that the load generator of the reads does not delay the writes. The parent sends orders, which the writer
// answers with `ready`, then `go` and `pause`. The writer answers each `pause` with all its writes so far.

import { createHistogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'

/** The first message. */
export interface Orders {
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly headers: Readonly<Record<string, string>>
  readonly perSecond: number
  /** Sent in order, and again from the beginning when all were sent. */
  readonly targets: readonly { readonly path: string; readonly body: string }[]
}

export interface Written {
  /** Requested and reached writes per second. */
  readonly asked: number
  readonly reached: number
  /** Milliseconds from the time at which the write was due. */
  readonly p99: number
  readonly errors: number
}

const CONNECTIONS = 16
const waits = createHistogram()
let seconds = 0
let answered = 0
let reached = 0
let errors = 0
let due = 0
let isGoing = false
let writing = Promise.resolve()

function begin(orders: Orders): void {
  const pool = new Pool(orders.url, { connections: CONNECTIONS })

  async function one(dueAt: number, count: number): Promise<void> {
    const target = orders.targets[count % orders.targets.length]
    if (target === undefined) throw new Error('there is nothing to write')
    const { method, headers } = orders
    try {
      const answer = await pool.request({ method, headers, ...target })
      await answer.body.dump()
      if (answer.statusCode < 300) answered += 1
      else errors += 1
    } catch {
      // The report shows the error.
      errors += 1
    }
    waits.record(Math.max(1, Math.round((performance.now() - dueAt) * 1_000)))
  }

  async function write(): Promise<void> {
    const began = performance.now()
    const before = due
    const sent: Promise<void>[] = []
    while (isGoing) {
      const now = performance.now() - began
      for (; due - before < (now / 1_000) * orders.perSecond; due += 1) {
        sent.push(one(began + ((due - before) * 1_000) / orders.perSecond, due))
      }
      await sleep(1)
    }
    // Answers after this point do not count toward the reached rate.
    seconds += (performance.now() - began) / 1_000
    reached += answered
    await Promise.all(sent)
    answered = 0
  }

  process.on('message', (told) => {
    isGoing = told === 'go'
    if (isGoing) writing = write()
    else void writing.then(() => process.send?.(tell(orders.perSecond)))
  })
}

function tell(asked: number): Written {
  const perSecond = seconds === 0 ? 0 : reached / seconds
  return { asked, reached: perSecond, p99: waits.percentile(99) / 1_000, errors }
}

process.once('message', (orders) => {
  begin(orders as Orders)
  process.send?.('ready')
})
process.once('disconnect', () => process.exit())
