// Servers as processes of their own, from compiled code, and what the system says of them.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Running {
  readonly url: string
  readonly pid: number
  /** From spawn to the line that says it listens. */
  readonly startMs: number
  stop(signal?: NodeJS.Signals): Promise<void>
}

export const root = fileURLToPath(new URL('../..', import.meta.url))

export const launcher = join(root, 'bin/cms-server')

/** The command itself and not `node` with it, as a service starts it: it sets how memory is given back. */
export function startCms(dataDir: string, flags: readonly string[] = []): Promise<Running> {
  const usual = ['--data', dataDir, '--port', '0', '--log-level', 'warn']
  return startServer({ command: launcher, args: ['start', ...usual, ...flags] })
}

export function startBare(replayFile: string): Promise<Running> {
  const script = fileURLToPath(new URL('./bare.js', import.meta.url))
  return startServer({ command: process.execPath, args: [script, replayFile] })
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

/** Of this run: they end with it, also where somebody ends it before its time. */
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

/** A server that tells where it listens. Certificates of this machine, which Node would read at its start, are not the server's. */
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

/** A process that has ended already is no error. */
function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill(signal)
  })
}

/** A server and the processes that it has begun: on more than two cores there are several. */
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

/** In MiB, of all processes of a server. */
export interface Memory {
  /** Resident without what is mapped from files: what nobody else could use. */
  readonly anon: number
  /**
   * Resident in all, as a container shows it. Most of it is the map of LMDB: pages of the file of records that the system
   * keeps in memory as long as nobody needs it for something else.
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

/** The commit whose code is measured; what has been changed since is told. */
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
