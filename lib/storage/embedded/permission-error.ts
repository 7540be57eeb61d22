// Explains a permission error in one line with the file, its owner and a remedy.

import { accessSync, constants, lstatSync, readFileSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { dataPathsOf } from './data-paths.ts'
import { RefusedError } from './refusal.ts'

/** 13 is EACCES as LMDB reports it. */
const NO_ACCESS: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 13])

/** Converts an error of the operating system into a refusal; returns other errors unchanged. */
export function refusalOf(dataDir: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EROFS') return readOnlyAlready(dataDir, error)
  return NO_ACCESS.has(code) ? noAccess(dataDir, error) : error
}

function readOnlyAlready(dataDir: string, cause: unknown): RefusedError {
  return new RefusedError(
    `${dataDir} is on a read-only file system. If a disk has failed, the system has remounted it read-only (see dmesg): repair the disk and mount it writable. To serve reads only, run "cms-server start --read-only".`,
    { cause },
  )
}

function noAccess(dataDir: string, cause: unknown): RefusedError {
  const uid = process.getuid?.() ?? 0
  const closed = findClosed(dataDir)
  const owner = closed === undefined ? '' : ` (${closed.path} belongs to ${nameOf(closed.uid)})`
  return new RefusedError(
    `The user ${nameOf(uid)} has no access to ${dataDir} or to something in it${owner}. Run the command as the owner of the directory, or give the whole directory to this user: chown -R ${uid} ${dataDir}`,
    { cause },
  )
}

/** Whether this user lacks access to something that every command needs. */
export function isClosed(dataDir: string): boolean {
  return findClosed(dataDir) !== undefined
}

/** The first path that every command needs and that this user cannot use; if nothing exists yet, the parent directory. */
function findClosed(dataDir: string): { readonly path: string; readonly uid: number } | undefined {
  const { records, dataFile, tmp, quarantine, instance, clean } = dataPathsOf(dataDir)
  const locks = [join(records, 'lock.mdb'), join(dataDir, 'lock')]
  const top = lookAt(dataDir) === undefined ? dirname(dataDir) : dataDir
  const paths = [top, records, dataFile, ...locks, tmp, quarantine]
  for (const path of [...paths, instance, clean]) {
    const found = lookAt(path)
    if (found !== undefined && !mayUse(path, found)) return { path, uid: found.uid }
  }
  return undefined
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    // The parent directory is closed and has been reported before.
    return undefined
  }
}

function mayUse(path: string, found: Stats): boolean {
  const { R_OK, W_OK, X_OK } = constants
  try {
    accessSync(path, found.isDirectory() ? R_OK | W_OK | X_OK : R_OK | W_OK)
    return true
  } catch {
    return false
  }
}

/** The user number, with the name if the system has one. */
export function nameOf(uid: number): string {
  const line = readUsers().find((item) => item.split(':')[2] === String(uid))
  return line === undefined ? String(uid) : `${uid} (${line.split(':')[0]})`
}

function readUsers(): readonly string[] {
  try {
    return readFileSync('/etc/passwd', 'utf8').split('\n')
  } catch {
    return []
  }
}
