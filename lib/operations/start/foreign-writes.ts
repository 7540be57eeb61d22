// Reports puts of other processes to the watches of this process. The report arrives before the next plan runs here,
// so before the plan that measured.

import { assetCategory, type AssetCategory } from '../../schema/asset-category.ts'
import type { JsonObject } from '../../schema/values.ts'
import type { Services } from '../context.ts'

interface OtherPut {
  readonly typeName: string
  readonly record: JsonObject
  readonly isNew: boolean
}

const FOLDER = assetCategory.recordType.name

export function noticePuts({
  records,
  watches,
  folderWatches,
}: Pick<Services, 'records' | 'watches' | 'folderWatches'>) {
  return {
    isWaiting: () => watches.isOpen() || folderWatches.isOpen(),
    wants: (typeName: string) =>
      watches.isOpen(typeName) || (typeName === FOLDER && folderWatches.isOpen()),
    lose(): void {
      watches.lose()
      folderWatches.lose()
    },
    notice({ typeName, record, isNew }: OtherPut): void {
      watches.notice(typeName, record, records)
      if (typeName !== FOLDER) return
      const { parent_category_id: parentId, name } = record as unknown as AssetCategory
      // The old state is unknown, so a changed folder may have been moved.
      const kind = isNew ? 'made' : 'moved'
      if (parentId !== null) folderWatches.notice(records, { kind, parentId, name })
    },
  }
}
