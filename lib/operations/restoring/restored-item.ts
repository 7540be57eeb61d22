// The result of a restore, and the work that follows its commit.

import { runWork } from '../pending-work.ts'
import type { RestoreWork } from '../../schema/pending-work.ts'
import type { TrashItem } from '../../schema/trash.ts'
import type { JsonObject } from '../../schema/values.ts'
import type { Services } from '../context.ts'
import { runRestore } from './finish-restore.ts'

/** The members of the answer. */
export interface RestoreOutcome extends JsonObject {
  readonly object: string
  readonly object_id: number
  readonly module_id: number | null
  readonly name: string | null
  /** The folder of the record. */
  readonly asset_category_id: number
  readonly count: number
  /** Memberships in groups, and entries that depend on the record, are still returning. */
  readonly is_pending: boolean
}

export interface Restored {
  readonly outcome: RestoreOutcome
  readonly next: { readonly workId: string; readonly work: RestoreWork } | undefined
}

export function outcomeOf({
  object,
  object_id,
  module_id,
  name,
  asset_category_id,
  count,
}: TrashItem): RestoreOutcome {
  return { object, object_id, module_id, name, asset_category_id, count, is_pending: false }
}

/** Starts the work that follows. */
export function endRestore(services: Services, restored: Restored): RestoreOutcome {
  const { outcome, next } = restored
  if (next === undefined) return outcome
  const { workId, work } = next
  const run = (signal: AbortSignal): Promise<void> => runRestore(services, workId, work, signal)
  void runWork(services, { name: 'restore', workId, run })
  return { ...outcome, is_pending: true }
}
