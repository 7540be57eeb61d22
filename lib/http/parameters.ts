// The parameters of a header, `; name=value` in a row, as Content-Type (RFC 9110, 5.6.6) and
// Content-Disposition (RFC 2183) have them. A list is read whole or not at all: what does not fit the
// grammar, and a name that is there twice, is told and never passed over.

export interface Parameter {
  /** As it was sent, between the quotes if it had some. */
  readonly text: string
  readonly isQuoted: boolean
}

/** By their names in small letters. */
export type Parameters = ReadonlyMap<string, Parameter>

export interface MediaType {
  /** In small letters. */
  readonly type: string
  readonly parameters: ReadonlyMap<string, string>
}

/** What stands between two quotes. */
export const WITH_ESCAPES = String.raw`(?:[^"\\]|\\[^])*`
export const WITHOUT_ESCAPES = '[^"]*'

const TOKEN = "[!#$%&'*+.^_`|~\\w-]+"
const TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?=[\\t ;]|$)`)
const REST = /^[\t ]*$/

/** Undefined where the text is malformed or names one twice. */
export function parseParameters(text: string, quoted: string): Parameters | undefined {
  // A semicolon with nothing behind it is none (RFC 9110).
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

/** Undefined where the text is no type, or its parameters are none. */
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
