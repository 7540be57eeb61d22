// Refuses a planned change of columns if entries do not fit, or if data would be lost without confirmation.

import { CmsError } from '../../base/errors.ts'
import { counted } from '../../schema/message-text.ts'
import type { Counted } from './conflict-counts.ts'
import type { ChangePlan } from './schema-change.ts'

/** Throws if data would be lost without confirmation, or if entries would not fit. */
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
      `${listOf(unfit)} would have no value, which NOTNULL does not allow. Change these entries first, give the new column a DEFAULT, or leave the column unchanged.`,
      {
        members: { plan },
      },
    )
  }
  requireUnshared(plan)
  requireLeading(plan)
  requireKept(plan)
  if (isDropConfirmed) return
  const detail = [lossOf(plan), misfitOf(plan)].filter((part) => part !== '').join(' ')
  if (detail !== '') throw new CmsError('schema-conflict', detail, { members: { plan } })
}

function lossOf({ dropped }: ChangePlan): string {
  const lost = dropped.filter((item) => item.entries > 0)
  if (lost.length === 0) return ''
  return `${listOf(lost)} would lose a value. Send ?confirm=drop to drop the columns anyway, or name the new column with renamed_from to keep the values.`
}

function misfitOf({ narrowed, retyped }: ChangePlan): string {
  const misfits = [...narrowed, ...retyped].filter((item) => item.entries > 0)
  if (misfits.length === 0) return ''
  const found = misfits.map((item) => `${listOf([item])} (${item.nulls} of them would be null)`)
  return `${found.join(', ')} would not keep the value unchanged. Send ?confirm=drop to change the columns anyway: each value is converted to the new type, and becomes null if that is not possible. Or change these entries first.`
}

function requireUnshared(plan: ChangePlan): void {
  const shared = plan.unique.filter((item) => item.entries > 0)
  if (shared.length === 0) return
  const found = shared.map(({ name, examples }) => `${name}: ${examples.join(', ')}`).join('; ')
  throw new CmsError(
    'schema-conflict',
    `${listOf(shared)} would not be unique: an earlier entry has the same value. Change or delete them first; sorting by the column (orderStr) puts equal values side by side. The first identifiers in each column: ${found}.`,
    { members: { plan } },
  )
}

function requireLeading(plan: ChangePlan): void {
  const lost = plan.references.filter((item) => item.entries > 0)
  if (lost.length === 0) return
  const found = lost.map(({ name, examples }) => `${name}: ${examples.join(', ')}`).join('; ')
  throw new CmsError(
    'schema-conflict',
    `${listOf(lost)} would refer to records that do not exist, or that the key may not see. Change them first. The first identifiers in each column: ${found}.`,
    { members: { plan } },
  )
}

function requireKept(plan: ChangePlan): void {
  const broken = plan.checks.filter((item) => item.entries > 0)
  if (broken.length === 0) return
  const found = broken.map(
    ({ name, entries, examples }) =>
      `${counted(entries, 'entry')} would break CHECK(${name}), first ${examples.join(', ')}`,
  )
  throw new CmsError(
    'schema-conflict',
    `${found.join('; ')}. Change these entries first, or change the rule.`,
    { members: { plan } },
  )
}

function listOf(items: readonly Counted[]): string {
  return items
    .map(({ name, entries }) => `${counted(entries, 'entry')} in column ${name}`)
    .join(', ')
}
