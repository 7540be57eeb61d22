// Manages the reader processes for the writer process: starts them, passes connections to them, and restarts them.

import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { upTo } from '../base/cache-bound.ts'
import type { ProcessMetrics } from '../metrics/metrics.ts'
import {
  openReader,
  type Reader,
  type ReaderOptions,
  type ServingProcess,
} from './reader-process.ts'

export interface Readers {
  /** The processes that accept connections. */
  ready(): readonly ServingProcess[]
  /** Whether connections are being passed to any process. */
  isGiving(): boolean
  /** Tells all processes that invalid keys come from this address. */
  noteGuessing(source: string, seconds: number): void
  /** The metrics of each process. */
  measure(): Promise<readonly ProcessMetrics[]>
  /** Lets the processes finish their requests and ends them. */
  stop(timeoutMs: number): Promise<void>
}

export interface ReadersOptions extends ReaderOptions {
  readonly count: number
  readonly fork: () => ChildProcess
  /** The address of the socket where requests are handed over. */
  readonly address: string
  readonly onEnd: (facts: { readonly pid: number | undefined; readonly status: string }) => void
  /** Number of guessing addresses that are remembered for processes that start later. */
  readonly tableSize: number
}

/** The pause before a process is restarted. It doubles each time a process ends before it has served. */
const FIRST_PAUSE_MS = 100
const LAST_PAUSE_MS = 30_000
/** The interval of health checks. */
const LOOK_MS = 1_000

export function openReaders(options: ReadersOptions): Readers {
  const { count, fork, address, onEnd, tableSize } = options
  const running = new Set<Reader>()
  const guessing = new LRUCache<string, true>(upTo(tableSize))
  const stopping = new AbortController()

  /** Keeps one process running: starts the next when one ends. */
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
