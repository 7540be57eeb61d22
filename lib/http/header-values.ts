// All values of a header as sent.

import type { IncomingMessage } from 'node:http'

/** Node keeps only the first of two headers, but a proxy may have used the second. */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  const values: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const known = rawHeaders[at] ?? ''
    if (known.length === name.length && known.toLowerCase() === name)
      values.push(rawHeaders[at + 1] ?? '')
  }
  return values
}

// The parameters of a header, a sequence of `; name=value`, as in Content-Type (RFC 9110, 5.6.6) and Content-Disposition
// (RFC 2183). A list is parsed completely or rejected: syntax errors and repeated names are never ignored.

export interface Parameter {
  /** The value as sent, without the quotes. */
  readonly text: string
  readonly isQuoted: boolean
}

/** The keys are names in lower case. */
export type Parameters = ReadonlyMap<string, Parameter>

interface MediaType {
  /** In lower case. */
  readonly type: string
  readonly parameters: ReadonlyMap<string, string>
}

/** Patterns for the text between two quotes. */
export const WITH_ESCAPES = String.raw`(?:[^"\\]|\\[^])*`
export const WITHOUT_ESCAPES = '[^"]*'

const TOKEN = "[!#$%&'*+.^_`|~\\w-]+"
const TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?=[\\t ;]|$)`)
const REST = /^[\t ]*$/

/** Undefined if the text is malformed or repeats a name. */
export function parseParameters(text: string, quoted: string): Parameters | undefined {
  // An empty parameter after a semicolon is allowed (RFC 9110).
  const parameter = new RegExp(
    `[\\t ]*;[\\t ]*(?:(${TOKEN})=(?:"(${quoted})"|(${TOKEN})))?(?=[\\t ;]|$)`,
    'y',
  )
  const parameters = new Map<string, Parameter>()
  let end = 0
  for (let match = parameter.exec(text); match !== null; match = parameter.exec(text)) {
    end = parameter.lastIndex
    const [, name, between, token = ''] = match
    if (name === undefined) continue
    if (parameters.has(name.toLowerCase())) return undefined
    const isQuoted = between !== undefined
    parameters.set(name.toLowerCase(), { text: between ?? token, isQuoted })
  }
  return REST.test(text.slice(end)) ? parameters : undefined
}

/** Undefined if the type or its parameters are malformed. */
export function parseMediaType(text: string): MediaType | undefined {
  const [type] = TYPE.exec(text) ?? []
  const parameters = type && parseParameters(text.slice(type.length), WITH_ESCAPES)
  if (!parameters) return undefined
  const values = [...parameters].map(([name, value]) => [name, unescaped(value)] as const)
  return { type: type.toLowerCase(), parameters: new Map(values) }
}

function unescaped({ text, isQuoted }: Parameter): string {
  return isQuoted ? text.replace(/\\([^])/g, '$1') : text
}
