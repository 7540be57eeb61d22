// JSON schemas of bodies and answers, made from the definitions of objects.
//
// Schemas of bodies stand where they are used: a generic client finds the properties in them without
// following a reference. Those of records are components, because every answer has one.

import type { ReferenceObject, SchemaObject } from 'openapi3-ts/oas31'
import type { Field, JsonSchema } from '../schema/field.ts'
import type { ObjectType } from '../schema/object.ts'

const ACCEPTED_DATES: Readonly<Record<string, string>> = {
  date: 'YYYY-MM-DD, RFC 3339, or seconds since 1970',
  'date-time': 'RFC 3339, YYYY-MM-DD, or seconds since 1970',
}

/** A record as `fields` selects from it: any property may be missing. */
export function selectionSchema({ description, fields }: ObjectType): SchemaObject {
  const entries = Object.entries(fields).map(([name, { schema }]) => [name, toSchema(schema)])
  return { type: 'object', description, properties: Object.fromEntries(entries) as Properties }
}

/** A record as answers have it that know no `fields`. */
export function recordSchema(object: ObjectType): SchemaObject {
  return { ...selectionSchema(object), required: Object.keys(object.fields) }
}

/** A selection that has at least these properties; without a second copy of all of them. */
export function wholly(schema: ReferenceObject, names: readonly string[]): SchemaObject {
  return { allOf: [schema, { type: 'object', required: [...names] }] }
}

export function createSchema(object: ObjectType): SchemaObject {
  const required = writable(object).filter(([, { access }]) => access === 'required')
  const names = required.map(([name]) => name)
  return { ...updateSchema(object), ...(names.length > 0 && { required: names }) }
}

/** No property is required: what is left out stays. */
export function updateSchema(object: ObjectType): SchemaObject {
  const entries = writable(object).map(([name, field]) => [name, bodySchema(field)])
  return { type: 'object', properties: Object.fromEntries(entries) as Properties }
}

/** A body that may have no other properties. */
export function closed(schema: SchemaObject): SchemaObject {
  return { ...schema, additionalProperties: false }
}

/** One page of a list, under the name of what is listed. */
export function pageSchema(name: string, item: SchemaObject | ReferenceObject): SchemaObject {
  return {
    type: 'object',
    required: [name, 'page'],
    properties: { [name]: { type: 'array', items: item }, page: schemaRef('page') },
  }
}

/** The component of a selection. */
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

/** Dates, numbers and booleans are given in more forms than they are answered in; null is not always taken back. */
function bodySchema(field: Field): SchemaObject {
  const own = withoutNull(toSchema(field.schema), field)
  const { format, ...rest } = own
  const types = [rest.type ?? 'string'].flat()
  const accepted = ACCEPTED_DATES[format ?? '']
  if (accepted !== undefined) {
    const description = `${rest.description ?? ''} Accepted: ${accepted}.`.trim()
    return { ...rest, type: [...types, 'number'], description }
  }
  if (types.includes('boolean')) {
    const values = [true, false, 0, 1, ...(types.includes('null') ? [null] : [])]
    return { ...rest, type: [...types, 'integer'], enum: values }
  }
  const isNumber = types.includes('number') && !types.includes('string')
  return isNumber ? { ...rest, type: [...types, 'string'] } : own
}

function withoutNull(schema: SchemaObject, { isClearable }: Field): SchemaObject {
  if (isClearable || !Array.isArray(schema.type)) return schema
  const type = schema.type.filter((item) => item !== 'null')
  return schema.enum === undefined
    ? { ...schema, type }
    : { ...schema, type, enum: (schema.enum as readonly unknown[]).filter((item) => item !== null) }
}

/** A field knows JSON Schema without the types of this library. */
export function toSchema(schema: JsonSchema): SchemaObject {
  return schema
}
