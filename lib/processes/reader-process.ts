// One process that reads, as the one that writes sees it: what it is sent, what it tells, and how it ends.
//
// Connections are sent one after the other, each when the one before has come. Node would wait, too, and keep all else
// that is to be told behind them; those that wait here go to another process where this one ends, or is frozen.

import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Arrivals } from '../http/accept-fairness.ts'
import type { Place } from '../http/concurrency-limits.ts'
import type { ProcessMetrics } from '../metrics/metrics.ts'
import { openAnswers } from './answers.ts'
import type { Answer, KeyUsed, Question, ToReader, ToWriter } from './messages.ts'

/** A process that serves connections. */
export interface ServingProcess {
  /** Connections that it serves. */
  connections(): number
  give(connection: Connection): void
}

/** Of which nothing was read. */
export interface Connection {
  readonly socket: Socket
  /** Called when it is no more. */
  readonly leave: () => void
  /** Called where the process cannot take it, and another one is to. */
  readonly giveAgain: () => void
}

export interface Reader extends ServingProcess {
  readonly pid: number | undefined
  readonly ended: Promise<string>
  /** Whether it takes connections. */
  isReady(): boolean
  /** Whether connections are on their way to it. */
  isGiving(): boolean
  /** Whether it has taken connections, be it that it has ended since. */
  hasServed(): boolean
  send(message: ToReader): void
  /** To be called now and then: one that does not answer takes no more connections until it does. */
  look(): void
  measure(): Promise<ProcessMetrics | undefined>
  stop(timeoutMs: number): void
}

export interface ReaderOptions {
  readonly arrivals: Pick<Arrivals, 'note'>
  readonly onUsed: (uses: readonly KeyUsed[]) => void
  /** Counts what is asked. */
  readonly answer: (question: Question) => Answer
  /** A place of another process is free again. */
  readonly takeBack: (place: Place) => void
}

/** One that does not tell by then has nothing to tell. */
const MEASURE_MS = 1_000
/** Beyond the time that its requests have. */
const KILL_AFTER_MS = 5_000
/** Looks without an answer; the last of them may have been a moment ago. */
const MAX_UNANSWERED = 2

// oxlint-disable-next-line eslint/max-lines-per-function -- what it returns shares the state of the process
export function openReader(child: ChildProcess, options: ReaderOptions): Reader {
  /** What is to be done when a connection is closed. */
  const open = openAnswers<undefined>()
  const measuring = openAnswers<ProcessMetrics>()
  const giving = openGiving()
  const underWay = new Map<number, Connection>()
  const loans = openLoans(options)
  let isReady = false
  let hasEnded = false
  let unanswered = 0

  // One that is ending cannot be told; its end is heard of by itself.
  function send(message: ToReader): void {
    if (!hasEnded && child.connected) child.send(message, () => undefined)
  }

  function isServing(): boolean {
    return isReady && !hasEnded && child.connected && unanswered < MAX_UNANSWERED
  }

  /** This process holds it, too, until it has come: Node would lose it with the other one. */
  function sendOne(connection: Connection, hasMore: boolean): void {
    const { socket, leave } = connection
    const id = open.ask(leave)
    underWay.set(id, connection)
    const message: ToReader = { kind: 'connection', id, hasMore }
    child.send(message, socket, { keepOpen: true }, (error) => {
      if (error === null) return
      comeBack(id)
      next()
    })
  }

  /** Nothing was read of it there. */
  function comeBack(id: number): void {
    const connection = underWay.get(id)
    underWay.delete(id)
    open.forget(id)
    connection?.giveAgain()
  }

  function hasCome(id: number): void {
    underWay.get(id)?.socket.destroy()
    underWay.delete(id)
    next()
  }

  function next(): void {
    // Each takes a turn of this process, too.
    if (giving.waiting() > 0) options.arrivals.note()
    if (isServing()) giving.next(sendOne)
    else giving.giveUp()
  }

  function hear(message: ToWriter): void {
    switch (message.kind) {
      case 'ready':
        isReady = true
        return
      case 'opened':
        return hasCome(message.id)
      case 'closed':
        return open.give(message.id, undefined)
      case 'alive':
        unanswered = 0
        return
      case 'measured':
        return measuring.give(message.id, message.metrics)
      case 'used':
        return options.onUsed(message.uses)
      case 'ask':
        return send({ kind: 'answered', id: message.id, answer: loans.answer(message.question) })
      case 'returned':
        return loans.takeBack(message.place)
      default:
        return message satisfies never
    }
  }

  child.on('message', hear)
  const ended = endOf(child).finally(() => {
    hasEnded = true
    for (const id of underWay.keys()) comeBack(id)
    open.giveUp()
    measuring.giveUp()
    giving.giveUp()
    loans.giveUp()
  })

  return {
    pid: child.pid,
    ended,
    isReady: isServing,
    isGiving: () => isServing() && giving.isBusy(),
    hasServed: () => isReady,
    connections: () => open.waiting() + giving.waiting(),
    send,
    give: (connection) => giving.add(connection, sendOne),
    look() {
      if (!isReady) return
      unanswered += 1
      if (unanswered === 1) send({ kind: 'look' })
      else giving.giveUp()
    },
    measure() {
      if (!isServing()) return Promise.resolve(undefined)
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

/** The places that a process has borrowed: they are free again where it ends. */
function openLoans({ answer, takeBack }: Pick<ReaderOptions, 'answer' | 'takeBack'>) {
  const lent = new Map<string, { readonly place: Place; times: number }>()

  function note(place: Place, times: number): void {
    const name = `${place.whose} ${place.id}`
    const loan = lent.get(name) ?? { place, times: 0 }
    loan.times += times
    if (loan.times > 0) lent.set(name, loan)
    else lent.delete(name)
  }

  return {
    answer(question: Question): Answer {
      const given = answer(question)
      if (question.of === 'place' && given !== 0) note(question.place, 1)
      return given
    },
    takeBack(place: Place): void {
      note(place, -1)
      takeBack(place)
    },
    giveUp(): void {
      for (const { place, times } of lent.values())
        for (let time = 0; time < times; time += 1) takeBack(place)
      lent.clear()
    },
  }
}

type SendOne = (connection: Connection, hasMore: boolean) => void

/** Connections on their way, one at a time. */
function openGiving() {
  let waiting: Connection[] = []
  let isBusy = false

  function next(sendOne: SendOne): void {
    const connection = waiting.shift()
    isBusy = connection !== undefined
    if (connection !== undefined) sendOne(connection, waiting.length > 0)
  }

  return {
    waiting: () => waiting.length,
    isBusy: () => isBusy,
    add(connection: Connection, sendOne: SendOne): void {
      waiting.push(connection)
      if (!isBusy) next(sendOne)
    },
    /** The one before has come. */
    next,
    /** Those that are not on their way yet go elsewhere. */
    giveUp(): void {
      isBusy = false
      const left = waiting
      waiting = []
      for (const { giveAgain } of left) giveAgain()
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
