// Example responses for objects and entries.

import { type ErrorCode } from '../base/errors.ts'
import { PROBLEMS } from '../base/problem-table.ts'
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
  uuid: '0198c1a2-7b3c-7def-8123-456789abcdef',
  strings: ['a'],
  json: { color: 'red' },
  point: [13.4, 52.5],
  integers: [],
}

function exampleValue({ example, schema, search }: Field): unknown {
  if (example !== undefined) return example
  const values = schema['enum']
  if (Array.isArray(values)) return (values as readonly unknown[])[0]
  return VALUES[search ?? 'string']
}

const REQUEST_ID = '4f7c1f0e-6d0a-4f54-9d5b-0f7a4b6c2f11'

/** Details that name a record or field, and the additional members of single problems. */
const SHOWN: Readonly<Partial<Record<ErrorCode, object>>> = {
  'bad-json': {
    detail:
      'A comma or the end of the array or object is missing, at byte 12: check the JSON there.',
  },
  'bad-qry': {
    detail: 'qry.nmae is not a searchable field; did you mean "name"? Known: name, title, owner.',
  },
  'grant-missing': {
    detail: 'The key lacks the grant "create" in every folder.',
    grant: 'create',
  },
  'not-found': { detail: 'The record does not exist, or the key may not see it.' },
  'name-taken': {
    detail:
      'The name "hello.html" is taken in this folder by asset_file_id 2. Update that record, or choose another name.',
    errors: [{ pointer: '/name', detail: 'is taken' }],
    asset_file_id: 2,
  },
  'address-taken': {
    detail:
      'A live file in the folder 36 already has the address /file/36/logo.html. Choose another name.',
    errors: [{ pointer: '/name', detail: 'is taken' }],
  },
  'not-unique': {
    detail: '/code must be unique, and datatable_entry_id 1 has the same value.',
    errors: [
      {
        pointer: '/code',
        detail: 'must be unique, and datatable_entry_id 1 has the same value',
      },
    ],
  },
  'invalid-content': {
    detail: '/nmae is not a field of asset_file; did you mean "name"?',
    errors: [{ pointer: '/nmae', detail: 'is not a field of asset_file; did you mean "name"?' }],
  },
}

/**
 * Returns an example of a problem response with this code of the error table. `prefix` is the path of the base URL.
 */
export function exampleProblem(code: ErrorCode, prefix: string): object {
  const { status, title, explanation } = PROBLEMS[code]
  return {
    type: `${prefix}/problems/${code}`,
    title,
    status,
    detail: explanation,
    code,
    request_id: REQUEST_ID,
    ...SHOWN[code],
  }
}
