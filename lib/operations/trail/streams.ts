// Types for following changes, and the bounds of open streams.

import type { Party } from '../../http/quota.ts'
import type { Caller } from '../../auth/caller.ts'

/** A number, or a position issued by the site; undefined starts at the present. */
export type Since = number | string | undefined

export interface ChangeFilter {
  readonly objects?: ReadonlySet<string> | undefined
  readonly actions?: ReadonlySet<string> | undefined
  /** A folder and all folders below it. */
  readonly categoryId?: number | undefined
  readonly moduleId?: number | undefined
}

/** The key, user and address that a stream counts against. */
export interface StreamHolder {
  readonly party: Party | undefined
  /** Undefined if many clients may share the address. */
  readonly source: string | undefined
}

export interface StreamOptions {
  readonly since: Since
  readonly filter: ChangeFilter
  readonly holder: StreamHolder
  /** The client has closed its side of the connection: it has probably gone, but only a write can prove it. */
  readonly hasEnded: () => boolean
}

/** A limit on all streams together, and on those of each key, user and address. */
export interface StreamShare {
  hasRoom(holder: StreamHolder, amount: number, own: number): boolean
  /** Throws too-many-requests or unavailable. */
  require(holder: StreamHolder, amount: number, own: number): void
  add(holder: StreamHolder, amount: number): void
  give(holder: StreamHolder, amount: number): void
}

/** Open streams, and bytes that their clients have not read. */
export type StreamShares = Readonly<Record<'open' | 'queued', StreamShare>>

export interface ChangeStream {
  readonly chunks: () => AsyncIterable<Uint8Array>
  readonly close: () => Promise<void>
}

export interface ChangeStreams {
  /** Throws too-many-requests or unavailable, and errors for an invalid request. */
  open(who: { readonly caller: Caller }, options: StreamOptions): ChangeStream
}
