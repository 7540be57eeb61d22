// TypeScript types for programs that read and write the entries of a site: an entry, its input and its searches for each
// module, and paths in the form of openapi-typescript, so that openapi-fetch works with them. The same modules give the
// same text, so that a change in version control is a change of a table.

import type { SchemaObject } from 'openapi3-ts/oas31'
import type { DocumentedModule } from './endpoint.ts'
import { createSchema, selectionSchema } from './schemas.ts'

export interface TypeWriter {
  /** The text before all modules. */
  readonly head: string
  /** The text of one module. Modules that come earlier have the shorter name if two have the same name. */
  readonly write: (module: DocumentedModule) => string
}

/** `isWritable`: also with bodies and with searches by POST, for which readers without a key are refused. */
export function openTypes({ isWritable }: { readonly isWritable: boolean }): TypeWriter {
  const own = Array.from(
    HEAD.matchAll(/^(?:export )?(?:type|interface) (\w+)/gm),
    ([, name = '']) => name,
  )
  const taken = new Set([...own, ...BUILT_IN])
  return {
    head: HEAD,
    write(module) {
      const name = freeName(module, taken)
      const texts = [entryType(name, module), searchType(name, module)]
      if (isWritable) texts.splice(1, 0, inputTypes(name, module))
      return [...texts, pathTypes(name, module, isWritable)].join('\n')
    },
  }
}

/** Types of the language that the text uses. */
const BUILT_IN = ['NonNullable', 'Omit', 'Partial', 'Pick']

/** press-releases → PressReleases. The types of a module take four names. */
function freeName({ kind, id, record }: DocumentedModule, taken: Set<string>): string {
  const words = record.module_name.split('-').filter((word) => word !== '')
  const joined = words.map(capitalized).join('')
  const unique = `${capitalized(kind)}${id}`
  const wanted = /^[A-Za-z]/.test(joined) ? joined : unique
  const names = ['', 'Input', 'Change', 'Qry']
  const isFree = (name: string): boolean => names.every((end) => !taken.has(name + end))
  let name = isFree(wanted) ? wanted : wanted + unique
  // Another module may be called like that.
  while (!isFree(name)) name += '_'
  for (const end of names) taken.add(name + end)
  return name
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function entryType(name: string, module: DocumentedModule): string {
  const { object } = module.entry
  const members = propertiesOf(selectionSchema(object)).map(([field, schema]) =>
    memberOf(field, schema),
  )
  return `${comment(`${capitalized(module.kind)} ${module.id}: ${module.record.name}`)}
export interface ${name} {
${members.join('\n')}
}
`
}

function inputTypes(name: string, { entry: { object } }: DocumentedModule): string {
  const { required = [], ...others } = createSchema(object)
  const optional = propertiesOf(others).flatMap(([field]) =>
    required.includes(field) ? [] : [field],
  )
  return `export type ${name}Input = Input<${name}, ${namesOf(required)}, ${namesOf(optional)}>
export type ${name}Change = Partial<${name}Input>
`
}

/** A union of names. */
function namesOf(names: readonly string[]): string {
  return names.length === 0 ? 'never' : names.map(quoted).join(' | ')
}

function quoted(name: string): string {
  return `'${name}'`
}

function propertiesOf({
  properties = {},
}: SchemaObject): readonly (readonly [string, SchemaObject])[] {
  return Object.entries(properties as Readonly<Record<string, SchemaObject>>)
}

function searchType(name: string, { entry: { object } }: DocumentedModule): string {
  const { fields, idField, searchable } = object
  const hidden = Object.keys(fields).filter((field) => !searchable.has(field))
  const shown = hidden.length === 0 ? name : `Omit<${name}, ${namesOf(hidden)}>`
  // A datatable may have a column of the same name, so its identifier has a qualified name in searches.
  const qualified = `${object.name}.${idField}`
  const ofId = searchable.has(qualified) ? ` & { ${quoted(qualified)}: number }` : ''
  return `export type ${name}Qry = Qry<${shown}${ofId}>
`
}

function pathTypes(name: string, module: DocumentedModule, isWritable: boolean): string {
  const { kind, id, record, entry } = module
  const path = `/module/${kind}/${id}/${record.module_name}`
  const key = quoted(entry.object.name)
  const query = kind === 'calendar' ? 'EventQuery' : 'ListQuery'
  const read = `${name}, ${key}, ${query}`
  const create = isWritable ? ` & EntryCreate<${name}, ${key}, ${name}Input>` : ''
  const change = isWritable ? ` & EntryChange<${name}, ${name}Change>` : ''
  const search = isWritable
    ? `\n  ${quoted(`${path}/search`)}: EntrySearch<${read}, ${name}Qry>`
    : ''
  return `export interface paths {
  ${quoted(path)}: EntryList<${read}>${create}${search}
  ${quoted(`${path}/{entry_id}`)}: EntryRead<${name}, ${namesOf([...entry.baseNames])}>${change}
}
`
}

function memberOf(name: string, schema: SchemaObject): string {
  const { description } = schema
  const about = description === undefined ? '' : `  ${comment(description)}\n`
  return `${about}  readonly ${name}: ${[...new Set(typesOf(schema))].join(' | ')}`
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

function typesOf({ type, enum: values, anyOf }: SchemaObject): readonly string[] {
  if (anyOf !== undefined) return anyOf.flatMap((part) => typesOf(part as SchemaObject))
  if (values !== undefined) return values.map((value: unknown) => JSON.stringify(value))
  return [type ?? []].flat().map((name) => PRIMITIVES[name] ?? 'unknown')
}

/** The text must not end the comment. */
function comment(text: string): string {
  return `/** ${text.replaceAll('*/', '* /')} */`
}

const HEAD = `// Types of the datatables and calendars of a cms-server site, written by "cms-server types". Do not edit this file:
// run the command again after a table was changed.

/** Where a page of a list is. \`next\` is the cursor of the next page; null: this is the last page. */
export interface Page {
  readonly start: number | null
  readonly length: number
  readonly total: number | null
  readonly next: string | null
  readonly complete?: boolean
  readonly hint?: string
}

/** The body of an error (RFC 9457). \`code\` never changes; \`detail\` is for people. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: string
  readonly request_id: string
  readonly detail?: string
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[]
}

/** The body of a create, with the fields that must be given and those that may. Null is the same as leaving out. */
export type Input<E, R extends keyof E, O extends keyof E> = {
  -readonly [K in R]: E[K]
} & { -readonly [K in O]?: E[K] | null }

/** The condition for one field: a value, or operators that must all hold. */
export type Condition<V> = V | null | (Operators<V> & ([V] extends [string] ? TextOperators : unknown))

export interface Operators<V> {
  $eq?: V | null
  $ne?: V | null
  $gt?: V
  $gte?: V
  $lt?: V
  $lte?: V
  $in?: readonly (V | null)[]
  $nin?: readonly (V | null)[]
  $exists?: boolean
  $not?: Condition<V>
}

export interface TextOperators {
  $contains?: string
  $startsWith?: string
  $endsWith?: string
  $regex?: string
  $options?: 'i' | ''
}

/** A search: conditions of fields that must all hold, and groups of searches. */
export type Qry<F> = { [K in keyof F]?: Condition<NonNullable<F[K]>> } & {
  $and?: readonly Qry<F>[]
  $or?: readonly Qry<F>[]
  $not?: Qry<F>
}

/** The query of a list. \`qry\` is JSON: JSON.stringify(qry). With \`fields\`, entries have these fields alone. */
export interface ListQuery {
  qry?: string
  start?: number
  length?: number
  cursor?: string
  orderStr?: string
  orderDir?: string
  table_filter?: string
  fields?: string
  count?: 'exact'
}

/** A calendar also lists by time; \`expand\` lists each occurrence. */
export interface EventQuery extends ListQuery {
  from?: string
  to?: string
  expand?: boolean
}

interface NoParameters {
  query?: never
  header?: never
  path?: never
  cookie?: never
}

/** An operation in the form that openapi-fetch reads. */
export type Operation<P, A, B = never> = {
  parameters: Omit<NoParameters, keyof P> & P
  responses: A & { default: { headers: object; content: { 'application/problem+json': Problem } } }
} & ([B] extends [never] ? { requestBody?: never } : { requestBody: { content: { 'application/json': B } } })

type Json<T> = { headers: object; content: { 'application/json': T } }

/** Arrays are not readonly, because openapi-fetch would not take them for arrays. */
type List<E, K extends string> = { [N in K]: E[] } & { page: Page }

export interface EntryList<E, K extends string, Q> {
  get: Operation<{ query?: Q }, { 200: Json<List<E, K>> }>
}

/** The response has the fields of the body; with \`Prefer: return=representation\` it has all fields. */
export interface EntryCreate<E, K extends string, I> {
  post: Operation<
    { header?: { Prefer?: string } },
    { 201: Json<{ [N in K]: Pick<E, keyof E & keyof I> & Partial<E> }> },
    I
  >
}

export interface EntrySearch<E, K extends string, Q extends object, S> {
  post: Operation<{}, { 200: Json<List<E, K>> }, Omit<Q, 'qry'> & { qry?: S }>
}

/** The response has the base fields, and the columns that \`fields\` names; \`fields=*\` names all. */
export interface EntryRead<E, B extends keyof E> {
  get: Operation<
    { path: { entry_id: number }; query?: { fields?: string } },
    { 200: Json<Pick<E, B> & Partial<E>> }
  >
}

export interface EntryChange<E, C> {
  patch: Operation<{ path: { entry_id: number }; header?: { 'If-Match'?: string } }, { 200: Json<E> }, C>
  delete: Operation<
    { path: { entry_id: number }; header?: { 'If-Match'?: string } },
    { 204: { headers: object; content?: never } }
  >
}
`
