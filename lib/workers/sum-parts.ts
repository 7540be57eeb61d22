// What a store on the network is told of a file, part by part: with these sums it refuses bytes that changed on the
// way. Made in a thread, because both sums of a part take longer than an answer may wait.

import { createHash } from 'node:crypto'
import { closeSync } from 'node:fs'
import { openIfThere, readChunks } from './files.ts'

export interface SumParts {
  readonly path: string
  readonly partBytes: number
}

export interface PartSums {
  readonly sizeBytes: number
  /** In base64. */
  readonly md5: string
  /** In hexadecimal digits. */
  readonly sha256: string
}

/** One for each part, and one for a file without bytes; undefined where there is no such file. */
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
