// Hashes large content while it is sent.

import { createHash } from 'node:crypto'
import { CmsError } from '../../base/errors.ts'

interface VerifiedSource {
  /** Each chunk is valid until the next is requested. */
  readonly chunks: AsyncIterable<Buffer>
  /** Total size, not 0: the chunk that reaches the size is the last. */
  readonly sizeBytes: number
  readonly sha256: string
  /** Called when all bytes were verified. */
  readonly onVerified: () => void
}

/**
 * Prevents complete answers with wrong bytes: large content is hashed while it is sent, and the last chunk is yielded
 * only if the hash matches. Otherwise reading throws and the connection is closed, so that no client takes the
 * partial content for complete.
 */
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
        throw new CmsError('content-damaged', 'The bytes differ from the saved bytes.')
      onVerified()
    }
    yield chunk
  }
}
