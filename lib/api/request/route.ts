// A route is one value: its method and path, its access rule, and the steps read, run and reply. answer.ts runs a request
// through these steps.

import { orElse } from '../../base/and-then.ts'
import { CmsError } from '../../base/errors.ts'
import type { RouteDocs } from '../../docs/endpoint.ts'
import type { Reply } from '../../http/reply.ts'
import type { Context, Services } from '../../operations/context.ts'
import type { Action } from '../../shared/actions.ts'
import type { IdempotencyRow } from '../../schema/server-records.ts'
import type { Grant } from '../../shared/grants.ts'
import type { Need } from '../../storage/port.ts'
import type { Request, RequestParts } from './request.ts'

/**
 * open: no key. key: any valid key; the operation decides. A list: the key must hold one of these grants in some folder.
 * The operation checks the folder against the newest state.
 */
export type Access = 'open' | 'key' | readonly [Grant, ...Grant[]]

/**
 * How a retry under an Idempotency-Key gets its response. A function rebuilds the output of the first request from the
 * current records and the row of that request. If the caller may still see the records, but the output cannot be rebuilt,
 * the function returns undefined. The value secret means that the output contains a secret that is not stored, so it
 * cannot be rebuilt. The value same means that the request is idempotent, so nothing is stored, not even a hash of a body
 * with a password.
 */
type Recall<I, O> =
  | 'secret'
  | 'same'
  | ((context: Context, input: I, row: FirstRequest) => O | undefined | Promise<O | undefined>)

type FirstRequest = Pick<IdempotencyRow, 'made' | 'updated' | 'outcome'>

type ContextOf<A extends Access> = A extends 'open' ? Services : Context

export interface Route<I = unknown, O = unknown, A extends Access = Access> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly access: A
  readonly summary: string
  /** The OpenAPI description, beyond what follows from the other fields. */
  readonly docs: RouteDocs
  /** False for a GET that changes something, or whose HEAD would cost as much as the GET. */
  readonly hasHead: boolean
  /** The action in the audit trail. Defined exactly for routes that change something. */
  readonly action?: Action
  /** The kind of disk space to check before the body is read; undefined if the route writes nothing or frees space. */
  readonly needsRoom: Need | undefined
  /** A read whose response depends only on the key, the address, the records and conditions: see response-cache.ts. */
  readonly isKept: boolean
  /** json: the media type is negotiated. bytes: it is fixed. */
  readonly answers: 'json' | 'bytes'
  /** For clients that only support a user name and a password: the key may be the password (RFC 7617). */
  readonly takesPassword: boolean
  /** A download, whose address may carry a ticket in the query (request-ticket.ts). */
  readonly takesTicket: boolean
  /**
   * Whether everybody may read at this address; undefined: nobody without a key. A reader without a key becomes the caller
   * ANONYMOUS (auth/anonymous.ts) if this is true, and is refused otherwise, before anything else of the request is read.
   */
  readonly isPublic?: (context: Context, params: RequestParts['params']) => boolean
  /** The key of a request counts for nothing, so every reader is one without a key. Needs isPublic. */
  readonly ignoresKey?: boolean
  /** A page of the public site. */
  readonly isOfSite?: boolean
  /** False for routes about this process only, which do not wait for the database and use the last known keys. */
  readonly renews: boolean
  /** A change of a person’s own credentials, which a session may make even without any grant. */
  readonly isOfPerson: boolean
  /** A POST only because of its body. It needs no action, no room and no recall. */
  readonly changesNothing: boolean
  /** The POST form of a list. Every key that may send the GET may send the POST. */
  readonly isSearch: boolean
  /** Headers of every response at this address, also of problems. */
  readonly headers?: Readonly<Record<string, string>>
  /** Headers of the response to OPTIONS. */
  readonly optionHeaders?: Readonly<Record<string, string>>
  readonly read: (request: Request, context: ContextOf<A>) => I | Promise<I>
  /** Called instead of `run` if the request is a replay: discards what `read` has received. */
  readonly drop?: (input: I) => Promise<void>
  readonly run: (context: ContextOf<A>, input: I) => O | Promise<O>
  readonly reply: (output: O, request: Request, context: ContextOf<A>) => Reply | Promise<Reply>
  /** The commit returns the output as JSON, which is stored with the change, because it does not follow from the records. */
  readonly keepsOutcome?: true
  /** Required for every POST and PATCH that changes something: see idempotency.ts. */
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
  | 'isOfPerson'
  | 'changesNothing'
  | 'isSearch'

type Definition<I, O, A extends Access> = Omit<Route<I, O, A>, Defaulted> &
  Partial<Pick<Route<I, O, A>, Defaulted>> &
  (
    | { readonly method: 'GET' | 'DELETE' }
    | { readonly method: 'POST' | 'PATCH'; recall: Recall<I, O> }
    | { readonly method: 'POST'; changesNothing: true; action?: never; needsRoom?: never }
  )

/** Whether a response is stored under an Idempotency-Key: the caller must be known, and the request not idempotent anyway. */
export function keepsAnswer({ recall, access }: Pick<Route, 'recall' | 'access'>): boolean {
  return recall !== undefined && recall !== 'same' && access !== 'open'
}

/** Checks that the types of the steps match, then erases them, because a router holds routes of all types. */
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
    isOfPerson: false,
    changesNothing,
    isSearch: false,
    ...definition,
  }) as unknown as Route
}

const API = '/api/v2'

/**
 * Routes outside /api/v2 are also served below it: /api/v2/upload is /upload. Clients that load the OpenAPI documents know
 * one server URL and send all requests below it.
 */
export function addressesOf({ path }: Route): readonly string[] {
  return path.startsWith(`${API}/`) ? [path] : [path, `${API}${path}`]
}

export interface Steps {
  readonly route: Route
  readonly request: Request
  readonly context: Context
}

/** After a change, a reply that cannot be built must not look as if the change was rejected. */
export function replyTo(
  { route, request, context }: Steps,
  output: unknown,
): Reply | Promise<Reply> {
  const build = (): Reply | Promise<Reply> => route.reply(output, request, context)
  if (route.action === undefined) return build()
  return orElse(build, (cause) => {
    const detail =
      'The change was saved, but the response could not be built. Read the record to see the change.'
    throw new CmsError('outcome-unknown', detail, { cause })
  })
}
