// Threads of comments: a first comment and the replies to it. The newest reply concerns everybody who wrote in the thread
// before, so that a thread is at most one row in the list of a user.

import {
  type Comment,
  comment,
  type CommentMentions,
  commentMentions,
} from '../../schema/comment.ts'
import { refuseField } from '../../schema/check.ts'
import type { Reader, Unit } from '../../storage/port.ts'

const TYPE = comment.recordType

/** A new reply concerns at most this number of people. */
const MAX_TOLD = 20

/** Checks the fields of a new comment that depend on its thread, and returns the first comment; undefined if the new comment is one. */
export function requireThread(
  reader: Reader,
  { target, reply_to: id, resolved }: Pick<Comment, 'target' | 'reply_to' | 'resolved'>,
): Comment | undefined {
  if (id === null) return undefined
  const first = reader.get(TYPE, id)?.value
  if (first?.target !== target)
    refuseField('reply_to', `must be a comment on ${target}; it has no comment ${id}`)
  if (first.reply_to !== null)
    refuseField('reply_to', `must be the first comment of a thread: reply to ${first.reply_to}`)
  if (resolved) refuseReply(id)
  return first
}

export function refuseReply(first: number): never {
  return refuseField(
    'resolved',
    `belongs to the first comment of the thread; update comment ${first}`,
  )
}

/** The people who wrote in the thread before, without the author of the new reply. */
export function takePeople(unit: Unit, first: Comment, writer: number): readonly number[] {
  const { comment_id: id, user_id: starter } = first
  const [newest] = unit.newest(TYPE, { index: 'reply_to', values: [id], length: 1 })
  if (newest === undefined) return starter === writer ? [] : [starter]
  const author = unit.get(TYPE, newest)?.value.user_id ?? starter
  const row = unit.get(commentMentions, newest)?.value
  if (row !== undefined) putMentions(unit, newest, { ...row, thread_user_ids: [] })
  const people = new Set([author, ...(row?.thread_user_ids ?? []), starter])
  people.delete(writer)
  return [...people].slice(0, MAX_TOLD)
}

/** Before a reply is removed: the newest reply that remains concerns everybody else who wrote in the thread. */
export function settlePeople(unit: Unit, { comment_id: removed, reply_to: to }: Comment): void {
  const first = to === null ? undefined : unit.get(TYPE, to)?.value
  if (first === undefined) return
  const left = repliesTo(unit, first.comment_id).filter((reply) => reply !== removed)
  const newest = left.at(-1)
  if (newest === undefined) return
  const writers = left.toReversed().map((reply) => unit.get(TYPE, reply)?.value.user_id)
  const people = new Set([...writers, first.user_id])
  people.delete(writers[0])
  const thread_user_ids = [...people].filter((id) => id !== undefined).slice(0, MAX_TOLD)
  const { user_ids } = unit.get(commentMentions, newest)?.value ?? { user_ids: [] }
  const { target, resolved } = first
  putMentions(unit, newest, { target, user_ids, thread_user_ids, is_open: !resolved })
}

/** Removes the row if the comment concerns nobody. */
export function putMentions(unit: Unit, id: number, row: CommentMentions): void {
  if (row.user_ids.length + row.thread_user_ids.length > 0) unit.put(commentMentions, [id], row)
  else unit.remove(commentMentions, id)
}

export function repliesTo(reader: Reader, id: number): readonly number[] {
  return reader.lookup(TYPE, 'reply_to', [id]).map(([reply]) => Number(reply))
}

/** The replies follow the first comment. */
export function settleReplies(unit: Unit, id: number, isOpen: boolean): void {
  for (const reply of repliesTo(unit, id)) {
    const row = unit.get(commentMentions, reply)?.value
    if (row !== undefined && row.is_open !== isOpen)
      unit.put(commentMentions, [reply], { ...row, is_open: isOpen })
  }
}
