// What the processes of a server tell each other, as JSON over the channel that Node has between them. Nothing that is
// kept follows from it: what records say is read from the records (storage/records/shared-log.ts).

import type { Place } from '../http/concurrency-limits.ts'
import type { Party } from '../http/quota.ts'
import type { ProcessMetrics } from '../metrics/metrics.ts'

/** From the process that writes to one that reads. */
export type ToReader =
  /** The first: where requests are handed over. */
  | { readonly kind: 'begin'; readonly address: string }
  /** With a connection, of which nothing was read; more of them follow at once. */
  | { readonly kind: 'connection'; readonly id: number; readonly hasMore: boolean }
  /** Keys that are not valid have come from there; see auth/reading-guard.ts. */
  | { readonly kind: 'guessing'; readonly source: string; readonly seconds: number }
  | { readonly kind: 'answered'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'measure'; readonly id: number }
  /** To be answered at once. */
  | { readonly kind: 'look' }
  | { readonly kind: 'stop'; readonly timeoutMs: number }

/** From a process that reads to the one that writes. */
export type ToWriter =
  /** Takes connections. */
  | { readonly kind: 'ready' }
  /** The connection has come, and the next may. */
  | { readonly kind: 'opened'; readonly id: number }
  /** The connection is no more. */
  | { readonly kind: 'closed'; readonly id: number }
  | { readonly kind: 'alive' }
  | { readonly kind: 'used'; readonly uses: readonly KeyUsed[] }
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question }
  /** A place that it has borrowed is free again. */
  | { readonly kind: 'returned'; readonly place: Place }
  | { readonly kind: 'measured'; readonly id: number; readonly metrics: ProcessMetrics }

/** What is counted once for all, in the process that writes. */
export type Question =
  /** A request of the key and its user. Gives the seconds to wait where it is one too many. */
  | { readonly of: 'rate'; readonly party: Party }
  /** A key that is not valid, by its hash. Gives the seconds to wait where there were too many. */
  | { readonly of: 'failure'; readonly hash: string; readonly source: string | null }
  /** A request that runs there; see http/concurrency-limits.ts. Gives 0 where there is no place for it. */
  | { readonly of: 'place'; readonly place: Place }

export type Answer = number | null

/** The key was used, from there; null: from an address that many clients share. */
export interface KeyUsed {
  readonly apiKeyId: number
  readonly source: string | null
  readonly date: string
}

/** Behind the headers of a request that is handed over: who is at the other end of its connection. */
export const PEER_HEADER = 'x-cms-peer'
/** Behind the address there: the request has been counted for --rate-limit. */
export const COUNTED_MARK = 'counted'
