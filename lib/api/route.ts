// A route is one value, and a request goes through its four steps: authenticate, check the grant,
// read, run; then the reply. There is nothing else: no middleware, no hook.

import type { IncomingMessage } from 'node:http'
import { authenticate, type Caller, readSecret } from '../auth/caller.ts'
import { holdsAnywhere, missingGrant } from '../auth/grants.ts'
import type { RouteDocs } from '../docs/endpoint.ts'
import { CmsError } from '../errors.ts'
import Negotiator from 'negotiator'
import { headerValues } from '../http/header-values.ts'
import type { Reply } from '../http/reply.ts'
import type { Context, Services } from '../operations/context.ts'
import type { Grant } from '../schema/grants.ts'
import type { Request } from './request.ts'

/**
 * open: no key. key: any valid key; the operation decides. A list: the key must hold one of these
 * grants somewhere; where, the operation checks in the newest state.
 */
export type Access = 'open' | 'key' | readonly [Grant, ...Grant[]]

export interface Route<I = unknown, O = unknown, A extends Access = Access> {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly access: A
  readonly summary: string
  /** What the OpenAPI documents tell of it, beyond what follows from the rest. */
  readonly docs: RouteDocs
  /** False for a GET that changes something. */
  readonly hasHead: boolean
  /** What it answers: json is negotiated, bytes are what they are. */
  readonly answers: 'json' | 'bytes'
  readonly read: (request: Request) => I | Promise<I>
  readonly run: (context: A extends 'open' ? Services : Context, input: I) => O | Promise<O>
  readonly reply: (
    output: O,
    request: Request,
    context: A extends 'open' ? Services : Context,
  ) => Reply | Promise<Reply>
}

type Definition<I, O, A extends Access> = Omit<Route<I, O, A>, 'hasHead' | 'answers'> &
  Partial<Pick<Route<I, O, A>, 'hasHead' | 'answers'>>

/** Checks the types of a route against each other, then forgets them: a router holds routes of all kinds. */
export function defineRoute<I, O, const A extends Access>(definition: Definition<I, O, A>): Route {
  return Object.freeze({ hasHead: true, answers: 'json', ...definition }) as unknown as Route
}

/**
 * Runs a request through its route. Throws CmsError where it is refused; `onCaller` learns who sent
 * it as soon as that is known, so that the log can tell even then.
 */
export async function answer(
  route: Route,
  request: Request,
  services: Services,
  onCaller: (caller: Caller) => void,
): Promise<Reply> {
  const context =
    route.access === 'open'
      ? services
      : authorize(route.access, request.message, services, onCaller)
  requireAcceptable(route, request.message)
  const input = await route.read(request)
  const output = await route.run(context, input)
  return route.reply(output, request, context)
}

function authorize(
  access: Exclude<Access, 'open'>,
  message: IncomingMessage,
  services: Services,
  onCaller: (caller: Caller) => void,
): Context {
  const now = services.now()
  const caller = authenticate(
    services.records,
    readSecret(headerValues(message, 'authorization')),
    now,
  )
  onCaller(caller)
  services.keyUse.note(caller.key.api_key_id, now)

  if (access !== 'key' && !access.some((grant) => holdsAnywhere(caller, grant))) {
    throw missingGrant(access[0], 'in every folder')
  }
  return contextOf(services, caller)
}

/** One context for all requests of a caller while its records stay as they are. */
const CONTEXTS = new WeakMap<Caller, Context>()

function contextOf(services: Services, caller: Caller): Context {
  const known = CONTEXTS.get(caller)
  if (known !== undefined) return known
  const context = { ...services, caller }
  CONTEXTS.set(caller, context)
  return context
}

const JSON_TYPES = ['application/json', 'application/problem+json']

function requireAcceptable(route: Route, message: IncomingMessage): void {
  const accept = message.headers.accept
  if (route.answers === 'bytes' || accept === undefined || accept === '*/*') return
  if (new Negotiator(message).mediaTypes([...JSON_TYPES]).length > 0) return
  throw new CmsError(
    'not-acceptable',
    'This address answers application/json. Accept it, or send no Accept header.',
  )
}
