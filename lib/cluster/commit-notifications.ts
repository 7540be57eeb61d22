// Notifies other nodes of commits, so that they need not poll. A lost notification is harmless: the next poll finds the
// commit.
//
// NOTIFY locks the whole database while its transaction ends. It is therefore sent after the commit, asynchronously, once
// for all commits within TELL_EVERY_MS, and without waiting for the disk. LISTEN is repeated every second, so that a
// connection to a halted server is detected and reopened.

import { randomUUID } from 'node:crypto'
import type { Primary } from './primary.ts'

export interface WakeUp {
  /** Call after a commit of this process. */
  tell(): void
  onCommit(listener: () => void): void
  /** Call every second. */
  listen(): Promise<void>
  close(): void
}

const CHANNEL = 'cms_commits'
/** Minimum time between two notifications. */
const TELL_EVERY_MS = 5

interface WakeUpOptions {
  readonly primary: Primary
  /** Epoch of the log: the database may hold other sites. */
  readonly epoch: () => string
}

export function openWakeUp({ primary, epoch }: WakeUpOptions): WakeUp {
  const own = randomUUID()
  const listeners: (() => void)[] = []
  let timer: NodeJS.Timeout | undefined
  let isUnreported = false

  function wake(): void {
    for (const listener of listeners) listener()
  }

  const onNotice = (text: string): void => {
    const [site, sender] = text.split('/')
    if (site === epoch() && sender !== own) wake()
  }
  const lane = primary.openLane({ onNotice })

  function notifyOthers(): void {
    isUnreported = true
    if (timer !== undefined) return
    isUnreported = false
    const text = `set synchronous_commit = off; notify ${CHANNEL}, '${epoch()}/${own}'`
    void lane.query(text).catch(() => undefined)
    timer = setTimeout(() => {
      timer = undefined
      if (isUnreported) notifyOthers()
    }, TELL_EVERY_MS).unref()
  }

  return {
    tell() {
      wake()
      notifyOthers()
    },
    onCommit: (listener) => void listeners.push(listener),
    listen: async () => void (await lane.query(`listen ${CHANNEL}`)),
    close: () => clearTimeout(timer),
  }
}
