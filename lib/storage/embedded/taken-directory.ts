// Root at work in a data directory of another user, who could put a link where root expects a file: root would write to,
// or give away, a file of others. So the directories belong to root alone until the work is done, and to their owner again
// after it.

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
  /** To be noted in a file of the directory: after a crash it is given back by who takes it next. */
  readonly owner: Owner | undefined
  /** Gives all that is in the directory to its owner, who cannot get at it yet. */
  giveContents(): void
  /** Gives back the directory itself as well, and ends the lock. */
  release(): Promise<void>
}

/**
 * Owns the directory as a server would, and where this process is root and the directory is another user's takes it from
 * him. `noted`: what work that was cut off has told in `owner`. Throws RefusedError for a directory that holds links, or
 * that others can put another one in the place of.
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
    // What was root's before may be at work for another command.
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

/** Whoever can rename the directory, or one above it, can put a link in its place. */
function requireSafePlace(dataDir: string, owner: Owner): void {
  let path = realpathSync(dataDir)
  while (path !== dirname(path)) {
    path = dirname(path)
    const { uid, mode } = lstatSync(path)
    const isClosed = (mode & WRITABLE_BY_OTHERS) === 0 || (mode & STICKY) !== 0
    if (uid === 0 && isClosed) continue
    throw new RefusedError(
      `Others than root may change ${path}, and could put a link in the place of ${dataDir}, which belongs to ${nameOf(owner.uid)}. ${runAs(owner)}`,
    )
  }
}

/** From the top: nobody else can change what is in a directory that has been closed. */
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
        `${child} is neither a file nor a directory. Root follows no link of another user: remove it, and run the same command again.`,
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

/** Each directory after what is in it: from then on its owner can change it. */
function giveWhatIsIn(path: string, owner: Owner, modes: ReadonlyMap<string, number>): void {
  for (const found of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, found.name)
    const { uid, nlink } = lstatSync(child)
    // What mkfs makes in the root of a volume stays root's.
    if (uid !== 0 || found.name === 'lost+found') continue
    if (found.isDirectory()) giveDirectory(child, owner, modes)
    // Under another name it may be a file of root.
    else if (nlink === 1) lchownSync(child, owner.uid, owner.gid)
  }
}

function openDirectory(path: string): number {
  return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
}
