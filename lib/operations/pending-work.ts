// Work that a commit promises and that runs after it: removing the bytes of deleted files, removing the contents of a
// deleted folder or module, building an index. A row written in the same commit survives a crash; resume.ts resumes
// the work at the next start.

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { pendingWork, type Work } from '../schema/pending-work.ts'
import type { ContentName, Unit } from '../storage/port.ts'
import type { Services } from './context.ts'

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
 * Removes the bytes named by a `remove` row, then the row. While a backup needs the bytes, this happens later in the
 * background, without waiting.
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

/** Throws if the signal aborts first. */
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
