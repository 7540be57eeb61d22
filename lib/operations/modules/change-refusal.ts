// What a plan for a change of the columns says against it: entries that do not fit, data that would be lost
// without leave.

import { CmsError } from '../../base/errors.ts'
import type { ChangePlan, Counted } from './schema-change.ts'

/** Throws what forbids a change: data that would be lost without leave, or entries that would not fit. */
export function requireAllowed(plan: ChangePlan, isDropConfirmed: boolean): void {
  const [refused] = plan.refused
  if (refused !== undefined) {
    throw new CmsError('invalid-content', `The column ${refused.name}: ${refused.detail}`, {
      errors: plan.refused.map(({ name, detail }) => ({
        pointer: '/table_schema',
        detail: `${name}: ${detail}`,
      })),
    })
  }

  const unfit = plan.required.filter((item) => item.entries > 0)
  if (unfit.length > 0) {
    throw new CmsError(
      'schema-conflict',
      `${listOf(unfit)} would have no value, which NOTNULL does not allow. Change these entries first, give a new column a DEFAULT, or leave the column as it is.`,
      {
        members: { plan },
      },
    )
  }
  requireUnshared(plan)
  if (isDropConfirmed) return
  const detail = [lossOf(plan), misfitOf(plan)].filter((part) => part !== '').join(' ')
  if (detail !== '') throw new CmsError('schema-conflict', detail, { members: { plan } })
}

function lossOf({ dropped }: ChangePlan): string {
  const lost = dropped.filter((item) => item.entries > 0)
  if (lost.length === 0) return ''
  return `${listOf(lost)} would lose a value. Send ?confirm=drop to drop the columns all the same, or name the new column with renamed_from to keep the values.`
}

function misfitOf({ narrowed, retyped }: ChangePlan): string {
  const misfits = [...narrowed, ...retyped].filter((item) => item.entries > 0)
  if (misfits.length === 0) return ''
  const found = misfits.map((item) => `${listOf([item])} (${item.nulls} of them would be null)`)
  return `${found.join(', ')} would not keep the value as it is. Send ?confirm=drop to change the columns all the same: a value becomes what the column takes of it, and null where it takes nothing. Or change these entries first.`
}

function requireUnshared(plan: ChangePlan): void {
  const shared = plan.unique.filter((item) => item.entries > 0)
  if (shared.length === 0) return
  const found = shared.map(({ name, examples }) => `${name}: ${examples.join(', ')}`).join('; ')
  throw new CmsError(
    'schema-conflict',
    `${listOf(shared)} would not be unique: an earlier entry has the same value. Change or delete them first; sorted by the column (orderStr) entries of one value stand side by side. The first by ${found}.`,
    { members: { plan } },
  )
}

function listOf(items: readonly Counted[]): string {
  return items.map(({ name, entries }) => `${entries} entries in column ${name}`).join(', ')
}
