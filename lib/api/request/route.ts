// A route is one value, and a request goes through its four steps: authenticate, check the grant,
// read, run; then the reply. There is nothing else: no middleware, no hook. Under an Idempotency-Key the
// last steps are those of idempotency.ts.

import type { IncomingMessage } from 'node:http'
import { type Caller, invalidKey } from '../../auth/caller.ts'
import { holdsAnywhere, holdsNothing, holdsSomewhere, missingGrant } from '../../auth/grants.ts'
import type { RouteDocs } from '../../docs/endpoint.ts'
import { CmsError } from '../../errors.ts'
import { acceptsJson } from '../../http/accept.ts'
import type { Reply } from '../../http/reply.ts'
import { withAdditions } from '../../operations/trail/additions.ts'
import { auditAddition } from '../../operations/trail/audit.ts'
import type { ChangeContext, Context, Services } from '../../operations/context.ts'
import type { Action } from '../../schema/audit.ts'
import { type Grant, GRANTS } from '../../schema/grants.ts'
import type { Made } from '../../schema/idempotency-key.ts'
import type { KeptAnswers } from './kept-answers.ts'
import { answerOnce, readIdempotencyKey } from './idempotency.ts'
import type { Need } from '../../storage/port.ts'
import { buildRequest, type Request, type RequestParts } from './request.ts'
import { sentSecret } from './sent-secret.ts'
import { replyTo, type Steps } from './steps.ts'

/**
 * open: no key. key: any valid key; the operation decides. A list: the key must hold one of these
 * grants somewhere; where, the operation checks in the newest state.
 */
export type Access = 'open' | 'key' | readonly [Grant, ...Grant[]]

/**
 * The output of an earlier request with the same input, from the records that it has put, as they are
 * now. secret: there is none, because the answer holds a secret, which is nowhere.
 */
export type Recall<I, O> = 'secret' | ((context: Context, input: I, made: Made) => O | Promise<O>)

type ContextOf<A extends Access> = A extends 'open' ? Services : Context

export interface Route<I = unknown, O = unknown, A extends Access = Access> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly access: A
  readonly summary: string
  /** What the OpenAPI documents tell of it, beyond what follows from the rest. */
  readonly docs: RouteDocs
  /** False for a GET that changes something, or whose head costs as much as the whole. */
  readonly hasHead: boolean
  /** Of a route that changes something, and of no other: what the audit trail calls it. */
  readonly action?: Action
  /** What there must be room for, before a byte of the body is read; undefined: it writes nothing, or frees room. */
  readonly needsRoom: Need | undefined
  /** A read whose answer depends on the key, the address, the records and conditions alone: see kept-answers.ts. */
  readonly isKept: boolean
  /** What it answers: json is negotiated, bytes are what they are. */
  readonly answers: 'json' | 'bytes'
  readonly read: (request: Request, context: ContextOf<A>) => I | Promise<I>
  /** Called instead of `run` where nothing is to be done: drops what `read` has received. */
  readonly drop?: (input: I) => Promise<void>
  readonly run: (context: ContextOf<A>, input: I) => O | Promise<O>
  readonly reply: (output: O, request: Request, context: ContextOf<A>) => Reply | Promise<Reply>
  /** Every POST and PATCH has it: see idempotency.ts. */
  readonly recall?: Recall<I, O>
}

type Defaulted = 'hasHead' | 'answers' | 'needsRoom' | 'isKept'

type Definition<I, O, A extends Access> = Omit<Route<I, O, A>, Defaulted> &
  Partial<Pick<Route<I, O, A>, Defaulted>> &
  (
    | { readonly method: 'GET' | 'DELETE' }
    | { readonly method: 'POST' | 'PATCH'; recall: Recall<I, O> }
  )

/** Checks the types of a route against each other, then forgets them: a router holds routes of all kinds. */
export function defineRoute<I, O, const A extends Access>(definition: Definition<I, O, A>): Route {
  const { method, path, action, hasHead = true } = definition
  const isChange = method !== 'GET' || action !== undefined
  if (isChange && (action === undefined || (method === 'GET' && hasHead))) {
    throw new CmsError(
      'internal',
      `The route ${method} ${path} changes something: it must have an action, and no HEAD.`,
    )
  }
  const needsRoom = isChange && method !== 'DELETE' ? 'record' : undefined
  return Object.freeze({
    hasHead,
    answers: 'json',
    needsRoom,
    isKept: false,
    ...definition,
  }) as unknown as Route
}

const API = '/api/v2'

/**
 * What lies beside the API answers below it, too: /api/v2/upload is /upload. Clients that load the documents know one
 * server, and send whatever they find there.
 */
export function addressesOf({ path }: Route): readonly string[] {
  return path.startsWith(`${API}/`) ? [path] : [path, `${API}${path}`]
}

export interface Serving {
  readonly services: Services
  readonly kept: KeptAnswers
}

/**
 * Runs a request through its route. Throws CmsError where it is refused; `onCaller` learns who sent
 * it as soon as that is known, so that the log can tell even then; it may refuse, too.
 */
export async function answer(
  route: Route,
  parts: RequestParts,
  { services, kept }: Serving,
  onCaller: (caller: Caller) => void,
): Promise<Reply> {
  const { message } = parts
  const { access } = route
  const context =
    access === 'open' ? services : authorize({ route, access, parts }, services, onCaller)
  requireAcceptable(route, message)
  if (route.action !== undefined) services.contents.requireWritable()
  requireRoom(route, message, services)

  // Without a caller only where the route is open, and then its steps know of none.
  const own = context as Context & Partial<Pick<Context, 'caller'>>
  const buildSteps = (): Steps => ({
    route,
    request: buildRequest(parts, own.caller?.key),
    context: own,
  })
  if (route.isKept) return kept.read(message, own, () => runSteps(buildSteps()))
  const key =
    route.recall !== undefined && access !== 'open' ? readIdempotencyKey(message) : undefined
  return key === undefined ? runSteps(buildSteps()) : answerOnce({ key, ...buildSteps() })
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
}

function authorize(
  { route, access, parts }: Entering,
  services: Services,
  onCaller: (caller: Caller) => void,
): Context | ChangeContext {
  const now = services.now()
  const { message, address, source, id } = parts
  const secret = sentSecret(message)
  const caller = services.guard.authenticate({ secret, source, now })
  onCaller(caller)
  if (services.revoking.has(caller.key.api_key_id)) throw invalidKey()
  services.guard.checkRate(caller)
  services.keyUse.note({ apiKeyId: caller.key.api_key_id, source, now })

  if (access !== 'key' && !access.some((grant) => holdsAnywhere(caller, grant))) {
    throw missingGrant(access[0], 'in every folder')
  }
  if (route.recall !== undefined) requireBeginning(services, caller, access)
  if (route.action === undefined) return contextOf(services, caller)
  const origin = { action: route.action, caller, address, requestId: id }
  const additions = [auditAddition(services, origin)]
  return { caller, origin, ...services, records: withAdditions(services.records, additions) }
}

/** Who cannot have the grant of the route wherever it leads, or has none at all, does not begin a body. */
function requireBeginning({ records }: Services, caller: Caller, access: Entering['access']): void {
  if (holdsSomewhere(records, caller, access === 'key' ? GRANTS : access)) return
  throw access === 'key' ? holdsNothing() : missingGrant(access[0], 'in every folder')
}

/** Who says beforehand how much it is need not send what there is no room for. */
function requireRoom({ needsRoom }: Route, { headers }: IncomingMessage, { room }: Services): void {
  if (needsRoom === undefined) return
  room.require(needsRoom, needsRoom === 'content' ? Number(headers['content-length'] ?? 0) : 0)
}

/** One context for all reads of a caller while its records stay as they are. */
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
