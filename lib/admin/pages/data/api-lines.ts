// Example requests in three languages, ready to paste except for the key.

import type { FormattedType, TypeCode } from '../../../shared/column-types.ts'
import { typeOf } from './column-types.ts'
import type { Column } from './table.ts'

export const LANGUAGES = ['curl', 'javascript', 'python'] as const

export type Language = (typeof LANGUAGES)[number]

export const TASKS = ['list', 'search', 'read', 'create', 'change', 'remove'] as const

export type Task = (typeof TASKS)[number]

interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
}

interface LinesOptions {
  /** The full URL of the module. */
  readonly url: string
  readonly columns: readonly Column[]
  readonly titleField: string | null
}

/** Placeholder for a secret. */
const KEY = 'KEY'

export function linesOf(options: LinesOptions, language: Language): Readonly<Record<Task, string>> {
  const write = WRITERS[language]
  const requests = requestsOf(options)
  return {
    list: write(requests.list),
    search: write(requests.search),
    read: write(requests.read),
    create: write(requests.create),
    change: write(requests.change),
    remove: write(requests.remove),
  }
}

function requestsOf({ url, columns, titleField }: LinesOptions): Readonly<Record<Task, Request>> {
  const order = titleField ?? columns.find(({ type }) => !typeOf(type ?? 'C').isLong)?.name
  const one = `${url}/1`
  return {
    list: {
      method: 'GET',
      url,
      query: { ...(order !== undefined && { orderStr: order }), fields: '*', length: '10' },
    },
    search: { method: 'GET', url, query: { qry: JSON.stringify(exampleSearch(columns)) } },
    read: { method: 'GET', url: one, query: { fields: '*' } },
    create: { method: 'POST', url, body: exampleEntry(columns) },
    change: { method: 'PATCH', url: one, body: exampleChange(columns) },
    remove: { method: 'DELETE', url: one },
  }
}

const WRITERS: Readonly<Record<Language, (request: Request) => string>> = {
  curl: writeCurl,
  javascript: writeJavaScript,
  python: writePython,
}

function writeCurl({ method, url, query = {}, body }: Request): string {
  const parameters = Object.entries(query)
  return [
    parameters.length > 0 ? `curl -G ${url}` : `curl ${url}`,
    ...(method === 'PATCH' || method === 'DELETE' ? [`-X ${method}`] : []),
    `-H 'Authorization: Bearer ${KEY}'`,
    ...parameters.map(([name, value]) => `--data-urlencode ${inShell(`${name}=${value}`)}`),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${inShell(JSON.stringify(body))}`]),
  ].join(' \\\n  ')
}

function inShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function writeJavaScript({ method, url, query, body }: Request): string {
  const address =
    query === undefined
      ? [`const url = ${inProgram(url)}`]
      : [
          `const query = new URLSearchParams(${objectText(query)})`,
          `const url = \`${url}?\${query}\``,
        ]
  const headers = {
    Authorization: `Bearer ${KEY}`,
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  }
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    `  headers: ${objectText(headers)},`,
    ...(body === undefined ? [] : [`  body: JSON.stringify(${objectText(body)}),`]),
  ]
  const end =
    method === 'DELETE' ? 'console.log(response.status)' : 'console.log(await response.json())'
  return [...address, 'const response = await fetch(url, {', ...options, '})', end].join('\n')
}

function writePython({ method, url, query, body }: Request): string {
  const call = method.toLowerCase()
  const options = [
    `    ${inProgram(url)},`,
    `    headers={"Authorization": "Bearer ${KEY}"},`,
    ...(query === undefined ? [] : [`    params=${pythonText(query)},`]),
    ...(body === undefined ? [] : [`    json=${pythonText(body)},`]),
  ]
  const end = method === 'DELETE' ? 'print(answer.status_code)' : 'print(answer.json())'
  return ['import requests', '', `answer = requests.${call}(`, ...options, ')', end].join('\n')
}

function inProgram(text: string): string {
  return JSON.stringify(text)
}

/** JSON-like text with unquoted names where possible: `{ title: "a" }`. */
function objectText(value: object): string {
  const members = Object.entries(value).map(([name, item]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
    return `${key}: ${JSON.stringify(item)}`
  })
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

function pythonText(value: object): string {
  const members = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}: ${pythonValue(item)}`,
  )
  return `{${members.join(', ')}}`
}

function pythonValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}

type ExampleValue = string | number | boolean | object

type ExampleEntry = Readonly<Record<string, ExampleValue>>

/** Maximum number of optional columns, so that examples stay short. */
const MOST = 4

/** A body of a new entry that the server accepts: all required columns, and the first optional ones. */
function exampleEntry(columns: readonly Column[]): ExampleEntry {
  const asked = columns.filter(({ isAuto }) => isAuto !== true)
  const needed = asked.filter(({ isRequired }) => isRequired === true)
  const others = asked.filter((column) => !needed.includes(column))
  const chosen = new Set([...needed, ...others.slice(0, Math.max(MOST - needed.length, 0))])
  const shown = asked.filter((column) => chosen.has(column))
  return Object.fromEntries(shown.map((column) => [column.name, exampleValue(column)]))
}

/** One changed value, different from that of the new entry if possible. */
function exampleChange(columns: readonly Column[]): ExampleEntry {
  const changeable = columns.filter(({ isAuto, isUnique }) => isAuto !== true && isUnique !== true)
  const column = changeable[0] ?? columns[0]
  return column === undefined ? {} : { [column.name]: otherValue(column) }
}

/** A search condition that the column types allow. */
function exampleSearch(columns: readonly Column[]): object {
  const column = columns.find(({ type }) => kindOf(type) === 'text') ?? columns[0]
  if (column === undefined) return {}
  const { name, type } = column
  const kind = kindOf(type)
  if (kind === 'text') return { [name]: { $contains: 'a' } }
  if (kind === 'choices') return { [name]: column.values?.[0] ?? '' }
  if (kind === 'json') return { [name]: { '$.color': 'red' } }
  if (kind === 'point') return { [name]: { $near: { point: exampleValue(column), km: 10 } } }
  if (kind === 'boolean' || kind === 'choice' || kind === 'uuid')
    return { [name]: exampleValue(column) }
  return { [name]: { $gte: exampleValue(column) } }
}

/** Texts that a type demands in a certain form. */
const FORMATTED: Readonly<Partial<Record<TypeCode, readonly [string, string]>>> = {
  EMAIL: ['ada@example.com', 'bob@example.com'],
  URL: ['https://example.com/', 'https://example.com/new'],
  COLOR: ['#3366cc', '#cc3366'],
  UUID: ['0198c1a2-7b3c-7def-8123-456789abcdef', '0198c1a2-7b3c-7def-8123-456789abcdee'],
} satisfies Record<FormattedType | 'UUID', readonly [string, string]>

function exampleValue({ type, size, values, isUnique }: Column): ExampleValue {
  const [formatted] = FORMATTED[type ?? 'C'] ?? []
  if (formatted !== undefined) return formatted
  switch (kindOf(type)) {
    case 'integer':
      return 1
    case 'number':
      return type === 'N' ? decimal(size ?? undefined) : 1.5
    case 'boolean':
      return true
    case 'date':
      return '2026-01-31'
    case 'time':
      return '2026-01-31T12:00:00Z'
    case 'choice':
      return values?.[0] ?? ''
    case 'choices':
      return values?.slice(0, 1) ?? []
    case 'json':
      return { color: 'red' }
    case 'point':
      return [13.4, 52.5]
    default:
      return (isUnique === true ? 'A-1' : 'Example').slice(0, size ?? undefined)
  }
}

function otherValue(column: Column): ExampleValue {
  const value = exampleValue(column)
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  const { type, size, values } = column
  if (kindOf(type) === 'choices') return values?.slice(-1) ?? value
  if (kindOf(type) === 'json') return { color: 'blue' }
  if (kindOf(type) === 'point') return [8.5, 47.4]
  if (kindOf(type) === 'choice') return values?.at(-1) ?? value
  const [, formatted] = FORMATTED[type ?? 'C'] ?? []
  if (formatted !== undefined) return formatted
  return kindOf(type) === 'text' ? 'Changed'.slice(0, size ?? undefined) : value
}

/** A string, so that no digit is lost. */
function decimal(size: number | undefined): string {
  return size === undefined || size > 3 ? '12' : '1'
}

function kindOf(type: Column['type']) {
  return typeOf(type ?? 'C').kind
}
