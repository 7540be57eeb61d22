// Tasks that run off the main thread: plain data in, an outcome out. A task returns faults instead of throwing them,
// because errors that cross a thread keep only their message. No task opens the records: a worker that was ended in the
// middle would keep their lock.

import { createHash, hash } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ExpandedEntry, ExpandEntries } from '../calendar/occurrences.ts'
import type { ReadCalendarFile } from '../calendar/calendar-file.ts'
import type { PackedCalendarFile } from '../calendar/packed-calendar.ts'
import type { BuildFeed } from '../calendar/feed.ts'
import { CmsError, type ErrorCode, type ErrorFacts } from '../base/errors.ts'
import { type JsonLimits, parseJson } from '../http/json.ts'
import { type Compress, compress } from '../http/compress.ts'
import { type PageSource, readPage } from '../schema/page-source.ts'
import { checkStml, type StmlFault } from '../schema/stml.ts'
import type { LinkedText, PageLinks } from '../schema/page-links.ts'
import {
  findFileFault,
  type NamedBytes,
  nameDurably,
  openIfThere,
  readAll,
  readChunks,
  syncDirectory,
  unlinkQuietly,
  writeDurably,
  writeTogether,
} from './files.ts'
import { type Copied, copyContent, type CopyContent } from './copy-content.ts'
import {
  describeBytes,
  describeLarge,
  type SealedBytes,
  type VerifyContent,
  verifyContent,
} from './describe-content.ts'
import { type PartSums, type SumParts, sumParts } from './sum-parts.ts'
import type { VerifyPassword } from './passwords.ts'
import { type MatchPattern, matchPattern } from './match-pattern.ts'
import { type Scrubbed, type ScrubFiles, scrubFiles } from './scrub.ts'

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      readonly code: ErrorCode
      readonly detail: string
      readonly facts: ErrorFacts
      /** Error code of the operating system, for the log and for fail-stop. */
      readonly errno: string | undefined
    }

export interface Tasks {
  writeContent: (input: WriteContent) => SealedBytes | Promise<SealedBytes>
  sealUpload: (input: SealUpload) => SealedBytes | Promise<SealedBytes>
  writeOut: (input: { readonly files: readonly NamedBytes[] }) => void
  removeFiles: (input: { readonly paths: readonly string[] }) => number
  parseBody: (input: { readonly bytes: Uint8Array; readonly limits: JsonLimits }) => unknown
  encodePage: (input: EncodePage) => Uint8Array | undefined
  checkStml: (input: { readonly text: string }) => StmlFault | undefined
  readPage: (input: { readonly bytes: Uint8Array; readonly mediaType: string }) => PageSource
  readLinks: (input: LinkedText & { readonly most: number }) => Promise<PageLinks>
  compress: (input: Compress) => Uint8Array
  makeForm: (input: Compress) => Uint8Array
  verifyContent: (input: VerifyContent) => boolean
  sumParts: (input: SumParts) => readonly PartSums[] | undefined
  scrubFiles: (input: ScrubFiles) => Scrubbed
  hashFiles: (input: HashFiles) => readonly (Hashed | undefined)[]
  copyContent: (input: CopyContent) => Copied
  diffTexts: (input: DiffTexts) => Promise<string>
  expandEntries: (input: ExpandEntries, stop?: Stop) => Promise<readonly ExpandedEntry[]>
  buildFeed: (input: BuildFeed, stop?: Stop) => Promise<string>
  readCalendarFile: (input: ReadCalendarFile, stop?: Stop) => Promise<PackedCalendarFile>
  hashPassword: (input: { readonly password: string }) => Promise<string>
  verifyPassword: (input: VerifyPassword) => Promise<boolean>
  matchPattern: (input: MatchPattern) => boolean
}

/** Shared: a number other than 0 ends the task. */
type Stop = Int32Array | undefined

interface WriteContent {
  readonly source: string | Uint8Array
  readonly type: string
  /** Hash of the bytes if it is known. */
  readonly sha256?: string | undefined
  readonly tmpPath: string
  readonly finalPath: string
}

interface SealUpload {
  /** Opened by the main thread. The descriptor that wrote must be the one that is synced, because a write-back error
   * is reported to descriptors that were open when the error happened. */
  readonly fd: number
  readonly type: string
  readonly tmpPath: string
  readonly finalPath: string
  /** Up to this size the bytes are examined as text. */
  readonly textBytes: number
}

interface HashFiles {
  readonly paths: readonly string[]
  /** The files lie in a backup, where a file may have several names. */
  readonly isInBackup: boolean
}

export interface Hashed {
  readonly sha256: string
  readonly sizeBytes: number
}

interface DiffTexts {
  readonly left: DiffText
  readonly right: DiffText
}

/** A text in memory or in a file. */
interface DiffText {
  readonly name: string
  readonly source: Uint8Array | string
}

interface EncodePage {
  readonly path: string
  readonly sha256: string
  /** Limit for the JSON string; the result is null if the string would be longer. */
  readonly maxBytes: number
}

/** Time limit for a unified diff: two dissimilar texts can take for ever. */
const DIFF_TIMEOUT_MS = 5_000

export const tasks: Tasks = {
  async writeContent({ source, tmpPath, finalPath, ...known }) {
    const bytes = typeof source === 'string' ? Buffer.from(source) : source
    const sealed = await describeBytes(bytes, known)
    writeDurably(bytes, tmpPath, finalPath)
    return sealed
  },

  async sealUpload({ fd, type, tmpPath, finalPath, textBytes }) {
    const sizeBytes = fstatSync(fd).size
    const sealed =
      sizeBytes <= textBytes
        ? await describeBytes(readAll(fd, sizeBytes), { type })
        : await describeLarge(fd, type)

    fsyncSync(fd)
    nameDurably(tmpPath, finalPath)
    return sealed
  },

  writeOut({ files }) {
    writeTogether(files)
  },

  removeFiles({ paths }) {
    for (const path of paths) unlinkQuietly(path)
    for (const directory of new Set(paths.map((path) => dirname(path)))) syncDirectory(directory)
    return paths.length
  },

  parseBody({ bytes, limits }) {
    return parseJson(bytes, limits)
  },

  encodePage({ path, sha256, maxBytes }) {
    const fd = openIfThere(path)
    if (fd === undefined) return undefined
    try {
      const bytes = readAll(fd, fstatSync(fd).size)
      if (hash('sha256', bytes) !== sha256) return undefined
      const encoded = Buffer.from(JSON.stringify(bytes.toString()))
      return encoded.length > maxBytes ? Buffer.from('null') : encoded
    } finally {
      closeSync(fd)
    }
  },

  hashFiles({ paths, isInBackup }) {
    return paths.map((path) => hashFile(path, isInBackup))
  },

  checkStml: ({ text }) => checkStml(text),
  readPage: ({ bytes, mediaType }) =>
    readPage(mediaType, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()),
  compress,
  makeForm: compress,
  verifyContent,
  sumParts,
  scrubFiles,
  copyContent,
  matchPattern,

  async diffTexts({ left, right }) {
    const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff')
    const patch = createTwoFilesPatch(
      left.name,
      right.name,
      readText(left.source),
      readText(right.source),
      undefined,
      undefined,
      { timeout: DIFF_TIMEOUT_MS, headerOptions: FILE_HEADERS_ONLY },
    )
    if (patch !== undefined) return patch
    throw new CmsError(
      'unavailable',
      'The two versions differ too much to be compared in time. Download both and compare them locally.',
    )
  },

  // The first task that needs these packages loads them.
  async readLinks({ most, ...linked }) {
    const { findPageLinks } = await import('../schema/page-links.ts')
    return findPageLinks(linked, most)
  },

  async expandEntries(input, stop) {
    const { expandEntries } = await import('../calendar/occurrences.ts')
    return expandEntries({ ...input, stop })
  },

  async buildFeed(input, stop) {
    const { buildFeed } = await import('../calendar/feed.ts')
    return buildFeed({ ...input, stop })
  },

  readCalendarFile: async (input, stop) =>
    (await import('../calendar/packed-calendar.ts')).readPackedCalendar({ ...input, stop }),

  async hashPassword({ password }) {
    const { hashPassword } = await import('./passwords.ts')
    return hashPassword(password)
  },

  async verifyPassword(input) {
    const { verifyPassword } = await import('./passwords.ts')
    return verifyPassword(input)
  },
}

/** Returns undefined if the file does not exist. */
function hashFile(path: string, mayBeShared: boolean): Hashed | undefined {
  const fd = openIfThere(path, { mayBeShared })
  if (fd === undefined) return undefined
  try {
    const sum = createHash('sha256')
    readChunks(fd, (chunk) => sum.update(chunk))
    return { sha256: sum.digest('hex'), sizeBytes: fstatSync(fd).size }
  } finally {
    closeSync(fd)
  }
}

function readText(source: Uint8Array | string): string {
  const text = typeof source === 'string' ? findText(source) : Buffer.from(source).toString()
  if (text !== undefined) return text
  throw new CmsError(
    'content-damaged',
    'The content of one of the two versions is damaged: its bytes differ from those that were saved.',
  )
}

function findText(path: string): string | undefined {
  const fd = openIfThere(path)
  if (fd === undefined) return undefined
  try {
    return readFileSync(fd, 'utf8')
  } finally {
    closeSync(fd)
  }
}

/** Turns a thrown error into plain data. */
export function toOutcome(error: unknown): Outcome<never> {
  if (error instanceof CmsError) {
    return {
      ok: false,
      code: error.code,
      detail: error.message,
      facts: error.facts,
      errno: undefined,
    }
  }

  const errno = (error as NodeJS.ErrnoException).code
  const fault = findFileFault(errno)
  if (fault !== undefined) return { ok: false, ...fault, facts: {}, errno }
  const detail = 'The content could not be written.'
  return {
    ok: false,
    code: 'internal',
    detail,
    facts: { members: {} },
    errno: errno ?? String(error),
  }
}
