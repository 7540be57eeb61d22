// Generates requests from OpenAPI operations: valid requests, and requests that violate a single
// constraint of a parameter or of the body.

import fc from 'fast-check'
import type { Operation } from '../../docs/document.ts'
import { buildForm, type Part } from '../../helpers/server.ts'
import { HINTS, validObject, validValue, type Violation, violationsOf } from './values.ts'

export interface GeneratedRequest {
  readonly operation: Operation
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | undefined
  /** The violated constraint; undefined for a valid request. */
  readonly broken: string | undefined
}

interface Place {
  readonly prefix: string
  readonly operation: Operation
}

interface Parts {
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly header: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** The rig needs the records below these identifiers. */
const FIRST_FREE: Readonly<Record<string, number>> = {
  user: 2,
  api_key: 3,
  datatable: 2,
  calendar: 2,
}

const WEIGHT = 60
/** Deletes are rare, because otherwise no records would be left. */
const WEIGHT_OF_DELETE = 10
/** A backup starts a process and costs as much as a hundred other requests. */
const WEIGHTS: Readonly<Record<string, number>> = { 'GET /backup': 1 }

/** Covers every operation and each of its constraints. */
export function anyRequest(places: readonly Place[]): fc.Arbitrary<GeneratedRequest> {
  const requests = places.map((place) => {
    const { method, name } = place.operation
    const weight = WEIGHTS[name] ?? (method === 'DELETE' ? WEIGHT_OF_DELETE : WEIGHT)
    const valid = {
      weight: schemaOf(place.operation) === undefined ? 4 : 1,
      arbitrary: validRequest(place),
    }
    return { weight, arbitrary: fc.oneof(valid, { weight: 1, arbitrary: brokenRequest(place) }) }
  })
  return fc.oneof(...requests)
}

function validRequest(place: Place): fc.Arbitrary<GeneratedRequest> {
  return validParts(place).map((parts) => build(place, parts, undefined))
}

function brokenRequest(place: Place): fc.Arbitrary<GeneratedRequest> {
  const violations = [...parameterViolations(place), ...bodyViolations(place)]
  if (violations.length === 0) return validRequest(place)
  return fc.oneof(
    ...violations.map(({ constraint, change }) =>
      fc
        .tuple(validParts(place), change)
        .map(([parts, changed]) => build(place, { ...parts, ...changed(parts) }, constraint)),
    ),
  )
}

interface PartViolation {
  readonly constraint: string
  readonly change: fc.Arbitrary<(parts: Parts) => Partial<Parts>>
}

function parameterViolations({ operation }: Place): readonly PartViolation[] {
  const parameters: readonly any[] = operation.operation.parameters ?? []
  return parameters
    .filter(({ in: place, schema }) => place !== 'header' && isLimited(schema))
    .flatMap(({ name, in: place, schema }) =>
      inText(violationsOf(schema)).map(({ constraint, value }) => ({
        constraint: `${name}.${constraint}`,
        change: value.map((wrong) => (parts: Parts) => ({
          [place]: { ...parts[place as 'path' | 'query'], [name]: wrong },
        })),
      })),
    )
}

/** In an address every value is a text, so a plain string has no limit. */
function isLimited(schema: any): boolean {
  return schema !== undefined && (schema.type !== 'string' || schema.enum !== undefined)
}

/**
 * In an address every value is a text, so a wrong type must be a text that no parser takes for a
 * number or a keyword.
 */
function inText(violations: readonly Violation[]): readonly Violation[] {
  return violations.flatMap(({ constraint, value }) => {
    if (constraint === 'enum')
      return [{ constraint, value: fc.constantFrom('no such value', '17') }]
    if (constraint !== 'type') return [{ constraint, value }]
    return [{ constraint, value: fc.constantFrom('one', '1.5', '0x1', '1e0', ' 1', '٣', '-1') }]
  })
}

function bodyViolations({ operation }: Place): readonly PartViolation[] {
  const schema = schemaOf(operation)
  if (schema === undefined || isForm(operation)) return []
  const violations = violationsOf(schema).map(({ constraint, value }) => ({
    constraint: `body ${constraint}`,
    change: value.map((body) => () => ({ body })),
  }))
  return violations
}

function validParts({ operation, prefix }: Place): fc.Arbitrary<Parts> {
  const parameters: readonly any[] = operation.operation.parameters ?? []
  const record = (place: string): fc.Arbitrary<Record<string, unknown>> => {
    const own = parameters.filter(({ in: other }) => other === place)
    const values = own.map(({ name, schema }): [string, fc.Arbitrary<unknown>] => [
      name,
      validParameter({
        name,
        schema,
        path: `${prefix}${operation.name}`,
        method: operation.method,
      }),
    ])
    const requiredKeys = own.filter(({ required }) => required === true).map(({ name }) => name)
    return fc.record(Object.fromEntries(values), { requiredKeys })
  }
  const schema = schemaOf(operation)
  const body = schema === undefined ? fc.constant(undefined) : validBody(schema)
  return fc.record({
    path: record('path'),
    query: sparse(record('query')),
    header: record('header'),
    body,
  })
}

/** All optional parameters together are seldom compatible. */
function sparse(
  values: fc.Arbitrary<Record<string, unknown>>,
): fc.Arbitrary<Record<string, unknown>> {
  return fc.tuple(values, fc.infiniteStream(fc.integer({ min: 0, max: 3 }))).map(([all, kept]) => {
    const entries = Object.entries(all).filter(() => kept.next().value === 0)
    return Object.fromEntries(entries)
  })
}

interface Parameter {
  readonly name: string
  readonly schema: any
  readonly path: string
  readonly method: string
}

function validParameter({ name, schema, path, method }: Parameter): fc.Arbitrary<unknown> {
  const object = /\/(\w+)\/\{id\}/.exec(path)?.[1] ?? ''
  const first = method === 'GET' ? undefined : FIRST_FREE[object]
  if (name === 'id' && first !== undefined) return fc.integer({ min: first, max: first + 8 })
  if (name === 'name') return fc.constantFrom('a.html', 'b.bin', 'é.txt', 'swagger-ui.css', 'no')
  if (name === 'code') return fc.constantFrom('not-found', 'bad-json', 'nothing')
  return HINTS[name] === undefined ? validValue(schema ?? { type: 'string' }) : validValue({}, name)
}

function schemaOf({ operation }: Operation): any {
  const [content] = Object.values<any>(operation.requestBody?.content ?? {})
  return content?.schema
}

function validBody({ type, items, ...schema }: any): fc.Arbitrary<unknown> {
  if (type !== 'array') return validObject(schema)
  return fc.array(validObject(items), { minLength: 1, maxLength: 3 })
}

function isForm({ operation }: Operation): boolean {
  return 'multipart/form-data' in (operation.requestBody?.content ?? {})
}

function build(
  { operation, prefix }: Place,
  parts: Parts,
  broken: string | undefined,
): GeneratedRequest {
  const path = operation.name
    .replace(/^\w+ /, prefix)
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(parts.path[name])))
  const pairs = Object.entries(parts.query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(value))}`,
  )
  const headers = Object.entries(parts.header).map(([name, value]) => [name, headerOf(value)])
  const sent = isForm(operation) ? formOf(parts.body) : jsonOf(parts.body)
  return {
    operation,
    path: pairs.length === 0 ? path : `${path}?${pairs.join('&')}`,
    headers: { ...Object.fromEntries(headers), ...sent.headers },
    body: sent.body,
    broken,
  }
}

interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | undefined
}

function jsonOf(value: unknown): Sent {
  if (value === undefined) return { headers: {}, body: undefined }
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
}

function formOf(value: unknown): Sent {
  const parts = Object.entries(value as object).map(
    ([name, part]): Part =>
      name === 'Filedata'
        ? { name, fileName: 'b.bin', bytes: Buffer.from(textOf(part)) }
        : { name, value: textOf(part) },
  )
  const { contentType, body } = buildForm(parts)
  return { headers: { 'content-type': contentType }, body }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/**
 * Encodes a header like a client that sends UTF-8; characters that no header can hold become
 * spaces.
 */
function headerOf(value: unknown): string {
  return Buffer.from(textOf(value))
    .toString('latin1')
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, ' ')
}
