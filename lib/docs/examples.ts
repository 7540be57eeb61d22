// Example responses for objects and entries.

import type { Field } from '../schema/field.ts'
import { EXAMPLE_DATE, type ObjectType } from '../schema/object.ts'

type Values = Readonly<Record<string, unknown>>

/** The record that the create example of the object produces. */
export function exampleRecord(object: ObjectType): Values {
  const given: Values = { owner: 'admin', ...object.example?.create, ...object.example?.record }
  const entries = Object.entries(object.fields).map(([name, field]) => [
    name,
    given[name] ??
      (name.startsWith('date_added') || name === 'date_modified' ? EXAMPLE_DATE : field.initial),
  ])
  return Object.fromEntries(entries) as Values
}

/** The same record after the update example. */
export function exampleUpdated(object: ObjectType): Values {
  return { ...exampleRecord(object), ...object.example?.update, ...object.example?.changed }
}

/** A page with one record. */
export function examplePage(name: string, record: object): object {
  return { [name]: [record], page: { start: 1, length: 100, total: 1, next: null } }
}

/** An entry with a value for each required field; if no field is required, for the first field. */
export function exampleEntry(object: ObjectType): Values {
  const given = Object.entries(object.fields).filter(([, { access }]) => access !== 'assigned')
  const required = given.filter(([, { access }]) => access === 'required')
  const shown = required.length > 0 ? required : given.slice(0, 1)
  return Object.fromEntries(shown.map(([name, field]) => [name, exampleValue(field)]))
}

/** An entry with a value for each field. */
export function exampleWholeEntry({ fields }: ObjectType): Values {
  const entries = Object.entries(fields).map(([name, field]) => [name, answeredValue(field)])
  return Object.fromEntries(entries) as Values
}

function answeredValue(field: Field): unknown {
  if (field.search === undefined) return field.initial
  return field.example ?? (field.search === 'date-time' ? EXAMPLE_DATE : exampleValue(field))
}

/** Example values for fields that have no example of their own. */
const VALUES: Readonly<Record<NonNullable<Field['search']>, unknown>> = {
  string: 'a',
  integer: 1,
  number: 1.5,
  decimal: '1',
  boolean: true,
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  integers: [],
}

function exampleValue({ example, schema, search }: Field): unknown {
  if (example !== undefined) return example
  const values = schema['enum']
  if (Array.isArray(values)) return (values as readonly unknown[])[0]
  return VALUES[search ?? 'string']
}
