// What is written on a stream of changes: https://html.spec.whatwg.org/multipage/server-sent-events.html

import { CmsError } from '../../base/errors.ts'
import type { Context } from '../context.ts'
import { newestSequence } from '../trail/changes.ts'
import type { ChangeStream } from '../trail/streams.ts'
import type { ShownChange } from './change-visibility.ts'
import { positionOf } from './follow.ts'

/** After how long a client asks anew that has lost its connection. */
const RETRY_MS = 2_000

/** The place where it begins, so that nobody is without an id. */
export function firstFrame(context: Context, sequence: number): Uint8Array {
  return Buffer.concat([Buffer.from(`retry: ${RETRY_MS}\n`), heartbeat(context, sequence)])
}

/** The position is where a client goes on that has this change. */
export function frameBytes(position: string, shown: ShownChange): Uint8Array {
  return Buffer.from(`id: ${position}\nevent: change\ndata: ${JSON.stringify(shown)}\n\n`)
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

/** Of a stream that ends where it begins; the client is told on it, as it reads nothing else. */
export function onlyWord(word: Uint8Array): ChangeStream {
  return {
    async *chunks() {
      yield word
    },
    close: async () => undefined,
  }
}
