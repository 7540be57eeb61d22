// What waits for the client of one stream. The bytes count for the stream itself and for its key, user and address, until
// the socket has taken them.

import type { StreamHolder, StreamShare } from '../trail/streams.ts'

export interface StreamQueue {
  isEmpty(): boolean
  /** False where there is no room: the stream has to end. */
  push(bytes: Uint8Array): boolean
  /** The oldest bytes, up to about CHUNK_BYTES. They count until `taken`. */
  next(): Uint8Array
  taken(): void
  /** Drops what waits. */
  close(): void
}

export interface QueueOptions {
  readonly holder: StreamHolder
  readonly shares: StreamShare
  readonly mostBytes: number
}

/** Small events are written together; a chunk is a copy, so it is not larger than the buffer of a socket. */
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
