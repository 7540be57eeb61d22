// The user or key that set a time of a file, whose rights count when the time comes.

import { grantsAt } from '../../auth/grants.ts'
import type { Holder } from '../../auth/key-role.ts'
import { CmsError } from '../../base/errors.ts'
import type { AssetFile } from '../../schema/asset-file.ts'
import type { Doer } from '../../schema/audit.ts'
import type { FileSchedule, ScheduledAction } from '../../schema/file-schedule.ts'
import type { Unit } from '../../storage/port.ts'
import type { Services } from '../context.ts'
import type { Due } from './due-files.ts'
import { findMaker } from './linked-file.ts'

/** Throws grant-missing if the author of the time may not do this now. */
export function requireSetter(
  unit: Unit,
  { now, revoking }: Pick<Services, 'now' | 'revoking'>,
  { due, file }: { readonly due: Due; readonly file: AssetFile },
): Holder {
  const { action, setter } = due
  const grant = action === 'stage' ? 'stage' : 'publish'
  const again = 'Ask somebody with this grant to set the time again.'
  if (setter === undefined)
    throw new CmsError('grant-missing', `Nobody is known to have set the time. ${again}`)
  const { user_id, user_name, is_session: isSession } = setter
  const maker = { user_id, api_key_id: isSession ? null : setter.api_key_id }
  const holder = findMaker({ records: unit, now, revoking }, maker)
  const who = `The user ${JSON.stringify(user_name)}, who set the time,`
  if (holder === undefined) {
    const key = isSession ? '' : ', or the key that was used is inactive, expired or gone'
    throw new CmsError('grant-missing', `${who} is disabled or gone${key}. ${again}`)
  }
  if (grantsAt(unit, holder, file.parent_category_id).has(grant)) return holder
  const where = 'in the folder of the file'
  throw new CmsError('grant-missing', `${who} lacks the grant "${grant}" ${where}. ${again}`)
}

/** The author of a time as the author of a commit. */
export function doerOf(
  setter: FileSchedule[ScheduledAction],
  action: ScheduledAction | 'schedule_failed',
): Doer {
  const { user_name, user_id, api_key_id, api_key_name } = setter ?? NOBODY
  return { user_name, user_id, api_key_id, api_key_name, address: null, request_id: null, action }
}

/** For rows that are missing, although every time has one. */
const NOBODY = { user_name: null, user_id: null, api_key_id: null, api_key_name: null }
