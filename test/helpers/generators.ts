// Where the programs of others are that read the OpenAPI documents: a package of its own (test/generators),
// with its own packages.

import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** From wherever this file was compiled to. */
export const GENERATORS_DIRECTORY = findAbove(import.meta.dirname)

const require = createRequire(join(GENERATORS_DIRECTORY, 'package.json'))

/** A package of theirs. */
export function loadPackage(name: string): any {
  return require(name)
}

function findAbove(start: string): string {
  const path = join(start, 'test/generators')
  if (existsSync(join(path, 'package.json'))) return path
  if (start === dirname(start)) throw new Error('There is no test/generators above this file.')
  return findAbove(dirname(start))
}
