// Numbers of open comments on some targets: first comments of threads that are not resolved.

import { openVisibleFolders } from '../../auth/visible-folders.ts'
import { comment, partsOf } from '../../schema/comment.ts'
import { inSlices, type Pause } from '../../schema/time-slicing.ts'
import { MAX_COMMENT_COUNT } from '../../shared/limits.ts'
import { folderOfTarget, seesComments } from '../comment-targets.ts'
import type { Context } from '../context.ts'

export interface CommentCount {
  readonly target: string
  /** From 1 to MAX_COMMENT_COUNT; the target may have more. */
  readonly open: number
}

/** Leaves out targets without open comments, and targets whose comments the caller does not see. */
export function countComments(
  context: Context,
  targets: readonly string[],
): readonly CommentCount[] | Promise<readonly CommentCount[]> {
  return inSlices(counting(context, targets))
}

function* counting(
  { records, caller }: Context,
  targets: readonly string[],
): Generator<Pause, readonly CommentCount[]> {
  const visible = openVisibleFolders(records, caller)
  const counts: CommentCount[] = []
  for (const target of targets) {
    yield
    const folder = folderOfTarget(records, target)
    if (folder === undefined || !seesComments(visible.grantsAt(folder))) continue
    const found = records.lookup(comment.recordType, 'open', partsOf(target), MAX_COMMENT_COUNT)
    if (found.length > 0) counts.push({ target, open: found.length })
  }
  return counts
}
