// The server as a separate process, as operators run it. Tests can kill, stop and restart it.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { askOwner } from '../../lib/storage/embedded/lock.ts'
import { closeAtEnd } from './leftovers.ts'

export const BIN = fileURLToPath(new URL('../../../bin/cms-server', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Input on stdin, which then ends. */
  readonly input?: string
  /** Sends SIGKILL as soon as this file exists. */
  readonly killAt?: string
  /** A command that executes the command in its arguments. */
  readonly through?: readonly string[]
  /** The program to run instead of the project's. */
  readonly bin?: string
}

interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  readonly text: { stdout: string; stderr: string }
}

/** Tests connect to this machine only. Reading a list of certificates takes 30 ms of processor time in each start. */
const EXTRA_CERTIFICATES = 'NODE_EXTRA_CA_CERTS'

/** A command that takes longer is hanging and is killed. */
const MAX_COMMAND_MS = 60_000

/** Runs a command until it ends. */
export async function runCli(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { child, ended } = run(args, options)
  const timer = setTimeout(() => child.kill('SIGKILL'), MAX_COMMAND_MS)
  try {
    return await ended
  } finally {
    clearTimeout(timer)
  }
}

export interface ChildCommand {
  readonly pid: number
  readonly ended: Promise<Ended>
  stderr(): string
  /** Sends a signal without waiting. */
  signal(name: NodeJS.Signals): void
}

/** Starts a command, for tests that interact with it before it ends. */
export function startCli(args: readonly string[], options: RunOptions = {}): ChildCommand {
  const { child, ended, text } = run(args, options)
  return {
    pid: child.pid ?? 0,
    ended,
    stderr: () => text.stderr,
    signal: (name) => void child.kill(name),
  }
}

export interface ChildServer {
  readonly url: string
  readonly pid: number
  readonly ended: Promise<Ended>
  stdout(): string
  stderr(): string
  /** Sends a signal and waits for the end; also works after the end. */
  kill(signal: NodeJS.Signals): Promise<Ended>
}

/**
 * Waits until the server ends by itself after a failure: with 70, or killed by its own watchdog if
 * LMDB hangs.
 */
export async function requireFailure({ ended }: ChildServer): Promise<void> {
  const { code, signal, stderr } = await ended
  assert.match(stderr, /storage or server failed; restart the server/)
  assert.ok(code === 70 || signal === 'SIGKILL', `${code} ${signal} ${stderr}`)
}

/** Running children, which are killed when the test process exits. */
const running = new Set<ChildProcess>()
process.once('exit', () => void killChildren())
closeAtEnd(killChildren)

/** Kills the children that failed tests have left. */
export async function killChildren(): Promise<void> {
  const closed = [...running].map((child) => once(child, 'close'))
  for (const child of running) child.kill('SIGKILL')
  await Promise.all(closed)
}

/**
 * Starts a server on a free port, and on the default directory if none is given. Rejects with the
 * output if the server ends instead.
 */
export async function startChild(
  dataDir: string | undefined,
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<ChildServer> {
  const { child, ended, text } = run(
    [
      'start',
      ...(dataDir === undefined ? [] : ['--data', dataDir]),
      '--port',
      '0',
      '--workers',
      '2',
      ...args,
    ],
    options,
  )
  const url = await Promise.race([firstUrl(child, text), ended.then(refused)])

  return {
    url,
    pid: child.pid ?? 0,
    ended,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    kill: (signal) => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      return ended
    },
  }
}

/** Creates a key, without limits if none are given. A running server needs no process of the command line for this. */
export async function makeKey(dataDir: string, flags: readonly string[] = []): Promise<string> {
  const asked = { command: 'key.create', name: 'test' }
  const made = flags.length === 0 ? await askOwner(dataDir, asked) : undefined
  if (made !== undefined) return (made.value as { readonly secret: string }).secret
  const args = ['key', 'create', '--name', 'test', '--data', dataDir, ...flags]
  const { code, stdout, stderr } = await runCli(args)
  if (code !== 0) throw new Error(stderr)
  return stdout.trim()
}

function run(args: readonly string[], options: RunOptions): Running {
  const { env = {}, cwd, input, killAt, through = [], bin = BIN } = options
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('CMS_') && name !== EXTRA_CERTIFICATES,
  )
  // Runs the command with the Node that runs the tests.
  const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`
  // Preloaded shims do not pass to child processes, so the program is Node itself instead of the shell
  // script.
  const program = 'LD_PRELOAD' in env ? [process.execPath, bin] : [bin]
  const [command = '', ...rest] = [...through, ...program, ...args]
  const child = spawn(command, rest, {
    cwd,
    // Independent of the number of cores; tests can set another number.
    env: { ...Object.fromEntries(inherited), PATH: path, CMS_PROCESSES: '1', ...env },
  })
  running.add(child)
  child.once('close', () => running.delete(child))
  const text = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text.stdout += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text.stderr += chunk
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  if (killAt !== undefined) killOnceThere(child, killAt)

  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...text }))
  return { child, ended, text }
}

function killOnceThere(child: ChildProcess, path: string): void {
  const timer = setInterval(() => {
    if (existsSync(path)) child.kill('SIGKILL')
  }, 1)
  child.once('close', () => clearInterval(timer))
}

function firstUrl(child: ChildProcess, text: { readonly stdout: string }): Promise<string> {
  return new Promise((resolve) => {
    child.stdout?.on('data', () => {
      const url = /^cms-server listening on (\S+)\n/.exec(text.stdout)?.[1]
      if (url !== undefined) resolve(url)
    })
  })
}

function refused(ended: Ended): never {
  const { code, signal, stderr } = ended
  throw Object.assign(new Error(`The server ended with ${code ?? signal}: ${stderr}`), { ended })
}
