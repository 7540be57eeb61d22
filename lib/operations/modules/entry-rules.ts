// The rules of entries that depend on several values or on other records. Every create, update, upsert and bulk update
// checks them inside its commit, before it writes anything.

import type { Caller } from '../../auth/caller.ts'
import { refuseFaults } from '../../schema/check.ts'
import type { EntryType } from '../../schema/entry.ts'
import type { Unit } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { findWrongReferences } from '../references/required-references.ts'
import { findBroken } from './checks.ts'
import { computeValues } from './computed-values.ts'
import { requireListElements } from './list-bounds.ts'
import { findWrongSeries } from './series-rules.ts'
import { findShared, refuseShared, type UniqueInput } from './unique.ts'
import { findSharedTogether } from './unique-together.ts'

interface RulesInput extends UniqueInput {
  readonly caller: Caller
  readonly entry: EntryType
}

/**
 * Throws invalid-content with all faults, among them values that are not unique. Throws not-unique if there are no other
 * faults.
 */
export function requireEntryRules(
  context: Pick<Context, 'modules'>,
  unit: Unit,
  { caller, entry, written: given, isViewer }: RulesInput,
): void {
  requireListElements(entry, given)
  const { written, faults } = computeValues(entry, given)
  const others = [
    ...faults,
    ...findBroken(entry, written),
    ...findWrongReferences(context, unit, { caller, entry, written }),
    ...findWrongSeries(unit, entry, written),
  ]
  const shared = [
    ...findShared(unit, entry, { written, isViewer }),
    ...findSharedTogether(unit, entry, { written, isViewer }),
  ]
  if (others.length > 0) refuseFaults([...others, ...shared])
  refuseShared(shared)
}
