// Copies one content into or out of a backup and hashes the bytes that it writes. Bytes are read and written, never
// cloned: a copy that shares its disk blocks with the original is lost together with the original.

import { createHash } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, linkSync, openSync, writeSync } from 'node:fs'
import { CREATE_FLAGS, FILE_MODE, openIfThere, readChunks, unlinkQuietly } from './files.ts'

export interface CopyContent {
  readonly from: string
  /** A fresh name in a directory that is not in use yet; the caller syncs the directory. */
  readonly to: string
  readonly sizeBytes: number
  readonly sha256: string
  /** The same content in an older backup: it is hard-linked if its bytes are right. */
  readonly older?: string | undefined
  /** `from` lies in a backup, where a file may have several names. */
  readonly isFromBackup?: boolean
}

export type Copied = 'copied' | 'linked' | 'missing' | 'wrong'

/** The bytes are durable on return; the name is not. If the bytes are missing or wrong, `to` does not exist. */
export function copyContent(input: CopyContent): Copied {
  const { from, to, older, isFromBackup = false } = input
  if (older !== undefined && isRight(older, input) && tryLink(older, to)) return 'linked'

  const source = openIfThere(from, { mayBeShared: isFromBackup })
  if (source === undefined) return 'missing'
  try {
    return copyFrom(source, input)
  } finally {
    closeSync(source)
  }
}

function copyFrom(source: number, { to, sizeBytes, sha256 }: CopyContent): Copied {
  if (fstatSync(source).size !== sizeBytes) return 'wrong'
  const target = openSync(to, CREATE_FLAGS, FILE_MODE)
  let isWhole = false
  try {
    const hash = createHash('sha256')
    readChunks(source, (chunk) => {
      hash.update(chunk)
      for (let at = 0; at < chunk.length; ) at += writeSync(target, chunk, at)
    })
    isWhole = hash.digest('hex') === sha256
    if (isWhole) fsyncSync(target)
    return isWhole ? 'copied' : 'wrong'
  } finally {
    closeSync(target)
    if (!isWhole) unlinkQuietly(to)
  }
}

function isRight(path: string, { sizeBytes, sha256 }: CopyContent): boolean {
  const fd = openIfThere(path, { mayBeShared: true })
  if (fd === undefined) return false
  try {
    if (fstatSync(fd).size !== sizeBytes) return false
    const hash = createHash('sha256')
    readChunks(fd, (chunk) => hash.update(chunk))
    return hash.digest('hex') === sha256
  } finally {
    closeSync(fd)
  }
}

/** Another file system, too many links, or no support for links: the content is copied instead. */
const NO_LINK = new Set(['EXDEV', 'EMLINK', 'EPERM', 'ENOTSUP', 'ENOSYS'])

function tryLink(path: string, to: string): boolean {
  try {
    linkSync(path, to)
    return true
  } catch (error) {
    if (NO_LINK.has((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}
