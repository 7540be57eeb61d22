// The mail about one comment: whether the user may get it, and what it contains.

import { grantsAt } from '../../auth/grants.ts'
import { type Holder, UNLIMITED } from '../../auth/key-role.ts'
import { openVisibleFolders } from '../../auth/visible-folders.ts'
import type { Mail } from '../../outgoing/mail.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { comment, commentMentions, findTarget, type PendingMail } from '../../schema/comment.ts'
import { MODULE_OBJECTS } from '../../schema/module.ts'
import { user } from '../../schema/user.ts'
import { EMAIL } from '../../shared/email.ts'
import type { Reader } from '../../storage/port.ts'
import { folderOfTarget, seesComments } from '../comment-targets.ts'
import { mentionText } from './mention-texts.ts'

export interface MailSettings {
  readonly from: string
  readonly language: 'en' | 'de'
  /** The public address of the server; undefined: mails contain no link. */
  readonly baseUrl: string | undefined
}

/** Returns undefined if the comment no longer concerns the user, or the user may not get the mail. */
export function buildMail(
  reader: Pick<Reader, 'get'>,
  [commentId, userId]: readonly [commentId: number, userId: number],
  { from, language, baseUrl, pending }: MailSettings & { readonly pending: PendingMail },
): Mail | undefined {
  const record = reader.get(comment.recordType, commentId)?.value
  const owner = reader.get(user.recordType, userId)?.value
  if (record === undefined || owner?.status !== 'active') return undefined
  const { is_reply: isReply, date_added: dateAdded } = pending
  const mentioned = reader.get(commentMentions, commentId)?.value.user_ids ?? []
  if (!isReply && !mentioned.includes(userId)) return undefined
  if (userId === record.user_id || !EMAIL.test(owner.email ?? '')) return undefined
  const place = placeOf(reader, { user: owner, key: UNLIMITED }, record.target)
  if (place === undefined) return undefined
  const { path, ...shown } = place
  const link = baseUrl && `${baseUrl}/admin${path}`
  const { name } = owner
  const facts = { author: record.owner, name, text: record.text, link, isReply, ...shown }
  const domain = from.slice(from.lastIndexOf('@') + 1)
  const messageId = `<mention.${commentId}.${userId}.${Date.parse(dateAdded)}@${domain}>`
  return { to: owner.email ?? '', messageId, ...mentionText(facts, language) }
}

interface Place {
  readonly place: string
  readonly entryId: number | undefined
  /** Below the address of the administration area. */
  readonly path: string
}

/** Returns undefined if the holder does not see comments on the target. */
function placeOf(reader: Pick<Reader, 'get'>, holder: Holder, text: string): Place | undefined {
  const target = findTarget(text)
  const folder = folderOfTarget(reader, text)
  if (target === undefined || folder === undefined) return undefined
  if (!seesComments(grantsAt(reader, holder, folder))) return undefined
  const { kind, id } = target
  if (kind === 'asset_file') {
    const folderPath = openVisibleFolders(reader, holder).pathOf(folder)
    const name = reader.get(assetFile.recordType, id)?.value.name ?? ''
    return {
      place: `${folderPath}/${name}`,
      entryId: undefined,
      path: `/content/file/${id}?part=comments`,
    }
  }
  const { entryId } = target
  const name = reader.get(MODULE_OBJECTS[kind].recordType, id)?.value.name ?? ''
  const path = kind === 'calendar' ? `/calendars/${id}?event=${entryId}` : `/data/${id}/${entryId}`
  return { place: name, entryId, path }
}
