// asset_category: a folder that holds files and modules.

import { reference, string, text } from './field.ts'
import { foldName, NAME_PATTERN, nameFault } from './names.ts'
import { defineObject, type RecordOf } from './object.ts'

/** The root, and the folder that holds datatables; both are there from the start. */
export const ROOT_CATEGORY_ID = 1
export const MODULES_CATEGORY_ID = 12

export const assetCategory = defineObject({
  name: 'asset_category',
  label: 'asset category',
  description: 'A folder that holds files and modules.',
  example: {
    create: { name: 'Press', parent_category_id: 1 },
    update: { title: 'Press releases' },
    record: { asset_category_id: 13, path: '/Main/Press' },
  },
  fields: {
    name: string('required', {
      description: 'Unique among its siblings, compared without regard to case.',
      shownPattern: NAME_PATTERN,
      check: nameFault,
    }),
    parent_category_id: reference('optional', {
      description:
        'The folder that holds this one. Null for the root, and where the key has no business in the folder above. ' +
        'Folders nest at most 64 deep, the root included, also below one that is moved.',
      initial: ROOT_CATEGORY_ID,
      isClearable: false,
    }),
    title: string('optional', { description: 'Title for people.' }),
    description: text('optional', { description: 'Description for people.' }),
    path: string('assigned', {
      description:
        'Names down to this folder, from the root or the topmost folder that the key sees all the way; from the root ' +
        'at most 4,096 bytes in UTF-8. Follows a rename or move of a folder above, without a new ETag.',
      isStored: false,
      isNullable: false,
    }),
  },
  indexes: [
    {
      name: 'by_name',
      rows: (record) => [[Number(record['parent_category_id']), foldName(String(record['name']))]],
    },
  ],
})

export type AssetCategory = RecordOf<typeof assetCategory>
