// Receives a body in chunks, and keeps what has arrived before a cut.

import type { IncomingMessage } from 'node:http'
import { CmsError } from '../base/errors.ts'
import { noteChunk } from './chunk-garbage.ts'

/** Returns a promise if the next chunk must wait. May throw. */
type Take = (chunk: Buffer) => Promise<void> | undefined

/**
 * Calls `take` with each chunk. Resolves at the end of the body. Rejects if the body is cut, `take` fails, or the signal
 * aborts, but not before the promise of the last `take` has settled. The body is then paused, and the response code drains
 * it or closes the connection.
 */
export function receiveChunks(
  message: IncomingMessage,
  take: Take,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let waits: Promise<void> | undefined
    let hasEnded = false

    function stop(): void {
      hasEnded = true
      message.off('data', accept).off('end', finish).off('error', cut).off('close', cut)
      signal.removeEventListener('abort', abort)
    }

    function fail(fault: unknown): void {
      if (hasEnded) return
      stop()
      message.pause()
      const settled = waits?.catch(() => undefined) ?? Promise.resolve()
      void settled.then(() => reject(fault as Error))
    }

    function accept(chunk: Buffer): void {
      noteChunk(chunk.length)
      try {
        waits = take(chunk)
      } catch (fault) {
        return fail(fault)
      }
      if (waits === undefined) return
      message.pause()
      waits.then(() => {
        if (!hasEnded) message.resume()
      }, fail)
    }

    function finish(): void {
      stop()
      resolve()
    }

    function cut(cause?: unknown): void {
      fail(new CmsError('bad-request', 'The body ended before it was complete.', { cause }))
    }

    function abort(): void {
      fail(signal.reason)
    }

    // The connection may end when nobody listens any more.
    message.on('error', () => undefined)
    if (signal.aborted) return abort()
    if (message.destroyed) return cut(message.errored)
    signal.addEventListener('abort', abort)
    message.on('data', accept).on('end', finish).on('error', cut).on('close', cut)
  })
}
