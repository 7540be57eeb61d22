// What the processes of a server tell each other, as JSON over the channel that Node has between them. Nothing that is
// kept follows from it: what records say is read from the records (storage/records/told.ts).

import type { ProcessMetrics } from '../metrics.ts'

/** From the process that writes to one that reads. */
export type ToReader =
  /** The first: where requests are handed over. */
  | { readonly kind: 'begin'; readonly address: string }
  /** With a connection, of which nothing was read. */
  | { readonly kind: 'connection'; readonly id: number }
  /** Keys that are not valid have come from there; see auth/reading-guard.ts. */
  | { readonly kind: 'guessing'; readonly source: string; readonly seconds: number }
  | { readonly kind: 'taken'; readonly id: number; readonly waitSeconds: number | null }
  | { readonly kind: 'measure'; readonly id: number }
  | { readonly kind: 'stop'; readonly timeoutMs: number }

/** From a process that reads to the one that writes. */
export type ToWriter =
  /** Takes connections. */
  | { readonly kind: 'ready' }
  /** The connection is no more. */
  | { readonly kind: 'closed'; readonly id: number }
  | { readonly kind: 'used'; readonly uses: readonly KeyUsed[] }
  /** A request of the key is to be counted. */
  | { readonly kind: 'take'; readonly id: number; readonly apiKeyId: number }
  | { readonly kind: 'measured'; readonly id: number; readonly metrics: ProcessMetrics }

/** The key was used, from there; null: from an address that many clients share. */
export interface KeyUsed {
  readonly apiKeyId: number
  readonly source: string | null
  readonly date: string
}

/** Behind the headers of a request that is handed over: who is at the other end of its connection. */
export const PEER_HEADER = 'x-cms-peer'
