// The two ends of a hold over the socket of the owner: a backup that runs as a process of its own asks the
// server to remove no bytes, for as long as the connection lives. Without a server, the backup takes the
// directory for itself.

import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { CmsError } from '../../base/errors.ts'
import { damagedRecords, walkInChild } from '../integrity/look-at-records.ts'
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
  /** Aborted when bytes may be removed although the hold was not released. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** Answers the commands of a backup; passes all others to the handler. `onDone` is called after a backup without faults. */
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
      throw new CmsError('unavailable', 'Another backup is being made. Try again when it is done.')
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

/** Tells the server that owns the directory. A server that has stopped meanwhile misses it, and the backup is as good. */
export async function tellDone({ dataDir }: DataPaths): Promise<void> {
  await askOwner(dataDir, { command: DONE }).catch(() => undefined)
}

/** Makes sure that nobody removes bytes of the directory. */
export async function holdContents(dataPaths: DataPaths): Promise<Hold> {
  return (await askToHold(dataPaths.dataDir)) ?? takeDirectory(dataPaths)
}

/** Undefined when no server owns the directory. */
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
  const stopped = new CmsError('unavailable', 'The server stopped meanwhile. Try again.')
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
  lock?.serve(refuseAll('A backup of this directory is being made. Try again when it is done.'))
  try {
    if (lock !== undefined) giveToOwner(dataPaths.dataDir, join(dataPaths.records, 'lock.mdb'))
    await requireNoOther(dataPaths)
  } catch (error) {
    await lock?.release()
    throw error
  }
  return { lost: new AbortController().signal, release: async () => lock?.release() }
}

/** The records are looked at in a child first: damaged ones, which a server has not opened, end their reader. */
async function requireNoOther(dataPaths: DataPaths): Promise<void> {
  if ((await walkInChild(dataPaths, 'start')) === undefined) throw damagedRecords()
  const kv = openLmdb({ path: dataPaths.records, readOnly: true, onFailure: () => undefined })
  try {
    await requireFreeLease(kv, dataPaths.dataDir)
  } finally {
    await kv.close()
  }
}
