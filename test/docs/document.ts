// Reads an OpenAPI document as a client does: by its operations. ajv validates against the schemas, so the
// code that wrote the schemas does not check them.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Route } from '../../lib/api/request/route.ts'
import { pathTemplate } from '../../lib/docs/parameters.ts'

export interface Operation {
  /** For example `GET /asset_file/{id}`, relative to the server of the document. */
  readonly name: string
  readonly method: string
  /** Pattern that matches the addresses of the operation on a server. */
  readonly pattern: RegExp
  readonly operation: any
}

export function operationsOf(document: any): readonly Operation[] {
  const base = new URL(document.servers[0].url).pathname
  return Object.entries<any>(document.paths).flatMap(([path, item]) => {
    return ['get', 'post', 'patch', 'delete']
      .filter((method) => item[method] !== undefined)
      .map((method) => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        pattern: patternOf(`${base}${path}`),
        operation: item[method],
      }))
  })
}

/** The name of the operation of a route in the System API. */
export function operationName({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${pathTemplate(path.replace('/api/v2/', '/'))}`
}

/** Literal path segments take precedence over parameters. */
export function findOperation(
  operations: readonly Operation[],
  method: string,
  url: string,
): Operation | undefined {
  const asked = url.split('?', 1)[0] ?? ''
  // The document also lists the routes outside the API, relative to the API.
  const path = asked.startsWith('/api/v2/') ? asked : `/api/v2${asked}`
  const found = operations.filter((item) => item.method === method && item.pattern.test(path))
  return found.toSorted((left, right) => countOpen(left) - countOpen(right))[0]
}

function countOpen({ name }: Operation): number {
  return name.split('{').length
}

function patternOf(path: string): RegExp {
  const parts = path
    .split(/\{\w+\}/)
    .map((part) => part.replace(/[.*+?^$()[\]|\\]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('[^/]+')}$`)
}

export type Judge = (
  operation: Operation,
  answer: { readonly status: number; readonly type: string; readonly body: unknown },
) => string | undefined

/** Reports what contradicts the document, including every undocumented property. */
export function judgeOf(document: any): Judge {
  const ajv = new Ajv2020({
    allErrors: true,
    strictTypes: false,
    strictRequired: false,
    formats: {
      'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
      date: /^\d{4}-\d\d-\d\d$/,
      uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
      binary: true,
    },
  })
  ajv.addVocabulary(['components'])
  const components = closeEach(document.components.schemas, true)
  const known = new Map<unknown, ValidateFunction>()

  return ({ name, operation }, { status, type, body }) => {
    const listed = operation.responses[status] ?? operation.responses.default
    const response = resolve(document, listed)
    if (response.content === undefined) return body === undefined ? undefined : `${name}: a body`
    const [mediaType = ''] = type.split(';')
    const content = response.content[mediaType] ?? response.content['*/*']
    if (content === undefined) return `${name} ${status}: ${type} is not documented`
    // Only JSON bodies are validated.
    if (!/^application\/(problem\+)?json$/.test(mediaType)) return undefined

    // Problems may have additional members (RFC 9457).
    const isOpen = mediaType === 'application/problem+json'
    const own = isOpen ? content.schema : close(content.schema)
    const schema = { ...own, components: { schemas: components } }
    const validate = known.get(content.schema) ?? ajv.compile(schema)
    known.set(content.schema, validate)
    return validate(body) ? undefined : `${name} ${status}: ${ajv.errorsText(validate.errors)}`
  }
}

function resolve(document: any, item: any): any {
  if (item.$ref === undefined) return item
  return item.$ref
    .slice(2)
    .split('/')
    .reduce((place: any, name: string) => place[name], document)
}

/**
 * Forbids properties that a schema does not name. Components and parts of allOf stay open because they are
 * closed where they are used.
 */
function close(schema: any, isPart = false): any {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map((item) => close(item, isPart))
  const closed = Object.fromEntries(
    Object.entries<any>(schema).map(([key, value]) => [
      key,
      key === 'properties' ? closeEach(value) : close(value, key === 'allOf'),
    ]),
  )
  const isClosed = !isPart && ('$ref' in schema || 'allOf' in schema || 'properties' in schema)
  return isClosed ? { ...closed, unevaluatedProperties: false } : closed
}

function closeEach(schemas: Record<string, unknown>, isPart = false): object {
  const entries = Object.entries(schemas).map(([name, schema]) => [name, close(schema, isPart)])
  return Object.fromEntries(entries)
}
