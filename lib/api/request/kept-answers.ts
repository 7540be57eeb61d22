// Answers to reads that were given lately, by key and address. All that such an answer depends on is
// records: what is read, the folders above it, the grants of the key. So it stands until the next change of
// any record; while one is under way, nothing is taken from here. The bytes of a version never change.

import { LRUCache } from 'lru-cache'
import type { IncomingMessage } from 'node:http'
import type { Reply } from '../../http/reply.ts'
import type { Context } from '../../operations/context.ts'

export interface KeptAnswers {
  /** The answer from memory, else the one that `make` gives. */
  read(
    message: IncomingMessage,
    context: Context,
    make: () => Promise<Reply>,
  ): Reply | Promise<Reply>
}

type Kept = Reply & { readonly body: Uint8Array }

const MAX_SIZE = 8 * 1024 * 1024
const MAX_ANSWER_SIZE = 128 * 1024
/** Counted for each answer besides its body: the address, the headers. */
const OVERHEAD = 1024

/** With one of these the answer follows from more than the address. */
const DEPENDED_ON = [
  'if-none-match',
  'if-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
  'range',
] as const

export function openKeptAnswers(): KeptAnswers {
  const known = new LRUCache<string, Kept>({
    maxSize: MAX_SIZE,
    maxEntrySize: MAX_ANSWER_SIZE,
    sizeCalculation: ({ body }) => body.length + OVERHEAD,
  })
  /** Of the records, for all that is kept. */
  let keptState: number | undefined

  async function keep(name: string, state: number, context: Context, make: () => Promise<Reply>) {
    const reply = await make()
    const { status, body } = reply
    const isWhole = typeof body === 'string' || body instanceof Uint8Array
    if (status === 200 && isWhole && keptState === state && context.records.state() === state)
      known.set(name, { ...reply, body: typeof body === 'string' ? Buffer.from(body) : body })
    return reply
  }

  return {
    read({ headers, url }, context, make) {
      const { records, caller, purging } = context
      const state = records.state()
      const depends = DEPENDED_ON.some((name) => headers[name] !== undefined)
      if (state === undefined || depends || purging.size > 0) return make()

      if (keptState !== state) {
        keptState = state
        if (known.size > 0) known.clear()
      }
      const name = `${caller.key.api_key_id} ${url}`
      return known.get(name) ?? keep(name, state, context, make)
    },
  }
}
