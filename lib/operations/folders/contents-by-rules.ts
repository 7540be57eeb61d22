// What goes with a folder that is gone: it follows from the rules of all objects.

import { assetCategory } from '../../schema/asset-category.ts'
import type { ObjectType } from '../../schema/object.ts'
import type { FolderContents, GoneContents, Services } from '../context.ts'
import { clearInBatches, FOLDER_FIELD } from '../folder-contents.ts'
import type { ObjectRules } from '../object-rules.ts'
import { commitTold } from '../trail/audit.ts'

/** Of all objects but folders, which are cleared from below upwards: see purge.ts. */
export function folderContentsOf(all: readonly ObjectRules[]): readonly FolderContents[] {
  return all
    .filter(({ object }) => FOLDER_FIELD in object.fields && object.name !== assetCategory.name)
    .map(({ object, clear }) => ({
      object,
      clear: clear ?? ((services, folder) => clearRecords(services, object, folder)),
    }))
}

/** Of records with nothing besides. */
async function clearRecords(
  services: Services,
  object: ObjectType,
  { categoryId, doer }: GoneContents,
): Promise<void> {
  await clearInBatches(services, { object, categoryId }, (ids) =>
    commitTold(services, {
      doer,
      plan(unit) {
        for (const id of ids) unit.remove(object.recordType, id)
      },
    }),
  )
}
