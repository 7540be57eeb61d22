// The OpenAPI description of an endpoint, beyond its method, path, access and summary. Every route must have one, so the
// documents cannot omit an endpoint, and no second list of endpoints is needed.

import type {
  ParameterObject,
  RequestBodyObject,
  ResponseObject,
  SchemaObject,
} from 'openapi3-ts/oas31'
import type { ErrorCode } from '../base/errors.ts'
import type { EntryType } from '../schema/entry.ts'
import type { Grant } from '../shared/grants.ts'
import type { ModuleKind, ModuleRecord } from '../schema/module.ts'

export interface EndpointDocs {
  /** Unique in its document. Generated clients name their methods after it. */
  readonly operationId: string
  readonly tag: string
  readonly description?: string
  /** Parameters of the query and the headers. Path parameters come from the path; an entry here overrides one. */
  readonly parameters?: readonly ParameterObject[]
  readonly body?: RequestBodyObject
  /** The body of an update by PATCH, if it is sent as a merge patch. */
  readonly mergePatch?: SchemaObject
  /** The responses to successful requests, by status. */
  readonly answers: Readonly<Record<number, ResponseObject>>
  /** Statuses of problems, beyond the statuses that follow from access, parameters and body. */
  readonly problems?: readonly number[]
  /** Codes of 401, 403 and 503, beyond the codes that follow from access and method. */
  readonly codes?: readonly ErrorCode[]
}

/** The parts of a module that the documents need: its address and its columns, but no content. */
export interface DocumentedModule {
  readonly kind: ModuleKind
  readonly id: number
  readonly record: Pick<ModuleRecord, 'name' | 'module_name' | 'public' | 'public_columns'>
  readonly entry: EntryType
}

/** Returns the description for one module; undefined if modules of this kind do not have the endpoint. */
export type ModuleEndpointDocs = (module: DocumentedModule) => EndpointDocs | undefined

/** Endpoints of the Module API are documented once per module. */
export type RouteDocs = EndpointDocs | ModuleEndpointDocs

/** The parts of a route that the documents need. */
export interface DocumentedRoute<D extends RouteDocs = RouteDocs> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly access: 'open' | 'key' | readonly Grant[]
  readonly summary: string
  /** Defined if the route can return 507. */
  readonly needsRoom?: string | undefined
  /** The URL may end with a ticket. */
  readonly takesTicket?: boolean
  /** Defined if readers without a key may use the route where something is public. */
  readonly isPublic?: unknown
  /** A key counts for nothing. */
  readonly ignoresKey?: boolean
  /** `same`: an Idempotency-Key is ignored. */
  readonly recall?: unknown
  readonly changesNothing?: boolean
  /** A list by POST. It needs the same access as the list by GET. */
  readonly isSearch?: boolean
  readonly docs: D
}

export function isFixed(route: DocumentedRoute): route is DocumentedRoute<EndpointDocs> {
  return typeof route.docs !== 'function'
}

export function isOfModules(route: DocumentedRoute): route is DocumentedRoute<ModuleEndpointDocs> {
  return typeof route.docs === 'function'
}
