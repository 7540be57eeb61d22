// The open comments that mention the user of the key, and the newest replies in threads of the user, newest first.

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
  { before, length }: NumberRange,
): Promise<MentionPage> {
  const { records, limits } = context
  const isVisible = commentVisibility.seen.visibility(context)
  const comments: Stored[] = []
  const slice = openTimeSlice()
  let last: number | undefined
  let scanned = 0
  for (const id of idsBelow(context, before, length + 1)) {
    const stored = records.get(comment.recordType, id)
    if (slice.isOver(stored?.sizeBytes ?? 0)) await slice.next()
    scanned += 1
    if (scanned > limits.mentionsScanned) break
    if (stored === undefined || isVisible?.(stored.value) === false) continue
    if (comments.length === length) return { comments, next: last }
    comments.push(stored)
    last = id
  }
  return { comments, next: undefined }
}

/** Reads the index in parts. A row may change between two parts, and never its number. */
function* idsBelow(
  { records, caller }: Context,
  before: number | undefined,
  length: number,
): Generator<number> {
  const range = { index: 'open', values: [caller.user.user_id], length }
  for (let last = before; ; ) {
    const ids = records.newest(commentMentions, { ...range, before: last })
    yield* ids
    if (ids.length < length) return
    last = ids.at(-1)
  }
}
