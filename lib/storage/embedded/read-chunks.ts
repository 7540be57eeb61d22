// Reads a file in large pieces, into the same memory over and over: fresh memory for each piece would be as
// much garbage as the file has bytes, and collecting it would hold up every other answer.

import type { FileHandle } from 'node:fs/promises'

/** Each read costs a trip through the thread pool; each write to a socket holds the main thread. */
const CHUNK_BYTES = 256 * 1024
/** One that is sent, one that is held back, one that is being read. */
const BUFFERS = 3

/** As OpenContent.chunks promises; throws where the file ends early. */
export async function* readChunks(
  handle: FileHandle,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Buffer> {
  const bufferBytes = Math.min(CHUNK_BYTES, end + 1 - start)
  const buffers: Buffer[] = []
  let position = start
  let count = 0

  async function readNext(): Promise<Buffer | undefined> {
    const sizeBytes = Math.min(bufferBytes, end + 1 - position)
    if (sizeBytes <= 0) return undefined
    const buffer = (buffers[count % BUFFERS] ??= Buffer.allocUnsafeSlow(bufferBytes))
    const { bytesRead } = await handle.read(buffer, 0, sizeBytes, position)
    if (bytesRead === 0) throw new Error(`The file ends at byte ${position} and not at ${end}.`)
    position += bytesRead
    count += 1
    return buffer.subarray(0, bytesRead)
  }

  let next = readNext()
  try {
    for (let chunk = await next; chunk !== undefined; chunk = await next) {
      next = readNext()
      // Its failure is told when it is asked for.
      next.catch(() => undefined)
      yield chunk
    }
  } finally {
    await next.catch(() => undefined)
    await handle.close()
  }
}
