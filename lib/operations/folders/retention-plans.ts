// The dry run of keep_versions: what a rule of a folder would remove.

import { requireGrant } from '../../auth/grants.ts'
import { assetCategory } from '../../schema/asset-category.ts'
import { checkUpdate, refuseField } from '../../schema/check.ts'
import type { VersionRule } from '../../schema/version-retention.ts'
import type { Context } from '../context.ts'
import { reportRetention } from '../files/version-retention.ts'
import type { Planned, UpdateInput } from '../object-rules.ts'
import { requireRecord } from '../requirements.ts'
import { requireRetention } from './asset-categories.ts'

/** Throws if the caller may not set the rule, or the body has another field. */
export async function planRetention(
  context: Context,
  { id, body }: Pick<UpdateInput, 'id' | 'body'>,
): Promise<Planned> {
  const { records, caller } = context
  requireRecord(records, assetCategory, id)
  requireGrant(records, caller, 'modify', id)
  const { keep_versions: sent = null, ...others } = checkUpdate(assetCategory, body, {})
  const [other] = Object.keys(others)
  if (other !== undefined)
    refuseField(other, 'is not allowed with dry_run: send keep_versions alone')
  requireRetention(records, caller, id)
  const rule = sent as VersionRule | null
  const report = rule === null || 'all' in rule ? NOTHING : await reportRetention(context, id, rule)
  return { plan: report }
}

const NOTHING = { files: 0, versions: 0, size: 0, is_complete: true } as const
