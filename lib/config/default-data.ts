// The default data directory. In a clone of the project it is content/ in the clone. A program that was
// installed as a package cannot use its own directory, because the next upgrade or removal of the package
// deletes everything in it. It uses the user's state directory of the XDG Base Directory Specification.

import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, sep } from 'node:path'

export interface Surroundings {
  /** Directory that holds package.json. */
  readonly program: string
  /** XDG_STATE_HOME. The specification says to ignore a relative path. */
  readonly stateHome: string | undefined
}

/** Returns undefined if the user has no home directory. */
export function findDefaultData({ program, stateHome = '' }: Surroundings): string | undefined {
  if (!isPackage(program)) return join(program, 'content')
  if (isAbsolute(stateHome)) return join(stateHome, 'cms-server')
  const home = findHome()
  return home === undefined ? undefined : join(home, '.local', 'state', 'cms-server')
}

/** In a container the user id may belong to no user; Node then throws ERR_SYSTEM_ERROR. */
function findHome(): string | undefined {
  try {
    return homedir()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SYSTEM_ERROR') return undefined
    throw error
  }
}

/**
 * Only a clone has the source. A package manager may put a clone into node_modules, which counts as a package.
 */
function isPackage(program: string): boolean {
  return program.split(sep).includes('node_modules') || !existsSync(join(program, 'lib', 'main.ts'))
}
