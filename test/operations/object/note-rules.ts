// The rules of the example object; the file becomes lib/operations/notes/note-rules.ts.

import { refuseField } from '../../../lib/schema/check.ts'
import { changesInFolder } from '../../../lib/operations/folder-records.ts'
import { IN_FOLDERS, type ObjectRules } from '../../../lib/operations/object-rules.ts'
import { seenInFolder, type Visibility } from '../../../lib/operations/visibility.ts'
import { note } from './note.ts'

const noteVisibility: Visibility = {
  object: note,
  seen: seenInFolder(note),
}

export const noteRules: ObjectRules = {
  ...noteVisibility,
  ...IN_FOLDERS,
  body: 'json',
  needsRoom: 'record',
  ...changesInFolder(noteVisibility, {
    check({ values }) {
      if (values['line'] === 'Lorem ipsum') refuseField('line', 'must say something')
    },
  }),
  notes: { create: ['A note is no file: it has no versions.'] },
}
