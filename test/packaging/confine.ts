// Reads the unit file, and builds a program that runs another program under the unit's filters of system
// calls and address families (confine.c), for machines on which systemd is not the init process.

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

/** The values of a setting, from all its lines. */
export function settingOf(unit: string, name: string): readonly string[] {
  const lines = unit.split('\n').filter((line) => line.startsWith(`${name}=`))
  return lines.flatMap((line) => line.slice(name.length + 1).split(' '))
}

/** The reason why nothing can be confined here; undefined if confinement works. */
export function whyNoConfinement(): string | undefined {
  if (process.platform !== 'linux') return 'system calls are filtered on Linux'
  const tools = ['gcc', 'systemd-analyze'].filter((name) => !runs(name))
  return tools.length === 0 ? undefined : `there is no ${tools.join(', no ')}`
}

function runs(command: string): boolean {
  return spawnSync(command, ['--version']).status === 0
}

/**
 * Builds the program and returns its path. The program's arguments are the command to run under the
 * unit's filters.
 */
export function buildConfine(unit: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'cms-confine-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const calls = settingOf(unit, 'SystemCallFilter').flatMap(expand)
  writeFileSync(join(directory, 'calls.h'), [...new Set(calls)].map(lineOf).join(''))
  const families = settingOf(unit, 'RestrictAddressFamilies')
  writeFileSync(join(directory, 'families.h'), families.map((name) => `${name},\n`).join(''))
  const program = join(directory, 'confine')
  run('gcc', ['-O1', '-Wall', '-Werror', `-I${directory}`, '-o', program, SOURCE])
  // Any user may run the program.
  run('chmod', ['-R', 'a+rX', directory])
  return program
}

/** Many system calls exist only on other architectures. */
function lineOf(call: string): string {
  return `#ifdef SYS_${call}\nSYS_${call},\n#endif\n`
}

/** The system calls of a group (@system-service), including nested groups. */
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
