// Builds an older version of the server from the history of this clone, with the installed
// packages.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ROW_FORM } from '../../../lib/cluster/row-format.ts'
import { BIN } from '../../helpers/child-server.ts'

export interface Version {
  readonly name: string
  /** The path of the program. */
  readonly bin: string
}

const FORM_FILE = 'lib/cluster/row-format.ts'

export const THIS_VERSION: Version = { name: 'this version', bin: BIN }

/**
 * The oldest commit with the row format of this version: upgrades from it must work without
 * downtime.
 */
export function oldestOfForm(): string {
  const wanted = `ROW_FORM = ${ROW_FORM}`
  const commits = git('log', '--format=%H', '--reverse', `-S${wanted}`, '--', FORM_FILE)
  const [oldest] = commits.split('\n').filter((commit) => formOf(commit) === ROW_FORM)
  if (oldest === undefined)
    throw new Error('The history of this clone holds no version of this form: name one by --from.')
  return oldest
}

/**
 * Builds the version in the directory. Throws with instructions if the version cannot run beside
 * this version.
 */
export function buildVersion(commit: string, directory: string): Version {
  const hash = git('rev-parse', '--verify', '--short', `${commit}^{commit}`)
  const form = formOf(hash)
  if (form !== ROW_FORM)
    throw new Error(
      `${hash} writes rows of ${form === undefined ? 'no form' : `form ${form}`}, and this version of form ${ROW_FORM}: no upgrade without downtime leads from there to here.`,
    )
  mkdirSync(directory, { recursive: true })
  const archive = join(directory, 'source.tar')
  git('archive', '--format=tar', `--output=${archive}`, hash)
  execFileSync('tar', ['-x', '-f', archive, '-C', directory])
  symlinkSync(resolve('node_modules'), join(directory, 'node_modules'))
  const built = spawnSync(process.execPath, ['bundle.mjs'], { cwd: directory, encoding: 'utf8' })
  if (built.status !== 0)
    throw new Error(
      `${hash} does not build with the packages of this clone: take a later commit, or a clone of its own.\n${built.stderr}`,
    )
  return { name: hash, bin: join(directory, 'bin/cms-server') }
}

/** Undefined if rows had no format number at this commit. */
function formOf(commit: string): number | undefined {
  const { stdout } = spawnSync('git', ['show', `${commit}:${FORM_FILE}`], { encoding: 'utf8' })
  const form = /^export const ROW_FORM = (\d+)$/m.exec(stdout)?.[1]
  return form === undefined ? undefined : Number(form)
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim()
}
