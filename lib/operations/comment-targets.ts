// The targets of comments: files and entries. A comment is as visible as the drafts of its target.

import { type Grants, seesDrafts } from '../auth/key-role.ts'
import { assetFile } from '../schema/asset-file.ts'
import {
  comment,
  type CommentTarget,
  findTarget,
  orphanedComments,
  partsOf,
} from '../schema/comment.ts'
import { entryTypeName } from '../schema/entry.ts'
import { MODULE_OBJECTS } from '../schema/module.ts'
import type { Reader, Unit } from '../storage/port.ts'

/** The folder that decides who sees the comments on a target; undefined if the target does not exist. */
export function folderOfTarget(reader: Pick<Reader, 'get'>, text: string): number | undefined {
  const target = findTarget(text)
  if (target === undefined) return undefined
  if (target.kind === 'asset_file')
    return reader.get(assetFile.recordType, target.id)?.value.parent_category_id
  const module = reader.get(MODULE_OBJECTS[target.kind].recordType, target.id)?.value
  return hasEntry(reader, target) ? module?.parent_category_id : undefined
}

function hasEntry(
  reader: Pick<Reader, 'get'>,
  { kind, id, entryId }: Exclude<CommentTarget, { kind: 'asset_file' }>,
): boolean {
  return reader.get({ name: entryTypeName(kind, id), indexes: [] }, entryId) !== undefined
}

export function seesComments(grants: Grants): boolean {
  return grants.has('view') && seesDrafts(grants)
}

/** Call it when a file, an entry or a module is removed for good: its comments are removed later (comments/orphans.ts). */
export function orphanComments(unit: Unit, target: string): void {
  if (unit.count(comment.recordType) === 0) return
  if (unit.lookup(comment.recordType, 'of', partsOf(target), 1).length > 0)
    unit.put(orphanedComments, [target], {})
}
