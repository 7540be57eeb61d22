// Entries that an earlier request created or changed, in their present state: see operations/replay.ts.

import type { Made } from '../../schema/idempotency-key.ts'
import type { Context } from '../context.ts'
import { type EntryInput, requireEntry, type Saved } from './entries.ts'
import { type ModuleAddress, recallModule } from './find-module.ts'

export function recallEntries(
  context: Context,
  address: ModuleAddress,
  made: Made,
): readonly Saved[] {
  const module = recallModule(context, address, 'create')
  const ids = made[module.entry.object.recordType.name] ?? []
  return ids.map((id) => ({ module, stored: requireEntry(context.records, module, id) }))
}

export function recallEntry(context: Context, { address, entryId }: EntryInput): Saved {
  const module = recallModule(context, address, 'modify')
  return { module, stored: requireEntry(context.records, module, entryId) }
}
