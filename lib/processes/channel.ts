// The end of the channel in a process that reads: what it hears from the one that writes, and tells it.

import { Socket } from 'node:net'
import { type Arrivals, openArrivals } from '../http/accept-fairness.ts'
import type { Lender } from '../http/concurrency-limits.ts'
import type { ProcessMetrics } from '../metrics/metrics.ts'
import { openAnswers } from './answers.ts'
import type { Answer, KeyUsed, Question, ToReader, ToWriter } from './messages.ts'

export interface Channel {
  /** Where requests are handed over. */
  readonly address: Promise<string>
  /** Of connections that are given to this process. */
  readonly arrivals: Pick<Arrivals, 'held'>
  /** Tells that connections may come. */
  ready(): void
  noteUse(use: KeyUsed): void
  /** Has it counted there. */
  ask(question: Question): Promise<Answer>
  /** Where requests that run here get more places than this process has. */
  readonly lender: Lender
  /** Tells what was noted. */
  flush(): void
}

export interface ChannelOptions {
  readonly onConnection: (socket: Socket, onClose: () => void) => void
  readonly onGuessing: (source: string, seconds: number) => void
  readonly measure: () => ProcessMetrics
  readonly onStop: (timeoutMs: number) => void
  /** The process that writes has ended. */
  readonly onAlone: () => void
}

/** Uses of keys are told together; they are written to the minute. */
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

  // Where the other end is gone, so is this process in a moment.
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
        // Before anything is read of it.
        tell({ kind: 'opened', id })
        // Its client may have gone on the way.
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
