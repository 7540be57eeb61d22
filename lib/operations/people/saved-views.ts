// The saved views of the user whose key signed the request. Nobody else reads or changes them. The audit trail does not
// record changes, because views are personal settings that affect no content.

import { recheck } from '../../auth/caller.ts'
import { checkSavedViews, type SavedView, savedViews } from '../../schema/saved-views.ts'
import { etagOf } from '../../schema/record.ts'
import type { Reader } from '../../storage/port.ts'
import type { Context, Precondition } from '../context.ts'
import { requireMatch } from '../requirements.ts'
import { requireChangeable } from './users.ts'

export interface ShownViews {
  readonly views: readonly SavedView[]
  /** The tag that If-Match compares. A user without stored views has the revision 0. */
  readonly tag: string
}

/** Throws grant-missing for keys that hold less than their user, because queries can name hidden records. */
export function readSavedViews({ records, caller }: Context): ShownViews {
  requireChangeable(records, caller, caller.user.user_id)
  return shownViews(records, caller.user.user_id)
}

/** Replaces the whole list. Throws like readSavedViews, and precondition-failed. */
export function replaceSavedViews(
  context: Context,
  {
    sent,
    precondition,
  }: { readonly sent: unknown; readonly precondition: Precondition | undefined },
): Promise<ShownViews> {
  const views = checkSavedViews(sent)
  return context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const { user_id: id } = caller.user
    requireChangeable(unit, caller, id)
    const stored = unit.get(savedViews, id)
    requireMatch(precondition, stored ?? NONE)
    unit.put(savedViews, [id], { views })
    return shownViews(unit, id)
  })
}

const NONE = { revision: 0 } as const

function shownViews(reader: Pick<Reader, 'get'>, id: number): ShownViews {
  const stored = reader.get(savedViews, id)
  return { views: stored?.value.views ?? [], tag: etagOf(stored ?? NONE) }
}
