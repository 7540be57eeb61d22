// What is written on a stream of changes: https://html.spec.whatwg.org/multipage/server-sent-events.html

import { CmsError } from '../../errors.ts'
import type { Context } from '../context.ts'
import { type ChangeEvent, newestSequence } from '../trail/changes.ts'
import type { ChangeFilter } from '../trail/streams.ts'
import { openChangeSight, type ShownChange } from './change-sight.ts'
import { positionOf } from './follow.ts'

/** After how long a client asks anew that has lost its connection. */
const RETRY_MS = 2_000

/** The place where it begins, so that nobody is without an id. */
export function firstFrame(context: Context, sequence: number): Uint8Array {
  return Buffer.concat([Buffer.from(`retry: ${RETRY_MS}\n`), heartbeat(context, sequence)])
}

export interface Frame {
  readonly sequence: number
  readonly bytes: Uint8Array
}

export function framesOf(
  context: Context,
  filter: ChangeFilter,
  changes: readonly ChangeEvent[],
): readonly Frame[] {
  const { records: reader, caller, basePath } = context
  const sight = openChangeSight({ reader, caller, basePath }, filter)
  return changes.flatMap((change) => {
    const shown = sight(change)
    if (shown === undefined) return []
    return [{ sequence: change.sequence, bytes: frame(context, change, shown) }]
  })
}

export function frame(context: Context, { sequence }: ChangeEvent, shown: ShownChange): Uint8Array {
  const id = positionOf(context, sequence)
  return Buffer.from(`id: ${id}\nevent: change\ndata: ${JSON.stringify(shown)}\n\n`)
}

/** A comment keeps proxies awake; the id lets a client go on from here that has seen nothing for long. */
export function heartbeat(context: Context, sequence: number): Uint8Array {
  return Buffer.from(`: \nid: ${positionOf(context, sequence)}\n\n`)
}

/** To who comes too late; throws what is wrong else. */
export function lastWord(context: Context, error: unknown): Uint8Array {
  if (!(error instanceof CmsError) || error.code !== 'change-log-gone') throw error
  const id = positionOf(context, newestSequence(context))
  const data = JSON.stringify({ code: error.code, detail: error.message, ...error.facts.members })
  return Buffer.from(`id: ${id}\nevent: gone\ndata: ${data}\n\n`)
}
