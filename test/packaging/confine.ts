// The unit file, and a program that runs another one under its filters of system calls and address families
// (confine.c), on machines where systemd is not the first process.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const UNIT = new URL('../../../packaging/cms-server.service', import.meta.url)
const SOURCE = fileURLToPath(new URL('../../../test/packaging/confine.c', import.meta.url))

export function readUnit(): string {
  return readFileSync(UNIT, 'utf8')
}

/** The words of a setting, of all its lines. */
export function settingOf(unit: string, name: string): readonly string[] {
  const lines = unit.split('\n').filter((line) => line.startsWith(`${name}=`))
  return lines.flatMap((line) => line.slice(name.length + 1).split(' '))
}

/** Why nothing can be confined here; undefined where it can. */
export function whyNoConfinement(): string | undefined {
  if (process.platform !== 'linux') return 'system calls are filtered on Linux'
  const tools = ['gcc', 'systemd-analyze'].filter((name) => !runs(name))
  return tools.length === 0 ? undefined : `there is no ${tools.join(', no ')}`
}

function runs(command: string): boolean {
  return spawnSync(command, ['--version']).status === 0
}

/** The path of a program that runs another one, given with its arguments, under the filters of the unit. */
export function buildConfine(unit: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'cms-confine-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const calls = settingOf(unit, 'SystemCallFilter').flatMap(expand)
  writeFileSync(join(directory, 'calls.h'), [...new Set(calls)].map(lineOf).join(''))
  const families = settingOf(unit, 'RestrictAddressFamilies')
  writeFileSync(join(directory, 'families.h'), families.map((name) => `${name},\n`).join(''))
  const program = join(directory, 'confine')
  run('gcc', ['-O1', '-Wall', '-Werror', `-I${directory}`, '-o', program, SOURCE])
  // Whoever the server is started as.
  run('chmod', ['-R', 'a+rX', directory])
  return program
}

/** Many names are of other machines. */
function lineOf(call: string): string {
  return `#ifdef SYS_${call}\nSYS_${call},\n#endif\n`
}

/** The system calls of a group (@system-service) and of the groups in it. */
function expand(name: string): readonly string[] {
  if (!name.startsWith('@')) return [name]
  const lines = run('systemd-analyze', ['syscall-filter', name]).split('\n').slice(1)
  const members = lines.map((line) => line.trim()).filter((line) => /^@?\w/.test(line))
  return members.flatMap(expand)
}

function run(command: string, args: readonly string[]): string {
  const { error, status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`${command}: ${stderr}`)
  return stdout
}
