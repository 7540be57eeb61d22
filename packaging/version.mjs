// The version of a build: the version in package.json and, in a clone, the number of commits and the last
// commit (0.1.0+955.82a8b1d). dpkg compares the number, so each later build is an upgrade. Semantic Versioning
// calls the part after "+" build metadata.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Returns the version of package.json alone without a history (source tarball) or with an incomplete one
 * (shallow clone).
 */
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
