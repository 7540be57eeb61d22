// Derives the contents of folders from the rules of all objects.

import { assetCategory } from '../../schema/asset-category.ts'
import type { ObjectType } from '../../schema/object.ts'
import type { FolderContents, DeletedFolder, Services } from '../context.ts'
import { clearInBatches, FOLDER_FIELD } from '../folder-contents.ts'
import type { ObjectRules } from '../object-rules.ts'
import { commitAudited } from '../trail/audit.ts'
import { removeOrKeep } from '../trash/trash-items.ts'

/** All objects except folders, which are removed from below: see folder-rules.ts. */
export function folderContentsOf(all: readonly ObjectRules[]): readonly FolderContents[] {
  return all
    .filter(({ object }) => FOLDER_FIELD in object.fields && object.name !== assetCategory.name)
    .map(({ object, clear }) => ({
      object,
      clear: clear ?? ((services, folder) => clearRecords(services, object, folder)),
    }))
}

/** For objects that consist of their records only. */
async function clearRecords(
  services: Services,
  object: ObjectType,
  { categoryId, doer, trashId }: DeletedFolder,
): Promise<void> {
  await clearInBatches(services, { object, categoryId }, (ids) =>
    commitAudited(services, {
      doer,
      plan(unit) {
        for (const id of ids) removeOrKeep(unit, services, trashId, { type: object.recordType, id })
      },
    }),
  )
}
