// Protects root while it works in a data directory of another user. That user could put a link where root expects a file,
// and root would write to, or give away, somebody else's file. The directories therefore belong only to root until the
// work is done, and are given back to their owner afterwards.

import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  lchownSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { acquireLock, type Lock } from './lock.ts'
import { nameOf } from './permission-error.ts'
import { foreignOwner, type Owner, runAs } from './owner.ts'
import { RefusedError } from './refusal.ts'

export interface TakenDirectory {
  readonly lock: Lock
  /** Record this in a file of the directory: after a crash the next process that takes the directory gives it back. */
  readonly owner: Owner | undefined
  /** Gives everything in the directory to its owner, who cannot enter the directory yet. */
  giveContents(): void
  /** Gives back the directory itself too, and releases the lock. */
  release(): Promise<void>
}

/**
 * Locks the directory like a server. If this process is root and the directory belongs to another user, root also takes
 * the directory over. `noted` is the `owner` that an interrupted run recorded. Throws RefusedError for a directory that
 * holds links, or that other users could replace.
 */
export async function takeDirectory(
  dataDir: string,
  noted: Readonly<Record<string, unknown>> | undefined,
): Promise<TakenDirectory> {
  const present = foreignOwner(dataDir)
  const owner = present ?? readOwner(noted)
  const modes = new Map<string, number>()
  const give = (): void => void (owner !== undefined && giveDirectory(dataDir, owner, modes))
  if (owner !== undefined) requireSafePlace(dataDir, owner)

  try {
    if (owner !== undefined) closeDirectory(dataDir, modes)
    const lock = await acquireLock(dataDir)
    return {
      lock,
      owner,
      giveContents: () => void (owner !== undefined && giveWhatIsIn(dataDir, owner, modes)),
      async release() {
        await lock.release()
        give()
      },
    }
  } catch (error) {
    // If root already owned the directory before, another command may be using it.
    if (present !== undefined) give()
    throw error
  }
}

function readOwner(noted: Readonly<Record<string, unknown>> | undefined): Owner | undefined {
  const { uid, gid } = (noted?.['owner'] ?? {}) as Partial<Owner>
  if (process.getuid?.() !== 0 || !Number.isInteger(uid) || !Number.isInteger(gid)) return undefined
  return { uid: Number(uid), gid: Number(gid) }
}

const [WRITABLE_BY_OTHERS, STICKY] = [0o022, 0o1000]

/** A user who can rename the directory, or one above it, can replace it by a link. */
function requireSafePlace(dataDir: string, owner: Owner): void {
  let path = realpathSync(dataDir)
  while (path !== dirname(path)) {
    path = dirname(path)
    const { uid, mode } = lstatSync(path)
    const isClosed = (mode & WRITABLE_BY_OTHERS) === 0 || (mode & STICKY) !== 0
    if (uid === 0 && isClosed) continue
    throw new RefusedError(
      `Users other than root may change ${path} and could replace ${dataDir}, which belongs to ${nameOf(owner.uid)}, by a link. ${runAs(owner)}`,
    )
  }
}

/** Top down: nobody else can change what is inside a directory that has been closed. */
function closeDirectory(path: string, modes: Map<string, number>): void {
  const directory = openDirectory(path)
  try {
    modes.set(path, fstatSync(directory).mode & 0o7777)
    fchownSync(directory, 0, 0)
    fchmodSync(directory, 0o700)
  } finally {
    closeSync(directory)
  }
  for (const found of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, found.name)
    if (found.isDirectory()) closeDirectory(child, modes)
    else if (!found.isFile() && !found.isSocket())
      throw new RefusedError(
        `${child} is neither a file nor a directory. Root does not follow links of other users. Remove it, then run the same command again.`,
      )
  }
}

function giveDirectory(path: string, owner: Owner, modes: ReadonlyMap<string, number>): void {
  giveWhatIsIn(path, owner, modes)
  const directory = openDirectory(path)
  try {
    fchmodSync(directory, modes.get(path) ?? fstatSync(directory).mode & 0o7777)
    fchownSync(directory, owner.uid, owner.gid)
  } finally {
    closeSync(directory)
  }
}

/** Gives back each directory after its contents: from then on its owner can change them. */
function giveWhatIsIn(path: string, owner: Owner, modes: ReadonlyMap<string, number>): void {
  for (const found of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, found.name)
    const { uid, nlink } = lstatSync(child)
    // lost+found, which mkfs creates in the root of a volume, stays with root.
    if (uid !== 0 || found.name === 'lost+found') continue
    if (found.isDirectory()) giveDirectory(child, owner, modes)
    // A file with a second name may belong to root.
    else if (nlink === 1) lchownSync(child, owner.uid, owner.gid)
  }
}

function openDirectory(path: string): number {
  return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
}
