// What other processes put while something is measured in this one counts as what is put here. It is told before the
// next plan runs on it, so before the one that was measured for.

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
      // What it was before is not told: one that was changed may have been moved.
      const kind = isNew ? 'made' : 'moved'
      if (parentId !== null) folderWatches.notice(records, { kind, parentId, name })
    },
  }
}
