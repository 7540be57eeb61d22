// Rules of asset_category as an object.

import { IN_FOLDERS, type ObjectRules } from '../object-rules.ts'
import { createCategory, removeCategory, updateCategory } from './asset-categories.ts'
import { folderShowing } from './folder-showing.ts'

const RECURSIVE = 'recursive'

export const folderRules: ObjectRules = {
  ...folderShowing,
  ...IN_FOLDERS,
  body: 'json',
  needsRoom: 'record',
  create: createCategory,
  update: updateCategory,
  remove: (context, { options, ...input }) =>
    removeCategory(context, { ...input, isRecursive: options.has(RECURSIVE) }),
  removeOptions: [
    {
      name: RECURSIVE,
      description: 'Also delete all contents of the folder; otherwise it must be empty.',
    },
  ],
}
