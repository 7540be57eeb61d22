// The field layout_file_id of files and folders: the layout of pages on the site.

import type { Caller } from '../../auth/caller.ts'
import { grantsAt } from '../../auth/grants.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { refuseField, type Values } from '../../schema/check.ts'
import { HTML, STML } from '../../schema/media-type.ts'
import type { Reader } from '../../storage/port.ts'

/** Refuses a new layout that is no page, or that the caller does not see. A layout that is deleted later counts as none. */
export function requireLayout(reader: Reader, caller: Caller, values: Values): void {
  const { layout_file_id: id } = values
  if (typeof id !== 'number' || id === 0) return
  const file = reader.get(assetFile.recordType, id)?.value
  const isSeen = file !== undefined && grantsAt(reader, caller, file.parent_category_id).size > 0
  if (isSeen && (file.mime_type === HTML || file.mime_type === STML)) return
  refuseField(
    'layout_file_id',
    'must be the identifier of an asset file of type html or stml, 0 for no layout, or null',
  )
}
