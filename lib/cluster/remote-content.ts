// A large content that is not here: its bytes come from the store as they are asked for, a block at a time, so that a
// client that reads slowly keeps no connection from others. Once the content is here the rest comes from here.

import { openReusedMemory, type ReusedMemory } from '../storage/embedded/buffer-pool.ts'
import type { OpenContent } from '../storage/port.ts'
import type { ObjectStore } from './object-store.ts'

export interface RemoteContent {
  readonly store: Pick<ObjectStore, 'read'>
  readonly key: string
  readonly sizeBytes: number
  /** The file here, where there is one by now. */
  readonly openHere: () => Promise<OpenContent | undefined>
  /** So many bytes came from the store. */
  readonly onRead: (sizeBytes: number) => void
}

export type OpenRemote = (content: RemoteContent) => OpenContent

/** Each reader has one, as each reader of a file has a chunk. */
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
    if (part?.sizeBytes !== sizeBytes) throw new Error('The content was removed while it was read.')
    onRead(part.bytesRead)
    at += part.bytesRead
    yield room.subarray(0, part.bytesRead)
  }
  // Not where who reads has gone away, or a read has failed: who knows what is still under way.
  memory.give(block)
}
