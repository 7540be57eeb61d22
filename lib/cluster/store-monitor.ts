// Monitors the object store: it is probed every few seconds, so that status requests do not wait for it. Failures of all
// calls are counted.

import type { OnOutage } from '../storage/engine.ts'
import type { StoreStatus } from '../storage/status.ts'
import type { ObjectStore } from './object-store.ts'
import { openOutageWatch } from './outage.ts'
import { reasonOf } from './store-faults.ts'

export interface StoreWatch {
  /** The same store with counted failures. */
  readonly store: ObjectStore
  /** Starts probing with this object, which must exist. */
  begin(key: string): void
  status(): StoreStatus
  close(): void
}

const EVERY_MS = 5_000
/** A probe that takes longer counts as failed. */
const ANSWER_WITHIN_MS = 5_000

interface StoreWatchOptions {
  /** Name of the store in the log. */
  readonly host: string
  readonly onOutage?: OnOutage | undefined
  readonly now?: () => number
}

export function watchStore(
  plain: ObjectStore,
  { host, onOutage = () => undefined, now = () => performance.now() }: StoreWatchOptions,
): StoreWatch {
  const outages = openOutageWatch('store', onOutage, now)
  const counts = { errors: 0 }
  let isUp = true
  let askedMs: number | undefined
  let timer: NodeJS.Timeout | undefined

  async function counted<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      counts.errors += 1
      throw error
    }
  }

  function isInTime(sinceMs: number): boolean {
    return now() - sinceMs < ANSWER_WITHIN_MS
  }

  const store: ObjectStore = {
    ...plain,
    put: (key, bytes) => counted(plain.put(key, bytes)),
    putFile: (key, file) => counted(plain.putFile(key, file)),
    find: (key) => counted(plain.find(key)),
    read: (key, start, memory) => counted(plain.read(key, start, memory)),
    remove: (keys) => counted(plain.remove(keys)),
  }

  async function ask(key: string): Promise<void> {
    if (askedMs !== undefined) {
      if (!isInTime(askedMs)) outages.away({ host, reason: 'no answer', sinceMs: askedMs })
      return
    }
    askedMs = now()
    const sinceMs = askedMs
    try {
      isUp = (await store.find(key)) !== undefined
      if (isUp) outages.back(host)
      else outages.away({ host, reason: `The object ${key} is missing.`, sinceMs })
    } catch (error) {
      isUp = false
      outages.away({ host, reason: reasonOf(error), sinceMs })
    } finally {
      askedMs = undefined
    }
  }

  return {
    store,
    begin(key) {
      timer = setInterval(() => void ask(key), EVERY_MS).unref()
    },
    status: () => ({
      isUp: isUp && (askedMs === undefined || isInTime(askedMs)),
      errors: counts.errors,
    }),
    close: () => clearInterval(timer),
  }
}
