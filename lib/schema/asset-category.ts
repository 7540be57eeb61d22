// asset_category: a folder that holds files and modules.

import { boolean, dateTime, reference, string, text } from './field.ts'
import { foldName, NAME_PATTERN, nameFault } from './names.ts'
import { defineObject, type RecordOf } from './object.ts'
import { CHOSEN_LAYOUTS, SITE_FIELDS } from './site-settings.ts'
import { KEEP_VERSIONS } from './version-retention.ts'
import type { RecordType } from './values.ts'

/** The root folder and the folder of datatables; both always exist. */
export const ROOT_CATEGORY_ID = 1
export const MODULES_CATEGORY_ID = 12

export const assetCategory = defineObject({
  name: 'asset_category',
  label: 'asset category',
  description: 'A folder that contains files and modules.',
  example: {
    create: { name: 'Press', parent_category_id: 1 },
    update: { title: 'Press releases' },
    record: { asset_category_id: 13, path: '/Main/Press', is_public: false },
  },
  fields: {
    name: string('required', {
      description: 'Unique within its parent folder; case is ignored.',
      shownPattern: NAME_PATTERN,
      check: nameFault,
    }),
    parent_category_id: reference('optional', {
      description:
        'The parent folder. Null for the root, and if the key has no access to the parent folder. ' +
        'Folders nest at most 64 levels deep, including the root; this also limits moves.',
      initial: ROOT_CATEGORY_ID,
      isClearable: false,
    }),
    title: string('optional', { description: 'Title for display.' }),
    description: text('optional', { description: 'Description for display.' }),
    public: boolean('optional', {
      description:
        'True: everybody may read the live files of this folder and of the folders below it, without a key. False: nobody ' +
        'may, except with a key. Null: as in the parent folder. A change needs the grant publish.',
      isIndexed: false,
    }),
    public_since: dateTime('assigned', {
      description: 'When public was last set to true; null if public is not true.',
      isIndexed: false,
    }),
    is_public: boolean('assigned', {
      description:
        'Whether the live files of this folder are public: by public here or in a folder above.',
      isStored: false,
      isNullable: false,
    }),
    ...SITE_FIELDS,
    keep_versions: KEEP_VERSIONS,
    path: string('assigned', {
      description:
        'Path of this folder, starting at the root or at the topmost folder from which the key can see every folder; from the root ' +
        'at most 4,096 bytes in UTF-8. A rename or move of a parent folder changes the path but not the ETag.',
      isStored: false,
      isNullable: false,
    }),
  },
  indexes: [
    CHOSEN_LAYOUTS,
    {
      // Folders with a rule that removes versions.
      name: 'removes_versions',
      width: 1,
      rows: ({ keep_versions: rule }) =>
        typeof rule === 'object' && rule !== null && 'latest' in rule ? [[true]] : [],
    },
    {
      name: 'by_name',
      width: 2,
      rows: (record) => [[Number(record['parent_category_id']), foldName(String(record['name']))]],
    },
  ],
})

export type AssetCategory = RecordOf<typeof assetCategory>

/** Key: [asset_category_id]. Places of a public folder before renames and moves, the latest last. */
export interface FormerPlaces {
  readonly asset_category_id: number
  /** The parent folder and the folded name. */
  readonly places: readonly (readonly [number, string])[]
}

export const formerPlaces: RecordType<FormerPlaces> = {
  name: 'asset_category_former_places',
  indexes: [
    {
      name: 'place',
      width: 2,
      rows: ({ places }) => (places as FormerPlaces['places']).map(([id, name]) => [id, name]),
    },
  ],
}
