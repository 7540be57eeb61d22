// The trash: deleted records that can be restored. A deletion makes one item, with a part for each record that it removed.
// See docs/internals/trash.md.

import { choice, dateTime, integer, reference, string } from './field.ts'
import { defineObject, EXAMPLE_DATE, type RecordOf } from './object.ts'
import type { Id, JsonObject, RecordType, Searchable } from './values.ts'

const TRASHED_OBJECTS = [
  'asset_file',
  'asset_category',
  'file_group',
  'datatable',
  'calendar',
  'datatable_entry',
  'calendar_entry',
] as const

export type TrashedObject = (typeof TRASHED_OBJECTS)[number]

/** `complete` is the only state in which an item can be restored or removed. */
const TRASH_STATES = ['complete', 'deleting', 'restoring'] as const

export const trash = defineObject({
  name: 'trash',
  label: 'trash item',
  description:
    'A deleted file, folder, file group, datatable, calendar or entry that can be restored. An item is visible to callers with the ' +
    'grants view and delete in the folder that contained the record; if this folder is gone, to administrators of the whole site.',
  example: {
    record: {
      trash_id: 1,
      object: 'asset_file',
      object_id: 2,
      module_id: null,
      name: 'index.html',
      asset_category_id: 1,
      deleted_by: 'ada',
      count: 1,
      size: 1024,
      state: 'complete',
      path: '/Main/index.html',
    },
  },
  fields: {
    object: choice('assigned', TRASHED_OBJECTS, {
      description: 'Kind of the deleted record.',
      isNullable: false,
    }),
    object_id: integer('assigned', {
      description:
        'Identifier of the deleted record, or of the first of several entries. A restored record keeps its identifier.',
      isNullable: false,
    }),
    module_id: reference('assigned', {
      description: 'The datatable or calendar of an entry; otherwise null.',
    }),
    name: string('assigned', {
      description: 'Name of the record; null for an entry.',
    }),
    asset_category_id: reference('assigned', {
      description:
        'The folder that contained the record; for an entry, the folder of its module at that time.',
      isNullable: false,
    }),
    path: string('assigned', {
      description:
        'Path of the record in its folder as it is now; null if the folder is gone, and for an entry.',
      isStored: false,
    }),
    deleted_by: string('assigned', {
      description: 'Name of the user who deleted the record; null for the command line.',
    }),
    count: integer('assigned', {
      description:
        'Number of records in the item: files, folders, groups, modules with their entries, and entries.',
      isNullable: false,
    }),
    size: integer('assigned', {
      description: 'Bytes of the contents of all versions of its files.',
      isNullable: false,
    }),
    state: choice('assigned', TRASH_STATES, {
      description:
        'complete: the item can be restored. deleting, restoring: this work is still running.',
      isNullable: false,
    }),
  },
  baseFields: {
    date_added: dateTime('assigned', {
      description: 'When the record was deleted.',
      example: EXAMPLE_DATE,
      isNullable: false,
    }),
  },
})

export type TrashItem = RecordOf<typeof trash>

/**
 * When a part returns. `root`: the deleted record itself. `content`: a record in a deleted folder, which returns before the folder.
 * `after`: a membership in a group, or an entry that ON DELETE CASCADE deleted, which returns after the root.
 */
export type TrashPhase = 'root' | 'content' | 'after'

/** Key: [trash_part_id]. One record that a deletion removed. Numbers follow the order of the removals. */
export interface TrashPart extends JsonObject {
  readonly trash_part_id: number
  readonly trash_id: number
  readonly phase: TrashPhase
  /** Name of the record type; MEMBERSHIP for the place of a file in a group. */
  readonly type: string
  readonly ids: readonly Id[]
  /** The revision that the record had, so that ETags from before the deletion never match again. */
  readonly revision: number
  readonly record: JsonObject
}

/** A part whose identifiers are [file_group_id, asset_file_id], and whose record has the place in the group. */
export const MEMBERSHIP = 'membership'

export const trashPart: RecordType<TrashPart> = {
  name: 'trash_part',
  indexes: [
    { name: 'item', width: 1, rows: (part) => [[phaseKey(part as TrashPart)]] },
    {
      name: 'of',
      rows: ({ type, ids }) =>
        type === MEMBERSHIP ? [] : [[String(type), (ids as readonly Id[])[0] ?? 0]],
    },
  ],
}

/** The value of the index `item`: the parts of one item that return together. */
export function phaseKey({ trash_id: id, phase }: Pick<TrashPart, 'trash_id' | 'phase'>): string {
  return `${id}/${phase}`
}

/** For a search of the parts of an item from the last one to the first. */
export const PARTS_SEARCHABLE: Searchable = new Map([
  [
    'item',
    {
      name: 'item',
      kind: 'string',
      isIndexed: true,
      index: 'item',
      derive: (part) => phaseKey(part as TrashPart),
    },
  ],
])

/** Key: [1]. Defaults of new sites; sites of earlier versions have no such record. */
interface SiteDefaults {
  readonly trash_days: number
}

export const siteDefaults: RecordType<SiteDefaults> = { name: 'site_defaults', indexes: [] }
