// The fields of the example object that CONTRIBUTING.md describes; the file becomes
// lib/schema/note.ts.

import { ROOT_CATEGORY_ID } from '../../../lib/schema/asset-category.ts'
import { choice, reference, string } from '../../../lib/schema/field.ts'
import { defineObject } from '../../../lib/schema/object.ts'

export const note = defineObject({
  name: 'note',
  label: 'note',
  description: 'A line that an editor leaves for the next one.',
  example: {
    create: { line: 'Ask Ada' },
    update: { color: 'red' },
    record: { note_id: 1, parent_category_id: 1 },
  },
  fields: {
    line: string('required', { description: 'What it says.' }),
    color: choice('optional', ['yellow', 'red'], {
      description: 'Of the paper.',
      initial: 'yellow',
    }),
    parent_category_id: reference('optional', {
      description: 'The folder that it hangs in; it decides who may see and change it.',
      initial: ROOT_CATEGORY_ID,
      isNullable: false,
    }),
  },
})
