// The command line of this very program, as a shell takes it: for what is printed to be run. Whoever reads it may
// stand elsewhere by then, in a second terminal while the server has the first one, so that paths are whole.

import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { basename, delimiter, isAbsolute, join } from 'node:path'
import { shown } from '../schema/visible.ts'

export interface Started {
  /** As Node tells it: whole, and with the links that led to it. */
  readonly script: string
  readonly node: string
  /** The variable PATH. */
  readonly path: string
}

/** npm puts these in front of the PATH of what it starts; the shell of the user has none of them. */
const OF_NPM = /[\\/]node_modules[\\/](?:\.bin|npm[\\/].*)$/

/** The words by which a shell starts the program again, quoted where they need it. */
export function ownCommand({ script, node, path }: Started): string {
  const directories = path.split(delimiter).filter((each) => isAbsolute(each) && !OF_NPM.test(each))
  const find = (name: string): string | undefined =>
    directories.map((directory) => join(directory, name)).find(isProgram)
  const isSame = (found: string | undefined, file: string): boolean =>
    found !== undefined && realpathSync(found) === realpathSync(file)

  // Its first line asks for node, which may have been started by its path, or be another one there.
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
    // Not there, or not for us: no shell would find it.
    return false
  }
}

const PLAIN = /^[\w@%+=:,./-]+$/

/** One word of a command line. What a terminal would obey or not show stands there written out, byte by byte. */
export function quoted(word: string): string {
  if (PLAIN.test(word)) return word
  if (shown(word) === word) return `'${word.replaceAll("'", String.raw`'\''`)}'`
  const bytes = [...Buffer.from(word)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
  return `$'${bytes.join('')}'`
}
