// datatable and calendar: the two kinds of module. A module has columns, and entries with one value per column.
// Its resource in the Module API exists as soon as the record exists.

import { checkTimeZone } from '../shared/wall-clock.ts'
import type { JsonObject, RecordType } from './values.ts'
import { MODULES_CATEGORY_ID } from './asset-category.ts'
import { MAX_COLUMNS } from '../shared/column-types.ts'
import { type Column, showColumn } from './columns/column.ts'
import { columnsSchema } from './columns/columns-schema.ts'
import type { Layout } from './layout.ts'
import { accept, choice, integer, reference, refuse, string, structure, text } from './field.ts'
import { NAME_PATTERN, nameFault } from './names.ts'
import { defineObject, type ObjectType, type RecordOf } from './object.ts'
import { PUBLIC_FIELDS, type PublicSettings } from './public-settings.ts'

export const MODULE_KINDS = ['datatable', 'calendar'] as const

export type ModuleKind = (typeof MODULE_KINDS)[number]

/** Fields that both kinds have in addition to their own. */
const SHARED_FIELDS = {
  title: string('optional', { description: 'Title for display.' }),
  description: text('optional', { description: 'Description for display.' }),
  columns: structure('optional', columnsSchema(), checkRenames, {
    description:
      'The columns that table_schema describes. In an update, {"name": "new", "renamed_from": "old"} renames a column and keeps its values.',
    initial: [],
    isNullable: false,
    // Null in the body of a create is the same as no columns.
    isClearable: true,
  }),
  ...PUBLIC_FIELDS,
  module_name: string('assigned', {
    description: 'The name in the address of the module.',
    isNullable: false,
  }),
  module_url: string('assigned', {
    description: 'Address of the module.',
    isIndexed: false,
    isNullable: false,
  }),
  entry_count: integer('assigned', {
    description: 'Number of entries.',
    isStored: false,
    isNullable: false,
  }),
}

/** A column with only a type and a size. */
const plain = (name: string, type: Column['type'], size?: number, isRequired = false): object =>
  showColumn({ name, type, ...(size !== undefined && { size }), isRequired, isUnsigned: false })

const EXAMPLE_COLUMNS = [plain('title', 'C', 255, true), plain('body', 'X'), plain('released', 'D')]

export const datatable = defineObject({
  name: 'datatable',
  label: 'datatable',
  description: 'A table of entries. It is a resource of the Module API as soon as it is created.',
  example: {
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
      columns: EXAMPLE_COLUMNS,
      module_name: 'press-releases',
      module_url: '/api/v2/module/datatable/1/press-releases',
      entry_count: 0,
    },
    changed: { columns: [...EXAMPLE_COLUMNS, plain('author', 'C', 80)] },
  },
  fields: {
    name: string('required', {
      description: 'Name, from which module_name is derived.',
      shownPattern: NAME_PATTERN,
      check: nameFault,
    }),
    parent_category_id: reference('optional', {
      description: 'The folder of the datatable.',
      initial: MODULES_CATEGORY_ID,
      isNullable: false,
    }),
    datatable_type: choice('optional', ['Data', 'Form'], {
      description: 'Kind of datatable.',
      initial: 'Data',
    }),
    title_field: string('optional', {
      description: 'Name of the column that contains the title of an entry.',
    }),
    table_schema: text('required', {
      description:
        'The columns in ADOdb style: "title C(255) NOTNULL, body X(Large), price N(8.2)". Returned as given.',
    }),
    ...SHARED_FIELDS,
  },
})

export const calendar = defineObject({
  name: 'calendar',
  label: 'calendar',
  description: 'A calendar of events, with optional additional columns.',
  example: {
    create: { name: 'Events', display_type: 'Calendar', time_zone: 'Europe/Berlin' },
    update: { table_schema: 'speaker C(120)' },
    record: {
      calendar_id: 1,
      parent_category_id: 12,
      module_name: 'events',
      module_url: '/api/v2/module/calendar/1/events',
      entry_count: 0,
    },
    changed: { columns: [plain('speaker', 'C', 120)] },
  },
  fields: {
    name: string('required', {
      description: 'Name, from which module_name is derived.',
      shownPattern: NAME_PATTERN,
      check: nameFault,
    }),
    parent_category_id: reference('optional', {
      description: 'The folder of the calendar.',
      initial: MODULES_CATEGORY_ID,
      isNullable: false,
    }),
    display_type: choice(
      'optional',
      ['Calendar', 'News', 'Forum', 'Photos', 'Landing Page', 'Other'],
      {
        description: 'How the calendar is shown.',
        initial: 'Calendar',
      },
    ),
    time_zone: string('optional', {
      description: 'IANA name of the time zone in which recurring entries keep their time of day.',
      initial: 'UTC',
      maxLength: 64,
      check: checkTimeZone,
    }),
    title_field: string('optional', {
      description: 'Name of a column that contains the title of an entry.',
    }),
    table_schema: text('optional', {
      description: 'Additional columns of its entries, in ADOdb style.',
    }),
    ...SHARED_FIELDS,
  },
})

export function isModuleKind(value: unknown): value is ModuleKind {
  return value === 'datatable' || value === 'calendar'
}

/** A datatable or calendar as the Module API sees it. */
export type ModuleRecord = Pick<
  RecordOf<typeof calendar>,
  | 'name'
  | 'parent_category_id'
  | 'title_field'
  | 'table_schema'
  | 'module_name'
  | 'module_url'
  | 'description'
  | keyof PublicSettings
> &
  Partial<Pick<RecordOf<typeof calendar>, 'time_zone'>>

export const MODULE_OBJECTS: Readonly<Record<ModuleKind, ObjectType<ModuleRecord>>> = {
  datatable,
  calendar,
}

/** Key: [kind, module id]. The history of the columns: see schema/layout.ts. */
export const moduleLayout: RecordType<Layout> = { name: 'module_layout', indexes: [] }

/**
 * Key: [kind, module id]. The highest number that an entry ever had in each AUTO column, as digits, by the key
 * of the column. Stored separately, so that the number of a deleted entry is not reused.
 */
export const moduleNumbers: RecordType<Readonly<Record<string, string>>> = {
  name: 'module_numbers',
  indexes: [],
}

/** Key: [kind, module id]. */
export interface ModuleNames {
  /** Former names, latest last. */
  readonly old: readonly string[]
  /** The former names that the module had only while it was not public. */
  readonly hidden?: readonly string[]
}

export const moduleNames: RecordType<ModuleNames> = { name: 'module_names', indexes: [] }

/** Invisible characters count as blanks between words. */
async function toLatin(name: string): Promise<string> {
  const { default: anyAscii } = await import('any-ascii')
  return anyAscii(name.normalize('NFC').replace(/\p{Default_Ignorable_Code_Point}/gu, ' '))
}

/** Maximum length of a name; one character can become many letters. */
const MAX_MODULE_NAME = 255

/**
 * The name of a module in its address: lower-case letters, digits and dashes. Other scripts are transliterated
 * with a table of half a megabyte, which the first such name loads.
 */
export async function moduleNameOf(name: string): Promise<string> {
  const isPlain = /^[\x20-\x7e]*$/.test(name)
  const latin = isPlain ? name : await toLatin(name)
  const dashed = latin
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_MODULE_NAME)
  return dashed.replace(/^-+|-+$/g, '') || 'module'
}

export function moduleUrlOf(kind: ModuleKind, id: number, moduleName: string): string {
  return `/api/v2/module/${kind}/${id}/${moduleName}`
}

interface Rename extends JsonObject {
  readonly name: string
  readonly renamed_from: string
}

/** A list that was read can be sent back; only renamed_from has an effect. */
function checkRenames(value: unknown) {
  if (!Array.isArray(value) || value.length > MAX_COLUMNS)
    return refuse(`must be a list of at most ${MAX_COLUMNS} columns`)
  const isGood = value.every(
    (item: unknown) =>
      typeof item === 'object' &&
      item !== null &&
      typeof (item as Partial<Rename>).name === 'string' &&
      ['string', 'undefined'].includes(typeof (item as Partial<Rename>).renamed_from),
  )
  return isGood
    ? accept(value as readonly JsonObject[])
    : refuse(
        'must contain objects {"name": "new", "renamed_from": "old"}; table_schema defines the columns',
      )
}
