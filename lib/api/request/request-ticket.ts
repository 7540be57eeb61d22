// The ticket at the end of a URL, and the proof of a request: the header Authorization, otherwise the ticket. The header
// takes precedence, because URLs are copied and must not change the identity of a signed-in client. The ticket is removed
// from the target first, so that caching and error handling work as for a request without a ticket.

import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { expiredTicket, isExpired, readPassword, readSecret } from '../../auth/caller.ts'
import { hashSecret, type Proof, type Secret } from '../../auth/secret.ts'
import { CmsError } from '../../base/errors.ts'
import { headerValues } from '../../http/header-values.ts'
import type { Reply } from '../../http/reply.ts'
import type { Services } from '../../operations/context.ts'

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

/** The target that a ticket is issued for. Both addresses of a download (addressesOf in route.ts) have the same target. */
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
 * The request destinations for which a browser may use a ticket (Fetch, 2.2.5, "destination"). Scripts and styles are not
 * among them, because a ticket would turn a stored file into a script of our own origin. Unknown destinations are rejected.
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

/** Also for other addresses that prove themselves: a link to a file. */
export function refuseCode({ headers }: IncomingMessage): void {
  const destination = headers['sec-fetch-dest']
  if (destination === undefined || DESTINATIONS.has(String(destination))) return
  throw new CmsError(
    'ticket-as-code',
    'An address with a ticket, or of a link, cannot be used as a script, style sheet, worker or plug-in.',
  )
}

/** Throws key-required, invalid-request, or key-invalid for a ticket that has expired or belongs to another address. */
export function sentProof(
  { message, takesPassword, target, ticket }: Signed,
  services: Services,
): Proof {
  if (ticket === undefined || message.headers.authorization !== undefined)
    return sentSecret(message, takesPassword)

  refuseCode(message)
  const opened = services.tickets.open(ticket)
  // Returns an invalid secret, so that guessing tickets counts as failed authentication.
  if (opened === undefined) return { text: ticket, hash: hashSecret(ticket) }
  // An expired ticket does not count as failed authentication, because a page may stay open overnight.
  const { dateEnds, secretHash, isFor } = opened
  if (isExpired(services.records, dateEnds, services.now()) || !isFor(signedTarget(target)))
    throw expiredTicket()
  return { text: undefined, hash: secretHash }
}

interface Redirecting extends Sent {
  readonly message: IncomingMessage
  readonly run: () => Reply | Promise<Reply>
}

/**
 * Puts a ticket on the Location of a redirect, for callers that sent a ticket and no header. The ticket has the secret and
 * the end of the ticket that was sent, and signs only the new address.
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

interface SentSecret {
  readonly header: string
  readonly secret: Secret
}

const LAST_SECRETS = new WeakMap<Socket, SentSecret>()

/**
 * The secret of a request and its hash. Throws key-required, or invalid-request if the header does not have the form of
 * RFC 6750. With `takesPassword` the key may also be the password of RFC 7617.
 *
 * A connection usually sends the same secret with every request, and hashing would slow down small reads. Each connection
 * therefore caches its last secret, which the headers of its last request hold in memory anyway.
 */
export function sentSecret(message: IncomingMessage, takesPassword = false): Secret {
  const headers = headerValues(message, 'authorization')
  const last = LAST_SECRETS.get(message.socket)
  if (last !== undefined && headers.length === 1 && headers[0] === last.header) return last.secret

  const password = takesPassword ? readPassword(headers) : undefined
  if (password !== undefined) return { text: password, hash: hashSecret(password) }

  const text = readSecret(headers)
  const secret = { text, hash: hashSecret(text) }
  LAST_SECRETS.set(message.socket, { header: headers[0] ?? '', secret })
  return secret
}
