// comment: a remark on a file or an entry, for the people who work on it.

import { boolean, integer, reference, refuseAll, string, structure } from './field.ts'
import { parseIdentifier } from './names.ts'
import { defineObject, type RecordOf } from './object.ts'
import type { ModuleKind } from './module.ts'
import type { JsonValue, KeyPart, RecordType } from './values.ts'
import { isBlank } from './visible.ts'

/** The record that a comment is about. */
export type CommentTarget =
  | { readonly kind: 'asset_file'; readonly id: number }
  | { readonly kind: ModuleKind; readonly id: number; readonly entryId: number }

export const comment = defineObject({
  name: 'comment',
  label: 'comment',
  description:
    'A remark on a file or an entry, for the people who work on it. Comments are never public: reading and writing them needs the grant view ' +
    'together with modify, stage or publish, in the folder of the file, or of the datatable or calendar of the entry. For all other callers, comments do not exist. ' +
    'Only the author, and callers with the grant admin in that folder, may change the text or delete a comment. Comments disappear and return with their target. ' +
    'A comment and the replies to it are a thread, which is resolved and deleted with its first comment.',
  example: {
    create: { target: 'asset_file/2', text: 'Is this still the right picture, @ada?' },
    update: { resolved: true },
    record: { comment_id: 1, user_id: 1, mentions: [2] },
  },
  fields: {
    target: string('required', {
      description:
        'What the comment is about: `asset_file/12`, or `datatable/3/7` and `calendar/3/7` for entry 7 of datatable or calendar 3. It cannot be changed.',
      maxLength: 50,
      shownPattern:
        '^(asset_file/[1-9][0-9]{0,15}|(datatable|calendar)/[1-9][0-9]{0,15}/[1-9][0-9]{0,15})$',
      check: (target) =>
        findTarget(target) === undefined
          ? 'must be asset_file/12, or datatable/3/7 or calendar/3/7 for entry 7 of number 3'
          : undefined,
    }),
    text: string('required', {
      description:
        'The text, of one or more lines. `@name` mentions a user, `@"name of words"` a user whose name has blanks; at most 20 names. ' +
        'A name that no user has is ordinary text.',
      maxLength: 4_000,
      isIndexed: false,
      check: (text) => (isBlank(text) ? 'must not be empty' : undefined),
    }),
    reply_to: reference('optional', {
      description:
        'The comment to which this comment replies: the first comment of a thread on the same target, not another reply. This field cannot be changed.',
    }),
    resolved: boolean('optional', {
      description:
        'Whether the comment is settled. Everybody who may write a comment on the target may change this field. ' +
        'The first comment decides for its thread; in a reply, the value is always false.',
      initial: false,
      isNullable: false,
    }),
    mentions: structure(
      'assigned',
      { type: 'array', items: { type: 'integer' } },
      (): ReturnType<typeof refuseAll> => refuseAll(),
      {
        description:
          'The mentioned users that the key may see, as in `user`. The server finds them when the text is saved.',
        isStored: false,
        isNullable: false,
      },
    ),
    user_id: integer('assigned', {
      description: 'The author. The number stays if the user is deleted.',
      isNullable: false,
    }),
  },
  indexes: [
    {
      name: 'of',
      width: 3,
      rows: ({ target }) => [placeIn(target)],
    },
    // Only the first comments of threads that are not resolved.
    {
      name: 'open',
      width: 3,
      rows: ({ target, reply_to: first, resolved }) =>
        resolved === true || typeof first === 'number' ? [] : [placeIn(target)],
    },
  ],
})

export type Comment = RecordOf<typeof comment>

/** Key: [comment_id]; only for comments that concern somebody. Kept apart, because not everybody may know who is a user. */
export interface CommentMentions {
  /** The target of the comment; rows of earlier builds have none. */
  readonly target?: string
  readonly user_ids: readonly number[]
  /** For the newest reply of a thread: the others who wrote in the thread. */
  readonly thread_user_ids: readonly number[]
  /** The thread is not resolved. */
  readonly is_open: boolean
}

export const commentMentions: RecordType<CommentMentions> = {
  name: 'comment_mentions',
  indexes: [
    {
      name: 'open',
      width: 1,
      // The rows of an index see its record as JSON.
      rows: ({ user_ids: ids, thread_user_ids: others, is_open: isOpen }) =>
        isOpen === true
          ? [...(ids as readonly number[]), ...(others as readonly number[])].map((id) => [id])
          : [],
    },
  ],
}

/** Key: [comment_id, user_id]. A comment of which a mail tells the user; removed after the mail was sent or given up. */
export interface PendingMail {
  /** The user who wrote the text; rows of earlier builds have none. */
  readonly writer_id?: number
  /** The user wrote in the thread before, and the comment does not mention the user. */
  readonly is_reply: boolean
  readonly date_added: string
  /** Number of failed attempts. */
  readonly attempts: number
  /** Null before the first failure. */
  readonly date_retry: string | null
}

export const pendingMail: RecordType<PendingMail> = {
  name: 'pending_mail',
  idCount: 2,
  indexes: [
    {
      name: 'writer',
      rows: ({ writer_id: id }) => (typeof id === 'number' ? [[id]] : []),
    },
  ],
}

/** Key: [target, or the beginning of targets]. The target is gone for good, and its comments are not yet removed. */
export const orphanedComments: RecordType = { name: 'orphaned_comments', indexes: [] }

/** Undefined for a text in another form. */
export function findTarget(text: string): CommentTarget | undefined {
  const [kind, first = '', second, ...rest] = text.split('/')
  const [id, entryId] = [parseIdentifier(first), parseIdentifier(second ?? '')]
  if (id === undefined || rest.length > 0) return undefined
  if (kind === 'asset_file') return second === undefined ? { kind, id } : undefined
  if (entryId === undefined) return undefined
  return kind === 'datatable' || kind === 'calendar' ? { kind, id, entryId } : undefined
}

function placeIn(target: JsonValue | undefined): readonly KeyPart[] {
  return [...partsOf(String(target)), 0, 0].slice(0, 3)
}

/** Values of the index `of`: kind, number, entry. Also for the number of a module alone. */
export function partsOf(target: string): readonly KeyPart[] {
  const [kind = '', ...numbers] = target.split('/')
  return [kind, ...numbers.map(Number), ...(kind === 'asset_file' ? [0] : [])]
}
