// The messages between the processes of a server, as JSON over the IPC channel of Node. No persistent state depends on these
// messages: record changes are read from the shared log (storage/records/commit-visibility.ts).

import type { Party, Place } from '../http/quota.ts'
import type { ProcessMetrics } from '../metrics/metrics.ts'

/** From the writer process to a reader process. */
export type ToReader =
  /** The first message, with the address of the socket where requests are handed over. */
  | { readonly kind: 'begin'; readonly address: string }
  /** Sent with a connection from which nothing was read. `hasMore`: another connection follows at once. */
  | { readonly kind: 'connection'; readonly id: number; readonly hasMore: boolean }
  /** Invalid keys come from this address; see openReadingGuard of auth/guard.ts. */
  | { readonly kind: 'guessing'; readonly source: string; readonly seconds: number }
  | { readonly kind: 'answered'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'measure'; readonly id: number }
  /** A health check, which must be answered at once. */
  | { readonly kind: 'look' }
  | { readonly kind: 'stop'; readonly timeoutMs: number }

/** From a reader process to the writer process. */
export type ToWriter =
  /** The process accepts connections. */
  | { readonly kind: 'ready' }
  /** The connection has arrived, and the next may be sent. */
  | { readonly kind: 'opened'; readonly id: number }
  /** The connection has closed. */
  | { readonly kind: 'closed'; readonly id: number }
  | { readonly kind: 'alive' }
  | { readonly kind: 'used'; readonly uses: readonly KeyUsed[] }
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question }
  /** Returns a borrowed place. */
  | { readonly kind: 'returned'; readonly place: Place }
  | { readonly kind: 'measured'; readonly id: number; readonly metrics: ProcessMetrics }

/** The events that the writer process counts for all processes. */
export type Question =
  /** A request of the key and its user. The answer is the seconds to wait if the rate limit is exceeded. */
  | { readonly of: 'rate'; readonly party: Party }
  /** An invalid key, by its hash. The answer is the seconds to wait if there were too many. */
  | { readonly of: 'failure'; readonly hash: string; readonly source: string | null }
  /** A running request in the reader process; see http/concurrency-limits.ts. The answer is 0 if no place is left. */
  | { readonly of: 'place'; readonly place: Place }

export type Answer = number | null

/** A use of a key. `source` is null for an address that many clients may share. */
export interface KeyUsed {
  readonly apiKeyId: number
  readonly source: string | null
  readonly date: string
}

/** The last header of a handed-over request: the address of the client's connection. */
export const PEER_HEADER = 'x-cms-peer'
/** Follows the address if the request has been counted for --rate-limit. */
export const COUNTED_MARK = 'counted'
