// Tells other processes that there is a commit, so that who waits for one need not ask all the time. Nothing depends on
// it: what is lost here is found by the next look.
//
// NOTIFY takes a lock of the whole database while its transaction ends, so it is sent after the commit and beside it, once
// for all commits of a moment, and waits for no disk. LISTEN is said again every second: so a connection that is
// silent, because its server was halted, is found and made anew.

import { randomUUID } from 'node:crypto'
import type { Primary } from './primary.ts'

export interface WakeUp {
  /** To be called after a commit of this process. */
  tell(): void
  onCommit(listener: () => void): void
  /** To be called every second. */
  listen(): Promise<void>
  close(): void
}

const CHANNEL = 'cms_commits'
/** Who has told waits so long before it tells again. */
const TELL_EVERY_MS = 5

interface WakeUpOptions {
  readonly primary: Primary
  /** Of the log: there may be other sites in the database. */
  readonly epoch: () => string
}

export function openWakeUp({ primary, epoch }: WakeUpOptions): WakeUp {
  const own = randomUUID()
  const listeners: (() => void)[] = []
  let timer: NodeJS.Timeout | undefined
  let isUntold = false

  function wake(): void {
    for (const listener of listeners) listener()
  }

  const onNotice = (text: string): void => {
    const [site, sender] = text.split('/')
    if (site === epoch() && sender !== own) wake()
  }
  const lane = primary.openLane({ onNotice })

  function tellOthers(): void {
    isUntold = true
    if (timer !== undefined) return
    isUntold = false
    const text = `set synchronous_commit = off; notify ${CHANNEL}, '${epoch()}/${own}'`
    void lane.query(text).catch(() => undefined)
    timer = setTimeout(() => {
      timer = undefined
      if (isUntold) tellOthers()
    }, TELL_EVERY_MS).unref()
  }

  return {
    tell() {
      wake()
      tellOthers()
    },
    onCommit: (listener) => void listeners.push(listener),
    listen: async () => void (await lane.query(`listen ${CHANNEL}`)),
    close: () => clearTimeout(timer),
  }
}
