// The body of POST …/search: the parameters of a list as JSON, for a search that is too long for a URL.

import { pointer, refuseFaults, requireObject } from '../../schema/check.ts'
import { type Request, requireKnownParameters } from './request.ts'

const COUNTS: ReadonlySet<string> = new Set(['start', 'length'])
const FLAGS: ReadonlySet<string> = new Set(['expand'])

/** Returns the request with the members of its body as its query. */
export async function withSearchBody(request: Request): Promise<Request> {
  requireKnownParameters(request.query, [])
  const body = requireObject((await request.json('search', true)) ?? {})
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(body)) {
    if (value === null) continue
    const text = textOf(name, value)
    if (text === undefined)
      refuseFaults([{ pointer: pointer(name), detail: `must be ${acceptedFor(name)}` }])
    else query.set(name, text)
  }
  // The limit of keys per body also limits the conditions of an object. A string has the same limit as in a URL.
  const isObject = typeof body['qry'] === 'object'
  const limits = { ...request.limits, ...(isObject && { qryBytes: request.limits.searchBytes }) }
  return Object.create(request, { query: { value: query }, limits: { value: limits } }) as Request
}

function textOf(name: string, value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (COUNTS.has(name)) return typeof value === 'number' ? String(value) : undefined
  if (FLAGS.has(name)) return typeof value === 'boolean' ? String(value) : undefined
  // The JSON parser returns a String object for a number that a double cannot represent.
  const isObject = typeof value === 'object' && !(value instanceof String)
  return name === 'qry' && isObject ? JSON.stringify(value) : undefined
}

function acceptedFor(name: string): string {
  if (COUNTS.has(name)) return 'a whole number'
  if (FLAGS.has(name)) return 'true or false'
  return name === 'qry' ? 'an object, or a string that holds one as JSON' : 'a string'
}
