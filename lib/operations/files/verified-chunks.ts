// Never a complete answer with wrong bytes: while large content is sent, its hash is made, and the last
// chunk is held back until the hash is right. When it is not, reading fails and the connection ends, so
// that no client takes what it got for the whole.

import { createHash } from 'node:crypto'
import { CmsError } from '../../errors.ts'

export interface VerifiedSource {
  /** Each good until the next but one is asked for. */
  readonly chunks: AsyncIterable<Buffer>
  readonly sha256: string
  /** Called when all bytes were right. */
  readonly onVerified: () => void
}

export async function* verifiedChunks({
  chunks,
  sha256,
  onVerified,
}: VerifiedSource): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let held: Buffer | undefined

  for await (const chunk of chunks) {
    if (held !== undefined) yield held
    hash.update(chunk)
    held = chunk
  }
  if (hash.digest('hex') !== sha256) {
    throw new CmsError('content-damaged', 'The bytes are not those that were saved.')
  }
  onVerified()
  if (held !== undefined) yield held
}
