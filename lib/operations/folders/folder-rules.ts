// asset_category in the common pattern.

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
      description: 'Delete all that the folder holds, too; else it must be empty.',
    },
  ],
}
