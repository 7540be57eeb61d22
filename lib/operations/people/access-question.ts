// What an action on an object asks of its caller, by the very functions that the operations ask: for who wants to know
// whether a key may, without doing it.

import type { Caller } from '../../auth/caller.ts'
import {
  globalGrants,
  holdsNothing,
  holdsSomewhere,
  missingGrant,
  requireGrant,
} from '../../auth/grants.ts'
import { assetCategory } from '../../schema/asset-category.ts'
import { type Grant, GRANTS } from '../../schema/grants.ts'
import type { Context } from '../context.ts'
import type { ObjectRules } from '../object-rules.ts'
import { requireRecord, requireSubtreeGrant } from '../requirements.ts'
import { requireVisibleKey } from './key-authority.ts'
import { requireChangeable } from './user-showing.ts'

export interface Question {
  readonly grant: Grant
  /** The folder in which it is asked for; undefined: on the whole site. */
  readonly categoryId: number | undefined
  /** Throws what the route would throw, of a caller who is let in. */
  readonly ask: (caller: Caller) => void
}

export interface Named {
  readonly rules: ObjectRules
  /** Of `create` the folder; undefined where it lies in none. */
  readonly id: number
  readonly action: AccessAction
}

/** Action, and the grant that it needs in the folder of the record. */
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

export type AccessAction = keyof typeof IN_FOLDER | 'rotate'

const OF_ALL: readonly AccessAction[] = ['read', 'update', 'delete']
const OF_FILES: readonly AccessAction[] = ['publish', 'stage', 'unpublish', 'unstage']

/** Those that can be asked about. */
export function actionsOf({ object: { name } }: ObjectRules): readonly AccessAction[] {
  if (name === 'user') return OF_ALL
  if (name === 'api_key') return [...OF_ALL, 'rotate']
  return ['create', ...OF_ALL, ...(name === 'asset_file' ? OF_FILES : [])]
}

/** Throws not-found, or grant-missing, where the caller of the context does not see the record itself. */
export function buildQuestion(context: Context, named: Named): Question {
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
      if (action === 'read') return void rules.seen.requireRead({ ...context, caller }, id)
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
      if (action === 'read') return void rules.seen.requireRead({ ...context, caller }, id)
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
      // As answer.ts, of whatever has a body.
      const hasBody = action === 'update' || action === 'rotate'
      if (hasBody && !holdsSomewhere(records, caller, GRANTS)) throw holdsNothing()
      requireVisibleKey(records, caller, id)
    },
  }
}
