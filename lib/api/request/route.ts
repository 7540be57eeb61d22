// A route is one value: what it is called by, who may, what it reads, runs and replies. A request goes through it in
// answer.ts.

import type { RouteDocs } from '../../docs/endpoint.ts'
import { CmsError } from '../../base/errors.ts'
import type { Reply } from '../../http/reply.ts'
import type { Context, Services } from '../../operations/context.ts'
import type { Action } from '../../schema/audit.ts'
import type { Grant } from '../../schema/grants.ts'
import type { Made } from '../../schema/idempotency-key.ts'
import type { Need } from '../../storage/port.ts'
import type { Request } from './request.ts'

/**
 * open: no key. key: any valid key; the operation decides. A list: the key must hold one of these
 * grants somewhere; where, the operation checks in the newest state.
 */
export type Access = 'open' | 'key' | readonly [Grant, ...Grant[]]

/**
 * The output of an earlier request with the same input, from the records that it has put, as they are
 * now. secret: there is none, because the answer holds a secret, which is nowhere. same: to do it twice is to do it
 * once, so nothing of it is kept: not even a hash of a body that holds a password.
 */
type Recall<I, O> = 'secret' | 'same' | ((context: Context, input: I, made: Made) => O | Promise<O>)

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
  /** A read whose answer depends on the key, the address, the records and conditions alone: see response-cache.ts. */
  readonly isKept: boolean
  /** What it answers: json is negotiated, bytes are what they are. */
  readonly answers: 'json' | 'bytes'
  /** For programs that know nothing but a name and a password: the key may be the password (RFC 7617). */
  readonly takesPassword: boolean
  /** A download: its address may be signed by a ticket in its query (request-ticket.ts). */
  readonly takesTicket: boolean
  /** False for what tells of this process alone: it waits for no database, and knows keys as they were heard of last. */
  readonly renews: boolean
  /** A POST that is one because of its body alone: it needs no action, no room and no recall. */
  readonly changesNothing: boolean
  /** The POST of a list that GET answers, too: every key that may send the GET may send it. */
  readonly isSearch: boolean
  readonly read: (request: Request, context: ContextOf<A>) => I | Promise<I>
  /** Called instead of `run` where nothing is to be done: drops what `read` has received. */
  readonly drop?: (input: I) => Promise<void>
  readonly run: (context: ContextOf<A>, input: I) => O | Promise<O>
  readonly reply: (output: O, request: Request, context: ContextOf<A>) => Reply | Promise<Reply>
  /** Every POST and PATCH that changes something has it: see idempotency.ts. */
  readonly recall?: Recall<I, O>
}

type Defaulted =
  | 'hasHead'
  | 'answers'
  | 'needsRoom'
  | 'isKept'
  | 'takesPassword'
  | 'takesTicket'
  | 'renews'
  | 'changesNothing'
  | 'isSearch'

type Definition<I, O, A extends Access> = Omit<Route<I, O, A>, Defaulted> &
  Partial<Pick<Route<I, O, A>, Defaulted>> &
  (
    | { readonly method: 'GET' | 'DELETE' }
    | { readonly method: 'POST' | 'PATCH'; recall: Recall<I, O> }
    | { readonly method: 'POST'; changesNothing: true; action?: never; needsRoom?: never }
  )

/** Whether an answer is kept under an Idempotency-Key: of somebody who is known, and of what is not the same done twice. */
export function keepsAnswer({ recall, access }: Pick<Route, 'recall' | 'access'>): boolean {
  return recall !== undefined && recall !== 'same' && access !== 'open'
}

/** Checks the types of a route against each other, then forgets them: a router holds routes of all kinds. */
export function defineRoute<I, O, const A extends Access>(definition: Definition<I, O, A>): Route {
  const { method, path, action, hasHead = true, changesNothing = false } = definition
  const isChange = (method !== 'GET' && !changesNothing) || action !== undefined
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
    takesPassword: false,
    takesTicket: false,
    renews: true,
    changesNothing,
    isSearch: false,
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
