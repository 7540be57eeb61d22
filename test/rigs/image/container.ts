// Runs a command of the image as Docker does with --read-only, --cap-drop ALL and --user: PID 1 of its own PID
// namespace, a read-only root, a volume, and no capability. The network is the network of this machine.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import type { Image } from './build.ts'

export interface ContainerOptions {
  readonly uid: number
  /** Directory on this machine, mounted at the path of VOLUME. */
  readonly volume: string
  readonly env?: Readonly<Record<string, string>>
}

export interface Container {
  readonly url: string
  /** The process identifier of PID 1 on this machine. */
  readonly pid: number
  /** Runs a command as `docker exec` does. */
  exec(...command: readonly string[]): { status: number | null; stdout: string; stderr: string }
  /** Sends a signal to PID 1 and returns the exit code of the container. */
  stop(signal: NodeJS.Signals): Promise<number | null>
}

const MOUNTS = `
mount --bind "$ROOT" "$ROOT"
mount --bind "$SOURCE" "$ROOT$VOLUME"
mount --bind /dev "$ROOT/dev"
mount -t proc proc "$ROOT/proc"
mount -t tmpfs tmpfs "$ROOT/tmp"
mount -o remount,bind,ro "$ROOT"
exec chroot "$ROOT" "$@"`

/** The command that becomes PID 1, and the environment in which unshare starts. */
function inNamespaces(image: Image, options: ContainerOptions, command: readonly string[]) {
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child']
  return {
    args: [...namespaces, 'sh', '-ec', MOUNTS, 'sh', ...asUser(image, options, command)],
    env: { ...process.env, ROOT: image.root, SOURCE: options.volume, VOLUME: image.volume },
  }
}

function asUser(
  image: Image,
  { uid, env = {} }: ContainerOptions,
  command: readonly string[],
): readonly string[] {
  const variables = Object.entries({ ...image.env, ...env }).map((pair) => pair.join('='))
  return [
    ...['setpriv', `--reuid=${uid}`, `--regid=${image.gid}`, '--clear-groups'],
    ...['--bounding-set=-all', '--inh-caps=-all', '--no-new-privs'],
    ...['env', '-i', '-C', image.directory, ...variables, ...command],
  ]
}

/** Starts the server, as `docker run IMAGE` does. */
export async function startContainer(image: Image, options: ContainerOptions): Promise<Container> {
  const { args, env } = inNamespaces(image, options, [...image.entrypoint, ...image.command])
  const child = spawn('unshare', args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const url = await addressOf(child)
  const pid = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8'))
  const target = ['--target', String(pid), '--mount', '--pid', '--root', '--']
  return {
    url,
    pid,
    exec: (...command) =>
      spawnSync('nsenter', [...target, ...asUser(image, options, command)], { encoding: 'utf8' }),
    async stop(signal) {
      const closed = once(child, 'close')
      process.kill(pid, signal)
      const [code] = (await closed) as [number | null]
      return code
    },
  }
}

/** Runs a command of the server, as `docker run IMAGE COMMAND` does. */
export function runContainer(
  image: Image,
  options: ContainerOptions,
  command: readonly string[],
): string {
  const { args, env } = inNamespaces(image, options, [...image.entrypoint, ...command])
  return execFileSync('unshare', args, { env, encoding: 'utf8' })
}

/** Rejects with the output if the container ends instead. */
function addressOf(child: ChildProcess): Promise<string> {
  let told = ''
  return new Promise((resolve, reject) => {
    child.once('close', () => reject(new Error(`The container ended: ${told}`)))
    for (const output of [child.stdout, child.stderr])
      output?.on('data', (part) => {
        told += String(part)
        const [, port] = /listening on http:\/\/[\d.]+:(\d+)\n/.exec(told) ?? []
        if (port !== undefined) resolve(`http://127.0.0.1:${port}`)
      })
  })
}

export interface Process {
  readonly pid: number
  readonly state: string
}

export function childrenOf(parent: number): readonly Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const [, state = '', ppid] = /^\d+ \(.*\) (\w) (\d+) /s.exec(statOf(name)) ?? []
      return Number(ppid) === parent ? [{ pid: Number(name), state }] : []
    })
}

/** Returns an empty text for a process that has ended. */
function statOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return ''
  }
}
