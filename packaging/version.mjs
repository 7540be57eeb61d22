// The version of a build: that of package.json, and from a clone also how many commits led to it, and which is the last
// (0.1.0+955.82a8b1d). dpkg compares the number, so each later build is an upgrade. Semantic Versioning calls the part after
// "+" build metadata.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** `0.1.0` alone where there is no history, as in a source tarball, or only its end, as in a shallow clone. */
export function buildVersion() {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  // A directory above may be a clone of another project.
  if (git('rev-parse', '--show-prefix') !== '') return version
  if (git('rev-parse', '--is-shallow-repository') !== 'false') return version
  const changed = git('status', '--porcelain', '--untracked-files=no') === '' ? '' : '.dirty'
  return `${version}+${git('rev-list', '--count', 'HEAD')}.${git('rev-parse', '--short=7', 'HEAD')}${changed}`
}

/** The output of a git command; undefined where the command fails or git is missing. */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}
