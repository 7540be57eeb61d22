// Bodies to try, each of which works on a fresh site as it is, and what is answered to them there.

import type { Column } from '../schema/columns/column.ts'
import { showColumn } from '../schema/columns/shown-column.ts'
import type { Field } from '../schema/field.ts'
import type { ObjectType } from '../schema/object.ts'

interface Example {
  readonly create: object
  readonly update: object
  /** What the server adds to what the body gives. */
  readonly record: object
}

type ColumnType = Column['type']

type Values = Readonly<Record<string, unknown>>

const DATE = '2026-01-31T12:00:00.000Z'
const SHA_256 = 'd0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900'

/** Nothing that is set besides the type and a size. */
const plain = (name: string, type: ColumnType, size?: number, isRequired = false): object =>
  showColumn({ name, type, ...(size !== undefined && { size }), isRequired, isUnsigned: false })

const COLUMNS = [plain('title', 'C', 255, true), plain('body', 'X'), plain('released', 'D')]

export const EXAMPLES: Readonly<Record<string, Example>> = {
  asset_category: {
    create: { name: 'Press', parent_category_id: 1 },
    update: { title: 'Press releases' },
    record: { asset_category_id: 13, path: '/Main/Press' },
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
    record: {
      asset_file_id: 1,
      version: 1,
      live_version: 1,
      staged_version: 1,
      size: 12,
      sha256: SHA_256,
      mime_type: 'text/html',
      date_published: DATE,
      date_staged: DATE,
      path: '/Main/hello.html',
      url: '/file/1/hello.html',
    },
  },
  file_group: {
    create: { name: 'Downloads', asset_file_ids: [] },
    update: { title: 'All downloads' },
    record: { file_group_id: 1, parent_category_id: 1 },
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
    record: {
      datatable_id: 1,
      columns: COLUMNS,
      module_name: 'press-releases',
      module_url: '/api/v2/module/datatable/1/press-releases',
      entry_count: 0,
    },
  },
  calendar: {
    create: { name: 'Events', display_type: 'Calendar', time_zone: 'Europe/Berlin' },
    update: { table_schema: 'speaker C(120)' },
    record: {
      calendar_id: 1,
      parent_category_id: 12,
      module_name: 'events',
      module_url: '/api/v2/module/calendar/1/events',
      entry_count: 0,
    },
  },
  user: {
    create: { name: 'ada', role: 'editor' },
    update: { role: 'viewer' },
    record: { user_id: 2 },
  },
  api_key: {
    create: { name: 'website', grants: ['view'] },
    update: { status: 'inactive' },
    record: { api_key_id: 2, user_id: 1, hint: 'cms_eO4e…', made_by: 1 },
  },
}

const AUDIT_ROW = {
  audit_id: 2,
  user_name: 'admin',
  user_id: 1,
  api_key_id: 1,
  address: '192.0.2.7',
  request_id: '4395c0a5-5f79-4fe3-907d-df07ee5f2b6b',
  action: 'create',
  object: 'asset_file',
  object_id: 1,
  last_object_id: 1,
  count: 1,
  version: 1,
  fileState: 'publish',
}

/** A record of one of the core objects: the one that the example of its create makes. */
export function exampleRecord(object: ObjectType): Values {
  const { create, record } = EXAMPLES[object.name] ?? { create: AUDIT_ROW, record: {} }
  const given: Values = { owner: 'admin', ...create, ...record }
  const entries = Object.entries(object.fields).map(([name, field]) => [
    name,
    given[name] ??
      (name.startsWith('date_added') || name === 'date_modified' ? DATE : field.initial),
  ])
  return Object.fromEntries(entries) as Values
}

/** The same after the example of an update. */
export function exampleUpdated(object: ObjectType): Values {
  return { ...exampleRecord(object), ...EXAMPLES[object.name]?.update, ...CHANGED[object.name] }
}

/** What follows from an update. */
const CHANGED: Readonly<Record<string, object>> = {
  asset_file: {
    version: 2,
    size: 18,
    sha256: '7458f3c96e945ca0b5adc81e4897242e24193fd050165be1c27236fb6ab135cc',
  },
  datatable: {
    columns: [...COLUMNS, plain('author', 'C', 80)],
  },
  calendar: {
    columns: [plain('speaker', 'C', 120)],
  },
}

/** One page that holds one record. */
export function examplePage(name: string, record: object): object {
  return { [name]: [record], page: { start: 1, length: 100, total: 1, next: null } }
}

export const EXAMPLE_SECRET = 'cms_eO4eF5uzcjgJxXflEb2AlpqhamhWi0smbs465xyu16z2QsgUL'

/** An entry with a value in each field that must have one, or else in the first. */
export function exampleEntry(object: ObjectType): Values {
  const given = Object.entries(object.fields).filter(([, { access }]) => access !== 'assigned')
  const required = given.filter(([, { access }]) => access === 'required')
  const shown = required.length > 0 ? required : given.slice(0, 1)
  return Object.fromEntries(shown.map(([name, field]) => [name, exampleValue(field)]))
}

/** The whole entry, with a value in each of its fields. */
export function exampleWholeEntry({ fields }: ObjectType): Values {
  const entries = Object.entries(fields).map(([name, field]) => [name, answeredValue(name, field)])
  return Object.fromEntries(entries) as Values
}

/** Names that no column of a module can have. */
const BASE_VALUES: Values = {
  calendar_id: 1,
  event_title: 'Talk',
  start_time: DATE,
  end_time: '2026-01-31T13:00:00.000Z',
  all_day: false,
  location: 'Room 1',
  rrule: 'FREQ=WEEKLY;COUNT=3',
  owner: 'ada',
}

function answeredValue(name: string, field: Field): unknown {
  if (field.search === undefined) return field.initial
  return BASE_VALUES[name] ?? (field.search === 'date-time' ? DATE : exampleValue(field))
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
