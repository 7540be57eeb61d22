// A reader process, as the writer process sees it: its messages, its connections and its end.
//
// Connections are sent one at a time, each after the previous one has arrived. Node would also send them one at a time, but
// would queue all other messages behind them. Connections that wait here go to another process if this process ends or hangs.

import type { Place } from '../http/quota.ts'
import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Arrivals } from '../http/accept-fairness.ts'
import type { ProcessMetrics } from '../metrics/metrics.ts'
import { openAnswers } from './answers.ts'
import type { Answer, KeyUsed, Question, ToReader, ToWriter } from './messages.ts'

/** A process that serves connections. */
export interface ServingProcess {
  /** Number of connections that the process serves. */
  connections(): number
  give(connection: Connection): void
}

/** A connection from which nothing was read. */
export interface Connection {
  readonly socket: Socket
  /** Called when the connection closes. */
  readonly leave: () => void
  /** Called if the process cannot take the connection, to pass it to another process. */
  readonly giveAgain: () => void
}

export interface Reader extends ServingProcess {
  readonly pid: number | undefined
  readonly ended: Promise<string>
  /** Whether the process accepts connections. */
  isReady(): boolean
  /** Whether connections are being passed to the process. */
  isGiving(): boolean
  /** Whether the process has ever accepted connections. */
  hasServed(): boolean
  send(message: ToReader): void
  /** A periodic health check. A process that does not answer gets no connections until it answers. */
  look(): void
  measure(): Promise<ProcessMetrics | undefined>
  stop(timeoutMs: number): void
}

export interface ReaderOptions {
  readonly arrivals: Pick<Arrivals, 'note'>
  readonly onUsed: (uses: readonly KeyUsed[]) => void
  /** Counts an event and returns the answer. */
  readonly answer: (question: Question) => Answer
  /** Called when a borrowed place is free again. */
  readonly takeBack: (place: Place) => void
}

/** Metrics that do not arrive within this time are left out. */
const MEASURE_MS = 1_000
/** The process is killed this long after the timeout of its requests. */
const KILL_AFTER_MS = 5_000
/** Health checks without an answer. The last check may have been sent a moment ago. */
const MAX_UNANSWERED = 2

// oxlint-disable-next-line eslint/max-lines-per-function -- what it returns shares the state of the process
export function openReader(child: ChildProcess, options: ReaderOptions): Reader {
  /** The callbacks for closed connections. */
  const open = openAnswers<undefined>()
  const measuring = openAnswers<ProcessMetrics>()
  const giving = openGiving()
  const underWay = new Map<number, Connection>()
  const loans = openLoans(options)
  let isReady = false
  let hasEnded = false
  let unanswered = 0

  // A process that is ending gets no messages. Its end is reported by an event.
  function send(message: ToReader): void {
    if (!hasEnded && child.connected) child.send(message, () => undefined)
  }

  function isServing(): boolean {
    return isReady && !hasEnded && child.connected && unanswered < MAX_UNANSWERED
  }

  /** This process keeps the socket open until it has arrived, because Node would lose it if the reader process ended. */
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

  /** Passes the connection to another process. Nothing was read from it. */
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
    // Passing a connection also takes an event-loop iteration of this process.
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

/** The places that a reader process has borrowed. If the process ends, they are free again. */
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

/** The queue of connections, which are passed one at a time. */
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
    /** Called when the previous connection has arrived. */
    next,
    /** Passes all waiting connections to other processes. */
    giveUp(): void {
      isBusy = false
      const left = waiting
      waiting = []
      for (const { giveAgain } of left) giveAgain()
    },
  }
}

/** Resolves with the exit status, the signal or the error. */
function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit ${code}`))
    child.once('error', (error) => resolve(error.message))
  })
}
