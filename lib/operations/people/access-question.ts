// Finds out whether a key may perform an action on an object, without performing it, with the same functions that the
// operations use.

import type { Caller } from '../../auth/caller.ts'
import {
  globalGrants,
  holdsNothing,
  holdsSomewhere,
  missingGrant,
  requireGrant,
} from '../../auth/grants.ts'
import { assetCategory } from '../../schema/asset-category.ts'
import { type Grant, GRANTS } from '../../shared/grants.ts'
import type { Context } from '../context.ts'
import type { ObjectRules } from '../object-rules.ts'
import { requireRecord, requireSubtreeGrant } from '../requirements.ts'
import { requireVisibleKey } from './key-authority.ts'
import { requireChangeable } from './user-showing.ts'

export interface Question {
  readonly grant: Grant
  /** The folder in which the grant is required; undefined for the whole site. */
  readonly categoryId: number | undefined
  /** Throws the error that the route would throw for an authenticated caller. */
  readonly ask: (caller: Caller) => void
}

export interface Named {
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

export type AccessAction = keyof typeof IN_FOLDER | 'rotate'

const OF_ALL: readonly AccessAction[] = ['read', 'update', 'delete']
const OF_FILES: readonly AccessAction[] = ['publish', 'stage', 'unpublish', 'unstage']

/** Actions that can be asked about. */
export function actionsOf({ object: { name } }: ObjectRules): readonly AccessAction[] {
  if (name === 'user') return OF_ALL
  if (name === 'api_key') return [...OF_ALL, 'rotate']
  return ['create', ...OF_ALL, ...(name === 'asset_file' ? OF_FILES : [])]
}

/** Throws not-found or grant-missing if the context's caller does not see the record itself. */
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
      // Same check as answer.ts, for routes with a body.
      const hasBody = action === 'update' || action === 'rotate'
      if (hasBody && !holdsSomewhere(records, caller, GRANTS)) throw holdsNothing()
      requireVisibleKey(records, caller, id)
    },
  }
}
