// Checksums of a file, part by part, for an object store: with them the store refuses bytes that changed on the way.
// Computed in a thread, because both sums of a part would block the event loop for too long.

import { createHash } from 'node:crypto'
import { closeSync } from 'node:fs'
import { openIfThere, readChunks } from './files.ts'

export interface SumParts {
  readonly path: string
  readonly partBytes: number
}

export interface PartSums {
  readonly sizeBytes: number
  /** Base64. */
  readonly md5: string
  /** Hexadecimal digits. */
  readonly sha256: string
}

/** One element for each part, and one element for an empty file. Returns undefined if the file does not exist. */
export function sumParts({ path, partBytes }: SumParts): readonly PartSums[] | undefined {
  const fd = openIfThere(path)
  if (fd === undefined) return undefined
  const parts: PartSums[] = []
  let part = openPart()
  try {
    readChunks(fd, (chunk) => {
      for (let at = 0; at < chunk.length; ) {
        if (part.sizeBytes() === partBytes) {
          parts.push(part.end())
          part = openPart()
        }
        const piece = chunk.subarray(at, at + partBytes - part.sizeBytes())
        part.add(piece)
        at += piece.length
      }
    })
  } finally {
    closeSync(fd)
  }
  return [...parts, part.end()]
}

function openPart() {
  const [md5, sha256] = [createHash('md5'), createHash('sha256')]
  let size = 0
  return {
    sizeBytes: () => size,
    add(piece: Uint8Array): void {
      md5.update(piece)
      sha256.update(piece)
      size += piece.length
    },
    end: (): PartSums => ({
      sizeBytes: size,
      md5: md5.digest('base64'),
      sha256: sha256.digest('hex'),
    }),
  }
}
