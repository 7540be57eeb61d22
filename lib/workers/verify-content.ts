// Checks that the bytes of a version are still those that were saved and, if the type demands a page, are a valid page.

import { isUtf8 } from 'node:buffer'
import { createHash, hash } from 'node:crypto'
import { closeSync, fstatSync, readFileSync } from 'node:fs'
import { isStml } from '../schema/stml.ts'
import { requireStml } from './describe-content.ts'
import { openIfThere, readChunks } from './files.ts'

export interface VerifyContent {
  /** The bytes, or the path of a file. */
  readonly source: Uint8Array | string
  readonly sha256: string
  readonly type: string
  /** Up to this size the bytes are examined as text. */
  readonly textBytes: number
}

/** Throws stml-invalid if the bytes are those that were saved but not a valid page. */
export function verifyContent(input: VerifyContent): boolean {
  const { source, sha256 } = input
  if (typeof source !== 'string') return hash('sha256', source) === sha256 && checked(input, source)

  const fd = openIfThere(source)
  if (fd === undefined) return false
  try {
    const isPage = isStml(input.type) && fstatSync(fd).size <= input.textBytes
    if (!isPage) return hashOf(fd) === sha256 && checked(input)
    const bytes = readFileSync(fd)
    return hash('sha256', bytes) === sha256 && checked(input, bytes)
  } finally {
    closeSync(fd)
  }
}

/** Call without `bytes` if the content is too large to be a page. */
function checked({ type }: VerifyContent, bytes?: Uint8Array): true {
  const isText = bytes !== undefined && !bytes.includes(0) && isUtf8(bytes)
  requireStml(type, isText, bytes ?? new Uint8Array())
  return true
}

function hashOf(fd: number): string {
  const sum = createHash('sha256')
  readChunks(fd, (chunk) => sum.update(chunk))
  return sum.digest('hex')
}
