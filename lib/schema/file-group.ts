// file_group: an ordered list of files under one name.

import { reference, references, string, text } from './field.ts'
import { NAME_PATTERN, nameFault } from './names.ts'
import { defineObject, type RecordOf } from './object.ts'
import { ROOT_CATEGORY_ID } from './asset-category.ts'

export const fileGroup = defineObject({
  name: 'file_group',
  label: 'file group',
  description: 'An ordered list of files under one name.',
  example: {
    create: { name: 'Downloads', asset_file_ids: [] },
    update: { title: 'All downloads' },
    record: { file_group_id: 1, parent_category_id: 1 },
  },
  fields: {
    name: string('required', {
      description: 'Name of the group.',
      shownPattern: NAME_PATTERN,
      check: nameFault,
    }),
    title: string('optional', { description: 'Title for display.' }),
    description: text('optional', { description: 'Description for display.' }),
    parent_category_id: reference('optional', {
      description: 'The folder of the group, which decides who may see and change the group.',
      initial: ROOT_CATEGORY_ID,
      isNullable: false,
    }),
    asset_file_ids: references('optional', {
      description:
        'The files in order, limited to files that the key can see; other files keep their positions when the list is changed. ' +
        'A deleted file is removed from its groups. In a public folder a change needs the grant publish, because menus of the site show the list.',
      initial: [],
    }),
  },
})

export type FileGroup = RecordOf<typeof fileGroup>
