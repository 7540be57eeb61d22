// The members of `changes` in a row of the audit trail: the records that a commit changed.

import { FAULT_SCHEMA, type ScheduleFault } from './file-schedule.ts'

/** A folder on the path from the root to a record. */
export interface RecordedFolder {
  readonly asset_category_id: number
  readonly name: string
}

/** The name of a deleted, renamed or moved record. Names that say nothing new are omitted: see NAMES_SCHEMA. */
export interface RecordedName {
  readonly name: string
  /**
   * The name in the address: for a file the name of its live version, for a datatable or calendar its
   * module_name.
   */
  readonly address_name?: string
  readonly previous_name?: string
  readonly previous_address_name?: string
}

/** Records of a commit with the same change. Members that would be null are omitted. */
export interface RecordedChange {
  readonly object: string
  readonly module_id?: number
  readonly action: string
  readonly asset_category_id?: number
  readonly previous_category_id?: number
  /**
   * The change follows from a change in this folder; callers who cannot see that folder do not get this change
   * either.
   */
  readonly through_category_id?: number
  /** Ranges of identifiers, each with its first and last identifier. */
  readonly ids: readonly (readonly [first: number, last: number])[]
  /** In the order of the identifiers; only for deleted, renamed and moved records. */
  readonly names?: readonly RecordedName[]
  /** The folders that hold or held these records, from the root down. */
  readonly folders?: readonly RecordedFolder[]
  readonly previous_folders?: readonly RecordedFolder[]
  readonly version?: number
  readonly fileState?: string
  readonly changed_fields?: readonly string[]
  /** Number of entries that were deleted with a datatable or calendar. */
  readonly entries?: number
  /** Why a time of a file could not be kept. */
  readonly schedule_fault?: ScheduleFault
}

const FOLDERS_SCHEMA = {
  type: 'array',
  items: {
    type: 'object',
    properties: { asset_category_id: { type: 'integer' }, name: { type: 'string' } },
  },
} as const

const NAMES_SCHEMA = {
  type: 'array',
  description:
    'One item per identifier, for deleted, renamed and moved records. address_name is omitted if it equals name, and a previous name ' +
    'if it did not change.',
  items: {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string' },
      address_name: {
        type: 'string',
        description:
          'The name in the address: for a file the name of its live version, for a datatable or calendar its module_name.',
      },
      previous_name: { type: 'string' },
      previous_address_name: { type: 'string' },
    },
  },
} as const

export const CHANGES_SCHEMA = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      object: { type: 'string' },
      action: { type: 'string' },
      ids: {
        type: 'array',
        description: 'Ranges of identifiers, each with its first and last identifier.',
        items: { type: 'array', items: { type: 'integer' } },
      },
      module_id: { type: 'integer' },
      asset_category_id: { type: 'integer' },
      previous_category_id: { type: 'integer' },
      through_category_id: {
        type: 'integer',
        description:
          'The folder whose change caused this change, for example a folder that was moved together with its content.',
      },
      version: { type: 'integer' },
      fileState: { type: 'string' },
      changed_fields: { type: 'array', items: { type: 'string' } },
      entries: {
        type: 'integer',
        description: 'Number of entries that were deleted with a datatable or calendar.',
      },
      schedule_fault: FAULT_SCHEMA,
      names: NAMES_SCHEMA,
      folders: {
        ...FOLDERS_SCHEMA,
        description: 'The folders that contain or contained these records, from the root down.',
      },
      previous_folders: FOLDERS_SCHEMA,
    },
  },
} as const

/** The number of records in ranges of identifiers. */
export function countIds(ids: RecordedChange['ids']): number {
  return ids.reduce((sum, [first, last]) => sum + last - first + 1, 0)
}
