// The directory of --live-tree. For each site it holds one directory with the name of the host, which a web server serves:
//
//   www.example.org/             the live files of the site at their paths
//   .cms/site.json               identifies the site of the records; its presence shows that the directory is ours
//   .cms/<host>.files.map        former addresses of files, for nginx, and redirects of folders from one path
//   .cms/<host>.folders.map      former addresses of folders, and redirects from everything below a path
//   .cms/<host>.*.301.map        the redirects of both kinds with the status 301
//   .cms/<host>.header*.conf     headers that folders set (nginx-includes.ts)
//   .cms/tmp/                    files that are being written; emptied at each start
//
// A web server runs as another user, so everything except .cms/tmp is readable for everybody: the files are public.

import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { chmod, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { CmsError } from '../base/errors.ts'
import { makeDirectory } from '../base/make-directory.ts'
import type { Config } from '../config/config.ts'
import type { Site } from '../config/flag-values.ts'

const OWN = '.cms'
/** Made by the file system at its root. */
const OF_DISK = 'lost+found'

export function hostOf({ origin }: Site): string {
  return new URL(origin).host
}

interface TreePaths {
  readonly marker: string
  readonly tmp: string
}

function pathsOf(directory: string): TreePaths {
  return { marker: join(directory, OWN, 'site.json'), tmp: join(directory, OWN, 'tmp') }
}

export function includePath(directory: string, site: Site, name: string): string {
  return join(directory, OWN, `${hostOf(site)}.${name}`)
}

type TreeConfig = Pick<Config, 'dataDir' | 'liveTree' | 'sites'>

/** Throws bad-request if the settings do not allow a live tree in this directory. Changes nothing. */
export function requireTreeDirectory({ dataDir, liveTree, sites }: TreeConfig): void {
  if (liveTree === undefined) return
  if (sites.length === 0)
    throw refused('--live-tree needs --site-origin, which says which site is written.')
  const [tree, data] = [realPath(resolve(liveTree)), realPath(resolve(dataDir))]
  if (isInside(tree, data) || isInside(data, tree))
    throw refused(
      `--live-tree ${liveTree} is inside or above the data directory. Choose a directory outside, such as /srv/website.`,
    )
  const names = namesIn(tree, liveTree)
  const hosts = new Set(sites.map(hostOf))
  const isOurs = names.includes(OWN)
  const other = names.find(
    (name) => name !== OWN && name !== OF_DISK && !(isOurs && hosts.has(name)),
  )
  if (other === undefined) return
  throw refused(
    isOurs
      ? `--live-tree ${liveTree} holds "${other}", which is no host of --site-origin. Remove it, or add its site to --site-origin.`
      : `--live-tree ${liveTree} holds "${other}", which cms-server did not create. Choose an empty directory: the server removes everything from it that is not live.`,
  )
}

function refused(message: string): CmsError {
  return new CmsError('bad-request', message)
}

function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === sep ? sep : `${directory}${sep}`)
}

/** The path without symbolic links; the part of it that does not exist yet stays as it is. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    const above = dirname(path)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === path) return path
    return join(realPath(above), path.slice(above === sep ? 1 : above.length + 1))
  }
}

function namesIn(path: string, given: string): readonly string[] {
  try {
    return readdirSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    if (code === 'ENOTDIR') throw refused(`--live-tree ${given} is a file. Give a directory.`)
    throw refused(`--live-tree ${given} cannot be read (${code}). Give the server access to it.`)
  }
}

/**
 * Creates what is missing in the directory, and removes unfinished files. Throws if the directory belongs to other records:
 * two servers in one directory would remove the files of each other.
 */
export function openTreeDirectory(directory: string, sites: readonly Site[], siteId: string): void {
  const { marker, tmp } = pathsOf(directory)
  const known = readMarker(marker)
  if (known !== undefined && known !== siteId)
    throw refused(
      `--live-tree ${directory} belongs to other data. Give each server its own directory, or empty this one.`,
    )
  makeReadable(directory)
  makeReadable(join(directory, OWN))
  rmSync(tmp, { recursive: true, force: true })
  mkdirSync(tmp, { mode: 0o700 })
  if (known === undefined) {
    const part = join(tmp, randomUUID())
    writeFileSync(part, `${JSON.stringify({ site: siteId })}\n`)
    renameSync(part, marker)
  }
  for (const site of sites) makeReadable(join(directory, hostOf(site)))
}

/** Replaces a file of the directory .cms. Readers find the old or the new text. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const part = join(dirname(path), 'tmp', randomUUID())
  try {
    await writeFile(part, text)
    await chmod(part, 0o644)
    await rename(part, path)
  } finally {
    await rm(part, { force: true })
  }
}

function readMarker(path: string): unknown {
  try {
    const marker: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return typeof marker === 'object' && marker !== null && 'site' in marker ? marker.site : null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw refused(
      `${path} cannot be read. Empty the directory of --live-tree; the server fills it again.`,
    )
  }
}

/** Does not depend on the umask. The mode of a directory that exists is the operator's. */
function makeReadable(path: string): void {
  if (makeDirectory(path, 0o755) !== undefined) chmodSync(path, 0o755)
}
