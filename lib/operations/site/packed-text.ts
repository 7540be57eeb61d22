// A long text that stays in memory in compressed chunks. The sitemap of 100,000 addresses has 11 MB, and its chunks 1 MB.

import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'

export interface PackedText {
  readonly sizeBytes: number
  readonly sha256: string
  /** Each chunk is unpacked when it is requested, so that a slow reader holds one chunk. */
  chunks(): Iterable<Buffer>
}

const CHUNK_CHARACTERS = 64 * 1024

export class TextPacker {
  readonly #packed: Buffer[] = []
  readonly #hash = createHash('sha256')
  #sizeBytes = 0
  #text = ''

  add(text: string): void {
    this.#text += text
    if (this.#text.length >= CHUNK_CHARACTERS) this.#pack()
  }

  end(): PackedText {
    this.#pack()
    const packed = this.#packed
    return {
      sizeBytes: this.#sizeBytes,
      sha256: this.#hash.digest('hex'),
      *chunks() {
        for (const chunk of packed) yield inflateRawSync(chunk)
      },
    }
  }

  #pack(): void {
    const bytes = Buffer.from(this.#text)
    this.#text = ''
    this.#hash.update(bytes)
    this.#sizeBytes += bytes.length
    this.#packed.push(deflateRawSync(bytes, { level: 1 }))
  }
}

export function packText(text: string): PackedText {
  const packer = new TextPacker()
  packer.add(text)
  return packer.end()
}
