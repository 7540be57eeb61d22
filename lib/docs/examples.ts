// Bodies to try: each works on a fresh site as it is.

import type { Field } from '../schema/field.ts'
import type { ObjectType } from '../schema/object.ts'

interface Example {
  readonly create: object
  readonly update: object
}

export const EXAMPLES: Readonly<Record<string, Example>> = {
  asset_category: {
    create: { name: 'Press', parent_category_id: 1 },
    update: { title: 'Press releases' },
  },
  asset_file: {
    create: {
      name: 'hello.html',
      type: 'html',
      parent_category_id: 1,
      pageContent: '<p>Hello</p>',
      fileState: 'publish',
    },
    update: { pageContent: '<p>Hello again</p>' },
  },
  file_group: {
    create: { name: 'Downloads', asset_file_ids: [] },
    update: { title: 'All downloads' },
  },
  datatable: {
    create: {
      name: 'Press releases',
      parent_category_id: 12,
      datatable_type: 'Data',
      title_field: 'title',
      table_schema: 'title C(255) NOTNULL, body X(Large), released D',
    },
    update: { table_schema: 'title C(255) NOTNULL, body X(Large), released D, author C(80)' },
  },
  calendar: {
    create: { name: 'Events', display_type: 'Calendar', time_zone: 'Europe/Berlin' },
    update: { table_schema: 'speaker C(120)' },
  },
  user: { create: { name: 'ada', role: 'editor' }, update: { role: 'viewer' } },
  api_key: {
    create: { name: 'website', grants: ['view'] },
    update: { status: 'inactive' },
  },
}

/** An entry with a value in each field that must have one, or else in the first. */
export function exampleEntry(object: ObjectType): Readonly<Record<string, unknown>> {
  const given = Object.entries(object.fields).filter(([, { access }]) => access !== 'assigned')
  const required = given.filter(([, { access }]) => access === 'required')
  const shown = required.length > 0 ? required : given.slice(0, 1)
  return Object.fromEntries(shown.map(([name, field]) => [name, exampleValue(field)]))
}

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

function exampleValue({ schema, search }: Field): unknown {
  const values = schema['enum']
  if (Array.isArray(values)) return (values as readonly unknown[])[0]
  return VALUES[search ?? 'string']
}
