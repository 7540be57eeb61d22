// Writes an export to disk. Names come from the server, so each name is checked before it becomes part of a
// path. Every folder was created or checked here and is never a link, which could lead out of the target.

import { createHash, randomUUID } from 'node:crypto'
import { constants, createWriteStream } from 'node:fs'
import { lstat, mkdir, open, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makeDirectory } from '../base/make-directory.ts'
import { ClientError, errnoOf, reasonOf } from './client-error.ts'

/** The target itself may be a link, because the user named it. */
export async function openTarget(target: string): Promise<string> {
  try {
    makeDirectory(target, 0o777)
    return await realpath(target)
  } catch (cause) {
    throw new ClientError('unwritable', `${target} cannot be written: ${reasonOf(cause)}`, {
      cause,
    })
  }
}

/** The path of a name inside `folder`; throws if the path would be anywhere else. */
export function placeIn(folder: string, name: string): string {
  const fault = exportFault(name)
  if (fault !== undefined) throw new ClientError('unsafe-name', fault)
  return join(folder, name)
}

export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    if ((await lstat(path)).isDirectory()) return
    throw new ClientError('in-the-way', 'a file or a link exists at the path of this folder')
  }
}

/** SHA-256 of the file at this path; undefined if there is no file, or a link, which will be replaced. */
export async function hashPresent(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (found === undefined || found.isSymbolicLink()) return undefined
  if (found.isDirectory()) throw new ClientError('in-the-way', 'a folder has the same name')
  if (!found.isFile()) throw new ClientError('in-the-way', 'a special file has the same name')

  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  const hash = createHash('sha256')
  const chunks: AsyncIterable<Buffer> = handle.createReadStream()
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

interface Download {
  readonly body: Readable
  readonly sizeBytes: number
  readonly sha256: string
  readonly signal: AbortSignal
  readonly addBytes: (bytes: number) => void
}

/**
 * Writes the bytes to `path` once they have arrived completely and match the hash; until then nothing changes.
 */
export async function saveDownload(path: string, download: Download): Promise<void> {
  const { body, signal, sha256, sizeBytes, addBytes } = download
  const temporary = join(dirname(path), `.cms-export-${randomUUID()}`)
  const hash = createHash('sha256')
  let savedBytes = 0

  async function* measure(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk)
      savedBytes += chunk.length
      addBytes(chunk.length)
      yield chunk
    }
  }

  try {
    await pipeline(body, measure, createWriteStream(temporary, { flags: 'wx' }), { signal })
    if (savedBytes !== sizeBytes || hash.digest('hex') !== sha256) throw damaged()
    await rename(temporary, path)
  } catch (error) {
    addBytes(-savedBytes)
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
}

function damaged(): ClientError {
  return new ClientError(
    'damaged',
    'the received bytes do not match the size and hash from the server',
  )
}

const CONTROL = /[\u0000-\u001f\u007f]/

/**
 * Returns the reason why a name on disk cannot be sent, or undefined. The disk and the server have different rules for
 * names. This check finds only names that would not reach the server unchanged; the server checks all other rules.
 */
export function importFault(name: string): string | undefined {
  // Bytes that are not UTF-8 are read from disk as U+FFFD.
  if (name.includes('\ufffd')) return 'its name is not valid UTF-8'
  if (CONTROL.test(name)) return 'its name must not contain control characters'
  return undefined
}

/** Why a name from the server cannot be used on disk, or undefined. */
function exportFault(name: string): string | undefined {
  if (name === '' || name === '.' || name === '..') return 'its name has a special meaning on disk'
  if (/[/\0\p{Surrogate}]/u.test(name) || name.includes(sep)) {
    return 'its name cannot be written on disk'
  }
  return undefined
}

export function compareNames(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}
