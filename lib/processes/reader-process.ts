// A reader process, as the writer process sees it: its messages, its connections and its end.
//
// Connections are sent one at a time, each after the previous one has arrived. Node would also send them one at a time, but
// would queue all other messages behind them. Connections that wait here go to another process if this process ends or hangs.

import type { Place } from '../http/quota.ts'
import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import type { AcceptFairness } from '../http/accept-fairness.ts'
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

export interface ReaderOptions {
  readonly acceptFairness: Pick<AcceptFairness, 'note'>
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

export function openReader(child: ChildProcess, options: ReaderOptions): Reader {
  return new Reader(child, options)
}

export class Reader implements ServingProcess {
  readonly pid: number | undefined
  readonly ended: Promise<string>
  readonly #child: ChildProcess
  readonly #options: ReaderOptions
  /** The callbacks for closed connections. */
  readonly #open = openAnswers<undefined>()
  readonly #measuring = openAnswers<ProcessMetrics>()
  readonly #giving = openGiving((connection, hasMore) => this.#sendOne(connection, hasMore))
  readonly #underWay = new Map<number, Connection>()
  readonly #loans: ReturnType<typeof openLoans>
  #hasServed = false
  #hasEnded = false
  #unanswered = 0

  constructor(child: ChildProcess, options: ReaderOptions) {
    this.pid = child.pid
    this.#child = child
    this.#options = options
    this.#loans = openLoans(options)
    child.on('message', (message: ToWriter) => this.#hear(message))
    this.ended = endOf(child).finally(() => this.#end())
  }

  /** Whether the process accepts connections. */
  isReady(): boolean {
    const isAlive = !this.#hasEnded && this.#child.connected
    return this.#hasServed && isAlive && this.#unanswered < MAX_UNANSWERED
  }

  /** Whether connections are being passed to the process. */
  isGiving(): boolean {
    return this.isReady() && this.#giving.isBusy()
  }

  /** Whether the process has ever accepted connections. */
  hasServed(): boolean {
    return this.#hasServed
  }

  connections(): number {
    return this.#open.waiting() + this.#giving.waiting()
  }

  // A process that is ending gets no messages. Its end is reported by an event.
  send(message: ToReader): void {
    if (!this.#hasEnded && this.#child.connected) this.#child.send(message, () => undefined)
  }

  give(connection: Connection): void {
    this.#giving.add(connection)
  }

  /** A periodic health check. A process that does not answer gets no connections until it answers. */
  look(): void {
    if (!this.#hasServed) return
    this.#unanswered += 1
    if (this.#unanswered === 1) this.send({ kind: 'look' })
    else this.#giving.giveUp()
  }

  async measure(): Promise<ProcessMetrics | undefined> {
    if (!this.isReady()) return undefined
    return new Promise((resolve) => {
      const id = this.#measuring.ask(resolve)
      setTimeout(() => this.#measuring.give(id, undefined), MEASURE_MS).unref()
      this.send({ kind: 'measure', id })
    })
  }

  stop(timeoutMs: number): void {
    this.send({ kind: 'stop', timeoutMs })
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), timeoutMs + KILL_AFTER_MS)
    void this.ended.then(() => clearTimeout(timer))
  }

  /** This process keeps the socket open until it has arrived, because Node would lose it if the reader process ended. */
  #sendOne(connection: Connection, hasMore: boolean): void {
    const { socket, leave } = connection
    const id = this.#open.ask(leave)
    this.#underWay.set(id, connection)
    const message: ToReader = { kind: 'connection', id, hasMore }
    this.#child.send(message, socket, { keepOpen: true }, (error) => {
      if (error === null) return
      this.#comeBack(id)
      this.#next()
    })
  }

  /** Passes the connection to another process. Nothing was read from it. */
  #comeBack(id: number): void {
    const connection = this.#underWay.get(id)
    this.#underWay.delete(id)
    this.#open.forget(id)
    connection?.giveAgain()
  }

  #hasCome(id: number): void {
    this.#underWay.get(id)?.socket.destroy()
    this.#underWay.delete(id)
    this.#next()
  }

  #next(): void {
    // Passing a connection also takes an event-loop iteration of this process.
    if (this.#giving.waiting() > 0) this.#options.acceptFairness.note()
    if (this.isReady()) this.#giving.next()
    else this.#giving.giveUp()
  }

  #hear(message: ToWriter): void {
    switch (message.kind) {
      case 'ready':
        this.#hasServed = true
        return
      case 'opened':
        return this.#hasCome(message.id)
      case 'closed':
        return this.#open.give(message.id, undefined)
      case 'alive':
        this.#unanswered = 0
        return
      case 'measured':
        return this.#measuring.give(message.id, message.metrics)
      case 'used':
        return this.#options.onUsed(message.uses)
      case 'ask': {
        const answer = this.#loans.answer(message.question)
        return this.send({ kind: 'answered', id: message.id, answer })
      }
      case 'returned':
        return this.#loans.takeBack(message.place)
      default:
        return message satisfies never
    }
  }

  #end(): void {
    this.#hasEnded = true
    for (const id of this.#underWay.keys()) this.#comeBack(id)
    this.#open.giveUp()
    this.#measuring.giveUp()
    this.#giving.giveUp()
    this.#loans.giveUp()
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

/** The queue of connections, which are passed one at a time. */
function openGiving(sendOne: (connection: Connection, hasMore: boolean) => void) {
  let waiting: Connection[] = []
  let isBusy = false

  function next(): void {
    const connection = waiting.shift()
    isBusy = connection !== undefined
    if (connection !== undefined) sendOne(connection, waiting.length > 0)
  }

  return {
    waiting: () => waiting.length,
    isBusy: () => isBusy,
    add(connection: Connection): void {
      waiting.push(connection)
      if (!isBusy) next()
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
