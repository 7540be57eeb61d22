// Changes of the files in one directory of a live tree. A file is written under a temporary name, synced and renamed, so that
// a reader finds the old or the new bytes at any moment, also after a power failure. Directories are not synced: a rename that
// a power failure undoes leaves the old bytes, which the comparison at the next start replaces.
//
// The files hold copies. A hard link to a content would let anybody who can write here change the stored bytes of a version.

import { randomUUID } from 'node:crypto'
import { chmod, lstat, mkdir, open, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/** Names of folders and of the file, from the root of the site down. */
export type Names = readonly string[]

export interface NewFile {
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  readonly modifiedMs: number
}

export interface Found {
  readonly kind: 'file' | 'directory' | 'other'
  readonly sizeBytes: number
  readonly modifiedMs: number
}

/** Entries whose size and time are read at once. */
const AT_ONCE = 32

export class TreeFiles {
  readonly #root: string
  readonly #tmp: string

  constructor(root: string, tmp: string) {
    this.#root = root
    this.#tmp = tmp
  }

  #path(names: Names): string {
    return join(this.#root, ...names)
  }

  /** Replaces the file at these names. */
  async write(names: Names, { chunks, modifiedMs }: NewFile): Promise<void> {
    const part = join(this.#tmp, randomUUID())
    try {
      const file = await open(part, 'wx', 0o600)
      try {
        for await (const chunk of chunks) await file.writeFile(chunk)
        await file.chmod(0o644)
        await file.utimes(modifiedMs / 1000, modifiedMs / 1000)
        await file.sync()
      } finally {
        await file.close()
      }
      await this.#rename(part, names)
    } finally {
      await rm(part, { force: true })
    }
  }

  async #rename(part: string, names: Names): Promise<void> {
    const path = this.#path(names)
    try {
      await rename(part, path)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
      await this.#makeFolders(names.slice(0, -1))
      await rename(part, path)
    }
  }

  /** The root exists: without it, the disk may be unmounted, and must not be filled at its mount point. */
  async #makeFolders(names: Names): Promise<void> {
    for (let count = 1; count <= names.length; count += 1) {
      const path = this.#path(names.slice(0, count))
      try {
        await mkdir(path)
        await chmod(path, 0o755)
      } catch (error) {
        // A file in the place of the folder is an obstacle, which the next step reports.
        if (codeOf(error) !== 'EEXIST') throw error
      }
    }
  }

  /** Removes a file, and the folders that become empty. */
  async remove(names: Names): Promise<void> {
    await ignoring(['ENOENT', 'ENOTDIR'], () => unlink(this.#path(names)))
    await this.#removeFolders(names.slice(0, -1))
  }

  async #removeFolders(names: Names): Promise<void> {
    for (let count = names.length; count > 0; count -= 1) {
      const isGone = await ignoring(['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'], () =>
        rmdir(this.#path(names.slice(0, count))),
      )
      if (!isGone) return
    }
  }

  /** Removes a file or a folder with everything in it. */
  async clear(names: Names): Promise<void> {
    await rm(this.#path(names), { recursive: true, force: true })
    await this.#removeFolders(names.slice(0, -1))
  }

  /** Removes a file at the path of a folder, or a folder at the path of the file. */
  async removeObstacle(names: Names): Promise<void> {
    for (let count = 1; count <= names.length; count += 1) {
      const found = await this.find(names.slice(0, count))
      const wanted = count === names.length ? 'file' : 'directory'
      if (found !== undefined && found.kind !== wanted) return this.clear(names.slice(0, count))
    }
  }

  /** Whether both are one file, as on a disk that ignores the case of names. */
  async isSame(left: Names, right: Names): Promise<boolean> {
    const [one, other] = await Promise.all([left, right].map((names) => this.#stat(names)))
    return one !== undefined && one.ino === other?.ino && one.dev === other.dev
  }

  async renameTo(from: Names, to: Names): Promise<void> {
    await rename(this.#path(from), this.#path(to))
  }

  async find(names: Names): Promise<Found | undefined> {
    const stat = await this.#stat(names)
    if (stat === undefined) return undefined
    const kind = stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : 'other'
    return { kind, sizeBytes: Number(stat.size), modifiedMs: Number(stat.mtimeNs / 1000n) / 1000 }
  }

  async #stat(names: Names) {
    try {
      return await lstat(this.#path(names), { bigint: true })
    } catch (error) {
      if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(codeOf(error))) return undefined
      throw error
    }
  }

  /** The entries of a folder; none if the folder does not exist. */
  async list(names: Names): Promise<ReadonlyMap<string, Found>> {
    const found = new Map<string, Found>()
    const entries = await this.#entries(names)
    for (let at = 0; at < entries.length; at += AT_ONCE) {
      const some = entries.slice(at, at + AT_ONCE)
      const stats = await Promise.all(some.map((name) => this.find([...names, name])))
      for (const [index, name] of some.entries()) {
        const stat = stats[index]
        if (stat !== undefined) found.set(name, stat)
      }
    }
    return found
  }

  async #entries(names: Names): Promise<readonly string[]> {
    try {
      return await readdir(this.#path(names))
    } catch (error) {
      const isMissing = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(codeOf(error))
      // Without the root the disk may be unmounted.
      if (isMissing && names.length > 0) return []
      throw error
    }
  }
}

export function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException | undefined)?.code ?? '')
}

/** Whether the work was done. */
async function ignoring(codes: readonly string[], work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (codes.includes(codeOf(error))) return false
    throw error
  }
}
