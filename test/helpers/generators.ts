// Location of third-party generators for OpenAPI documents: a separate package (test/generators) with its own
// dependencies.

import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Found from any output directory of the compiler. */
export const GENERATORS_DIRECTORY = findAbove(import.meta.dirname)

const require = createRequire(join(GENERATORS_DIRECTORY, 'package.json'))

/** Loads a dependency of that package. */
export function loadPackage(name: string): any {
  return require(name)
}

function findAbove(start: string): string {
  const path = join(start, 'test/generators')
  if (existsSync(join(path, 'package.json'))) return path
  if (start === dirname(start)) throw new Error('There is no test/generators above this file.')
  return findAbove(dirname(start))
}
