// Checks before a folder is deleted with its contents that nothing outside forbids it: columns of other modules that
// refer to a table or calendar inside, and references with ON DELETE RESTRICT to files inside. References between
// records inside the folder do not matter. Reads in time slices.

import { chainOf } from '../../auth/folders.ts'
import { assetCategory } from '../../schema/asset-category.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { MODULE_KINDS, MODULE_OBJECTS } from '../../schema/module.ts'
import type { ObjectType } from '../../schema/object.ts'
import { referrer, targetKey } from '../../schema/reference.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import type { Reader } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { FOLDER_FIELD } from '../folder-contents.ts'
import { fileRecord } from '../removal-marks.ts'
import { findDependents } from '../references/dependents.ts'
import type { ReferringColumn } from '../references/reference-columns.ts'
import { requireUnreferred } from '../references/reference-columns.ts'
import { requireUnblocked } from '../references/removal-refusal.ts'

const PAGE = 500

/** Whether any column refers to files or modules, so that a folder must be checked before it is deleted. */
export function hasReferences({ records }: { readonly records: Reader }): boolean {
  return records.count(referrer) > 0
}

/** Throws in-use if something outside the folder prevents its deletion. */
export async function requireReleased(context: Context, folderId: number): Promise<void> {
  const { records, caller } = context
  const isApart = outsideOf(context, folderId)
  const slice = openTimeSlice()
  const hasFileColumns =
    records.list(referrer, targetKey({ object: 'asset_file', module_id: null }), 1).length > 0
  const folders = [folderId]
  for (const id of folders) {
    if (slice.isOver(0)) await slice.next()
    for await (const ids of pagesIn(context, assetCategory, id)) folders.push(...ids)
    for (const kind of MODULE_KINDS) {
      for await (const ids of pagesIn(context, MODULE_OBJECTS[kind], id)) {
        for (const moduleId of ids)
          requireUnreferred(context, records, { kind, id: moduleId, caller, isApart })
        if (slice.isOver(0)) await slice.next()
      }
    }
    if (!hasFileColumns) continue
    for await (const ids of pagesIn(context, assetFile, id)) {
      const files = ids.map((file) => fileRecord(file))
      const { blockers, isFull } = await findDependents(context, files, isApart)
      requireUnblocked(records, caller, { blockers, hasMore: isFull }, 'the folder')
    }
  }
}

/** Whether a module lies outside the folder. */
function outsideOf(
  { records }: Context,
  folderId: number,
): (referring: ReferringColumn) => boolean {
  const known = new Map<number, boolean>()
  return ({ module: { record } }) => {
    const place = record.parent_category_id
    const isOutside =
      known.get(place) ??
      !(chainOf(records, place) ?? []).some(({ asset_category_id: id }) => id === folderId)
    known.set(place, isOutside)
    return isOutside
  }
}

async function* pagesIn(
  { records }: Context,
  { recordType, searchable, idField }: ObjectType,
  folderId: number,
): AsyncGenerator<readonly number[]> {
  // Most folders have no records of most objects; the index shows that quickly.
  const field = searchable.get(FOLDER_FIELD)
  if (field === undefined || records.lookup(recordType, FOLDER_FIELD, [folderId], 1).length === 0)
    return
  const match = { op: 'eq', field, value: folderId } as const
  let cursor: string | undefined
  do {
    const page = await records.search(recordType, searchable, { match, length: PAGE, cursor })
    yield page.records.map(({ value }) => Number(value[idField]))
    cursor = page.next
  } while (cursor !== undefined)
}
