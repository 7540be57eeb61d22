// Ownership of files when root runs a command on the site of another user. Files that root creates in the data directory must
// belong to the owner of the directory, or the service could not use them at its next start.

import { spawnSync } from 'node:child_process'
import {
  accessSync,
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  openSync,
  statSync,
} from 'node:fs'
import { fileURLToPath } from 'node:url'
import { nameOf } from './permission-error.ts'
import { RefusedError } from './refusal.ts'

export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** Returns undefined if this process is not root, if root owns the directory, or if the directory does not exist. */
export function foreignOwner(dataDir: string): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined
  const found = statSync(dataDir, { throwIfNoEntry: false })
  return found === undefined || found.uid === 0 ? undefined : { uid: found.uid, gid: found.gid }
}

/** The work of this process in the data directory. */
export type Task = 'command' | 'server'

/**
 * Changes the process to the owner of the directory, for tasks that need no other right. Node cannot change its user with
 * a shared libuv that may use io_uring (Debian 13; CVE-2024-22017). In that case a command continues in a new process of
 * the right user; a server must be started by that user.
 */
export function becomeOwner(dataDir: string, task: Task): void {
  const owner = foreignOwner(dataDir)
  if (owner === undefined) return
  try {
    process.setgroups?.([owner.gid])
    process.setgid?.(owner.gid)
    process.setuid?.(owner.uid)
  } catch (cause) {
    if (task === 'command' && (cause as NodeJS.ErrnoException).code === 'ERR_INVALID_STATE')
      goOnAs(owner)
    throw new RefusedError(mayNot(dataDir, owner), { cause })
  }
  requireProgram(owner)
}

function mayNot(dataDir: string, owner: Owner): string {
  return `${dataDir} belongs to ${nameOf(owner.uid)}, and this process is not allowed to switch to that user. ${runAs(owner)}`
}

/** The command to type instead. */
export function runAs({ uid, gid }: Owner): string {
  return `Run it as that user: setpriv --reuid=${uid} --regid=${gid} --clear-groups cms-server …`
}

/** Runs the same command in a new process with the same terminal; never returns if that process could be started. */
function goOnAs(owner: Owner): void {
  requireProgram(owner)
  const { execPath, execArgv, argv } = process
  const args = [...execArgv, ...argv.slice(1)]
  const { error, status } = spawnSync(execPath, args, { ...owner, stdio: 'inherit' })
  if (error === undefined) process.exit(status ?? 1)
}

/** The owner must be able to read the program, because parts of it are loaded on demand. */
function requireProgram({ uid }: Owner): void {
  const path = fileURLToPath(import.meta.url)
  try {
    accessSync(path, constants.R_OK)
  } catch (cause) {
    const detail = `The data directory belongs to ${nameOf(uid)}, who is not allowed to read the program (${path}). Install it in a directory that all users may read, for example /opt.`
    throw new RefusedError(detail, { cause })
  }
}

/** Changes the owner of one file to the owner of the directory; a missing file is created empty. */
export function giveToOwner(dataDir: string, path: string): void {
  const owner = foreignOwner(dataDir)
  if (owner === undefined) return
  // O_NOFOLLOW: a link planted by the owner must not lead root to another user's file.
  const file = openSync(path, constants.O_CREAT | constants.O_RDONLY | constants.O_NOFOLLOW, 0o600)
  try {
    // A file with a second name may belong to another user.
    if (fstatSync(file).nlink === 1) fchownSync(file, owner.uid, owner.gid)
  } finally {
    closeSync(file)
  }
}
