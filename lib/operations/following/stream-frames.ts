// Frames of a change stream: https://html.spec.whatwg.org/multipage/server-sent-events.html

import { CmsError } from '../../base/errors.ts'
import type { Context } from '../context.ts'
import { newestSequence } from '../trail/changes.ts'
import type { ChangeStream } from '../trail/streams.ts'
import type { ShownChange } from './change-visibility.ts'
import { positionOf } from './follow.ts'

/** Delay after which a disconnected client reconnects. */
const RETRY_MS = 2_000

/** Sends the starting position, so that every client has an id. */
export function firstFrame(context: Context, sequence: number): Uint8Array {
  return Buffer.concat([Buffer.from(`retry: ${RETRY_MS}\n`), heartbeat(context, sequence)])
}

/** `position` is where a client that received this change resumes. */
export function frameBytes(position: string, shown: ShownChange): Uint8Array {
  return Buffer.from(`id: ${position}\nevent: change\ndata: ${JSON.stringify(shown)}\n\n`)
}

/** The comment keeps proxies from closing the connection; the id lets a client resume here after a long silence. */
export function heartbeat(context: Context, sequence: number): Uint8Array {
  return Buffer.from(`: \nid: ${positionOf(context, sequence)}\n\n`)
}

/** The last event for a client whose position is too old; rethrows other errors. */
export function goneFrame(context: Context, error: unknown): Uint8Array {
  if (!(error instanceof CmsError) || error.code !== 'change-log-gone') throw error
  const id = positionOf(context, newestSequence(context))
  const data = JSON.stringify({ code: error.code, detail: error.message, ...error.facts.members })
  return Buffer.from(`id: ${id}\nevent: gone\ndata: ${data}\n\n`)
}

/** A stream that ends with its first event, because an event client cannot read an error response. */
export function singleFrame(frame: Uint8Array): ChangeStream {
  return {
    async *chunks() {
      yield frame
    },
    close: async () => undefined,
  }
}
