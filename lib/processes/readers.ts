// The processes that read, as the one that writes sees them: begins them, gives them connections, hears from them,
// and begins another where one has ended.

import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { ProcessMetrics } from '../metrics.ts'
import type { KeyUsed, ToReader, ToWriter } from './messages.ts'

export interface Readers {
  /** Those that take connections. */
  ready(): readonly ReaderProcess[]
  /** Tells all of them of an address where somebody guesses keys. */
  noteGuessing(source: string, seconds: number): void
  /** What each has counted. */
  measure(): Promise<readonly ProcessMetrics[]>
  /** Lets them finish their requests, and ends them. */
  stop(timeoutMs: number): Promise<void>
}

export interface ReaderProcess {
  /** Connections that it serves. */
  connections(): number
  /** Gives it a connection, of which nothing was read; `leave` is called when that is no more. */
  give(socket: Socket, leave: () => void): void
}

export interface ReadersOptions {
  readonly count: number
  readonly fork: () => ChildProcess
  /** Where they hand requests over. */
  readonly address: string
  readonly onUsed: (uses: readonly KeyUsed[]) => void
  /** Counts a request of a key: see auth/request-rate.ts. */
  readonly takeRate: (apiKeyId: number) => number | undefined
  readonly onEnd: (facts: { readonly pid: number | undefined; readonly status: string }) => void
  /** Addresses that are remembered for those that begin later. */
  readonly tableSize: number
}

/** Before another one is begun for one that has ended, doubled each time where it had not even begun to serve. */
const FIRST_PAUSE_MS = 100
const LAST_PAUSE_MS = 30_000
/** One that does not tell by then has nothing to tell. */
const MEASURE_MS = 1_000
/** Beyond the time that its requests have. */
const KILL_AFTER_MS = 5_000

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

  const places = Array.from({ length: count }, keep)

  return {
    ready: () => [...running].filter((reader) => reader.isReady()),
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
      for (const reader of running) reader.stop(timeoutMs)
      await Promise.all(places)
    },
  }
}

interface Reader extends ReaderProcess {
  readonly pid: number | undefined
  readonly ended: Promise<string>
  isReady(): boolean
  /** Whether it has taken connections, be it that it has ended since. */
  hasServed(): boolean
  send(message: ToReader): void
  measure(): Promise<ProcessMetrics | undefined>
  stop(timeoutMs: number): void
}

function openReader(
  child: ChildProcess,
  { onUsed, takeRate }: Pick<ReadersOptions, 'onUsed' | 'takeRate'>,
): Reader {
  /** What is to be done when a connection is closed. */
  const open = openAnswers<undefined>()
  const measuring = openAnswers<ProcessMetrics>()
  let isReady = false
  let hasEnded = false

  // One that is ending cannot be told; its end is heard of by itself.
  function send(message: ToReader, socket?: Socket, onLost = (): void => undefined): void {
    if (hasEnded || !child.connected) return onLost()
    child.send(message, socket, (error) => {
      if (error !== null) onLost()
    })
  }

  function hear(message: ToWriter): void {
    if (message.kind === 'ready') isReady = true
    else if (message.kind === 'closed') open.give(message.id, undefined)
    else if (message.kind === 'measured') measuring.give(message.id, message.metrics)
    else if (message.kind === 'used') onUsed(message.uses)
    else {
      const { id, apiKeyId } = message
      send({ kind: 'taken', id, waitSeconds: takeRate(apiKeyId) ?? null })
    }
  }

  child.on('message', hear)
  const ended = endOf(child).finally(() => {
    hasEnded = true
    open.giveUp()
    measuring.giveUp()
  })

  return {
    pid: child.pid,
    ended,
    isReady: () => isReady && !hasEnded && child.connected,
    hasServed: () => isReady,
    connections: open.waiting,
    send,
    give(socket, leave) {
      const id = open.ask(leave)
      send({ kind: 'connection', id }, socket, () => {
        socket.destroy()
        open.give(id, undefined)
      })
    },
    measure() {
      if (!isReady || hasEnded) return Promise.resolve(undefined)
      return new Promise((resolve) => {
        const id = measuring.ask(resolve)
        setTimeout(() => measuring.give(id, undefined), MEASURE_MS).unref()
        send({ kind: 'measure', id })
      })
    },
    stop(timeoutMs) {
      send({ kind: 'stop', timeoutMs })
      const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs + KILL_AFTER_MS)
      void ended.then(() => clearTimeout(timer))
    },
  }
}

/** How it has ended. */
function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit ${code}`))
    child.once('error', (error) => resolve(error.message))
  })
}

/** What is waited for, by number; each is given once. */
function openAnswers<T>() {
  const waiting = new Map<number, (answer: T | undefined) => void>()
  let lastId = 0

  function give(id: number, answer: T | undefined): void {
    const take = waiting.get(id)
    waiting.delete(id)
    take?.(answer)
  }

  return {
    waiting: () => waiting.size,
    ask(take: (answer: T | undefined) => void): number {
      lastId += 1
      waiting.set(lastId, take)
      return lastId
    },
    give,
    giveUp(): void {
      for (const id of waiting.keys()) give(id, undefined)
    },
  }
}
