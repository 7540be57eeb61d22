// Files on the disk, and the files of the records that they show.
//
// The modification time of a file identifies its version and its publish: the time of the publish in milliseconds, which
// web servers send as Last-Modified, and the version number in microseconds. The comparison after a start relies on it and on
// the size. On a disk that rounds times to seconds, each start writes all files again. A rendered page has the time at which it
// was written, because it also changes with other files.

import { CmsError } from '../base/errors.ts'
import type { ComposedPage } from '../schema/page-composition.ts'
import type { SiteFile } from '../operations/site/site-files.ts'
import { codeOf, type Found, type Names } from './tree-files.ts'

export interface Entry {
  readonly id: number
  readonly names: Names
  readonly sizeBytes: number
  readonly modifiedMs: number
  /** Set for a rendered page. */
  readonly page?: PageState
}

/** The sources of a rendered page. */
export type PageState = Pick<ComposedPage, 'digest' | 'fileIds' | 'groupIds'>

const TOLERANCE_MS = 0.0015

export function entryOf({ id, names, version, dateModified }: SiteFile): Entry {
  // Three microseconds apart, because the operating system may round down by one.
  const microseconds = (version.version % 300) * 3 + 1
  const modifiedMs = Date.parse(dateModified) + microseconds / 1000
  return { id, names, sizeBytes: version.size, modifiedMs }
}

export function isOnDisk({ sizeBytes, modifiedMs }: Entry, found: Found | undefined): boolean {
  if (found?.kind !== 'file' || found.sizeBytes !== sizeBytes) return false
  return Math.abs(found.modifiedMs - modifiedMs) < TOLERANCE_MS
}

export function pathOf(names: Names): string {
  return names.join('/')
}

/** Another kind of entry occupies the path of the file or of one of its folders. */
export const OBSTACLES: ReadonlySet<string> = new Set(['EISDIR', 'ENOTDIR', 'EEXIST', 'ENOTEMPTY'])

/** Undefined if a later attempt may succeed. */
export function reasonToSkip(error: unknown): string | undefined {
  if (['ENAMETOOLONG', 'EILSEQ', 'EINVAL'].includes(codeOf(error)))
    return 'the disk does not accept this name'
  const isDamaged = error instanceof CmsError && error.code === 'content-damaged'
  return isDamaged ? 'the stored bytes are damaged' : undefined
}
