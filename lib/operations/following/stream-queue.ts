// The send queue of one stream. Its bytes count against the stream and against its key, user and address until the
// socket has taken them.

import type { StreamHolder, StreamShare } from '../trail/streams.ts'

export interface StreamQueue {
  isEmpty(): boolean
  /** False if there is no room: the stream has to end. */
  push(bytes: Uint8Array): boolean
  /** The oldest bytes, up to about CHUNK_BYTES. They count until `taken` is called. */
  next(): Uint8Array
  taken(): void
  /** Drops the queue. */
  close(): void
}

export interface QueueOptions {
  readonly holder: StreamHolder
  readonly shares: StreamShare
  readonly mostBytes: number
}

/** Small events are combined into one write; a chunk is a copy, so it is no larger than a socket buffer. */
const CHUNK_BYTES = 64 * 1024

export function openStreamQueue({ holder, shares, mostBytes }: QueueOptions): StreamQueue {
  const queue: Uint8Array[] = []
  let queuedBytes = 0
  let takenBytes = 0

  function release(sizeBytes: number): void {
    queuedBytes -= sizeBytes
    shares.give(holder, sizeBytes)
  }

  return {
    isEmpty: () => queue.length === 0,
    push(bytes) {
      const size = bytes.length
      if (queuedBytes + size > mostBytes || !shares.hasRoom(holder, size, queuedBytes)) return false
      queue.push(bytes)
      queuedBytes += size
      shares.add(holder, size)
      return true
    },
    next() {
      let count = 0
      takenBytes = 0
      while (count < queue.length && takenBytes < CHUNK_BYTES) {
        takenBytes += queue[count]?.length ?? 0
        count += 1
      }
      return Buffer.concat(queue.splice(0, count))
    },
    taken() {
      release(takenBytes)
      takenBytes = 0
    },
    close() {
      queue.length = 0
      takenBytes = 0
      release(queuedBytes)
    },
  }
}
