// The end of the message channel in a reader process.

import { Socket } from 'node:net'
import { type AcceptFairness, openAcceptFairness } from '../http/accept-fairness.ts'
import type { Lender } from '../http/concurrency-limits.ts'
import type { Place } from '../http/quota.ts'
import type { ProcessMetrics } from '../metrics/metrics.ts'
import { openAnswers } from './answers.ts'
import type { Answer, KeyUsed, Question, ToReader, ToWriter } from './messages.ts'

export interface ChannelOptions {
  readonly onConnection: (socket: Socket, onClose: () => void) => void
  readonly onGuessing: (source: string, seconds: number) => void
  readonly measure: () => ProcessMetrics
  readonly onStop: (timeoutMs: number) => void
  /** Called when the writer process has ended. */
  readonly onAlone: () => void
}

/** Uses of keys are sent in batches. They are stored with a precision of a minute. */
const FLUSH_MS = 1_000

export function openChannel(options: ChannelOptions): Channel {
  return new Channel(options)
}

export class Channel implements Lender {
  /** The address of the socket where requests are handed over. */
  readonly address: Promise<string>
  /** Notified of connections that are passed to this process. */
  readonly acceptFairness: AcceptFairness = openAcceptFairness(() => this.#hasMore)
  readonly #options: ChannelOptions
  readonly #asked = openAnswers<Answer>()
  readonly #uses = new Map<string, KeyUsed>()
  #hasMore = false
  #begin: (address: string) => void = () => undefined

  constructor(options: ChannelOptions) {
    this.#options = options
    this.address = new Promise((resolve) => {
      this.#begin = resolve
    })
    process.on('message', (message: ToReader, socket) => this.#hear(message, socket))
    process.once('disconnect', options.onAlone)
    setInterval(() => this.flush(), FLUSH_MS).unref()
  }

  /** Tells the writer process that this process accepts connections. */
  ready(): void {
    tell({ kind: 'ready' })
  }

  noteUse(use: KeyUsed): void {
    this.#uses.set(`${use.apiKeyId} ${use.source}`, use)
  }

  /** Asks the writer process to count something. */
  ask(question: Question): Promise<Answer> {
    return new Promise((resolve) => {
      const id = this.#asked.ask((answer) => resolve(answer ?? null))
      tell({ kind: 'ask', id, question })
    })
  }

  /** Borrows a place for a running request from the writer process. */
  async borrow(place: Place): Promise<boolean> {
    return (await this.ask({ of: 'place', place })) !== 0
  }

  giveBack(place: Place): void {
    tell({ kind: 'returned', place })
  }

  /** Sends the noted uses of keys. */
  flush(): void {
    if (this.#uses.size === 0) return
    tell({ kind: 'used', uses: [...this.#uses.values()] })
    this.#uses.clear()
  }

  #hear(message: ToReader, socket: unknown): void {
    const { onGuessing, measure, onStop } = this.#options
    switch (message.kind) {
      case 'begin':
        return this.#begin(message.address)
      case 'connection':
        return this.#take(message, socket)
      case 'guessing':
        return onGuessing(message.source, message.seconds)
      case 'answered':
        return this.#asked.give(message.id, message.answer)
      case 'measure':
        return tell({ kind: 'measured', id: message.id, metrics: measure() })
      case 'look':
        return tell({ kind: 'alive' })
      case 'stop':
        return onStop(message.timeoutMs)
      default:
        return message satisfies never
    }
  }

  #take({ id, hasMore }: ToReader & { readonly kind: 'connection' }, socket: unknown): void {
    const onClose = (): void => tell({ kind: 'closed', id })
    this.#hasMore = hasMore
    this.acceptFairness.note()
    // Must be sent before anything is read from the connection.
    tell({ kind: 'opened', id })
    // There is no socket if the client disconnected on the way.
    return socket instanceof Socket ? this.#options.onConnection(socket, onClose) : onClose()
  }
}

// If the writer process has ended, this process ends in a moment, too.
function tell(message: ToWriter): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
}
