// Builds the file tree of the image without Docker: the Debian system by mmdebstrap, and the steps of the Dockerfile in
// the order in which Docker runs them.

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { copyContext, execForm, readDockerfile, type Stage, type Step } from './dockerfile.ts'

export interface Image {
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  readonly uid: number
  readonly gid: number
  readonly directory: string
  readonly volume: string
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly healthcheck: readonly string[]
}

/** The network is reached by the names of the machine. */
const RESOLVER = 'etc/resolv.conf'

export function buildImage(project: string, target: string): Image {
  const stages = readDockerfile(join(project, 'Dockerfile'))
  const build = stages.find(({ name }) => name === 'build')
  const final = stages.at(-1)
  if (build === undefined || final === undefined) throw new Error('The Dockerfile has no stages.')
  const built = runBuild(build, project, target)
  return runFinal(final, built, join(target, 'root'))
}

interface Built {
  /** The directory of the stage in the image. */
  readonly workdir: string
  /** The same directory on this machine. */
  readonly path: string
}

function runBuild({ steps }: Stage, project: string, target: string): Built {
  const workdir = textOf(steps, 'WORKDIR')
  const path = join(target, basename(workdir))
  mkdirSync(path, { recursive: true })
  for (const { instruction, text } of steps) {
    if (instruction === 'COPY' && text === '. .') copyContext(project, path)
    else if (instruction === 'RUN') run('sh', ['-c', text], path)
    else if (instruction !== 'WORKDIR') throw new Error(`The rig cannot run ${instruction} ${text}`)
  }
  return { workdir, path }
}

function runFinal({ base, steps }: Stage, built: Built, root: string): Image {
  const [, suite = ''] = /^debian:(\w+)-slim$/.exec(base) ?? []
  run('mmdebstrap', ['--quiet', '--variant=minbase', suite, root])
  const env: Record<string, string> = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  }
  for (const { instruction, text } of steps) {
    if (instruction === 'RUN') runInside(root, text)
    else if (instruction === 'COPY') copyBuilt(text, built, root)
    else if (instruction === 'ENV')
      Object.assign(env, Object.fromEntries(text.split(' ').map((item) => item.split('='))))
    else if (!SETTINGS.includes(instruction))
      throw new Error(`The rig cannot run ${instruction} ${text}`)
  }
  const [uid = '', gid = ''] = textOf(steps, 'USER').split(':')
  return {
    root,
    env,
    uid: Number(uid),
    gid: Number(gid),
    directory: textOf(steps, 'WORKDIR'),
    volume: textOf(steps, 'VOLUME'),
    entrypoint: execForm(textOf(steps, 'ENTRYPOINT')),
    command: execForm(textOf(steps, 'CMD')),
    healthcheck: execForm(textOf(steps, 'HEALTHCHECK').replace(/^.* CMD /, '')),
  }
}

const SETTINGS = ['USER', 'WORKDIR', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD']

function textOf(steps: readonly Step[], instruction: string): string {
  const step = steps.find((item) => item.instruction === instruction)
  if (step === undefined) throw new Error(`The Dockerfile has no ${instruction}.`)
  return step.text
}

function runInside(root: string, text: string): void {
  cpSync('/etc/resolv.conf', join(root, RESOLVER), { dereference: true })
  run('chroot', [root, 'sh', '-c', text])
  rmSync(join(root, RESOLVER))
}

/** COPY --from=build SOURCES TARGET, where a directory means its contents. */
function copyBuilt(text: string, { workdir, path }: Built, root: string): void {
  const [from, ...paths] = text.split(' ')
  if (from !== '--from=build') throw new Error(`The rig cannot run COPY ${text}`)
  const target = join(root, paths.at(-1) ?? '')
  for (const source of paths.slice(0, -1).map((item) => item.replace(workdir, path))) {
    const isDirectory = statSync(source).isDirectory()
    const place = isDirectory ? target : join(target, basename(source))
    cpSync(source, place, { recursive: true, verbatimSymlinks: true })
  }
}

function run(command: string, args: readonly string[], cwd?: string): void {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}
