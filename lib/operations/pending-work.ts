// Work that a commit promises and that runs after it: removing the bytes of deleted files, removing the contents of a
// deleted folder or module, building an index. A row written in the same commit survives a crash; resume.ts resumes
// the work at the next start.

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { mayPass } from '../base/errors.ts'
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

/** Pause before work is repeated. */
const REPEAT_MS = 2_000

export interface PendingTask {
  readonly name: Work['kind']
  readonly workId: string
  /** May run again after it has failed. */
  readonly run: (signal: AbortSignal) => Promise<void>
}

type Running = Pick<Services, 'records' | 'background'>

/**
 * Runs pending work in the background; the promise resolves after the first attempt. An error is logged. After a fault that
 * may pass, such as a full disk, the work is repeated until it succeeds; after another error, the next start resumes it.
 */
export async function runWork(services: Running, task: PendingTask): Promise<void> {
  await services.background.run(task.name, async (signal) => {
    try {
      await task.run(signal)
    } catch (error) {
      if (mayPass(error)) repeatWork(services, task)
      throw error
    }
  })
}

/** As runWork, but throws an error that does not pass: for a start, which must not continue after such an error. */
export async function requireWork(
  services: Running,
  task: PendingTask,
  signal: AbortSignal,
): Promise<void> {
  try {
    await task.run(signal)
  } catch (error) {
    if (!mayPass(error)) throw error
    repeatWork(services, task)
  }
}

/** Does nothing once the row is gone: in a cluster, another node may have finished the work. */
function repeatWork({ records, background }: Running, { name, workId, run }: PendingTask): void {
  void background.run(name, async (signal) => {
    for (;;) {
      await sleep(REPEAT_MS, undefined, { signal, ref: false })
      try {
        await records.renew()
        if (records.get(pendingWork, workId) !== undefined) await run(signal)
        return
      } catch (error) {
        if (!mayPass(error)) throw error
      }
    }
  })
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
