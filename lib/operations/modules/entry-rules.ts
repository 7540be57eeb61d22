// The rules of entries that depend on several values or on other records. Every create, update, upsert and bulk update
// checks them inside its commit, before it writes anything.

import type { Caller } from '../../auth/caller.ts'
import type { EntryType } from '../../schema/entry.ts'
import type { Unit } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { requireReferences } from '../references/required-references.ts'
import { requireChecks } from './checks.ts'
import { computeValues } from './computed-values.ts'
import { requireListElements } from './list-bounds.ts'
import { requireUnique, type UniqueInput } from './unique.ts'
import { requireUniqueTogether } from './unique-together.ts'

interface RulesInput extends UniqueInput {
  readonly caller: Caller
  readonly entry: EntryType
}

/** Throws not-unique, or invalid-content with the CHECK rules that are broken or with the references that are wrong. */
export function requireEntryRules(
  context: Pick<Context, 'modules'>,
  unit: Unit,
  { caller, entry, written: given, isViewer }: RulesInput,
): void {
  requireListElements(entry, given)
  const written = computeValues(entry, given)
  requireChecks(entry, written)
  requireUnique(unit, entry, { written, isViewer })
  requireUniqueTogether(unit, entry, { written, isViewer })
  requireReferences(context, unit, { caller, entry, written })
}
