// Comments on files and entries: who sees them, and their create, update and delete. Whether a name in a text is a user
// changes nothing in the answer to a caller who may not see this user.

import { type Caller, recheck } from '../../auth/caller.ts'
import { grantsAt, missingGrant, noSuchRecord } from '../../auth/grants.ts'
import type { FolderReader } from '../../auth/folders.ts'
import { NO_GRANTS } from '../../auth/key-role.ts'
import { openVisibleFolders } from '../../auth/visible-folders.ts'
import { CmsError } from '../../base/errors.ts'
import { checkCreate, checkUpdate, refuseField } from '../../schema/check.ts'
import { type Comment, comment, commentMentions, partsOf } from '../../schema/comment.ts'
import { mentionsIn } from '../../schema/mention.ts'
import { buildRecord, withValues } from '../../schema/record.ts'
import { user } from '../../schema/user.ts'
import type { Stored } from '../../schema/values.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import { folderOfTarget, seesComments } from '../comment-targets.ts'
import type { Context, RecordInput, RecordUpdate } from '../context.ts'
import { withNewId } from '../new-id.ts'
import type { ObjectRules, RemoveInput } from '../object-rules.ts'
import { findUserId } from '../people/user-names.ts'
import { seesUser } from '../people/user-visibility.ts'
import { presentValue, tagOf } from '../present.ts'
import { type Loaded, requireMatch, requireRecord } from '../requirements.ts'
import { type Visibility, viewOf } from '../visibility.ts'
import { planMails } from './mention-mails.ts'
import {
  putMentions,
  refuseReply,
  repliesTo,
  requireThread,
  settlePeople,
  settleReplies,
  takePeople,
} from './threads.ts'

const TYPE = comment.recordType

/** Names in one text: each is looked up inside the commit. */
const MAX_MENTIONS = 20

export const commentVisibility: Visibility<Comment> = {
  object: comment,
  seen: {
    requireRead: ({ records, caller }, id) => requireSeen(records, caller, id).stored,
    requireMade: ({ records, caller }, id) => requireSeen(records, caller, id).stored,
    visibility({ records, caller }) {
      const visible = openVisibleFolders(records, caller)
      return ({ target }) => {
        const folder = folderOfTarget(records, target)
        return folder !== undefined && seesComments(visible.grantsAt(folder))
      }
    },
  },
  derive:
    ({ reader, caller }) =>
    ({ comment_id: id }) => {
      const mentioned = reader.get(commentMentions, id)?.value.user_ids ?? []
      return { mentions: mentioned.filter((userId) => isSeen(reader, caller, userId)) }
    },
}

export const commentRules: ObjectRules = {
  ...commentVisibility,
  // The operations decide, so that a caller who sees no comment always gets the same answer.
  readAccess: 'key',
  changeAccess: { create: ['modify', 'stage', 'publish'], update: 'key', remove: 'key' },
  body: 'json',
  needsRoom: 'record',
  create: createComment,
  update: updateComment,
  remove: removeComment,
}

async function createComment(context: Context, body: unknown): Promise<Stored> {
  const values = checkCreate(comment, body) as NewComment
  const { target, text } = values
  const names = requireFewNames(text)
  return withNewId(context.records, TYPE, (id) =>
    context.records.commit((unit) => {
      const caller = recheck(unit, context.caller, context.now())
      requireTarget(unit, caller, target)
      requireRoom(unit, target, context.limits.commentsPerTarget)
      const first = requireThread(unit, values)
      const { name: owner, user_id: writer } = caller.user
      const origin = { id, owner, now: context.now().toISOString() }
      const record = buildRecord(comment, { ...values, user_id: writer }, origin)
      const people = first && takePeople(unit, first, writer)
      return putComment(unit, context, { record, names, writer, first, people })
    }),
  )
}

async function updateComment(
  context: Context,
  { id, body, precondition }: RecordUpdate,
): Promise<Stored> {
  return context.records.commit((unit) => {
    const { caller, stored, record } = load(unit, context, { id, precondition })
    const view = viewOf(context, { reader: unit, as: caller })
    const values = checkUpdate(comment, body, presentValue(view, commentVisibility, stored))
    if (Object.keys(values).length === 0) return stored
    if ('target' in values) refuseField('target', 'cannot be changed; write a new comment')
    if ('reply_to' in values) refuseField('reply_to', 'cannot be changed; write a new comment')
    if ('resolved' in values && record.reply_to !== null) refuseReply(record.reply_to)
    if ('text' in values) requireAuthor(unit, caller, record)
    const next = withValues(record, { ...values, date_modified: context.now().toISOString() })
    const names = requireFewNames(next.text)
    if ('resolved' in values) settleReplies(unit, id, !next.resolved)
    const first = next.reply_to === null ? undefined : unit.get(TYPE, next.reply_to)?.value
    return putComment(unit, context, { record: next, names, writer: caller.user.user_id, first })
  })
}

async function removeComment(context: Context, { id, precondition }: RecordInput): Promise<void> {
  await context.records.commit((unit) => {
    const { caller, record } = load(unit, context, { id, precondition })
    const replies = repliesTo(unit, id).map((reply) => requireRecord(unit, comment, reply).record)
    settlePeople(unit, record)
    for (const each of [...replies, record]) {
      requireAuthor(unit, caller, each)
      unit.remove(commentMentions, each.comment_id)
      unit.remove(TYPE, each.comment_id)
    }
  })
}

function load(
  unit: Unit,
  context: Context,
  { id, precondition }: Pick<RemoveInput, 'id' | 'precondition'>,
): Loaded<Comment> & { readonly caller: Caller } {
  const caller = recheck(unit, context.caller, context.now())
  const { stored, record } = requireSeen(unit, caller, id)
  const view = viewOf(context, { reader: unit, as: caller })
  requireMatch(precondition, stored, tagOf(view, commentVisibility, stored))
  return { caller, stored, record }
}

type NewComment = Pick<Comment, 'target' | 'text' | 'reply_to' | 'resolved'>

interface Named {
  readonly record: Comment
  readonly names: readonly (readonly string[])[]
  /** The user who writes the text. */
  readonly writer: number
  /** The first comment of the thread; undefined for itself. */
  readonly first: Comment | undefined
  /** For a new reply: see takePeople. */
  readonly people?: readonly number[] | undefined
}

/** The comment is put last, because the audit row describes the last put. */
function putComment(
  unit: Unit,
  context: Context,
  { record, names, writer, first = record, people }: Named,
): Stored<Comment> {
  const { comment_id: id, user_id: author } = record
  const found = names.flatMap((spellings) => {
    const userId = spellings.map((name) => findUserId(unit, name)).find(isKnown)
    return userId === undefined ? [] : [userId]
  })
  const user_ids = [...new Set(found)]
  const before = unit.get(commentMentions, id)?.value
  if (context.mailsMentions) {
    const known = new Set([...(before?.user_ids ?? []), author, writer])
    const told = new Set([...user_ids, ...(people ?? [])].filter((userId) => !known.has(userId)))
    planMails(unit, context, { id, told, mentioned: user_ids })
  }
  const thread_user_ids = people ?? before?.thread_user_ids ?? []
  const { target } = record
  putMentions(unit, id, { target, user_ids, thread_user_ids, is_open: !first.resolved })
  return unit.put(TYPE, [id], record)
}

function isKnown(id: number | undefined): id is number {
  return id !== undefined
}

function requireFewNames(text: string): Named['names'] {
  const names = mentionsIn(text)
  if (names.length > MAX_MENTIONS)
    refuseField('text', `may mention at most ${MAX_MENTIONS} users, and has ${names.length} names`)
  return names
}

/** A hidden target counts as missing. */
function requireTarget(unit: Unit, caller: Caller, target: string): void {
  const folder = folderOfTarget(unit, target)
  const held = folder === undefined ? NO_GRANTS : grantsAt(unit, caller, folder)
  if (held.size === 0) refuseField('target', `must be a file or an entry; there is no ${target}`)
  if (seesComments(held)) return
  throw missingGrant(held.has('view') ? 'modify' : 'view', `for comments on ${target}`)
}

function requireRoom(unit: Unit, target: string, most: number): void {
  if (unit.lookup(TYPE, 'of', partsOf(target), most).length < most) return
  throw new CmsError(
    'in-use',
    `There are ${most} comments on ${target}, which is the limit. Delete some of them first.`,
  )
}

function requireSeen(reader: Reader, caller: Caller, id: number): Loaded<Comment> {
  const found = requireRecord(reader, comment, id)
  const folder = folderOfTarget(reader, found.record.target)
  if (folder !== undefined && seesComments(grantsAt(reader, caller, folder))) return found
  throw noSuchRecord()
}

function requireAuthor(reader: Reader, caller: Caller, { user_id: author, target }: Comment): void {
  if (author === caller.user.user_id) return
  const folder = folderOfTarget(reader, target)
  if (folder !== undefined && grantsAt(reader, caller, folder).has('admin')) return
  throw missingGrant('admin', 'for the comment of another user')
}

function isSeen(reader: FolderReader, caller: Caller, userId: number): boolean {
  const found = reader.get(user.recordType, userId)?.value
  return found !== undefined && seesUser(reader, caller, found)
}
