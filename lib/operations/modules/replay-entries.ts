// Entries that an earlier request created or changed, in their present state: see operations/replay.ts.

import type { Made } from '../../schema/idempotency-key.ts'
import type { Context } from '../context.ts'
import { type EntryInput, requireEntry, type Saved } from './entries.ts'
import { type ModuleAddress, requireModuleByAnyName } from './find-module.ts'

export function replayEntries(
  context: Context,
  address: ModuleAddress,
  made: Made,
): readonly Saved[] {
  const module = requireModuleByAnyName(context, address, 'create')
  const ids = made[module.entry.object.recordType.name] ?? []
  return ids.map((id) => ({ module, stored: requireEntry(context.records, module, id) }))
}

export function replayEntry(context: Context, { address, entryId }: EntryInput): Saved {
  const module = requireModuleByAnyName(context, address, 'modify')
  return { module, stored: requireEntry(context.records, module, entryId) }
}
