// The open comments that mention the user of the key, and the newest replies in threads of the user, newest first.
//
// The end of a page is encrypted, because it may be the number of a comment that the key does not see:
//   base64url( "mentions ", the user, a blank, the last examined comment )

import { CmsError } from '../../base/errors.ts'
import { type Comment, comment, commentMentions } from '../../schema/comment.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import type { Stored } from '../../schema/values.ts'
import type { Context } from '../context.ts'
import { commentVisibility } from './comments.ts'

export interface MentionsInput {
  readonly cursor: string | undefined
  readonly length: number
}

export interface MentionPage {
  readonly comments: readonly Stored<Comment>[]
  /** Undefined on the last page. */
  readonly next: string | undefined
  /** The page ended because its time was over: more may follow. */
  readonly isSpent: boolean
}

/**
 * A mention gives nobody the right to see a comment: comments on hidden targets are left out. Other users decide how many of
 * these comments exist, so a page ends after `searchMs`.
 */
export async function listMentions(
  context: Context,
  { cursor, length }: MentionsInput,
): Promise<MentionPage> {
  const { records, limits } = context
  const isVisible = commentVisibility.seen.visibility(context)
  const comments: Stored<Comment>[] = []
  const slice = openTimeSlice()
  const endMs = performance.now() + limits.searchMs
  let examined: number | undefined
  for (const id of idsBelow(context, cursor, length + 1)) {
    if (examined !== undefined && performance.now() >= endMs)
      return { comments, next: encodeEnd(context, examined), isSpent: true }
    const stored = records.get(comment.recordType, id)
    if (slice.isOver(stored?.sizeBytes ?? 0)) await slice.next()
    examined = id
    if (stored === undefined || isVisible?.(stored.value) === false) continue
    const last = comments.at(-1)?.value.comment_id
    if (comments.length === length && last !== undefined)
      return { comments, next: encodeEnd(context, last), isSpent: false }
    comments.push(stored)
  }
  return { comments, next: undefined, isSpent: false }
}

/** Reads the index in parts. A row may change between two parts, and never its number. */
function* idsBelow(
  context: Context,
  cursor: string | undefined,
  length: number,
): Generator<number> {
  const { records, caller } = context
  const range = { index: 'open', values: [caller.user.user_id], length }
  for (let last = cursor === undefined ? undefined : parseEnd(context, cursor); ; ) {
    const ids = records.newest(commentMentions, { ...range, before: last })
    yield* ids
    if (ids.length < length) return
    last = ids.at(-1)
  }
}

const END = /^mentions (\d+) (\d+)$/

function encodeEnd({ cursors, caller }: Context, id: number): string {
  return cursors.encrypt(Buffer.from(`mentions ${caller.user.user_id} ${id}`).toString('base64url'))
}

function parseEnd({ cursors, caller }: Context, cursor: string): number {
  const text = Buffer.from(cursors.decrypt(cursor), 'base64url').toString('latin1')
  const [, userId, id] = END.exec(text) ?? []
  if (id !== undefined && Number(userId) === caller.user.user_id) return Number(id)
  throw new CmsError('bad-qry', 'The cursor belongs to another list. Leave it out.')
}
