// A backup as a tar file over HTTP. A child process makes it (archive-child.ts): it takes the moment, then
// writes the tar to its stdout, and this process only passes the bytes on. The copy of the records lies
// under .tmp meanwhile. Whatever ends it, the child is killed, the copy removed, and removals go on.

import { type ChildProcess, fork } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { getPriority, setPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CmsError, type ErrorCode } from '../../base/errors.ts'
import type { Archive } from '../port.ts'
import { endSoon } from '../embedded/child-end.ts'
import type { Holds } from '../embedded/backup-holds.ts'
import { type DataPaths, newUid } from '../embedded/data-paths.ts'

/** What the child says: the moment before the first byte; then that it was the last, or why it goes no further. */
export type ChildReply =
  | { readonly moment: string }
  | { readonly isWhole: true }
  | { readonly code: ErrorCode; readonly detail: string; readonly cause: string }

/** One archive at a time: each needs a process, and room for a copy of the records. */
export function buildOpenArchive(
  dataPaths: DataPaths,
  holds: Holds,
  /** Where the copy of the records lies meanwhile. */
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
    // What cannot be removed now is, with all of .tmp, at the next start.
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

/** Requests come before a backup. A server that was started behind others may give no process a better place. */
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

/** True when it had sent all, which its last message says. */
function endOf(child: ChildProcess): Promise<boolean> {
  let isWhole = false
  child.on('message', (reply: ChildReply) => {
    if ('moment' in reply) return
    isWhole = 'isWhole' in reply
    endSoon(child)
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
  // Its last message, or none: it ends by itself.
  await ended
  if (reply !== undefined && 'code' in reply)
    throw new CmsError(reply.code, reply.detail, { cause: new Error(reply.cause) })
  throw new CmsError('internal', 'The backup ended before it began.')
}

/**
 * A part is never taken for the whole: when the child fails, so does this. Who has read it to its end
 * may ask for the next one at once.
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
