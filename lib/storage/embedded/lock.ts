// One server for each data directory: the Unix socket `lock`. The process that has bound the socket owns the directory; a
// socket that nobody answers is left over from a crash and is taken over. The socket also receives commands of the
// command line. The second layer, for what a socket cannot detect, is lease.ts.

import { randomUUID } from 'node:crypto'
import { closeSync, constants, openSync, rmSync, statSync } from 'node:fs'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { CmsError, type ErrorCode } from '../../base/errors.ts'
import { openSocketPath, type SocketPath } from '../../base/socket-path.ts'
import { InUseError } from './refusal.ts'
import type { Asker, CommandHandler } from '../engine.ts'

export interface Lock {
  /** Name of this owner in the lease. */
  readonly owner: string
  /** Starts answering commands; earlier callers wait. */
  serve(handler: CommandHandler): void
  release(): Promise<void>
}

const TAKEOVER_STALE_MS = 5_000
const COMMAND_BYTES = 64 * 1024

export function openLockPath(dataDir: string): SocketPath {
  return openSocketPath(join(dataDir, 'lock'))
}

export async function acquireLock(dataDir: string): Promise<Lock> {
  const address = openLockPath(dataDir)
  let handler: CommandHandler | undefined
  const ending = new AbortController()
  const waiting: Socket[] = []
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    if (handler === undefined) waiting.push(socket)
    else answer(socket, handler, ending.signal)
  })

  await bind(server, address.path, dataDir)
  server.unref()

  return {
    owner: randomUUID(),
    serve(newHandler) {
      handler = newHandler
      for (const socket of waiting.splice(0)) answer(socket, newHandler, ending.signal)
    },
    async release() {
      ending.abort()
      for (const socket of waiting) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      address.close()
    },
  }
}

function ownedByAnother(dataDir: string): InUseError {
  return new InUseError(
    `Another cms-server owns ${dataDir}. Stop the other server first, or name another directory.`,
  )
}

/** Throws InUseError if a server runs. Changes nothing. */
export async function requireUnused(dataDir: string): Promise<void> {
  const address = openLockPath(dataDir)
  try {
    if (await isAnswered(address.path)) throw ownedByAnother(dataDir)
  } finally {
    address.close()
  }
}

/** Returns undefined on a read-only file system, where nothing can be changed and no socket can be bound. */
export async function lockIfWritable(dataDir: string): Promise<Lock | undefined> {
  try {
    return await acquireLock(dataDir)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EROFS') return undefined
    throw error
  }
}

async function bind(server: Server, path: string, dataDir: string): Promise<void> {
  const takeover = join(dataDir, 'lock.takeover')
  const deadline = performance.now() + TAKEOVER_STALE_MS

  for (;;) {
    if (await listens(server, path)) return
    if (await isAnswered(path)) throw ownedByAnother(dataDir)
    if (takeExclusively(takeover)) break
    if (performance.now() > deadline)
      throw new InUseError(`Another cms-server is starting on ${dataDir}.`)
    await sleep(50)
  }

  try {
    if (await isAnswered(path)) throw ownedByAnother(dataDir)
    rmSync(path, { force: true })
    if (!(await listens(server, path)))
      throw new InUseError(`Another cms-server is starting on ${dataDir}.`)
  } finally {
    rmSync(takeover, { force: true })
  }
}

function listens(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      server.removeListener('listening', onListening)
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    }
    const onListening = (): void => {
      server.removeListener('error', onError)
      resolve(true)
    }
    server.once('error', onError)
    server.once('listening', onListening)
    server.listen(path)
  })
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

function takeExclusively(path: string): boolean {
  const madeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
  if (Date.now() - madeMs > TAKEOVER_STALE_MS) rmSync(path, { force: true })
  try {
    closeSync(openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** One line of JSON in, one line of JSON out; progress lines of the command in between. */
function answer(socket: Socket, handler: CommandHandler, ending: AbortSignal): void {
  const lines = createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })
  const left = new AbortController()
  socket.once('close', () => left.abort())
  const asker: Asker = {
    gone: AbortSignal.any([left.signal, ending]),
    tell: (value) => void socket.write(lineOf({ ok: true, value })),
  }

  // Idle connections are closed at the end.
  const hangUp = (): void => void socket.destroy()
  ending.addEventListener('abort', hangUp, { signal: left.signal })

  lines.once('line', (line) => {
    ending.removeEventListener('abort', hangUp)
    lines.close()
    // Closing the interface pauses the socket; a paused socket would not notice that the caller disconnects.
    socket.resume()
    const command =
      line.length > COMMAND_BYTES
        ? Promise.reject(new Error('command too long'))
        : run(handler, line, asker)
    command.then(
      (value) => socket.end(lineOf({ ok: true, value: value ?? null })),
      (error: unknown) => socket.end(lineOf({ ok: false, error: describe(error) })),
    )
  })
  lines.on('error', () => socket.destroy())
}

function lineOf(reply: Reply): string {
  return `${JSON.stringify(reply)}\n`
}

async function run(handler: CommandHandler, line: string, asker: Asker): Promise<unknown> {
  return handler(JSON.parse(line), asker)
}

function describe(error: unknown): { code: ErrorCode; detail: string } {
  if (error instanceof CmsError) return { code: error.code, detail: error.message }
  return {
    code: 'internal',
    detail: 'The command failed. See the log of the server for the reason.',
  }
}

/** Sends a command to the server that owns the directory; returns undefined if no server runs. */
export async function askOwner(
  dataDir: string,
  command: object,
): Promise<{ readonly value: unknown } | undefined> {
  const address = openLockPath(dataDir)
  try {
    return await ask(address.path, command)
  } finally {
    address.close()
  }
}

function ask(path: string, command: object): Promise<{ readonly value: unknown } | undefined> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path)
    let text = ''
    socket.once('connect', () => socket.write(`${JSON.stringify(command)}\n`))
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(undefined)
      else reject(error)
    })
    socket.once('end', () => {
      socket.destroy()
      settle(text, resolve, reject)
    })
  })
}

function settle(
  text: string,
  resolve: (answer: { readonly value: unknown }) => void,
  reject: (error: unknown) => void,
): void {
  if (text === '') {
    reject(new CmsError('unavailable', 'The server stopped before it answered. Try again.'))
    return
  }
  try {
    resolve({ value: readReply(text) })
  } catch (error) {
    reject(error)
  }
}

type Reply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: { readonly code: ErrorCode; readonly detail: string } }

/** Returns the value of a line from the owner; throws the error that the line describes. */
export function readReply(line: string): unknown {
  const reply = JSON.parse(line) as Reply
  if (reply.ok) return reply.value
  throw new CmsError(reply.error.code, reply.error.detail)
}

/** A handler for a temporarily locked directory: refuses all commands, so that callers need not wait. */
export function refuseAll(why: string): CommandHandler {
  return () => Promise.reject(new CmsError('unavailable', why))
}
