// Root beside a service of another user: what root makes in the data directory belongs to its owner, or the service
// could not use it at its next start.

import {
  accessSync,
  closeSync,
  constants,
  fchownSync,
  lchownSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nameOf } from './no-access.ts'
import { RefusedError } from './refused.ts'

interface Owner {
  readonly uid: number
  readonly gid: number
}

/** Undefined where this process is not root, and where root owns the directory, or it is not there. */
function foreignOwner(dataDir: string): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined
  const found = statSync(dataDir, { throwIfNoEntry: false })
  return found === undefined || found.uid === 0 ? undefined : { uid: found.uid, gid: found.gid }
}

/** Of a command that needs nothing else: from here on the process is one of the owner. */
export function becomeOwner(dataDir: string): void {
  const owner = foreignOwner(dataDir)
  if (owner === undefined) return
  try {
    process.setgroups?.([owner.gid])
    process.setgid?.(owner.gid)
    process.setuid?.(owner.uid)
  } catch (cause) {
    const detail = `${dataDir} belongs to ${nameOf(owner.uid)}, and this process may not become that user. Run the command as that user.`
    throw new RefusedError(detail, { cause })
  }
  requireProgram(owner)
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
    fchownSync(file, owner.uid, owner.gid)
  } finally {
    closeSync(file)
  }
}

/** Gives all that is in the directory to its owner. */
export function giveAllToOwner(dataDir: string): void {
  const owner = foreignOwner(dataDir)
  if (owner === undefined) return
  for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(dataDir, name), owner.uid, owner.gid)
}
