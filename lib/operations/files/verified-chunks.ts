// Never a complete answer with wrong bytes: while large content is sent, its hash is made, and the last
// chunk is given only when the hash is right. When it is not, reading fails and the connection ends, so
// that no client takes what it got for the whole.

import { createHash } from 'node:crypto'
import { CmsError } from '../../base/errors.ts'

export interface VerifiedSource {
  /** Each good until the next is asked for. */
  readonly chunks: AsyncIterable<Buffer>
  /** Of all of them, not of an empty content: the chunk that completes it is the last. */
  readonly sizeBytes: number
  readonly sha256: string
  /** Called when all bytes were right. */
  readonly onVerified: () => void
}

export async function* verifiedChunks({
  chunks,
  sizeBytes,
  sha256,
  onVerified,
}: VerifiedSource): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let missingBytes = sizeBytes

  for await (const chunk of chunks) {
    hash.update(chunk)
    missingBytes -= chunk.length
    if (missingBytes <= 0) {
      if (missingBytes < 0 || hash.digest('hex') !== sha256)
        throw new CmsError('content-damaged', 'The bytes are not those that were saved.')
      onVerified()
    }
    yield chunk
  }
}
