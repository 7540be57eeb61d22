// The end of the message channel in a reader process.

import { Socket } from 'node:net'
import { type Arrivals, openArrivals } from '../http/accept-fairness.ts'
import type { Lender } from '../http/concurrency-limits.ts'
import type { ProcessMetrics } from '../metrics/metrics.ts'
import { openAnswers } from './answers.ts'
import type { Answer, KeyUsed, Question, ToReader, ToWriter } from './messages.ts'

export interface Channel {
  /** The address of the socket where requests are handed over. */
  readonly address: Promise<string>
  /** Notified of connections that are passed to this process. */
  readonly arrivals: Pick<Arrivals, 'held'>
  /** Tells the writer process that this process accepts connections. */
  ready(): void
  noteUse(use: KeyUsed): void
  /** Asks the writer process to count something. */
  ask(question: Question): Promise<Answer>
  /** Borrows places for running requests from the writer process. */
  readonly lender: Lender
  /** Sends the noted uses of keys. */
  flush(): void
}

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

// oxlint-disable-next-line eslint/max-lines-per-function -- what it returns shares the one channel
export function openChannel(options: ChannelOptions): Channel {
  const asked = openAnswers<Answer>()
  const uses = new Map<string, KeyUsed>()
  let hasMore = false
  const arrivals = openArrivals(() => hasMore)
  let begin: (address: string) => void = () => undefined
  const address = new Promise<string>((resolve) => {
    begin = resolve
  })

  // If the writer process has ended, this process ends in a moment, too.
  function tell(message: ToWriter): void {
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
  }

  const ask = (question: Question): Promise<Answer> =>
    new Promise((resolve) => {
      const id = asked.ask((answer) => resolve(answer ?? null))
      tell({ kind: 'ask', id, question })
    })

  function flush(): void {
    if (uses.size === 0) return
    tell({ kind: 'used', uses: [...uses.values()] })
    uses.clear()
  }

  function hear(message: ToReader, socket: unknown): void {
    switch (message.kind) {
      case 'begin':
        return begin(message.address)
      case 'connection': {
        const { id } = message
        const onClose = (): void => tell({ kind: 'closed', id })
        hasMore = message.hasMore
        arrivals.note()
        // Must be sent before anything is read from the connection.
        tell({ kind: 'opened', id })
        // There is no socket if the client disconnected on the way.
        return socket instanceof Socket ? options.onConnection(socket, onClose) : onClose()
      }
      case 'guessing':
        return options.onGuessing(message.source, message.seconds)
      case 'answered':
        return asked.give(message.id, message.answer)
      case 'measure':
        return tell({ kind: 'measured', id: message.id, metrics: options.measure() })
      case 'look':
        return tell({ kind: 'alive' })
      case 'stop':
        return options.onStop(message.timeoutMs)
      default:
        return message satisfies never
    }
  }

  process.on('message', hear)
  process.once('disconnect', options.onAlone)
  setInterval(flush, FLUSH_MS).unref()

  return {
    address,
    arrivals,
    ready: () => tell({ kind: 'ready' }),
    noteUse: (use) => void uses.set(`${use.apiKeyId} ${use.source}`, use),
    ask,
    lender: {
      borrow: async (place) => (await ask({ of: 'place', place })) !== 0,
      giveBack: (place) => tell({ kind: 'returned', place }),
    },
    flush,
  }
}
