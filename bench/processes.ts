// Servers as separate processes, run from compiled code, and their CPU time and memory.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Running {
  readonly url: string
  readonly pid: number
  /** From spawn to the line that reports the address. */
  readonly startMs: number
  stop(signal?: NodeJS.Signals): Promise<void>
}

export const root = fileURLToPath(new URL('../..', import.meta.url))

export const launcher = join(root, 'bin/cms-server')

/**
 * Runs the command itself and not `node`, as a service does, because the command configures how
 * memory is returned to the system.
 */
export function startCms(dataDir: string, flags: readonly string[] = []): Promise<Running> {
  const usual = ['--data', dataDir, '--port', '0', '--log-level', 'warn']
  return startServer({ command: launcher, args: ['start', ...usual, ...flags] })
}

export function startBare(replayFile: string): Promise<Running> {
  const script = fileURLToPath(new URL('./bare.js', import.meta.url))
  return startServer({
    command: process.execPath,
    args: [script, replayFile],
    env: launcherSettings(),
  })
}

/** The settings of memory in the first lines of the command, so that a limit runs with the same ones. */
function launcherSettings(): Readonly<Record<string, string>> {
  const text = readFileSync(launcher, 'utf8')
  const settings: Record<string, string> = {}
  for (const [, name = '', value = ''] of text.matchAll(/(MALLOC_\w+)="\$\{\w+:-(\d+)\}"/g))
    settings[name] = value
  const [, flags] = /NODE_OPTIONS="(--\S+?)\$/.exec(text) ?? []
  if (flags === undefined) throw new Error(`${launcher} sets no NODE_OPTIONS.`)
  return { ...settings, NODE_OPTIONS: flags }
}

export function makeKey(dataDir: string): string {
  return execFileSync(process.execPath, [
    launcher,
    'key',
    'create',
    '--data',
    dataDir,
    '--name',
    'bench',
  ])
    .toString()
    .trim()
}

/** Children of this run. They are killed when the run exits, even early. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

export interface Starting {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Starts a server that prints its address. Extra certificates of this machine, which Node would
 * read at start, are left out.
 */
export function startServer({ command, args, env: own = {} }: Starting): Promise<Running> {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = { ...process.env, ...own }
  const began = performance.now()
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], env })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return new Promise((resolve, reject) => {
    let text = ''
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${code}: ${text}`)))
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const url = /(?:listening on|started at) (http:\S+)/.exec(text)?.[1]
      if (url === undefined) return
      child.stdout.removeAllListeners('data').resume()
      resolve({
        url,
        pid: child.pid ?? 0,
        startMs: performance.now() - began,
        stop: (signal) => stop(child, signal),
      })
    })
  })
}

/** A process that has already ended is not an error. */
function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill(signal)
  })
}

/** A server and its child processes. With more than two cores a server has several. */
function processesOf(pid: number): readonly number[] {
  const found = [pid]
  for (const parent of found) {
    for (const thread of readdirSync(`/proc/${parent}/task`)) {
      const children = readFileSync(`/proc/${parent}/task/${thread}/children`, 'utf8').trim()
      if (children !== '') found.push(...children.split(' ').map(Number))
    }
  }
  return found
}

/** MiB of all processes of a server. */
export interface Memory {
  /** Resident memory without file mappings; no other process can use it. */
  readonly anon: number
  /**
   * All resident memory, as a container shows it. Most of it is the memory map of LMDB: pages of
   * the record file that the system caches until another process needs the memory.
   */
  readonly rss: number
}

export function memoryOf(pid: number): Memory {
  const memory = { anon: 0, rss: 0 }
  for (const each of processesOf(pid)) {
    const status = readFileSync(`/proc/${each}/status`, 'utf8')
    memory.anon += Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0)
    memory.rss += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0)
  }
  return { anon: Math.round(memory.anon / 1024), rss: Math.round(memory.rss / 1024) }
}

/** CPU time of a server so far, in milliseconds. */
export function cpuMs(pid: number): number {
  return processesOf(pid).reduce((sum, each) => {
    const fields = readFileSync(`/proc/${each}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return sum + (Number(fields[11]) + Number(fields[12])) * 10
  }, 0)
}

/** The commit under measurement, with a mark if the working tree has changes. */
export function describeCommit(): string {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: root }).toString().trim()
  const changed = git('status', '--porcelain', '--', 'lib', 'bin', 'package-lock.json')
  return git('rev-parse', '--short', 'HEAD') + (changed === '' ? '' : ' with changes')
}

export function describeMachine(): string {
  const cores = readFileSync('/proc/cpuinfo', 'utf8').match(/^processor/gm)?.length
  return `Node ${process.version}, ${cores} cores, ${new Date().toISOString().slice(0, 10)}`
}
