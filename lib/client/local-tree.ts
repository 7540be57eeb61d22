// Walks the tree on disk that is imported: folders and files, sorted by name. Links are not followed, so the
// walk ends and stays inside its source.

import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { foldName } from '../schema/names.ts'
import { ClientError, reasonOf } from './client-error.ts'
import { shown } from '../schema/visible.ts'
import { compareNames, importFault } from './disk.ts'
import type { Run } from './run.ts'

export interface LocalFile {
  readonly name: string
  /** Path below the source, for messages. */
  readonly shownPath: string
  readonly path: string
}

export interface LocalFolder extends LocalFile {
  readonly folders: readonly LocalFolder[]
  readonly files: readonly LocalFile[]
}

export interface LocalTree {
  readonly root: LocalFolder
  /** Links, sockets and other entries that are neither a folder nor a file. */
  readonly skipped: number
}

/** Entries that cannot be read or sent are recorded in the run. Throws if the source itself does not exist. */
export async function walkTree(source: string, run: Run): Promise<LocalTree> {
  const walk = { run, skipped: 0 }
  const { path, isFolder } = await openSource(source)
  if (isFolder) {
    const root = await walkFolder(walk, { name: '', shownPath: '.', path })
    return { root, skipped: walk.skipped }
  }

  const name = basename(source)
  run.addTotal(1)
  const files = keepNames(run, [{ name, shownPath: shown(name), path }], 1)
  return { root: { name: '', shownPath: '.', path: dirname(path), folders: [], files }, skipped: 0 }
}

export function countFiles(folder: LocalFolder): number {
  return folder.folders.reduce((sum, child) => sum + countFiles(child), folder.files.length)
}

// The source itself may be a link, because the user named it.
async function openSource(source: string): Promise<{ path: string; isFolder: boolean }> {
  try {
    const path = await realpath(source)
    const found = await stat(path)
    if (found.isDirectory() || found.isFile()) return { path, isFolder: found.isDirectory() }
  } catch (cause) {
    throw new ClientError('unreadable', `${source} cannot be read: ${reasonOf(cause)}`, { cause })
  }
  throw new ClientError('unreadable', `${source} is neither a directory nor a file.`)
}

interface Walk {
  readonly run: Run
  skipped: number
}

async function walkFolder(walk: Walk, place: LocalFile): Promise<LocalFolder> {
  const { run } = walk
  run.signal.throwIfAborted()
  const part = { path: place.shownPath, files: 0 }
  const entries =
    (await run.attempt(part, () => readdir(place.path, { withFileTypes: true }))) ?? []
  entries.sort(compareNames)

  const found = entries.filter((entry) => entry.isFile()).map((entry) => locate(entry, place))
  const inner = entries.filter((entry) => entry.isDirectory()).map((entry) => locate(entry, place))
  walk.skipped += entries.length - found.length - inner.length
  run.addTotal(found.length)

  const folders: LocalFolder[] = []
  for (const child of keepNames(run, inner, 0)) folders.push(await walkFolder(walk, child))
  return { ...place, folders, files: keepNames(run, found, 1) }
}

function locate({ name }: Dirent, { path, shownPath }: LocalFile): LocalFile {
  return { name, path: join(path, name), shownPath: join(shownPath, shown(name)) }
}

// Names that differ only in case are equal to the server: the second file would replace the first. `files` is
// the number of files that a rejected name counts for; the content of a rejected folder is unknown.
function keepNames(run: Run, places: readonly LocalFile[], files: number): LocalFile[] {
  const seen = new Map<string, string>()

  return places.filter(({ name, shownPath }) => {
    const folded = foldName(name)
    const twin = seen.get(folded)
    const clash = twin === undefined ? undefined : `the server treats its name as equal to ${twin}`
    const fault = importFault(name) ?? clash

    if (fault === undefined) seen.set(folded, name)
    else run.fail({ path: shownPath, files }, fault)
    return fault === undefined
  })
}
