// Answers to reads that were given lately, by key and address. An answer stands as long as nothing has changed of the
// records that it was made of: what is read, the folders above it, the caller. The bytes of a version never change.
// Requests that wait for the same answer share one reading, where nothing has changed since that began.

import { LRUCache } from 'lru-cache'
import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../auth/caller.ts'
import { admits } from '../../base/cache-admission.ts'
import type { Reply } from '../../http/reply.ts'
import { takesRedirect } from './accel-redirect.ts'
import type { Context } from '../../operations/context.ts'

export interface KeptAnswers {
  /** The answer from memory, else the one that `make` gives, which reads through the context that it gets. */
  read(asked: Asked, context: Context, make: Make): Reply | Promise<Reply>
}

/** `url`: path and query, without a ticket: what is answered is the same with one. */
type Asked = Pick<IncomingMessage, 'headers' | 'url'>

type Make = (context: Context) => Promise<Reply>

/** An answer that can be given more than once. */
interface Lasting {
  /** What it was made of. */
  readonly made: Reply
  readonly give: () => Reply | Promise<Reply>
  /** Of it in memory. */
  readonly sizeBytes: number
}

interface Kept {
  readonly answer: Lasting
  /** Of its compressed form, which lives as long: see compression.ts. */
  readonly formBytes: number
  /** Another one where its key or user has changed. */
  readonly caller: Caller
  readonly isCurrent: () => boolean
  /** A short answer may have been made of many records. */
  readonly namesBytes: number
}

interface Waiting {
  readonly caller: Caller
  readonly isNewest: () => boolean
  /** Undefined where nobody else can be given it. */
  readonly answer: Promise<Lasting | undefined>
}

const MAX_SIZE = 8 * 1024 * 1024
const MAX_ANSWER_SIZE = 128 * 1024
/** Counted for each answer besides its body and of what it was made: the address, the headers. */
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

/** `share`: the part of the memory that they may take here. */
export function openKeptAnswers(share = 1): KeptAnswers {
  const known = new LRUCache<string, Kept>({
    maxSize: MAX_SIZE * share,
    sizeCalculation: ({ answer, formBytes, namesBytes }) =>
      answer.sizeBytes + formBytes + namesBytes + OVERHEAD,
  })
  const waiting = new Map<string, Waiting>()

  function countForm(name: string, made: Reply, formBytes: number): void {
    const kept = known.peek(name)
    if (kept?.answer.made === made) known.set(name, { ...kept, formBytes })
  }

  /** Who asks meanwhile shares it; it is kept where there is to be room for it. */
  function shareReading(name: string, context: Context, make: Make): Promise<Reply> {
    const { caller } = context
    const isKept = admits(known, name)
    const trace = context.records.trace()
    const made = make(isKept ? { ...context, records: trace.records } : context)
    const answer = made.then(
      (reply) => lastingOf(reply, (formBytes) => countForm(name, reply, formBytes)),
      () => undefined,
    )
    const own: Waiting = { caller, isNewest: trace.isNewest, answer }
    waiting.set(name, own)
    void answer.then((lasting) => {
      if (waiting.get(name) === own) waiting.delete(name)
      const isCurrent = trace.close()
      if (!isKept || lasting === undefined || !isCurrent()) return
      const namesBytes = trace.sizeBytes()
      known.set(name, { answer: lasting, caller, isCurrent, namesBytes, formBytes: 0 })
    })
    return made
  }

  return {
    read({ headers, url }, context, make) {
      const { caller, purging } = context
      const depends = DEPENDED_ON.some((name) => headers[name] !== undefined)
      if (depends || purging.size > 0) return make(context)

      // An address holds no space.
      const name = `${caller.key.api_key_id} ${url}${takesRedirect(headers) ? ' handed over' : ''}`
      const kept = known.get(name)
      if (kept?.caller === caller && kept.isCurrent()) return kept.answer.give()

      const other = waiting.get(name)
      if (other?.caller !== caller || !other.isNewest()) return shareReading(name, context, make)
      return other.answer.then((lasting) => lasting?.give() ?? make(context))
    },
  }
}

function lastingOf(made: Reply, onForm: (sizeBytes: number) => void): Lasting | undefined {
  const { status, body, again, isPassing } = made
  if (status !== 200 || isPassing === true) return undefined
  if (again !== undefined) return { made, give: again, sizeBytes: 0 }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  if (!(bytes instanceof Uint8Array) || bytes.length > MAX_ANSWER_SIZE) return undefined
  const whole = { ...made, body: bytes, onForm }
  return { made, give: () => whole, sizeBytes: bytes.length }
}
