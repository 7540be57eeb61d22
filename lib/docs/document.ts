// The parts that both OpenAPI documents share. The library is imported with the first requested document, because the
// import would add noticeably to the start time of the server.

import type {
  ComponentsObject,
  OpenApiBuilder,
  OperationObject,
  PathsObject,
  ResponseObject,
  ResponsesObject,
} from 'openapi3-ts/oas31'
import { type ErrorCode } from '../base/errors.ts'
import { PROBLEMS } from '../base/problem-table.ts'
import {
  commonCodes,
  OTHER_PROBLEM,
  otherProblemAnswer,
  PAGE_SCHEMA,
  PROBLEM_SCHEMA,
  problemAnswerOf,
  problemRef,
  withReplayed,
} from './answers.ts'
import type { DocumentedRoute, EndpointDocs } from './endpoint.ts'
import { IDEMPOTENCY_KEY, pathParameters, pathTemplate, TICKET } from './parameters.ts'

/** The version of the API, as in its paths. */
const API_VERSION = '2'

interface Heading {
  readonly title: string
  readonly description: string
  /** Absolute, without a trailing slash; may contain a path. */
  readonly baseUrl: string
}

export async function openDocument({
  title,
  description,
  baseUrl,
}: Heading): Promise<OpenApiBuilder> {
  const { OpenApiBuilder: Builder } = await import('openapi3-ts/oas31')
  const builder = Builder.create({
    openapi: '3.1.0',
    info: {
      title,
      version: API_VERSION,
      description,
      contact: { name: 'Who runs this server', url: baseUrl },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl(baseUrl) }],
    security: [{ bearerAuth: [] }],
    tags: [],
    paths: {},
    components: { schemas: {}, securitySchemes: {} },
  })

  builder.addSecurityScheme('bearerAuth', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key: "cms_…".',
  })
  builder.addSchema('page', PAGE_SCHEMA).addSchema('problem', PROBLEM_SCHEMA)
  return builder
}

const REFERENCE = /"#\/components\/(\w+)\/([^"/]+)"/g

/** The components that a part of a document refers to, as `schemas/page`. */
export function referencesIn(text: string): readonly string[] {
  return [...text.matchAll(REFERENCE)].map(([, kind = '', name = '']) => `${kind}/${name}`)
}

/** Returns the components that are referenced, directly or through other components. Problem responses are built here. */
export function usedComponents(
  { schemas = {}, ...rest }: ComponentsObject,
  references: Iterable<string>,
  baseUrl: string,
): ComponentsObject {
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '')
  const used: Required<Pick<ComponentsObject, 'schemas' | 'responses'>> = {
    schemas: {},
    responses: {},
  }
  const add = (names: Iterable<string>): void => {
    for (const name of names) {
      const [kind, key = ''] = name.split('/', 2)
      const place = kind === 'schemas' ? used.schemas : used.responses
      const component = kind === 'schemas' ? schemas[key] : answerOf(key, prefix)
      if (place[key] !== undefined || component === undefined) continue
      place[key] = component
      add(referencesIn(JSON.stringify(component)))
    }
  }
  add(references)
  return { ...rest, ...used }
}

function answerOf(name: string, prefix: string): ResponseObject {
  return name === 'problem' ? otherProblemAnswer(prefix) : problemAnswerOf(name, prefix)
}

const API = '/api/v2'

/**
 * Returns the server of the document. All paths of the document are relative to it.
 */
function serverUrl(baseUrl: string): string {
  return `${baseUrl}${API}`
}

/**
 * Routes outside /api/v2 are also served below it (addressesOf in lib/api/request/route.ts), so that the document has one
 * server.
 */
export function buildPaths(routes: readonly DocumentedRoute<EndpointDocs>[]): PathsObject {
  const paths: PathsObject = {}
  for (const route of routes) {
    const isInApi = route.path.startsWith(`${API}/`)
    const path = pathTemplate(isInApi ? route.path.slice(API.length) : route.path)
    paths[path] ??= {}
    paths[path][methodOf(route)] = buildOperation(route)
  }
  return paths
}

function methodOf({ method }: DocumentedRoute): 'get' | 'post' | 'patch' | 'delete' {
  return method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete'
}

/** Whether the operation accepts an Idempotency-Key; see keepsAnswer in lib/api/request/route.ts. */
function keepsAnswer({ method, access, recall, changesNothing }: DocumentedRoute): boolean {
  if (changesNothing === true) return false
  return (method === 'POST' || method === 'PATCH') && access !== 'open' && recall !== 'same'
}

function buildOperation(route: DocumentedRoute<EndpointDocs>): OperationObject {
  const { docs, summary, path } = route
  const access = accessOf(route)
  const isPublic = route.isPublic !== undefined && access !== 'open'
  const needed = isPublic ? `${accessText(access)} ${NO_KEY}` : accessText(access)
  const description = [docs.description, needed].filter((text) => text !== undefined)
  const isKept = keepsAnswer(route)
  const own = docs.parameters ?? []
  const parameters = [
    ...pathParameters(path).filter(({ name }) => !own.some((item) => item.name === name)),
    ...own,
    ...(route.takesTicket === true ? [TICKET] : []),
    ...(isKept ? [IDEMPOTENCY_KEY] : []),
  ]
  const answers = isKept ? withReplayed(docs.answers) : docs.answers

  return {
    tags: [docs.tag],
    summary,
    description: description.join('\n\n'),
    operationId: docs.operationId,
    ...(parameters.length > 0 && { parameters }),
    ...(docs.body && { requestBody: docs.body }),
    responses: { ...answers, ...problemsOf(route), default: OTHER_PROBLEM },
    ...(access === 'open' && { security: [] }),
    ...(isPublic && { security: [{ bearerAuth: [] }, {}] }),
  }
}

const NO_KEY = 'Public content needs no key.'

/** A route that ignores keys is open for its readers. */
function accessOf({ access, ignoresKey }: DocumentedRoute): DocumentedRoute['access'] {
  return ignoresKey === true ? 'open' : access
}

function accessText(access: DocumentedRoute['access']): string {
  if (access === 'open') return 'Needs no key.'
  if (access === 'key')
    return 'Needs a key. The user of the key determines what the key may see and do.'
  if (access[0] === 'admin') return 'Needs the grant admin on the whole site.'
  if (access[0] === 'create' && access.length === 1)
    return 'Needs the grant create or modify in the folder.'
  if (access.length === 1) return `Needs the grant ${access[0]} in the folder.`
  return `Needs one of the grants ${access.join(', ')} in the folder, depending on the request.`
}

function problemsOf(route: DocumentedRoute<EndpointDocs>): ResponsesObject {
  const { path, docs, needsRoom } = route
  const access = accessOf(route)
  const hasPrecondition = docs.parameters?.some(({ name }) => name === 'If-Match') ?? false
  const codes = codesOf(route)
  const statuses = [
    400,
    ...(access === 'open' ? [] : [429]),
    ...(path.includes(':') ? [404] : []),
    ...(hasPrecondition ? [412] : []),
    ...(docs.body === undefined ? [] : [413, 415, 422]),
    ...(keepsAnswer(route) ? [409, 422, 429] : []),
    ...(docs.problems ?? []),
    ...codes.map((code) => PROBLEMS[code].status),
    ...(needsRoom === undefined ? [] : [507]),
  ]
  return Object.fromEntries(
    statuses.map((status) => {
      const own = codes.filter((code) => PROBLEMS[code].status === status)
      return [status, problemRef(status, own.length > 0 ? own : undefined)]
    }),
  )
}

/** Codes of 401, 403 and 503 that the operation can return. */
function codesOf(route: DocumentedRoute<EndpointDocs>): readonly ErrorCode[] {
  const { method, docs, needsRoom, changesNothing } = route
  const access = accessOf(route)
  const isGuarded = access !== 'open'
  const isChange = (method !== 'GET' && changesNothing !== true) || needsRoom !== undefined
  return [
    ...(isGuarded ? commonCodes(401) : []),
    // A change needs some grant, even if any valid key may send the request.
    ...(isGuarded && (access !== 'key' || (method !== 'GET' && route.isSearch !== true))
      ? commonCodes(403)
      : []),
    ...(route.takesTicket === true ? (['ticket-as-code'] as const) : []),
    // A change waits for the disk; a body also waits for memory.
    ...(isChange ? commonCodes(503) : []),
    ...(method === 'POST' && !isChange ? (['unavailable'] as const) : []),
    ...(docs.codes ?? []),
  ]
}
