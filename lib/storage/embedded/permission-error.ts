// What the operating system does not allow, as one line that names the file, its owner and the way.

import { accessSync, constants, lstatSync, readFileSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { dataPathsOf } from './data-paths.ts'
import { RefusedError } from './refusal.ts'

/** EACCES is 13 where LMDB says it. */
const NO_ACCESS: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 13])

/** The error as a refusal, where it is one of the operating system. */
export function refusalOf(dataDir: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EROFS') return readOnlyAlready(dataDir, error)
  return NO_ACCESS.has(code) ? noAccess(dataDir, error) : error
}

function readOnlyAlready(dataDir: string, cause: unknown): RefusedError {
  return new RefusedError(
    `${dataDir} lies on a read-only file system. Where a disk has failed, the system has made it so (dmesg tells why): put it right, and mount it for writing. For reading alone there is "cms-server start --read-only".`,
    { cause },
  )
}

function noAccess(dataDir: string, cause: unknown): RefusedError {
  const uid = process.getuid?.() ?? 0
  const closed = findClosed(dataDir)
  const owner = closed === undefined ? '' : ` (${closed.path} belongs to ${nameOf(closed.uid)})`
  return new RefusedError(
    `The user ${nameOf(uid)} may not use ${dataDir} or something in it${owner}. Run it as the owner of the directory, or give all of it to this user: chown -R ${uid} ${dataDir}`,
    { cause },
  )
}

/** Whether this user may not use something of what every command needs there. */
export function isClosed(dataDir: string): boolean {
  return findClosed(dataDir) !== undefined
}

/** The first of what every command needs that this user may not use; where nothing is there, what it would be made in. */
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
    // What it lies in is closed, and has been named before.
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

/** The number, with the name where the system has one. */
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
