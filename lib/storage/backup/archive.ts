// A backup as a tar file over HTTP. A child process makes it (archive-child.ts): it takes a snapshot and writes the tar
// to stdout, and this process only forwards the bytes. Meanwhile the copy of the records lies under .tmp. However the
// archive ends, the child is killed, the copy is removed and removals of contents resume.

import { type ChildProcess, fork } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { getPriority, setPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CmsError, type ErrorCode } from '../../base/errors.ts'
import type { Archive } from '../site-archive.ts'
import { killAfterGrace } from '../integrity/inspect-records.ts'
import type { Holds } from '../embedded/backup-holds.ts'
import { type DataPaths, newUid } from '../embedded/data-paths.ts'

/** Messages of the child: the moment, before the first byte; then that all bytes were sent, or why the child failed. */
export type ChildReply =
  | { readonly moment: string }
  | { readonly isWhole: true }
  | { readonly code: ErrorCode; readonly detail: string; readonly cause: string }

/** One archive at a time: each needs a process, and disk space for a copy of the records. */
export function buildOpenArchive(
  dataPaths: DataPaths,
  holds: Holds,
  /** Directory for the copy of the records. */
  copies = dataPaths.tmp,
): () => Promise<Archive> {
  let isOpen = false

  return async () => {
    if (isOpen) {
      throw new CmsError(
        'unavailable',
        'Another backup is being sent. Try again when it is done.',
        {
          headers: { 'retry-after': '60' },
        },
      )
    }
    isOpen = true
    const release = holds.take()
    return openArchive(dataPaths, join(copies, `cms-server-${newUid()}`), () => {
      release()
      isOpen = false
    })
  }
}

async function openArchive(
  dataPaths: DataPaths,
  scratch: string,
  onClosed: () => void,
): Promise<Archive> {
  const child = startChild(dataPaths.dataDir, scratch)
  const ended = endOf(child)
  let closed: Promise<void> | undefined

  async function end(): Promise<void> {
    child.kill('SIGKILL')
    await ended
    // A leftover is removed with all of .tmp at the next start.
    await rm(scratch, { recursive: true, force: true }).catch(() => undefined)
    onClosed()
  }
  const close = (): Promise<void> => (closed ??= end())

  try {
    const moment = await momentOf(child, ended)
    return {
      moment,
      close,
      chunks: () => readAll(child, ended, close),
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Requests come before a backup. A server that itself runs at low priority may not raise the priority of a process. */
const LOW_PRIORITY = 10

function startChild(dataDir: string, scratch: string): ChildProcess {
  const isSource = import.meta.url.endsWith('.ts')
  const script = fileURLToPath(
    new URL(`./archive-child${isSource ? '.ts' : '.js'}`, import.meta.url),
  )
  const child = fork(script, [dataDir, scratch], {
    execArgv: isSource ? ['--import', import.meta.resolve('tsx')] : [],
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  })
  if (child.pid !== undefined) setPriority(child.pid, Math.max(LOW_PRIORITY, getPriority()))
  return child
}

/** True if the child's last message says that all bytes were sent. */
function endOf(child: ChildProcess): Promise<boolean> {
  let isWhole = false
  child.on('message', (reply: ChildReply) => {
    if ('moment' in reply) return
    isWhole = 'isWhole' in reply
    killAfterGrace(child)
  })
  return new Promise((resolve) => {
    const end = (): void => resolve(isWhole)
    // Not 'exit', which may come before the last message.
    child.once('close', end).once('error', end)
  })
}

async function momentOf(child: ChildProcess, ended: Promise<boolean>): Promise<string> {
  const reply = await new Promise<ChildReply | undefined>((resolve) => {
    child.once('message', (message) => resolve(message as ChildReply))
    void ended.then(() => resolve(undefined))
  })
  if (reply !== undefined && 'moment' in reply) return reply.moment
  // The child has failed and ends by itself, with or without a message.
  await ended
  if (reply !== undefined && 'code' in reply)
    throw new CmsError(reply.code, reply.detail, { cause: new Error(reply.cause) })
  throw new CmsError('internal', 'The backup process ended before it sent any data.')
}

/**
 * Fails if the child fails, so that a part is never mistaken for the whole. A caller that has read to the end may ask for
 * the next archive at once.
 */
async function* readAll(
  child: ChildProcess,
  ended: Promise<boolean>,
  close: () => Promise<void>,
): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of child.stdout ?? []) yield chunk as Buffer
    if (!(await ended)) throw new CmsError('internal', 'The backup could not be completed.')
  } finally {
    await close()
  }
}
