// The ticket at the end of an address, and what a request is signed by: a header, or else the ticket. A header counts
// where both are there, as it says who asks now; an address is copied, and must not make anybody somebody else. A ticket
// is taken off the target before anything is made of it, so that answers are kept, and refused, as without one.

import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { isOver, ticketOver } from '../../auth/caller.ts'
import { hashSecret, type Proof } from '../../auth/secret.ts'
import { CmsError } from '../../base/errors.ts'
import type { Reply } from '../../http/reply.ts'
import type { Services } from '../../operations/context.ts'
import { sentSecret } from './request-secret.ts'

const TICKET = 'ticket'

const AT_END = /[?&]ticket=([^&]*)$/

export interface Sent {
  /** Path and query, without the ticket. */
  readonly target: string
  readonly ticket: string | undefined
}

export function splitTicket(target: string): Sent {
  const found = target.includes(`${TICKET}=`) ? AT_END.exec(target) : null
  if (found === null) return { target, ticket: undefined }
  return { target: target.slice(0, found.index), ticket: found[1] }
}

/** What a ticket is for: an address below the API is the one beside it (addressesOf of route.ts). */
export function signedTarget(target: string): string {
  return target.replace(/^\/api\/v2(?=\/)/, '')
}

export function withTicket(target: string, ticket: string): string {
  return `${target}${target.includes('?') ? '&' : '?'}${TICKET}=${ticket}`
}

interface Signed extends Sent {
  readonly message: IncomingMessage
  readonly takesPassword: boolean
}

/**
 * What a browser may load an address with a ticket for (Fetch, 2.2.5, "destination"). Whatever runs or styles a page is
 * missing here, because a ticket would make a stored file a script of our own origin. A new destination is refused.
 */
const DESTINATIONS: ReadonlySet<string> = new Set([
  'audio',
  'document',
  'empty',
  'font',
  'frame',
  'iframe',
  'image',
  'track',
  'video',
])

function refuseCode({ headers }: IncomingMessage): void {
  const destination = headers['sec-fetch-dest']
  if (destination === undefined || DESTINATIONS.has(String(destination))) return
  throw new CmsError(
    'ticket-as-code',
    'An address with a ticket loads no script, style sheet, worker or plug-in.',
  )
}

/** Throws key-required, invalid-request, or key-invalid for a ticket that is over or of another address. */
export function sentProof(
  { message, takesPassword, target, ticket }: Signed,
  services: Services,
): Proof {
  if (ticket === undefined || message.headers.authorization !== undefined)
    return sentSecret(message, takesPassword)

  refuseCode(message)
  const opened = services.tickets.open(ticket)
  // A secret that is none, so that it counts for who guesses.
  if (opened === undefined) return { text: ticket, hash: hashSecret(ticket) }
  // Nor does it count where a page was left open over night.
  const { dateEnds, secretHash, isFor } = opened
  if (isOver(services.records, dateEnds, services.now()) || !isFor(signedTarget(target)))
    throw ticketOver()
  return { text: undefined, hash: secretHash }
}

interface Redirecting extends Sent {
  readonly message: IncomingMessage
  readonly run: () => Reply | Promise<Reply>
}

/**
 * Puts a ticket on the Location of a redirect, for callers that sent a ticket and no header. The ticket has the secret and
 * the end of the ticket that was sent, and signs the new address alone.
 */
export async function carryTicket(
  { ticket, message, run }: Redirecting,
  { tickets }: Pick<Services, 'tickets'>,
): Promise<Reply> {
  const opened =
    ticket === undefined || message.headers.authorization !== undefined
      ? undefined
      : tickets.open(ticket)
  if (opened === undefined) return run()

  const sign = <H extends OutgoingHttpHeaders>(headers: H): H => {
    const location = String(headers['location'])
    const next = tickets.make({ ...opened, target: signedTarget(location) })
    return { ...headers, location: withTicket(location, next) }
  }
  try {
    const reply = await run()
    return reply.status === 308 ? { ...reply, headers: sign(reply.headers) } : reply
  } catch (error) {
    if (!(error instanceof CmsError) || error.facts.headers?.['location'] === undefined) throw error
    const { code, message: detail, facts } = error
    throw new CmsError(code, detail, { ...facts, headers: sign(error.facts.headers) })
  }
}
