// One follower of the change log for each node: all followers receive each change once and in
// order.

import { setTimeout as sleep } from 'node:timers/promises'
import { readAt } from './doors.ts'

export interface Follower {
  readonly url: string
  readonly sequences: readonly number[]
  /** Changes that were repeated or out of order. */
  readonly faults: readonly string[]
  /** Ends the follower when it has received the newest change. */
  close(): Promise<void>
  /** Ends the follower at once. */
  stop(): Promise<void>
}

export function follow(url: string, key: string): Follower {
  const sequences: number[] = []
  const faults: string[] = []
  let next = '0'
  let isClosing = false
  let isStopped = false

  async function run(): Promise<void> {
    while (!isStopped) {
      const wait = isClosing ? 0 : 2
      const reply = await readAt(url, key, `/api/v2/change?wait=${wait}&length=500&since=${next}`)
      if (reply === undefined) {
        await sleep(100)
        continue
      }
      if (reply.status !== 200) {
        faults.push(`${url}: ${reply.status} after ${next}`)
        return
      }
      for (const { sequence } of reply.body.change) {
        if (sequence <= (sequences.at(-1) ?? 0)) faults.push(`${url}: ${sequence} once more`)
        sequences.push(sequence)
      }
      next = reply.body.page.next
      if (isClosing && reply.body.change.length === 0) return
    }
  }

  const running = run()
  return {
    url,
    sequences,
    faults,
    close() {
      isClosing = true
      return running
    },
    stop() {
      isStopped = true
      return running
    },
  }
}
