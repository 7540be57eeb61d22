// Finds stored data where the storage of the servers keeps it: in the data directory, or in the database and
// the store.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { ClusterSettings } from '../../lib/config/cluster-settings.ts'
import { contentsIn, filesIn } from './data-directory.ts'
import { siteBehind } from './engine.ts'
import { directoriesOf } from './node-pair.ts'

/**
 * Contents of all versions, each as `ff/<id>.<uid>`, without contents that are still stored in the
 * records.
 */
export async function contentsOf(dataDir: string): Promise<readonly string[]> {
  const site = await siteBehind(dataDir)
  if (site !== undefined) return (await keysOf(site)).filter((key) => CONTENT.test(key)).sort()
  return contentsIn(dataDir).map((path) => relative(dataDir, path))
}

const CONTENT = /^[0-9a-f]{2}\/[1-9]\d*\.[0-9a-f]{32}$/

export async function contentsOfFile(dataDir: string, id: number): Promise<readonly string[]> {
  const all = await contentsOf(dataDir)
  return all.filter((name) => name.startsWith(`${id}.`, 'ff/'.length))
}

/** Identifiers of the resumable uploads whose bytes are stored. */
export async function resumableIn(dataDir: string): Promise<readonly string[]> {
  const site = await siteBehind(dataDir)
  const found =
    (await (site && keysOf(site))) ?? filesIn(dataDir).map((path) => relative(dataDir, path))
  const uids = found.flatMap(
    (path) => /^(?:\.uploads|uploads)\/([0-9a-f]{32})/.exec(path)?.[1] ?? [],
  )
  return [...new Set(uids)]
}

/** Incomplete uploads and their remains. */
export function unfinishedIn(dataDir: string): readonly string[] {
  // A node also has a cache with incomplete files.
  const places = directoriesOf(dataDir).flatMap((directory) =>
    ['.tmp', 'cache/.tmp'].map((name) => join(directory, name)),
  )
  return places.filter((path) => existsSync(path)).flatMap((path) => readdirSync(path))
}

/** The records and contents that contain the text, in any place. */
export async function placesHolding(dataDir: string, text: string): Promise<readonly string[]> {
  const files = filesIn(dataDir).filter((path) => readFileSync(path).includes(text))
  const site = await siteBehind(dataDir)
  const behind = site === undefined ? [] : await behindHolding(site, text)
  const places = [...files.map((path) => relative(dataDir, path)), ...behind]
  return [...new Set(places.map((place) => (RECORDS.test(place) ? 'records' : place)))]
}

/** Records of a single server, a node's copy of the records, and the shared tables of a cluster. */
const RECORDS = /^(?:(?:records|copy)\/data\.mdb|cms_kv|cms_log)$/

async function behindHolding(site: ClusterSettings, text: string): Promise<readonly string[]> {
  const { query } = await import('./postgres.ts')
  const hex = `'\\x${Buffer.from(text).toString('hex')}'::bytea`
  const rows = await query(
    site.databaseUrl,
    `select 'cms_kv' as place from cms_kv where position(${hex} in key || value) > 0 union
      select 'cms_log' from cms_log where position(${hex} in body) > 0`,
  )
  const keys = await keysOf(site)
  const objects = await Promise.all(keys.map((key) => ask(site, `/${site.store.prefix}${key}`)))
  return [
    ...rows.map(({ place }) => String(place)),
    ...keys.filter((_, at) => objects[at]?.includes(text) === true),
  ]
}

/** The keys of all objects, without the prefix of the site. */
async function keysOf(site: ClusterSettings): Promise<readonly string[]> {
  const prefix = site.store.prefix ?? ''
  const list = await ask(site, `?list-type=2&prefix=${encodeURIComponent(prefix)}`)
  return [...list.toString().matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) =>
    key.slice(prefix.length),
  )
}

const NO_BODY = createHash('sha256').digest('hex')

async function ask({ store }: ClusterSettings, target: string): Promise<Buffer> {
  const headers = { 'x-amz-content-sha256': NO_BODY }
  const answer = await fetch(`${store.endpoint}/${store.bucket}${target}`, { headers })
  if (!answer.ok) throw new Error(`The store answers ${answer.status} to ${target}.`)
  return Buffer.from(await answer.arrayBuffer())
}
