// The body of POST …/search: the parameters of a list as JSON, for a search that is too long for an address.

import { pointer, refuseFaults, requireObject } from '../../schema/check.ts'
import { type Request, requireKnownParameters } from './request.ts'

const COUNTS: ReadonlySet<string> = new Set(['start', 'length'])
const FLAGS: ReadonlySet<string> = new Set(['expand'])

/** The same request, with the members of its body as its query. */
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
  // The keys of the body bound the conditions of an object; a string is bounded as in an address.
  const isObject = typeof body['qry'] === 'object'
  const limits = { ...request.limits, ...(isObject && { qryBytes: request.limits.searchBytes }) }
  return Object.create(request, { query: { value: query }, limits: { value: limits } }) as Request
}

function textOf(name: string, value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (COUNTS.has(name)) return typeof value === 'number' ? String(value) : undefined
  if (FLAGS.has(name)) return typeof value === 'boolean' ? String(value) : undefined
  // A number that a double cannot hold is a String object.
  const isObject = typeof value === 'object' && !(value instanceof String)
  return name === 'qry' && isObject ? JSON.stringify(value) : undefined
}

function acceptedFor(name: string): string {
  if (COUNTS.has(name)) return 'a whole number'
  if (FLAGS.has(name)) return 'true or false'
  return name === 'qry' ? 'an object, or a string that holds one as JSON' : 'a string'
}
