// Where data lies unless --data says otherwise. In a clone of the project that is content/ in it. Where the program
// is installed as a package, its own directory is none: the next upgrade or removal of the package takes away all
// that is in it. There it is the directory of the user that the XDG Base Directory Specification has for state.

import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, sep } from 'node:path'

export interface Surroundings {
  /** The directory with package.json. */
  readonly program: string
  /** XDG_STATE_HOME; the specification has it passed over where it is not absolute. */
  readonly stateHome: string | undefined
}

/** Undefined where there is no place: the user has no home. */
export function findDefaultData({ program, stateHome = '' }: Surroundings): string | undefined {
  if (!isPackage(program)) return join(program, 'content')
  if (isAbsolute(stateHome)) return join(stateHome, 'cms-server')
  const home = findHome()
  return home === undefined ? undefined : join(home, '.local', 'state', 'cms-server')
}

/** In a container the number of a user may stand for nobody, which Node answers by an error. */
function findHome(): string | undefined {
  try {
    return homedir()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SYSTEM_ERROR') return undefined
    throw error
  }
}

/** Only a clone has the source, and a package manager may put one of those into node_modules, too. */
function isPackage(program: string): boolean {
  return program.split(sep).includes('node_modules') || !existsSync(join(program, 'lib', 'main.ts'))
}
