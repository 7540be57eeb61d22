// Are the bytes of a version still those that were saved, and where its type asks for it, a page of that type?

import { isUtf8 } from 'node:buffer'
import { createHash, hash } from 'node:crypto'
import { closeSync, fstatSync, readFileSync } from 'node:fs'
import { isStml } from '../schema/stml.ts'
import { requireStml } from './describe-content.ts'
import { openIfThere, readChunks } from './files.ts'

export interface VerifyContent {
  /** Bytes that are at hand, or a path. */
  readonly source: Uint8Array | string
  readonly sha256: string
  readonly type: string
  /** Up to this size the bytes are looked at as text. */
  readonly textBytes: number
}

/** Throws stml-invalid where the bytes are those that were saved, but no page. */
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

/** Without bytes, of those that are too large to be a page. */
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
