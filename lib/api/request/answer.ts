// Runs a request through the steps of its route: authenticate, check the grant, read, run, reply. There is no middleware
// and there are no hooks. With an Idempotency-Key, idempotency.ts runs the last steps.

import type { IncomingMessage } from 'node:http'
import { type Caller, invalidKey, withBasic } from '../../auth/caller.ts'
import { holdsAnywhere, holdsNothing, holdsSomewhere, missingGrant } from '../../auth/grants.ts'
import { CmsError } from '../../base/errors.ts'
import { acceptsJson } from '../../http/accept.ts'
import { isCounted, noteCounted } from '../../http/client-address.ts'
import type { Reply } from '../../http/reply.ts'
import type { ChangeContext, Context, Services } from '../../operations/context.ts'
import { withAdditions } from '../../operations/trail/additions.ts'
import { auditAddition } from '../../operations/trail/audit.ts'
import { GRANTS } from '../../shared/grants.ts'
import { answerOnce, readIdempotencyKey } from './idempotency.ts'
import type { KeptAnswers } from './response-cache.ts'
import { historyMark } from '../../operations/trail/change-log.ts'
import { buildRequest, prefers, type RequestParts } from './request.ts'
import { type Access, keepsAnswer, replyTo, type Route, type Steps } from './route.ts'
import { carryTicket, type Sent, sentProof, splitTicket } from './request-ticket.ts'

export interface Serving {
  readonly services: Services
  readonly kept: KeptAnswers
}

/**
 * Runs a request through its route. Throws CmsError if the request is rejected. `onCaller` is called as soon as the caller
 * is known, so that the log has the caller even of a rejected request; `onCaller` may also reject the request.
 */
export async function answer(
  route: Route,
  all: RequestParts,
  { services, kept }: Serving,
  onCaller: (caller: Caller) => void | Promise<unknown>,
): Promise<Reply> {
  const { message } = all
  const { access } = route
  const sent = route.takesTicket
    ? splitTicket(all.target)
    : { target: all.target, ticket: undefined }
  const parts = sent.ticket === undefined ? all : { ...all, target: sent.target }
  const renewal = route.renews ? services.renew() : undefined
  if (renewal !== undefined) await renewal
  const context =
    access === 'open'
      ? services
      : await authorize({ route, access, parts, sent }, services, onCaller)
  requireAcceptable(route, message)
  if (route.action !== undefined) services.contents.requireWritable()
  requireRoom(route, message, services)

  // Only open routes have no caller, and their steps do not use one.
  const own = context as Context & Partial<Pick<Context, 'caller'>>
  const history = (): string => historyMark(services.records)
  const buildSteps = (used: Context): Steps => ({
    route,
    request: buildRequest(parts, { party: own.caller?.key, history }),
    context: used,
  })
  const read = (): Reply | Promise<Reply> => {
    if (!route.isKept) return runSteps(buildSteps(own))
    const asked = { headers: message.headers, url: sent.target }
    return kept.read(asked, own, (traced) => runSteps(buildSteps(traced)))
  }
  if (sent.ticket !== undefined) return carryTicket({ ...sent, message, run: read }, services)
  if (route.isKept) return read()
  const key = keepsAnswer(route) ? readIdempotencyKey(message) : undefined
  const steps = buildSteps(own)
  return key === undefined ? runSteps(steps) : answerOnce({ key, ...steps })
}

async function runSteps(steps: Steps): Promise<Reply> {
  const { route, request, context } = steps
  const input = await route.read(request, context)
  return replyTo(steps, await route.run(context, input))
}

interface Entering {
  readonly route: Route
  readonly access: Exclude<Access, 'open'>
  readonly parts: RequestParts
  readonly sent: Sent
}

async function authorize(
  { route, access, parts, sent }: Entering,
  services: Services,
  onCaller: (caller: Caller) => void | Promise<unknown>,
): Promise<Context | ChangeContext> {
  const now = services.now()
  const { message, address, source, id } = parts
  let caller: Caller
  try {
    const { takesPassword } = route
    const secret = sentProof({ message, takesPassword, ...sent }, services)
    const found = services.guard.authenticate({ secret, source, now })
    caller = found instanceof Promise ? await found : found
    const begun = onCaller(caller)
    if (begun !== undefined) await begun
    if (services.revoking.has(caller.key.api_key_id)) throw invalidKey()
  } catch (error) {
    const asksPassword = route.takesPassword && sent.ticket === undefined
    throw asksPassword && error instanceof CmsError ? withBasic(error) : error
  }
  if (!isCounted(message)) {
    const counted = services.guard.checkRate(caller)
    if (counted !== undefined) {
      await counted
      noteCounted(message)
    }
  }
  services.keyUse.note({ apiKeyId: caller.key.api_key_id, source, now })

  if (access !== 'key' && !access.some((grant) => holdsAnywhere(caller, grant))) {
    throw missingGrant(access[0], 'in every folder')
  }
  const beginsBody = route.recall !== undefined || (route.changesNothing && !route.isSearch)
  if (beginsBody) requireBeginning(services, caller, access)
  if (route.action === undefined) return contextOf(services, caller)
  const origin = { action: route.action, caller, address, requestId: id }
  const additions = [auditAddition(services, origin)]
  const isStrict = prefers(message, 'handling=strict')
  const records = withAdditions(services.records, additions)
  return { caller, origin, isStrict, ...services, records }
}

/** Rejects the request before its body is read if the caller cannot hold the required grant anywhere. */
function requireBeginning({ records }: Services, caller: Caller, access: Entering['access']): void {
  if (holdsSomewhere(records, caller, access === 'key' ? GRANTS : access)) return
  throw access === 'key' ? holdsNothing() : missingGrant(access[0], 'in every folder')
}

/** Checks the disk space for a declared body before the body is read. */
function requireRoom({ needsRoom }: Route, { headers }: IncomingMessage, { room }: Services): void {
  if (needsRoom === undefined) return
  room.require(needsRoom, needsRoom === 'content' ? Number(headers['content-length'] ?? 0) : 0)
}

/** One context for all reads of a caller. A change of the key or user creates another Caller object. */
const CONTEXTS = new WeakMap<Caller, Context>()

function contextOf(services: Services, caller: Caller): Context {
  const known = CONTEXTS.get(caller)
  if (known !== undefined) return known
  const context = { caller, ...services }
  CONTEXTS.set(caller, context)
  return context
}

function requireAcceptable(route: Route, message: IncomingMessage): void {
  const accept = message.headers.accept
  if (route.answers === 'bytes' || accept === undefined || accept === '*/*') return
  if (acceptsJson(accept)) return
  throw new CmsError(
    'not-acceptable',
    'This address answers application/json. Accept it, or send no Accept header.',
  )
}
