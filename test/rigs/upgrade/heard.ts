// The followers of a site, compared when no changes are made any more: each has received each
// change once and in order.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Follower } from '../../cluster/whole/followers.ts'
import type { Receiver } from '../../helpers/receiver.ts'

const ALL_MS = 30_000

/** Ends the followers and returns the sequence numbers of all changes. */
export async function heardOnce(
  followers: readonly Follower[],
  faults: string[],
): Promise<readonly number[]> {
  await Promise.all(followers.map((follower) => follower.close()))
  const [first] = followers
  for (const { url, faults: own, sequences } of followers) {
    faults.push(...own)
    if (String(sequences) !== String(first?.sequences))
      faults.push(`the follower of ${url} has heard other changes than that of ${first?.url}`)
  }
  return first?.sequences ?? []
}

/** For a consumer that remembers ids, each change came once and in order. */
export async function deliveredOnce(
  receiver: Receiver,
  sequences: readonly number[],
  faults: string[],
): Promise<number> {
  const last = sequences.at(-1)
  const numbers = (): readonly number[] => [
    ...new Map(
      receiver.received.map(({ headers, body }) => [headers['webhook-id'], body.data.sequence]),
    ).values(),
  ]
  for (const until = Date.now() + ALL_MS; Date.now() < until; await sleep(50))
    if (numbers().at(-1) === last) break
  const found = numbers()
  const wanted = sequences.filter((sequence) => sequence >= (found[0] ?? 0))
  if (String(found) !== String(wanted))
    faults.push(`the webhook was sent ${found.length} changes, and not these ${wanted.length}`)
  return found.length
}
