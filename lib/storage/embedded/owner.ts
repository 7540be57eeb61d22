// Root beside a service of another user: what root makes in the data directory belongs to its owner, or the service
// could not use it at its next start.

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

/** Undefined where this process is not root, and where root owns the directory, or it is not there. */
export function foreignOwner(dataDir: string): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined
  const found = statSync(dataDir, { throwIfNoEntry: false })
  return found === undefined || found.uid === 0 ? undefined : { uid: found.uid, gid: found.gid }
}

/** What this process is going to do in the data directory. */
export type Task = 'command' | 'server'

/**
 * Of a task that needs nothing else: from here on the process is one of the owner. Where Node cannot change its
 * user, as with a shared libuv that may use io_uring (Debian 13; CVE-2024-22017), a command goes on in another
 * process, which is one from its beginning; a server has to be started so.
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
  return `${dataDir} belongs to ${nameOf(owner.uid)}, and this process may not become that user. ${runAs(owner)}`
}

/** What to type instead. */
export function runAs({ uid, gid }: Owner): string {
  return `Run it as that user: setpriv --reuid=${uid} --regid=${gid} --clear-groups cms-server …`
}

/** With the same arguments and terminal; never returns where the other process could be started. */
function goOnAs(owner: Owner): void {
  requireProgram(owner)
  const { execPath, execArgv, argv } = process
  const args = [...execArgv, ...argv.slice(1)]
  const { error, status } = spawnSync(execPath, args, { ...owner, stdio: 'inherit' })
  if (error === undefined) process.exit(status ?? 1)
}

/** Parts of it are loaded when they are needed. */
function requireProgram({ uid }: Owner): void {
  const path = fileURLToPath(import.meta.url)
  try {
    accessSync(path, constants.R_OK)
  } catch (cause) {
    const detail = `The data directory belongs to ${nameOf(uid)}, who may not read the program (${path}). Install it where all may read it, as in /opt.`
    throw new RefusedError(detail, { cause })
  }
}

/** Gives one file, or a file that is not there yet and is made empty, to the owner of the directory. */
export function giveToOwner(dataDir: string, path: string): void {
  const owner = foreignOwner(dataDir)
  if (owner === undefined) return
  // No link of the owner leads root to a file of others.
  const file = openSync(path, constants.O_CREAT | constants.O_RDONLY | constants.O_NOFOLLOW, 0o600)
  try {
    // Under another name it may be a file of others.
    if (fstatSync(file).nlink === 1) fchownSync(file, owner.uid, owner.gid)
  } finally {
    closeSync(file)
  }
}
