// What following the changes of a site is asked by, and what keeps streams of them open.

import type { Caller } from '../../auth/caller.ts'

/** A number, or a position as the site has written it; undefined: from now on. */
export type Since = number | string | undefined

export interface ChangeFilter {
  readonly objects?: ReadonlySet<string> | undefined
  readonly actions?: ReadonlySet<string> | undefined
  /** A folder, and all below it. */
  readonly categoryId?: number | undefined
  readonly moduleId?: number | undefined
}

/** For whom a stream counts. */
export interface StreamHolder {
  readonly party: Pick<Caller['key'], 'api_key_id' | 'user_id'> | undefined
  /** Undefined where many clients may share the address. */
  readonly source: string | undefined
}

export interface StreamOptions {
  readonly since: Since
  readonly filter: ChangeFilter
  readonly holder: StreamHolder
  /** The client has ended its side of the connection: it has probably gone, which only a write can tell. */
  readonly hasEnded: () => boolean
}

/** What is bounded for all streams together, and for each key, user and address. */
export interface StreamShare {
  hasRoom(holder: StreamHolder, amount: number, own: number): boolean
  /** Throws too-many-requests or unavailable. */
  require(holder: StreamHolder, amount: number, own: number): void
  add(holder: StreamHolder, amount: number): void
  give(holder: StreamHolder, amount: number): void
}

/** The streams that are open, and the bytes that their clients have not read. */
export type StreamShares = Readonly<Record<'open' | 'queued', StreamShare>>

export interface ChangeStream {
  readonly chunks: () => AsyncIterable<Uint8Array>
  readonly close: () => Promise<void>
}

export interface ChangeStreams {
  /** Throws too-many-requests or unavailable, and what is wrong with the question. */
  open(who: { readonly caller: Caller }, options: StreamOptions): ChangeStream
}
