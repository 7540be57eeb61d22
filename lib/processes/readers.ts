// The processes that read, as the one that writes sees them: begins them, gives them connections, hears from them,
// and begins another where one has ended.

import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { ProcessMetrics } from '../metrics/metrics.ts'
import {
  openReader,
  type Reader,
  type ReaderOptions,
  type ServingProcess,
} from './reader-process.ts'

export interface Readers {
  /** Those that take connections. */
  ready(): readonly ServingProcess[]
  /** Whether connections are on their way to any. */
  isGiving(): boolean
  /** Tells all of them of an address where somebody guesses keys. */
  noteGuessing(source: string, seconds: number): void
  /** What each has counted. */
  measure(): Promise<readonly ProcessMetrics[]>
  /** Lets them finish their requests, and ends them. */
  stop(timeoutMs: number): Promise<void>
}

export interface ReadersOptions extends ReaderOptions {
  readonly count: number
  readonly fork: () => ChildProcess
  /** Where they hand requests over. */
  readonly address: string
  readonly onEnd: (facts: { readonly pid: number | undefined; readonly status: string }) => void
  /** Addresses that are remembered for those that begin later. */
  readonly tableSize: number
}

/** Before another one is begun for one that has ended, doubled each time where it had not even begun to serve. */
const FIRST_PAUSE_MS = 100
const LAST_PAUSE_MS = 30_000
/** All are looked after so often. */
const LOOK_MS = 1_000

export function openReaders(options: ReadersOptions): Readers {
  const { count, fork, address, onEnd, tableSize } = options
  const running = new Set<Reader>()
  const guessing = new LRUCache<string, true>({ max: tableSize })
  const stopping = new AbortController()

  /** One place, in which one process follows the other. */
  async function keep(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS
    while (!stopping.signal.aborted) {
      const reader = openReader(fork(), options)
      running.add(reader)
      reader.send({ kind: 'begin', address })
      for (const source of guessing.keys()) {
        const seconds = Math.ceil(guessing.getRemainingTTL(source) / 1_000)
        if (seconds > 0) reader.send({ kind: 'guessing', source, seconds })
      }
      const status = await reader.ended
      running.delete(reader)
      if (stopping.signal.aborted) return
      onEnd({ pid: reader.pid, status })
      pauseMs = reader.hasServed() ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LAST_PAUSE_MS)
      await sleep(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(
        () => undefined,
      )
    }
  }

  const looking = setInterval(() => {
    for (const reader of running) reader.look()
  }, LOOK_MS).unref()
  const places = Array.from({ length: count }, keep)

  return {
    ready: () => [...running].filter((reader) => reader.isReady()),
    isGiving: () => [...running].some((reader) => reader.isGiving()),
    noteGuessing(source, seconds) {
      guessing.set(source, true, { ttl: seconds * 1_000 })
      for (const reader of running) reader.send({ kind: 'guessing', source, seconds })
    },
    async measure() {
      const all = await Promise.all([...running].map((reader) => reader.measure()))
      return all.filter((metrics) => metrics !== undefined)
    },
    async stop(timeoutMs) {
      stopping.abort()
      clearInterval(looking)
      for (const reader of running) reader.stop(timeoutMs)
      await Promise.all(places)
    },
  }
}
