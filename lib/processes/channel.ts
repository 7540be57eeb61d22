// The end of the channel in a process that reads: what it hears from the one that writes, and tells it.

import { Socket } from 'node:net'
import type { ProcessMetrics } from '../metrics.ts'
import type { KeyUsed, ToReader, ToWriter } from './messages.ts'

export interface Channel {
  /** Where requests are handed over. */
  readonly address: Promise<string>
  /** Tells that connections may come. */
  ready(): void
  noteUse(use: KeyUsed): void
  /** Has a request of the key counted; gives the seconds to wait where it is one too many. */
  takeRate(apiKeyId: number): Promise<number | undefined>
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

export function openChannel(options: ChannelOptions): Channel {
  const taking = new Map<number, (waitSeconds: number | undefined) => void>()
  const uses = new Map<string, KeyUsed>()
  let lastId = 0
  let begin: (address: string) => void = () => undefined
  const address = new Promise<string>((resolve) => {
    begin = resolve
  })

  // Where the other end is gone, so is this process in a moment.
  function tell(message: ToWriter): void {
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
  }

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
        // Its client may have gone on the way.
        return socket instanceof Socket ? options.onConnection(socket, onClose) : onClose()
      }
      case 'guessing':
        return options.onGuessing(message.source, message.seconds)
      case 'taken':
        taking.get(message.id)?.(message.waitSeconds ?? undefined)
        return void taking.delete(message.id)
      case 'measure':
        return tell({ kind: 'measured', id: message.id, metrics: options.measure() })
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
    ready: () => tell({ kind: 'ready' }),
    noteUse: (use) => void uses.set(`${use.apiKeyId} ${use.source}`, use),
    takeRate: (apiKeyId) =>
      new Promise((resolve) => {
        lastId += 1
        taking.set(lastId, resolve)
        tell({ kind: 'take', id: lastId, apiKeyId })
      }),
    flush,
  }
}
