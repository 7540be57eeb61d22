// A stand-in for programs that load an OpenAPI document and offer its operations as functions with named
// arguments, to people or to language models. The bridge has the limits of these programs. It knows only the
// first server, needs `type` to be one string, and does not support oneOf. It expects the properties of a
// body directly in the schema of the body. It repeats the parameters of the path in the query and sends
// DELETE without a body.

export interface Bridge {
  readonly functions: readonly string[]
  /** Operations whose body is a list or a text, which cannot be passed as named arguments. */
  readonly lists: readonly string[]
  /** For a call of a function whose arguments are texts: the operation, and the texts as arguments. */
  describe(name: string): Described
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<BridgeAnswer>
}

interface Described {
  /** For example `GET /asset_file/{id}`. */
  readonly operation: string
  readonly toArguments: (texts: Readonly<Record<string, string>>) => Record<string, unknown>
}

export interface BridgeAnswer {
  readonly status: number
  readonly body: any
}

interface Endpoint {
  readonly method: string
  readonly path: string
  readonly parameters: readonly any[]
  readonly mediaType: string | undefined
  readonly properties: Readonly<Record<string, any>>
}

export async function openBridge(documentUrl: string, key: string): Promise<Bridge> {
  const headers = { authorization: `Bearer ${key}` }
  const document: any = await (await fetch(documentUrl, { headers })).json()
  const endpoints = new Map<string, Endpoint>()
  const lists: string[] = []
  for (const [path, item] of Object.entries<any>(document.paths))
    for (const [method, operation] of Object.entries<any>(item)) {
      const type = bodyOfOperation(operation)?.type
      if (type === 'array' || type === 'string') lists.push(operation.operationId)
      else endpoints.set(operation.operationId, readEndpoint({ method, path, operation }))
    }

  function endpointOf(name: string): Endpoint {
    const endpoint = endpoints.get(name)
    if (endpoint === undefined) throw new Error(`There is no function ${name}.`)
    return endpoint
  }

  return {
    functions: [...endpoints.keys()],
    lists,
    describe(name) {
      const { method, path, parameters } = endpointOf(name)
      return {
        operation: `${method} ${path}`,
        toArguments: (texts) =>
          Object.fromEntries(
            parameters
              .filter((item) => item.name in texts)
              .map((item) => [item.name, toArgument(item.schema, texts[item.name] ?? '')]),
          ),
      }
    },
    async call(name, args = {}) {
      const endpoint = endpointOf(name)
      checkArguments(endpoint, args)
      const { method } = endpoint
      const url = document.servers[0].url + addressOf(endpoint, args)
      const sent = bodyOf(endpoint, args)
      const response = await fetch(url, {
        method,
        ...sent,
        headers: { ...headers, ...sent.headers },
      })
      const text = await response.text()
      const isJson = /json/.test(response.headers.get('content-type') ?? '')
      return { status: response.status, body: isJson ? JSON.parse(text) : text }
    },
  }
}

function toArgument({ type }: any, text: string): unknown {
  return type === 'string' ? text : JSON.parse(text)
}

function readEndpoint({ method, path, operation }: any): Endpoint {
  const [mediaType] = Object.keys(operation.requestBody?.content ?? {})
  const body = bodyOfOperation(operation)
  if (body !== undefined && body.type !== 'object')
    throw new Error(`${path}: the body is no object`)
  const properties = body?.properties ?? {}
  const parameters: readonly any[] = operation.parameters ?? []
  requireTypes(path, properties)
  requireTypes(path, Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])))
  return { method: method.toUpperCase(), path, parameters, mediaType, properties }
}

function bodyOfOperation({ requestBody }: any): any {
  const [content] = Object.values<any>(requestBody?.content ?? {})
  return content?.schema
}

/** Requires that every schema and every nested schema has exactly one type name. */
function requireTypes(path: string, schemas: Readonly<Record<string, any>>): void {
  for (const [name, { type, properties = {}, items }] of Object.entries(schemas)) {
    if (!Object.hasOwn(TYPES, type)) throw new Error(`${path}: ${name} has no type of one name`)
    requireTypes(`${path}: ${name}`, properties)
    if (items !== undefined) requireTypes(path, { [`${name}[]`]: items })
  }
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string' || value instanceof Blob,
  integer: Number.isInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null,
}

function checkArguments({ parameters, properties }: Endpoint, args: object): void {
  for (const [name, value] of Object.entries(args)) {
    const schema = parameters.find((item) => item.name === name)?.schema ?? properties[name]
    if (schema === undefined) throw new Error(`There is no argument ${name}.`)
    const type = String(schema.type)
    if (TYPES[type]?.(value) === false) throw new Error(`${name} is no ${type}.`)
  }
}

function addressOf(
  { path, parameters }: Endpoint,
  args: Readonly<Record<string, unknown>>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(args[name])),
  )
  const query = new URLSearchParams()
  for (const { name, in: place } of parameters)
    if (place !== 'header' && args[name] !== undefined) query.set(name, String(args[name]))
  return query.size === 0 ? filled : `${filled}?${query}`
}

interface SentBody {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | FormData
}

function bodyOf(
  { method, mediaType, properties }: Endpoint,
  args: Readonly<Record<string, unknown>>,
): SentBody {
  if (!['POST', 'PATCH'].includes(method) || mediaType === undefined) return {}
  const given = Object.entries(args).filter(([name]) => name in properties)
  if (mediaType === 'application/json')
    return {
      headers: { 'content-type': mediaType },
      body: JSON.stringify(Object.fromEntries(given)),
    }
  const form = new FormData()
  for (const [name, value] of given) {
    if (value instanceof Blob) form.set(name, value, 'file')
    else form.set(name, String(value))
  }
  return { body: form }
}
