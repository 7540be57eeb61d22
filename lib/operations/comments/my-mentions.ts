// The open comments that mention the user of the key, and the newest replies in threads of the user, newest first.
//
// The end of a page is encrypted, so that a cursor belongs to the list of one user:
//   base64url( "mentions ", the user, a blank, the last comment of the page )

import { openVisibleFolders } from '../../auth/visible-folders.ts'
import { CmsError, requestEnded } from '../../base/errors.ts'
import { type Comment, comment, commentMentions } from '../../schema/comment.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import type { Stored } from '../../schema/values.ts'
import type { Context } from '../context.ts'
import { folderOfTarget, seesComments } from '../comment-targets.ts'

export interface MentionsInput {
  readonly cursor: string | undefined
  readonly length: number
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
}

export interface MentionPage {
  readonly comments: readonly Stored<Comment>[]
  /** Undefined on the last page. */
  readonly next: string | undefined
}

/**
 * A mention gives nobody the right to see a comment: comments on hidden targets are left out. A page ends only when it is full, or with
 * the list, because a page that ended earlier would show that hidden comments exist. The row of a mention names the target, so that a
 * hidden comment is not read.
 */
export async function listMentions(
  context: Context,
  { cursor, length, signal }: MentionsInput,
): Promise<MentionPage> {
  const { records } = context
  const isSeen = openSeenTargets(context)
  const comments: Stored<Comment>[] = []
  const slice = openTimeSlice()
  for (const id of idsBelow(context, cursor)) {
    if (slice.isOver(0)) await slice.next()
    if (signal.aborted) throw requestEnded()
    // Rows of earlier builds have no target.
    const target = records.get(commentMentions, id)?.value.target
    if (target !== undefined && !isSeen(target)) continue
    const stored = records.get(comment.recordType, id)
    if (stored === undefined || !isSeen(stored.value.target)) continue
    slice.isOver(stored.sizeBytes)
    const last = comments.at(-1)?.value.comment_id
    if (comments.length === length && last !== undefined)
      return { comments, next: encodeEnd(context, last) }
    comments.push(stored)
  }
  return { comments, next: undefined }
}

/** During one request, a hidden target is looked up once. */
function openSeenTargets({ records, caller }: Context): (target: string) => boolean {
  const visible = openVisibleFolders(records, caller)
  const hidden = new Set<string>()
  return (target) => {
    if (hidden.has(target)) return false
    const folder = folderOfTarget(records, target)
    if (folder !== undefined && seesComments(visible.grantsAt(folder))) return true
    hidden.add(target)
    return false
  }
}

const ROWS_AT_ONCE = 256

/** Reads the index in parts. A row may change between two parts, and never its number. */
function* idsBelow(context: Context, cursor: string | undefined): Generator<number> {
  const { records, caller } = context
  const range = { index: 'open', values: [caller.user.user_id], length: ROWS_AT_ONCE }
  for (let last = cursor === undefined ? undefined : parseEnd(context, cursor); ; ) {
    const ids = records.newest(commentMentions, { ...range, before: last })
    yield* ids
    if (ids.length < ROWS_AT_ONCE) return
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
