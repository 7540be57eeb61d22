// Servers as processes of their own, from compiled code, and what the system says of them.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
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
export function startCms(dataDir: string): Promise<Running> {
  return start(launcher, ['start', '--data', dataDir, '--port', '0', '--log-level', 'warn'])
}

export function startBare(replayFile: string): Promise<Running> {
  return start(process.execPath, [fileURLToPath(new URL('./bare.js', import.meta.url)), replayFile])
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

function start(command: string, args: readonly string[]): Promise<Running> {
  const began = performance.now()
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    let text = ''
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${code}`)))
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const url = /listening on (http:\S+)/.exec(text)?.[1]
      if (url === undefined) return
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
    child.removeAllListeners('exit')
    child.once('exit', () => resolve())
    child.kill(signal)
  })
}

/** Resident memory in MiB, without what is mapped from files: the records and the code. */
export function residentMib(pid: number): number {
  const line = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(line) / 1024)
}

/** CPU time of a process so far, in milliseconds. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

export function describeMachine(): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root })
    .toString()
    .trim()
  const cores = readFileSync('/proc/cpuinfo', 'utf8').match(/^processor/gm)?.length
  return `commit ${commit}, Node ${process.version}, ${cores} cores, ${new Date().toISOString().slice(0, 10)}`
}
