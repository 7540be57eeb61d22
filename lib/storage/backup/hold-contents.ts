// Both ends of a hold on contents over the owner's socket: a backup process asks the server not to remove bytes while the
// connection is open. Without a running server, the backup locks the directory itself.

import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { CmsError } from '../../base/errors.ts'
import { damagedRecords, inspectInChild } from '../integrity/inspect-records.ts'
import type { Holds } from '../embedded/backup-holds.ts'
import type { DataPaths } from '../embedded/data-paths.ts'
import { requireFreeLease } from '../embedded/lease.ts'
import { openLmdb } from '../embedded/lmdb-kv.ts'
import { giveToOwner } from '../embedded/owner.ts'
import { askOwner, lockIfWritable, openLockPath, readReply, refuseAll } from '../embedded/lock.ts'
import type { CommandHandler } from '../engine.ts'

const HOLD = 'contents.hold'
const DONE = 'backup.done'

export interface Hold {
  /** Aborts when bytes may be removed although the hold was not released. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** Answers the commands of a backup; passes other commands to the handler. Calls `onDone` after a backup without faults. */
export function answerHold(
  holds: Holds,
  handler: CommandHandler,
  onDone: () => void = () => undefined,
): CommandHandler {
  let isHeld = false

  return async (request, asker) => {
    const command = (request as { command?: unknown } | null)?.command
    if (command === DONE) return onDone()
    if (command !== HOLD) return handler(request, asker)
    if (isHeld)
      throw new CmsError(
        'unavailable',
        'Another backup is being made. Try again when it has finished.',
      )
    const release = holds.take()
    isHeld = true
    try {
      asker.tell('held')
      if (!asker.gone.aborted) await once(asker.gone, 'abort')
      return 'released'
    } finally {
      isHeld = false
      release()
    }
  }
}

/** Notifies the owner of the directory. If the server has stopped meanwhile, it misses the notification, which is harmless. */
export async function notifyBackupDone({ dataDir }: DataPaths): Promise<void> {
  await askOwner(dataDir, { command: DONE }).catch(() => undefined)
}

/** Prevents the removal of bytes in the directory. */
export async function holdContents(dataPaths: DataPaths): Promise<Hold> {
  return (await askToHold(dataPaths.dataDir)) ?? takeDirectory(dataPaths)
}

/** Returns undefined if no server owns the directory. */
async function askToHold(dataDir: string): Promise<Hold | undefined> {
  const address = openLockPath(dataDir)
  const socket = createConnection(address.path)
  try {
    await once(socket, 'connect')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined
    throw error
  } finally {
    address.close()
  }
  return holdOver(socket)
}

async function holdOver(socket: Socket): Promise<Hold> {
  const lost = new AbortController()
  const stopped = new CmsError('unavailable', 'The server stopped during the backup. Try again.')
  socket.once('error', () => socket.destroy())
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.once('close', () => lost.abort(stopped))
  socket.write(`${JSON.stringify({ command: HOLD })}\n`)

  const lines = createInterface({ input: socket })
  const line = await Promise.race([
    once(lines, 'line').then(([text]) => String(text)),
    closed.then(() => undefined),
  ])
  if (line === undefined) throw stopped
  readReply(line)
  return {
    lost: lost.signal,
    async release() {
      socket.destroy()
      await closed
    },
  }
}

async function takeDirectory(dataPaths: DataPaths): Promise<Hold> {
  const lock = await lockIfWritable(dataPaths.dataDir)
  lock?.serve(
    refuseAll('A backup of this directory is being made. Try again when it has finished.'),
  )
  try {
    if (lock !== undefined) giveToOwner(dataPaths.dataDir, join(dataPaths.records, 'lock.mdb'))
    await requireNoOther(dataPaths)
  } catch (error) {
    await lock?.release()
    throw error
  }
  return { lost: new AbortController().signal, release: async () => lock?.release() }
}

/** Walks the records in a child process first, because damaged records would crash the process that reads them. */
async function requireNoOther(dataPaths: DataPaths): Promise<void> {
  if ((await inspectInChild(dataPaths, 'start')) === undefined) throw damagedRecords()
  const kv = openLmdb({ path: dataPaths.records, readOnly: true, onFailure: () => undefined })
  try {
    await requireFreeLease(kv, dataPaths.dataDir)
  } finally {
    await kv.close()
  }
}
