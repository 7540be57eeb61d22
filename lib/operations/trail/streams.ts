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

export interface StreamOptions {
  readonly since: Since
  readonly filter: ChangeFilter
}

export interface ChangeStream {
  readonly chunks: () => AsyncIterable<Uint8Array>
  readonly close: () => Promise<void>
}

export interface ChangeStreams {
  /** Throws too-many-requests, and what is wrong with the question. */
  open(who: { readonly caller: Caller }, options: StreamOptions): ChangeStream
}
