// Explains whether a key or a user may do something, and if not, which limit prevents it. The real check runs for the
// key as it is, and again without each of its limits. The explanation contains only what the asking caller sees.

import { withMembers } from '../../base/with-members.ts'
import type { Caller } from '../../auth/caller.ts'
import { chainOf } from '../../auth/folders.ts'
import {
  globalGrants,
  holdsNothing,
  holdsSomewhere,
  missingGrant,
  requireGrant,
} from '../../auth/grants.ts'
import { ownRole, UNLIMITED } from '../../auth/key-role.ts'
import { openVisibleFolders } from '../../auth/visible-folders.ts'
import { CmsError } from '../../base/errors.ts'
import type { ApiKey } from '../../schema/api-key.ts'
import { assetCategory } from '../../schema/asset-category.ts'
import { type User, user } from '../../schema/user.ts'
import { type Grant, GRANTS } from '../../shared/grants.ts'
import type { Context } from '../context.ts'
import type { ObjectRules } from '../object-rules.ts'
import { requireRecord, requireSubtreeGrant } from '../requirements.ts'
import { requireVisibleKey } from './key-authority.ts'
import { expiryReason } from './key-visibility.ts'
import { requireVisibleUser } from './user-visibility.ts'
import { requireChangeable } from './users.ts'

export interface AccessInput extends Named {
  readonly of: { readonly kind: 'key' | 'user'; readonly id: number }
}

interface Access {
  readonly allowed: boolean
  readonly missing: Missing | null
  readonly because: readonly Reason[]
}

interface Missing {
  readonly grant: Grant
  /** Null stands for the whole site. */
  readonly asset_category_id: number | null
  readonly path: string | null
}

type Cause = 'object' | 'user' | 'key' | 'role' | 'folder' | 'grants' | 'scope' | 'reach'

interface Reason {
  readonly of: Cause
  readonly detail: string
  /** The folder of the reason, if there is one. */
  readonly asset_category_id: number | null
}

export function readAccess(context: Context, { of, ...named }: AccessInput): Access {
  const subject = subjectOf(context, of)
  const question = findQuestion(context, named)
  const ended = endsOf(context, subject, of.kind)
  if (question === undefined) return { allowed: false, missing: null, because: [...ended, GONE] }

  const isAllowed = isAnswered(question, subject)
  const because = [...ended, ...(isAllowed ? [] : reasonsOf(context, subject, question))]
  const missing = isAllowed ? null : missingOf(context, question)
  return { allowed: because.length === 0, missing, because }
}

const GONE = reason('object', 'The record does not exist, or the asking key may not see it.')

function findQuestion(context: Context, named: Named): Question | undefined {
  try {
    return buildQuestion(context, named)
  } catch (error) {
    if (isDenied(error)) return undefined
    throw error
  }
}

function isAnswered({ ask }: Question, caller: Caller): boolean {
  try {
    ask(caller)
    return true
  } catch (error) {
    if (isDenied(error)) return false
    throw error
  }
}

function isDenied(error: unknown): boolean {
  return error instanceof CmsError && (error.code === 'not-found' || error.code === 'grant-missing')
}

/** The caller that the key would be; for a user, a caller with an unlimited key. */
function subjectOf(context: Context, { kind, id }: AccessInput['of']): Caller {
  const { records, caller } = context
  if (kind === 'user') {
    const { record } = requireVisibleUser(records, caller, id)
    return { secretHash: '', dateEnds: null, key: unlimitedKey(caller.key, id), user: record }
  }
  const { record } = requireVisibleKey(records, caller, id)
  const owner = requireRecord(records, user, record.user_id).record
  return { secretHash: '', dateEnds: record.date_expires, key: record, user: owner }
}

/** No key has the number 0, so the synthetic key never equals a stored one. */
function unlimitedKey(like: ApiKey, userId: number): ApiKey {
  return { ...like, ...UNLIMITED, api_key_id: 0, user_id: userId, status: 'active' }
}

/** Why the subject is not authenticated at all. */
function endsOf(
  { records, revoking, now }: Context,
  { user: owner, key, dateEnds }: Caller,
  kind: AccessInput['of']['kind'],
): readonly Reason[] {
  const ends: Reason[] = []
  if (owner.status !== 'active') ends.push(reason('user', 'The user is disabled.'))
  if (kind === 'user') return ends
  const isEnding = key.status !== 'active' || revoking.has(key.api_key_id)
  if (isEnding) ends.push(reason('key', 'The key is inactive.'))
  const expiry = expiryReason(records, dateEnds, now())
  if (expiry !== undefined) ends.push(reason('key', expiry))
  return ends
}

/** Tests each limit separately, combined with an unlimited user or key. */
function reasonsOf(context: Context, subject: Caller, question: Question): readonly Reason[] {
  const { grant } = question
  const { key } = subject
  const all: User = { ...subject.user, role: 'admin', category_roles: null }
  const found: Reason[] = []
  const role = { ...subject, key: { ...key, ...UNLIMITED } }
  if (!isAnswered(question, role)) found.push(roleReason(context, role, question))
  const grants = { ...subject, user: all, key: { ...key, asset_category_id: null } }
  if (!isAnswered(question, grants))
    found.push(reason('grants', `The key is limited to ${listOf(key.grants)}, without "${grant}".`))
  const scope = { ...subject, user: all, key: { ...key, grants: null } }
  if (!isAnswered(question, scope)) found.push(scopeReason(context, key))
  return found.length > 0 ? found : [REACH]
}

const REACH = reason('reach', 'The record has more grants than the key, or the key has none.')

function listOf(grants: readonly string[] | null): string {
  return grants === null || grants.length === 0 ? 'no grant' : grants.join(', ')
}

function scopeReason({ records, caller }: Context, { asset_category_id: id }: ApiKey): Reason {
  const isTold = id !== null && openVisibleFolders(records, caller).sees(id)
  const detail = 'The key is limited to another folder and the folders below it.'
  return reason('scope', detail, isTold ? id : null)
}

/** The nearest role on the path to the root decides: see auth/grants.ts. */
function roleReason(
  { records, caller }: Context,
  holder: Caller,
  { grant, categoryId }: Question,
): Reason {
  const { role } = holder.user
  if (categoryId === undefined) {
    if (globalGrants(holder).has(grant)) return REACH
    return reason('role', `The role ${quoted(role)} does not hold "${grant}".`)
  }
  const chain = chainOf(records, categoryId) ?? []
  const at = chain.find((folder) => ownRole(holder, folder.asset_category_id) !== undefined)
  if (at === undefined) return reason('role', `The role ${quoted(role)} does not hold "${grant}".`)

  const id = at.asset_category_id
  if (!openVisibleFolders(records, caller).sees(id))
    return reason('folder', `The role in a folder above does not hold "${grant}".`)
  const own = ownRole(holder, id) ?? null
  return reason('folder', `The role ${quoted(own)} in this folder does not hold "${grant}".`, id)
}

function quoted(role: string | null): string {
  return role === null ? 'none' : `"${role}"`
}

function missingOf({ records, caller }: Context, { grant, categoryId }: Question): Missing {
  if (categoryId === undefined) return { grant, asset_category_id: null, path: null }
  const path = openVisibleFolders(records, caller).pathOf(categoryId)
  return { grant, asset_category_id: categoryId, path }
}

function reason(of: Cause, detail: string, categoryId: number | null = null): Reason {
  return { of, detail, asset_category_id: categoryId }
}

interface Question {
  readonly grant: Grant
  /** The folder in which the grant is required; undefined for the whole site. */
  readonly categoryId: number | undefined
  /** Throws the error that the route would throw for an authenticated caller. */
  readonly ask: (caller: Caller) => void
}

interface Named {
  readonly rules: ObjectRules
  /** For `create`, the folder; undefined if the object lies in no folder. */
  readonly id: number
  readonly action: AccessAction
}

/** The grant that each action requires in the record's folder. */
const IN_FOLDER = {
  read: 'view',
  create: 'create',
  update: 'modify',
  delete: 'delete',
  publish: 'publish',
  stage: 'stage',
  unpublish: 'publish',
  unstage: 'stage',
} as const satisfies Readonly<Record<string, Grant>>

type AccessAction = keyof typeof IN_FOLDER | 'rotate'

const OF_ALL: readonly AccessAction[] = ['read', 'update', 'delete']
const OF_FILES: readonly AccessAction[] = ['publish', 'stage', 'unpublish', 'unstage']

/** Actions that can be asked about. */
export function actionsOf({ object: { name } }: ObjectRules): readonly AccessAction[] {
  if (name === 'user') return OF_ALL
  if (name === 'api_key') return [...OF_ALL, 'rotate']
  return ['create', ...OF_ALL, ...(name === 'asset_file' ? OF_FILES : [])]
}

/** Throws not-found or grant-missing if the context's caller does not see the record itself. */
function buildQuestion(context: Context, named: Named): Question {
  const { rules, id, action } = named
  const isFolder = action === 'create' || rules.object === assetCategory
  if (action === 'create') requireGrant(context.records, context.caller, 'view', id)
  else rules.seen.requireRead(context, id)
  if (rules.object.name === 'user') return ofUser(context, named)
  if (rules.object.name === 'api_key') return ofKey(context, named)

  const { records } = context
  const record = isFolder ? undefined : requireRecord(records, rules.object, id).record
  const categoryId = record === undefined ? id : Number(record['parent_category_id'])
  const grant = action === 'rotate' ? 'modify' : IN_FOLDER[action]
  return {
    grant,
    categoryId,
    ask(caller) {
      if (action === 'read')
        return void rules.seen.requireRead(withMembers(context, { caller }), id)
      requireGrant(records, caller, grant, categoryId)
      if (action === 'delete' && rules.object === assetCategory)
        requireSubtreeGrant(records, caller, 'delete', id)
    },
  }
}

function ofUser(context: Context, { rules, id, action }: Named): Question {
  const { records } = context
  return {
    grant: 'admin',
    categoryId: undefined,
    ask(caller) {
      if (action === 'read')
        return void rules.seen.requireRead(withMembers(context, { caller }), id)
      if (!globalGrants(caller).has('admin')) throw missingGrant('admin', 'for users')
      requireChangeable(records, caller, id)
    },
  }
}

function ofKey({ records }: Context, { id, action }: Named): Question {
  return {
    grant: 'admin',
    categoryId: undefined,
    ask(caller) {
      // Same check as answer.ts, for routes with a body.
      const hasBody = action === 'update' || action === 'rotate'
      if (hasBody && !holdsSomewhere(records, caller, GRANTS)) throw holdsNothing()
      requireVisibleKey(records, caller, id)
    },
  }
}
