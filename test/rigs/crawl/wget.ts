// Copies a site with wget, a program that knows nothing of cms-server.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

const isMissing = spawnSync('wget', ['--version'], { stdio: 'ignore' }).error !== undefined

export const NO_WGET = isMissing ? 'wget is not installed' : false

/** wget ends with this status if a server answered an error, for example 404. */
const SOME_ERRORS = 8

export interface Crawl {
  /** The server. wget uses it as a proxy, so that the host of the site needs no DNS. */
  readonly server: string
  readonly host: string
  /** Paths where the crawl begins, percent-encoded. */
  readonly from: readonly string[]
  /** wget creates a new directory in this directory. */
  readonly into: string
}

export interface Crawled {
  readonly directory: string
  /** Paths below the directory. wget keeps a query in the name. */
  readonly paths: readonly string[]
  /** Paths on the site that were 404, decoded. */
  readonly missing: readonly string[]
}

export async function crawl({ server, host, from, into }: Crawl): Promise<Crawled> {
  const directory = mkdtempSync(join(into, 'crawl-'))
  const origin = `http://${host}`
  const args = ['--mirror', '--no-verbose', '--no-host-directories', '--no-iri', '--tries=1']
  const names = ['--restrict-file-names=nocontrol', `--directory-prefix=${directory}`]
  const child = spawn('wget', [...args, ...names, '--input-file=-'], {
    env: { ...process.env, LC_ALL: 'C.UTF-8', http_proxy: server, no_proxy: '' },
  })
  child.stdin.end(from.map((path) => `${origin}${path}\n`).join(''))
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
  const [code] = await once(child, 'close')
  if (code !== 0 && code !== SOME_ERRORS) throw new Error(`wget ended with ${code}: ${log}`)
  const errors = [...log.matchAll(/^(http:.*):\n.* ERROR (\d+)/gm)]
  const other = errors.find(([, , status]) => status !== '404')
  if (other !== undefined) throw new Error(`wget got ${other[2]} for ${other[1]}`)
  return {
    directory,
    paths: filesBelow(directory),
    missing: errors.map(([, address = '']) => decodeURI(address.slice(origin.length + 1))),
  }
}

/** Paths of the regular files below a directory. */
export function filesBelow(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => relative(directory, join(item.parentPath, item.name)))
    .toSorted()
}
