// TypeScript types for programs that read and write the entries of a site: an entry, its input and its searches for each
// module, and paths in the form of openapi-typescript, so that openapi-fetch works with them. The same modules give the
// same text, so that a change in version control is a change of a table.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { upsertKeyNames } from '../schema/entry.ts'
import { expandableOf } from '../schema/expand.ts'
import type { DocumentedModule } from './endpoint.ts'
import { createSchema, selectionSchema } from './schemas.ts'
import { HEAD } from './typescript-head.ts'

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
  members.push(...expandedMember(module))
  return `${comment(`${capitalized(module.kind)} ${module.id}: ${module.record.name}`)}
export interface ${name} {
${members.join('\n')}
}
export interface Entries {
  readonly ${quoted(`${module.kind}/${module.id}`)}: ${name}
}
`
}

/** The records behind the references that `expand` names. */
function expandedMember({ entry }: DocumentedModule): readonly string[] {
  const members = expandableOf(entry).map(({ column, isMany, references }) => {
    const { object, module_id: id } = references
    const type = object === 'asset_file' ? 'ExpandedFile' : `EntryOf<${quoted(`${object}/${id}`)}>`
    return `    readonly ${column}?: ${isMany ? `readonly ${type}[]` : `${type} | null`}`
  })
  if (members.length === 0) return []
  return [
    `  /** The records that expand has named. */\n  readonly expanded?: {\n${members.join('\n')}\n  }`,
  ]
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

function searchType(name: string, { entry }: DocumentedModule): string {
  const { object } = entry
  const { fields, idField, searchable } = object
  const hidden = Object.keys(fields).filter((field) => !searchable.has(field))
  if (expandableOf(entry).length > 0) hidden.push('expanded')
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
  const unique = namesOf(upsertKeyNames(entry))
  const create = isWritable ? ` & EntryCreate<${name}, ${key}, ${name}Input, ${unique}>` : ''
  const change = isWritable ? ` & EntryChange<${name}, ${name}Change>` : ''
  const search = isWritable
    ? `
  ${quoted(`${path}/search`)}: EntrySearch<${read}, ${name}Qry>
  ${quoted(`${path}/bulk_update`)}: BulkUpdate<${name}Qry, ${name}Change>
  ${quoted(`${path}/bulk_delete`)}: BulkDelete<${name}Qry>`
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

function typesOf(schema: SchemaObject): readonly string[] {
  const { type, enum: values, anyOf, items } = schema
  if (anyOf !== undefined) return anyOf.flatMap((part) => typesOf(part as SchemaObject))
  if (values !== undefined) return values.map((value: unknown) => JSON.stringify(value))
  if (type === undefined) return ['unknown']
  return [type].flat().map((name) => {
    if (name !== 'array' || items === undefined) return PRIMITIVES[name] ?? 'unknown'
    return `readonly (${typesOf(items as SchemaObject).join(' | ')})[]`
  })
}

/** The text must not end the comment. */
function comment(text: string): string {
  return `/** ${text.replaceAll('*/', '* /')} */`
}
