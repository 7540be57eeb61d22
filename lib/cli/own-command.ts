// The command line of this program as a shell accepts it, for commands that are printed to be run. The reader
// may run the command elsewhere, for example in a second terminal, so paths are absolute.

import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { basename, delimiter, isAbsolute, join } from 'node:path'
import { shown } from '../schema/visible.ts'

export interface Started {
  /** Absolute path from Node, with symbolic links unresolved. */
  readonly script: string
  readonly node: string
  /** The variable PATH. */
  readonly path: string
}

/**
 * npm prepends these directories to the PATH of the programs that it starts; the user's shell does not have
 * them.
 */
const OF_NPM = /[\\/]node_modules[\\/](?:\.bin|npm[\\/].*)$/

/** The words with which a shell starts the program again, quoted where necessary. */
export function ownCommand({ script, node, path }: Started): string {
  const directories = path.split(delimiter).filter((each) => isAbsolute(each) && !OF_NPM.test(each))
  const find = (name: string): string | undefined =>
    directories.map((directory) => join(directory, name)).find(isProgram)
  const isSame = (found: string | undefined, file: string): boolean =>
    found !== undefined && realpathSync(found) === realpathSync(file)

  // The first line of the script runs the node in PATH, which may differ from the node that runs now.
  const startsItself = isProgram(script) && isSame(find('node'), node)
  if (!startsItself) return `${quoted(node)} ${quoted(script)}`
  const name = [basename(script), 'cms-server'].find((each) => isSame(find(each), script))
  return quoted(name ?? script)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    // Missing or inaccessible: a shell would not find the program.
    return false
  }
}

const PLAIN = /^[\w@%+=:,./-]+$/

/** One word of a command line. Bytes that a terminal would interpret or not show are written as escapes. */
export function quoted(word: string): string {
  if (PLAIN.test(word)) return word
  if (shown(word) === word) return `'${word.replaceAll("'", String.raw`'\''`)}'`
  const bytes = [...Buffer.from(word)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
  return `$'${bytes.join('')}'`
}
