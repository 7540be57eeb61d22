// What an endpoint tells of itself beyond its method, path, access and summary. A route cannot be made
// without it, so there is no endpoint that the documents leave out, and no other list of endpoints.

import type { ParameterObject, RequestBodyObject, ResponseObject } from 'openapi3-ts/oas31'
import type { ErrorCode } from '../base/errors.ts'
import type { EntryType } from '../schema/entry.ts'
import type { Grant } from '../schema/grants.ts'
import type { ModuleKind } from '../schema/module.ts'

export interface EndpointDocs {
  /** Unique in its document; generated clients name their methods by it. */
  readonly operationId: string
  readonly tag: string
  readonly description?: string
  /** Of the query and the headers; those of the path come from the path, but for what is told here. */
  readonly parameters?: readonly ParameterObject[]
  readonly body?: RequestBodyObject
  /** By status: what is answered when all goes well. */
  readonly answers: Readonly<Record<number, ResponseObject>>
  /** Statuses of problems beyond those that access, parameters and body bring with them. */
  readonly problems?: readonly number[]
  /** Codes of 401, 403 and 503 beyond those that follow from access and method. */
  readonly codes?: readonly ErrorCode[]
}

/** A module as the documents see it: its address and its columns, nothing of its content. */
export interface DocumentedModule {
  readonly kind: ModuleKind
  readonly id: number
  readonly record: { readonly name: string; readonly module_name: string }
  readonly entry: EntryType
}

/** Of a module; undefined where modules of this kind do not have the endpoint. */
export type ModuleEndpointDocs = (module: DocumentedModule) => EndpointDocs | undefined

/** The endpoints of the Module API are documented once for each module. */
export type RouteDocs = EndpointDocs | ModuleEndpointDocs

/** A route as far as the documents need it. */
export interface DocumentedRoute<D extends RouteDocs = RouteDocs> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly access: 'open' | 'key' | readonly Grant[]
  readonly summary: string
  /** Defined where 507 is an answer. */
  readonly needsRoom?: string | undefined
  /** Its address may end with a ticket. */
  readonly takesTicket?: boolean
  /** `same`: an Idempotency-Key is passed over. */
  readonly recall?: unknown
  readonly changesNothing?: boolean
  /** A list by POST: needs no more than the list by GET. */
  readonly isSearch?: boolean
  readonly docs: D
}

export function isFixed(route: DocumentedRoute): route is DocumentedRoute<EndpointDocs> {
  return typeof route.docs !== 'function'
}

export function isOfModules(route: DocumentedRoute): route is DocumentedRoute<ModuleEndpointDocs> {
  return typeof route.docs === 'function'
}
