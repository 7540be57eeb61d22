// A large content that is not cached. Its bytes are read from the store as the reader consumes them, a block at a time, so
// that a slow client holds no connection. As soon as the content is cached, the rest is read from the cache.

import { openReusedMemory, type ReusedMemory } from '../storage/embedded/buffer-pool.ts'
import type { OpenContent } from '../storage/port.ts'
import type { ObjectStore } from './object-store.ts'

export interface RemoteContent {
  readonly store: Pick<ObjectStore, 'read'>
  readonly key: string
  readonly sizeBytes: number
  /** Opens the cached file if it exists by now. */
  readonly openHere: () => Promise<OpenContent | undefined>
  /** Receives the number of bytes read from the store. */
  readonly onRead: (sizeBytes: number) => void
}

export type OpenRemote = (content: RemoteContent) => OpenContent

/** Each reader has one block, like a chunk of a file reader. */
const BLOCK_BYTES = 512 * 1024

export function buildOpenRemote(): OpenRemote {
  const memory = openReusedMemory({ sizeBytes: BLOCK_BYTES, maxIdle: 8 })
  return (content) => ({
    sizeBytes: content.sizeBytes,
    chunks: (range = { start: 0, end: content.sizeBytes - 1 }) =>
      readBlocks(content, memory, range),
    close: async () => undefined,
  })
}

async function* readBlocks(
  { store, key, sizeBytes, openHere, onRead }: RemoteContent,
  memory: ReusedMemory,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Buffer> {
  const block = memory.take()
  for (let at = start; at <= end; ) {
    const here = await openHere()
    if (here !== undefined) {
      yield* here.chunks({ start: at, end })
      break
    }
    const room = block.subarray(0, Math.min(block.length, end + 1 - at))
    const part = await store.read(key, at, room)
    if (part?.sizeBytes !== sizeBytes)
      throw new Error('The content was removed while it was being read.')
    onRead(part.bytesRead)
    at += part.bytesRead
    yield room.subarray(0, part.bytesRead)
  }
  // Not after an abort or a failed read: a request may still write into the block.
  memory.give(block)
}
