// What a row of the audit trail says about the records of a commit: the members of its `changes`.

/** A folder on the way from the root to a record. */
export interface ToldFolder {
  readonly asset_category_id: number
  readonly name: string
}

/** The name of a record that was deleted, renamed or moved. Members that would repeat another one are left out. */
export interface ToldName {
  readonly name: string
  /** The name in the address: of a file that of its live version, of a datatable or calendar its module_name. */
  readonly address_name?: string
  readonly previous_name?: string
  readonly previous_address_name?: string
}

/** Records of a commit of which the same is told. What is null is left out. */
export interface ToldChange {
  readonly object: string
  readonly module_id?: number
  readonly action: string
  readonly asset_category_id?: number
  readonly previous_category_id?: number
  /** It follows from a change in this folder: who does not see that one is not told of this one either. */
  readonly through_category_id?: number
  /** Runs of identifiers, from the first to the last. */
  readonly ids: readonly (readonly [first: number, last: number])[]
  /** In the order of the identifiers; of records that were deleted, renamed or moved. */
  readonly names?: readonly ToldName[]
  /** Where these lie, or lay: the folders from the root down. */
  readonly folders?: readonly ToldFolder[]
  readonly previous_folders?: readonly ToldFolder[]
  readonly version?: number
  readonly fileState?: string
  readonly changed_fields?: readonly string[]
  /** Of a datatable or calendar that was deleted: how many entries went with it. */
  readonly entries?: number
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
    'One for each identifier, of records that were deleted, renamed or moved. A member that would repeat another one is ' +
    'left out.',
  items: {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string' },
      address_name: {
        type: 'string',
        description:
          'The name in the address: of a file that of its live version, of a datatable or calendar its module_name.',
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
        description: 'Runs of identifiers, from the first to the last.',
        items: { type: 'array', items: { type: 'integer' } },
      },
      module_id: { type: 'integer' },
      asset_category_id: { type: 'integer' },
      previous_category_id: { type: 'integer' },
      through_category_id: {
        type: 'integer',
        description: 'It follows from a change in this folder.',
      },
      version: { type: 'integer' },
      fileState: { type: 'string' },
      changed_fields: { type: 'array', items: { type: 'string' } },
      entries: {
        type: 'integer',
        description: 'How many entries went with a datatable or calendar that was deleted.',
      },
      names: NAMES_SCHEMA,
      folders: { ...FOLDERS_SCHEMA, description: 'Where these lie, or lay, from the root down.' },
      previous_folders: FOLDERS_SCHEMA,
    },
  },
} as const
