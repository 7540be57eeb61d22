// A cache of recent responses to reads, by key and address. A response stays valid until a record changes that it was
// built from: the records read, the folders above them, the caller. The bytes of a version never change. Concurrent
// requests for the same response share one read if nothing has changed since that read began.

import { withMembers } from '../../base/with-members.ts'
import { LRUCache } from 'lru-cache'
import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../auth/caller.ts'
import { admits } from '../../base/cache-admission.ts'
import type { Reply } from '../../http/reply.ts'
import { takesRedirect } from './accel-redirect.ts'
import type { Context } from '../../operations/context.ts'

export interface KeptAnswers {
  /** Returns the cached response, or calls `make`. `make` must read through the context that it receives. */
  read(asked: Asked, context: Context, make: Make): Reply | Promise<Reply>
}

/** `url`: path and query without the ticket, which does not influence the response. */
type Asked = Pick<IncomingMessage, 'headers' | 'url'>

type Make = (context: Context) => Reply | Promise<Reply>

/** A response that can be sent more than once. */
interface Lasting {
  /** The reply that the response was made from. */
  readonly made: Reply
  readonly give: () => Reply | Promise<Reply>
  /** Size of the response in memory. */
  readonly sizeBytes: number
}

interface CachedResponse {
  readonly answer: Lasting
  /** Size of the compressed form, which has the same lifetime: see compression.ts. */
  readonly formBytes: number
  /** A change of the key or user creates another Caller object. */
  readonly caller: Caller
  readonly isCurrent: () => boolean
  /** Size of the names of the records that were read. A short response may depend on many records. */
  readonly namesBytes: number
}

interface Waiting {
  readonly caller: Caller
  readonly isNewest: () => boolean
  /** Undefined if the response cannot be shared. */
  readonly answer: Promise<Lasting | undefined>
}

const MAX_SIZE = 16 * 1024 * 1024
const MAX_ANSWER_SIZE = 128 * 1024
/** Bytes counted per response for the address and the headers. */
const OVERHEAD = 1024

/** A request with one of these headers is not cached, because the response depends on the header. */
const DEPENDED_ON = [
  'if-none-match',
  'if-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
  'range',
] as const

/** `share`: the part of MAX_SIZE that this process may use. */
export function openKeptAnswers(share = 1): KeptAnswers {
  const known = new LRUCache<string, CachedResponse>({
    maxSize: MAX_SIZE * share,
    sizeCalculation: ({ answer, formBytes, namesBytes }) =>
      answer.sizeBytes + formBytes + namesBytes + OVERHEAD,
  })
  const waiting = new Map<string, Waiting>()

  function countForm(name: string, made: Reply, formBytes: number): void {
    const cached = known.peek(name)
    if (cached?.answer.made === made) known.set(name, { ...cached, formBytes })
  }

  /** A read that has to wait is shared by concurrent requests. The response is cached if the admission policy accepts it. */
  function readAnew(name: string, context: Context, make: Make): Reply | Promise<Reply> {
    const { caller } = context
    const isKept = admits(known, name)
    const trace = context.records.trace()
    const made = make(isKept ? withMembers(context, { records: trace.records }) : context)
    const lasting = (reply: Reply): Lasting | undefined =>
      lastingOf(reply, (formBytes) => countForm(name, reply, formBytes))
    const keep = (answer: Lasting | undefined): void => {
      const isCurrent = trace.close()
      if (!isKept || answer === undefined || !isCurrent()) return
      const namesBytes = trace.sizeBytes()
      known.set(name, { answer, caller, isCurrent, namesBytes, formBytes: 0 })
    }
    if (!(made instanceof Promise)) {
      if (isKept) keep(lasting(made))
      return made
    }

    const answer = made.then(lasting, () => undefined)
    const own: Waiting = { caller, isNewest: trace.isNewest, answer }
    waiting.set(name, own)
    void answer.then((found) => {
      if (waiting.get(name) === own) waiting.delete(name)
      keep(found)
    })
    return made
  }

  return {
    read({ headers, url }, context, make) {
      const { caller, purging } = context
      const depends = DEPENDED_ON.some((name) => headers[name] !== undefined)
      if (depends || purging.size > 0) return make(context)

      // A space separates the parts, because an address contains none.
      const name = `${caller.key.api_key_id} ${url}${takesRedirect(headers) ? ' handed over' : ''}`
      const cached = known.get(name)
      if (cached?.caller === caller && cached.isCurrent()) return cached.answer.give()

      const other = waiting.get(name)
      if (other?.caller !== caller || !other.isNewest()) return readAnew(name, context, make)
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
