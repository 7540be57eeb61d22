// Runs a request through the steps of its route: authenticate, check the grant, read, run, reply. There is no middleware
// and there are no hooks. With an Idempotency-Key, idempotency.ts runs the last steps.

import { withMembers } from '../../base/with-members.ts'
import type { IncomingMessage } from 'node:http'
import { ANONYMOUS, partyOf } from '../../auth/anonymous.ts'
import { type Caller, invalidKey, withBasic } from '../../auth/caller.ts'
import { andThen, orElse } from '../../base/and-then.ts'
import { holdsAnywhere, holdsNothing, holdsSomewhere, missingGrant } from '../../auth/grants.ts'
import { CmsError } from '../../base/errors.ts'
import { acceptsJson } from '../../http/accept.ts'
import { isCounted, noteCounted } from '../../http/client-address.ts'
import type { AnonymousSlices } from '../../http/anonymous-slices.ts'
import type { Reply } from '../../http/reply.ts'
import type { ChangeContext, Context, Services } from '../../operations/context.ts'
import { withAdditions } from '../../operations/trail/additions.ts'
import { auditAddition, type Origin } from '../../operations/trail/audit.ts'
import { isSession } from '../../schema/api-key.ts'
import type { Action } from '../../shared/actions.ts'
import { GRANTS } from '../../shared/grants.ts'
import { answerOnce, readIdempotencyKey } from './idempotency.ts'
import { mayAskForPicture } from './picture-query.ts'
import { publicReply, withoutCondition } from './public-reply.ts'
import type { KeptAnswers } from './response-cache.ts'
import { historyMark } from '../../operations/trail/change-log.ts'
import { buildRequest, prefers, type RequestParts } from './request.ts'
import { type Access, keepsAnswer, replyTo, type Route, type Steps } from './route.ts'
import { carryTicket, type Sent, sentProof, splitTicket } from './request-ticket.ts'

export interface Serving {
  readonly services: Services
  readonly kept: KeptAnswers
  readonly slices: AnonymousSlices
}

/**
 * Runs a request through its route. Throws CmsError, or rejects with it, if the request is refused. Returns a value, not a
 * promise, if no step has to wait. `onCaller` is called as soon as the caller is known, so that the log has the caller even of
 * a refused request; `onCaller` may also refuse the request.
 */
export function answer(
  route: Route,
  all: RequestParts,
  { services, kept, slices }: Serving,
  onCaller: OnCaller,
): Reply | Promise<Reply> {
  const { message } = all
  const { access } = route
  const sent = route.takesTicket
    ? splitTicket(all.target)
    : { target: all.target, ticket: undefined }
  const parts = sent.ticket === undefined ? all : { ...all, target: sent.target }
  const enter = (): Services | Promise<Services> =>
    access === 'open' ? services : authorize({ route, access, parts, sent }, services, onCaller)

  return andThen(andThen(route.renews ? services.renew() : undefined, enter), (context) => {
    requireAcceptable(route, message)
    if (route.action !== undefined) services.contents.requireWritable()
    requireRoom(route, message, services)
    // Only open routes have no caller, and their steps do not use one.
    return runRoute({ route, parts, sent, context: context as Context, kept, slices })
  })
}

interface Running {
  readonly route: Route
  readonly parts: RequestParts
  readonly sent: Sent
  readonly context: Context
  readonly kept: KeptAnswers
  readonly slices: AnonymousSlices
}

function runRoute({ route, parts, sent, context, kept, slices }: Running): Reply | Promise<Reply> {
  const { message, source } = parts
  const { caller } = context as Partial<Context>
  const party = caller && partyOf(caller, source)
  const history = (): string => historyMark(context.records)
  const buildSteps = (used: Context): Steps => ({
    route,
    request: buildRequest(parts, { party, history }),
    context: used,
  })
  const isAnonymous = route.ignoresKey === true || caller?.isAnonymous === true
  const run = (used: Context): Reply | Promise<Reply> =>
    isAnonymous
      ? andThen(slices.turn(), () => runSteps(buildSteps(used)))
      : runSteps(buildSteps(used))
  const read = (headers = message.headers): Reply | Promise<Reply> => {
    const { origin = '', path = '' } = parts.params
    const isForm = route.isOfSite === true && mayAskForPicture(path, sent.target)
    if (!route.isKept || isForm) return run(context)
    // The query of a page of the site counts for nothing, so that it makes no further cached response.
    const asked = { headers, url: route.isOfSite === true ? origin + path : sent.target }
    return kept.read(asked, context, run)
  }
  if (route.ignoresKey === true) return read()
  if (caller?.isAnonymous === true)
    return andThen(read(withoutCondition(route, message.headers)), (reply) =>
      publicReply(reply, message),
    )
  if (sent.ticket !== undefined) return carryTicket({ ...sent, message, run: read }, context)
  if (route.isKept) return read()
  const key = keepsAnswer(route) ? readIdempotencyKey(message) : undefined
  const steps = buildSteps(context)
  return key === undefined ? runSteps(steps) : answerOnce({ key, ...steps })
}

function runSteps(steps: Steps): Reply | Promise<Reply> {
  const { route, request, context } = steps
  return andThen(
    andThen(route.read(request, context), (input) => route.run(context, input)),
    (output) => replyTo(steps, output),
  )
}

type OnCaller = (caller: Caller) => void | Promise<unknown>

interface Entering {
  readonly route: Route
  readonly access: Exclude<Access, 'open'>
  readonly parts: RequestParts
  readonly sent: Sent
}

function authorize(
  entering: Entering,
  services: Services,
  onCaller: OnCaller,
): Context | Promise<Context> {
  const now = services.now()
  const { route, access, parts } = entering
  const { message, source } = parts
  return andThen(identify(entering, { services, onCaller, now }), (caller) => {
    const counted = isCounted(message)
      ? undefined
      : services.guard.checkRate(partyOf(caller, source))
    return andThen(counted, () => {
      if (counted !== undefined) noteCounted(message)
      if (caller.isAnonymous === true) return contextOf(services, caller)
      services.keyUse.note({ apiKeyId: caller.key.api_key_id, source, now })
      if (access !== 'key' && !access.some((grant) => holdsAnywhere(caller, grant))) {
        throw missingGrant(access[0], 'in every folder')
      }
      const beginsBody = route.recall !== undefined || (route.changesNothing && !route.isSearch)
      if (beginsBody) requireBeginning(services, caller, entering)
      return route.action === undefined
        ? contextOf(services, caller)
        : changeContextOf(services, caller, { action: route.action, ...parts })
    })
  })
}

interface Identifying {
  readonly services: Services
  readonly onCaller: OnCaller
  readonly now: Date
}

/** The caller that the request proves to be. */
function identify(
  {
    route: { takesPassword, isPublic, ignoresKey },
    parts: { message, source, params },
    sent,
  }: Entering,
  { services, onCaller, now }: Identifying,
): Caller | Promise<Caller> {
  return orElse(
    () => {
      const hasProof = message.headers.authorization !== undefined || sent.ticket !== undefined
      if (
        (ignoresKey === true || !hasProof) &&
        isPublic?.(contextOf(services, ANONYMOUS), params) === true
      )
        return andThen(onCaller(ANONYMOUS), () => ANONYMOUS)
      const secret = sentProof({ message, takesPassword, ...sent }, services)
      const found: Caller | Promise<Caller> = services.guard.authenticate({ secret, source, now })
      return andThen(found, (caller) =>
        andThen(onCaller(caller), () => {
          if (services.revoking.has(caller.key.api_key_id)) throw invalidKey()
          return caller
        }),
      )
    },
    (error) => {
      const asksPassword = takesPassword && sent.ticket === undefined
      throw asksPassword && error instanceof CmsError ? withBasic(error) : error
    },
  )
}

/** Rejects the request before its body is read if the caller cannot hold the required grant anywhere. */
function requireBeginning(
  { records }: Services,
  caller: Caller,
  { route, access }: Pick<Entering, 'route' | 'access'>,
): void {
  if (route.isOfPerson && isSession(caller.key)) return
  if (holdsSomewhere(records, caller, access === 'key' ? GRANTS : access)) return
  throw access === 'key' ? holdsNothing() : missingGrant(access[0], 'in every folder')
}

/** Checks the disk space for a declared body before the body is read. */
function requireRoom({ needsRoom }: Route, { headers }: IncomingMessage, { room }: Services): void {
  if (needsRoom === undefined) return
  room.require(needsRoom, needsRoom === 'content' ? Number(headers['content-length'] ?? 0) : 0)
}

function contextOf(services: Services, caller: Caller): Context {
  return withMembers(services, { caller })
}

function changeContextOf(
  services: Services,
  caller: Caller,
  {
    action,
    address,
    id,
    message,
  }: Pick<RequestParts, 'address' | 'id' | 'message'> & Pick<Origin, 'action'>,
): ChangeContext {
  const origin = { action, caller, address, requestId: id }
  const records = withAdditions(services.records, [auditAddition(services, origin)])
  const isStrict = prefers(message, 'handling=strict')
  const recordedAs = (other: Action): ChangeContext =>
    changeContextOf(services, caller, { action: other, address, id, message })
  return withMembers(services, {
    caller,
    origin,
    isStrict,
    records,
    ownRecords: services.records,
    recordedAs,
  })
}

function requireAcceptable(route: Route, message: IncomingMessage): void {
  const accept = message.headers.accept
  if (route.answers === 'bytes' || accept === undefined || accept === '*/*') return
  if (acceptsJson(accept)) return
  throw new CmsError(
    'not-acceptable',
    'This address returns application/json. Accept this type, or send no Accept header.',
  )
}
