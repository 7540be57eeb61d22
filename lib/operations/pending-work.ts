// Work that a commit has promised and that happens after it: removing the bytes of deleted files,
// clearing away what a deleted folder or module held, building an index. A row in the same commit
// makes a crash forget none of it; resume.ts goes on with it at the next start.

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { pendingWork } from '../schema/catalog.ts'
import type { ModuleKind } from '../schema/module.ts'
import type { JsonObject } from '../schema/values.ts'
import type { ContentName, Unit } from '../storage/port.ts'
import type { Doer } from './trail/audit.ts'
import type { Services } from './context.ts'

export type Work =
  | {
      readonly kind: 'remove'
      readonly contents: readonly { readonly fileId: number; readonly uid: string }[]
    }
  | { readonly kind: 'purge'; readonly asset_category_id: number }
  | RevokeWork
  | { readonly kind: 'forget'; readonly asset_file_id: number }
  | ModuleWork

/** Ends keys: these, and what they make until then. */
export interface RevokeWork extends JsonObject {
  readonly kind: 'revoke'
  readonly api_key_ids: readonly number[]
  /** Other keys that they have made, which live on; null: whatever they have made does. */
  readonly spared: readonly number[] | null
  /** Whose rows in the audit trail tell of them; null where they follow from a row that there is. */
  readonly doer: Doer | null
}

/** Work on the entries of a module, which may take long. */
export type ModuleWork =
  | {
      readonly kind: 'build-index'
      readonly module: ModuleKind
      readonly id: number
      readonly key: string
    }
  | { readonly kind: 'drop-index'; readonly type: string; readonly key: string }
  | { readonly kind: 'drop-type'; readonly type: string }

export function newWorkId(): string {
  return randomUUID()
}

export function putWork(unit: Unit, workId: string, work: Work): void {
  unit.put(pendingWork, [workId], work)
}

export async function finishWork(records: Services['records'], workId: string): Promise<void> {
  await records.commit((unit) => unit.remove(pendingWork, workId))
}

/**
 * Removes the bytes that a `remove` row names, then the row. While a backup needs them that happens in
 * the background, and nobody waits for it.
 */
export async function runRemove(
  services: Pick<Services, 'records' | 'contents' | 'background'>,
  workId: string,
  names: readonly ContentName[],
): Promise<void> {
  const held = services.contents.held()
  if (held === undefined) return removeNow(services, workId, names)
  void services.background.run('remove', async (signal) => {
    await untilFree(held, signal)
    await removeNow(services, workId, names)
  })
}

async function removeNow(
  { records, contents }: Pick<Services, 'records' | 'contents'>,
  workId: string,
  names: readonly ContentName[],
): Promise<void> {
  await contents.remove(names)
  await finishWork(records, workId)
}

/** Throws when the signal is given first. */
async function untilFree(held: Promise<void>, signal: AbortSignal): Promise<void> {
  const done = new AbortController()
  const aborted = once(signal, 'abort', { signal: done.signal })
  try {
    if (!signal.aborted) await Promise.race([held, aborted])
  } finally {
    done.abort()
    await aborted.catch(() => undefined)
  }
  signal.throwIfAborted()
}
