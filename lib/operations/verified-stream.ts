// Never a complete answer with wrong bytes: while large content is sent, its hash is made, and the last
// chunk is held back until the hash is right. When it is not, the stream fails and the connection
// ends, so that no client takes what it got for the whole.

import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { CmsError } from '../errors.ts'

export interface VerifiedSource {
  readonly stream: Readable
  readonly sha256: string
  /** Called when all bytes were right. */
  readonly onVerified: () => void
}

export function verifiedStream({ stream, sha256, onVerified }: VerifiedSource): Readable {
  const verified = Readable.from(verify({ stream, sha256, onVerified }), { objectMode: false })
  // A generator that was never asked for a chunk cannot end its source: the client was gone by then.
  verified.once('close', () => stream.destroy())
  return verified
}

async function* verify({ stream, sha256, onVerified }: VerifiedSource): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let held: Buffer | undefined

  for await (const chunk of stream as AsyncIterable<Buffer>) {
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
