// The open comments that mention the user of the key, newest first.

import { comment, commentMentions } from '../../schema/comment.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import type { Stored } from '../../schema/values.ts'
import type { Context } from '../context.ts'
import type { NumberRange } from '../newest-page.ts'
import { commentVisibility } from './comments.ts'

export interface MentionPage {
  readonly comments: readonly Stored[]
  /** The next page begins before this number; undefined on the last page. */
  readonly next: number | undefined
}

/** A mention gives nobody the right to see a comment: comments on hidden targets are left out. */
export async function listMentions(
  context: Context,
  { before = Number.POSITIVE_INFINITY, length }: NumberRange,
): Promise<MentionPage> {
  const { records, caller } = context
  const isVisible = commentVisibility.seen.visibility(context)
  const ids = records
    .lookup(commentMentions, 'open', [caller.user.user_id])
    .map(([id]) => Number(id))
    .filter((id) => id < before)
    .toSorted((left, right) => right - left)
  const comments: Stored[] = []
  const slice = openTimeSlice()
  let last: number | undefined
  for (const id of ids) {
    const stored = records.get(comment.recordType, id)
    if (slice.isOver(stored?.sizeBytes ?? 0)) await slice.next()
    if (stored === undefined || isVisible?.(stored.value) === false) continue
    if (comments.length === length) return { comments, next: last }
    comments.push(stored)
    last = id
  }
  return { comments, next: undefined }
}
