// JSON schemas of request and response bodies, made from the definitions of objects. Schemas of request bodies are inline,
// so that a generic client finds the properties without resolving a reference. Schemas of records are components, because
// many responses use them.

import type { ReferenceObject, SchemaObject } from 'openapi3-ts/oas31'
import type { Field, JsonSchema } from '../schema/field.ts'
import type { EntryType } from '../schema/entry.ts'
import { type Reference, expandableOf } from '../schema/expand.ts'
import type { ObjectType } from '../schema/object.ts'

const ACCEPTED_DATES: Readonly<Record<string, string>> = {
  date: 'YYYY-MM-DD, RFC 3339 (the day as written), the text YYYYMMDD, or seconds since 1970',
  'date-time': 'RFC 3339, YYYY-MM-DD, the text YYYYMMDD or YYYYMMDDhhmmss, or seconds since 1970',
}

/** The schema of a record from which `fields` may select a part, so that any property may be missing. */
export function selectionSchema({ description, fields }: ObjectType): SchemaObject {
  const entries = Object.entries(fields).map(([name, { schema }]) => [name, answered(schema)])
  return { type: 'object', description, properties: Object.fromEntries(entries) as Properties }
}

/** The schema of entries: a selection of their fields, with the records that `expand` names. */
export function entrySchema(entry: EntryType): SchemaObject {
  const schema = selectionSchema(entry.object)
  const references = expandableOf(entry)
  if (references.length === 0) return schema
  return { ...schema, properties: { ...schema.properties, expanded: expandedSchema(references) } }
}

/** The records are in no schema of their own, because the reader may not see the table to which a reference leads. */
function expandedSchema(references: readonly Reference[]): SchemaObject {
  const entries = references.map(({ column, isMany, references: { object, module_id: id } }) => {
    const what = id === null ? 'asset file' : `entry of ${object} ${id}`
    const record = { additionalProperties: true }
    const schema: SchemaObject = isMany
      ? {
          type: 'array',
          items: { type: 'object', ...record },
          description: `Each visible ${what}.`,
        }
      : {
          type: ['object', 'null'],
          ...record,
          description: `The ${what}; null if it is not visible.`,
        }
    return [column, schema]
  })
  return {
    type: 'object',
    description: 'The records behind the references that expand names.',
    properties: Object.fromEntries(entries) as Properties,
  }
}

/** Drops the maximum of identifiers: it says nothing, and Swagger UI shows it in every generated example. */
function answered(schema: JsonSchema): SchemaObject {
  const { maximum, ...rest } = toSchema(schema)
  return {
    ...rest,
    ...(maximum !== Number.MAX_SAFE_INTEGER && maximum !== undefined && { maximum }),
  }
}

/** A complete record, for responses that do not support `fields`. */
export function recordSchema(object: ObjectType): SchemaObject {
  return { ...selectionSchema(object), required: Object.keys(object.fields) }
}

/** A selection that has at least these properties, without a second copy of the schema. */
export function wholly(schema: ReferenceObject, names: readonly string[]): SchemaObject {
  return { allOf: [schema], required: [...names] }
}

export function createSchema(object: ObjectType): SchemaObject {
  const required = writable(object).filter(([, { access }]) => access === 'required')
  const names = required.map(([name]) => name)
  return { ...updateSchema(object), ...(names.length > 0 && { required: names }) }
}

/** No property is required, because fields that are left out keep their values. */
export function updateSchema(object: ObjectType): SchemaObject {
  const entries = writable(object).map(([name, field]) => [name, bodySchema(field)])
  return { type: 'object', properties: Object.fromEntries(entries) as Properties }
}

/**
 * The body of an update as a merge patch (RFC 7396), which lists null where null clears a field. `kept` are further fields that
 * cannot be cleared.
 */
export function mergePatchSchema(object: ObjectType, kept: readonly string[] = []): SchemaObject {
  const entries = writable(object).map(([name, field]) => {
    const schema = bodySchema(field)
    // A list that is never null becomes empty.
    const takesNull = field.isNullable || Array.isArray(field.initial)
    const isCleared = field.isClearable && takesNull && !kept.includes(name)
    return [name, isCleared ? withNull(schema) : schema]
  })
  return { type: 'object', properties: Object.fromEntries(entries) as Properties }
}

function withNull({ type, ...rest }: SchemaObject): SchemaObject {
  const [first] = [type ?? []].flat()
  if (first === undefined) return rest
  if (rest.enum !== undefined) return nullableChoice({ type: first, ...rest })
  return { type: [first, 'null'], ...rest }
}

/** A body that may have no other properties. */
export function closed(schema: SchemaObject): SchemaObject {
  return { ...schema, additionalProperties: false }
}

/** A list of bodies. */
export function listOf(schema: SchemaObject, maxItems: number): SchemaObject {
  return { type: 'array', minItems: 1, maxItems, items: schema }
}

/** One page of a list; the items are in the member `name`. */
export function pageSchema(name: string, item: SchemaObject | ReferenceObject): SchemaObject {
  return {
    type: 'object',
    required: [name, 'page'],
    properties: { [name]: { type: 'array', items: item }, page: schemaRef('page') },
  }
}

/** The component name of a selection schema. */
export function selectionName(name: string): string {
  return `${name}_selection`
}

export function schemaRef(name: string): ReferenceObject {
  return { $ref: `#/components/schemas/${name}` }
}

type Properties = NonNullable<SchemaObject['properties']>

function writable({ fields }: ObjectType): readonly (readonly [string, Field])[] {
  return Object.entries(fields).filter(([, { access }]) => access !== 'assigned')
}

/** A request body accepts dates in more forms than responses use. The description lists these forms. */
function bodySchema({ schema }: Field): SchemaObject {
  const { format, ...own } = sentSchema(schema)
  const accepted = ACCEPTED_DATES[format ?? '']
  if (accepted === undefined) return { ...own, ...(format !== undefined && { format }) }
  return { ...own, description: `${own.description ?? ''} Accepted: ${accepted}.`.trim() }
}

/**
 * Programs that load a document expect `type` to be one name. A request body therefore has one type per value: string, if
 * a number would lose digits. The document does not list null, which means the same as leaving the member out.
 */
export function sentSchema(schema: JsonSchema): SchemaObject {
  const { type, enum: values, properties, required, items, ...rest } = schema as SchemaObject
  const names = [type ?? []].flat().filter((name) => name !== 'null')
  const sent = Object.entries(properties ?? {}).filter(([, item]) => !isAssigned(item))
  const isSent = (name: string): boolean => sent.some(([each]) => each === name)
  return {
    ...(names.length > 0 && { type: names.includes('string') ? 'string' : names[0] }),
    ...rest,
    ...(values !== undefined && { enum: values.filter((item: unknown) => item !== null) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        sent.map(([name, item]) => [name, sentSchema(item as JsonSchema)]),
      ),
    }),
    ...(required !== undefined && {
      required: required.filter((name) => isSent(name) && !isNullable(properties?.[name])),
    }),
    ...(items !== undefined && { items: sentSchema(items as JsonSchema) }),
  }
}

function isAssigned(schema: SchemaObject | ReferenceObject): boolean {
  return 'readOnly' in schema && schema.readOnly === true
}

function isNullable(schema: SchemaObject | ReferenceObject | undefined): boolean {
  return schema !== undefined && 'type' in schema && [schema.type].flat().includes('null')
}

/**
 * Converts the JSON Schema of a field to the types of this library. In the result, `type` is one name, or one name and
 * null. More types become alternatives of anyOf.
 */
export function toSchema(schema: JsonSchema): SchemaObject {
  const { type, properties, items, ...rest } = schema as SchemaObject
  const inner = {
    ...(properties && { properties: mapValues(properties) }),
    ...(items && { items: toSchema(items as JsonSchema) }),
  }
  const names = [type ?? []].flat()
  const [first, ...others] = names.filter((name) => name !== 'null')
  if (first === undefined) return { ...rest, ...inner }
  if (rest.enum?.includes(null) === true) return nullableChoice({ type: first, ...rest })
  if (others.length === 0)
    return { type: names.length === 1 ? first : [first, 'null'], ...rest, ...inner }
  return {
    ...outerPart(rest),
    anyOf: names.map((name) => ({ type: name, ...innerPart(rest, name) })),
  }
}

/** Uses anyOf for a nullable enum, because validator generators expect an enum to be a list of strings. */
export function nullableChoice({ type, enum: values, ...rest }: SchemaObject): SchemaObject {
  const choice = {
    ...(type !== undefined && { type }),
    enum: values?.filter((item: unknown) => item !== null) ?? [],
  }
  return { ...rest, anyOf: [choice, { type: 'null' }] }
}

function mapValues(properties: Properties): Properties {
  const entries = Object.entries(properties).map(([name, item]) => [
    name,
    toSchema(item as JsonSchema),
  ])
  return Object.fromEntries(entries) as Properties
}

/** The part that all alternatives share. A pattern belongs only to the string, additionalProperties only to the object. */
function outerPart({ pattern: _, additionalProperties: __, ...rest }: SchemaObject): SchemaObject {
  return rest
}

function innerPart({ pattern, additionalProperties }: SchemaObject, type: string): SchemaObject {
  if (type === 'object' && additionalProperties !== undefined) return { additionalProperties }
  return type === 'string' && pattern !== undefined ? { pattern } : {}
}
