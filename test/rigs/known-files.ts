// The oracle of the load rigs: the knowledge of the clients about each file, and the comparison
// with a server that was killed or cut off.

import assert from 'node:assert/strict'
import { sha256, untilContents } from '../helpers/data-directory.ts'
import { send } from '../helpers/server.ts'
import type { Site } from './site-state.ts'

export interface Expected {
  /** The SHA-256 of the latest version. */
  readonly latest: string
  readonly version: number
  readonly live: number | null
}

export interface Known {
  readonly files: Map<number, Expected>
  /** Files with a write in progress, with the result of the write; undefined for a delete. */
  readonly busy: Map<number, Expected | undefined>
  /** Files that were written or deleted since the last comparison. */
  readonly touched: Set<number>
  /** The highest identifier found so far. */
  highestId: number
  acknowledged: number
}

export function newKnown(): Known {
  return { files: new Map(), busy: new Map(), touched: new Set(), highestId: 0, acknowledged: 0 }
}

/** Marks a write as done: the file has the expected state. */
export function settle(known: Known, id: number): void {
  const next = known.busy.get(id)
  known.busy.delete(id)
  put(known, id, next)
}

/** Records the state of a file; undefined if it is deleted. */
export function put({ files, touched }: Known, id: number, file: Expected | undefined): void {
  touched.add(id)
  if (file === undefined) files.delete(id)
  else files.set(id, file)
}

/** The number of older files that are checked in addition to the recently written files. */
const SAMPLES = 5

export interface Look {
  /** The maximum number of interrupted creations: one for each client. */
  readonly clients: number
  readonly random: () => number
}

/** Compares the files written since the last comparison, and a sample of older files. */
export async function compare(site: Site, known: Known, { clients, random }: Look): Promise<void> {
  const ids = new Set([...known.touched, ...known.busy.keys()])
  const all = [...known.files.keys()]
  for (let left = Math.min(SAMPLES, all.length); left > 0; left--)
    ids.add(all[Math.floor(random() * all.length)] ?? 0)
  await compareFiles(site, known, ids)
  await adoptOthers(site, known, { clients, above: known.highestId })
}

/** Compares all files, including the files on disk. */
export async function compareAll(
  site: Site,
  known: Known,
  { clients, dataDir }: { readonly clients: number; readonly dataDir: string },
): Promise<void> {
  await compareFiles(site, known, new Set([...known.touched, ...known.files.keys()]))
  await adoptOthers(site, known, { clients, above: 0 })
  const versions = [...known.files.values()].reduce((sum, file) => sum + file.version, 0)
  await untilContents(dataDir, versions)
}

/** Compares files and resolves interrupted writes by the state that is found. */
async function compareFiles(
  { url, key }: Site,
  known: Known,
  ids: ReadonlySet<number>,
): Promise<void> {
  for (const id of ids) {
    const before = known.files.get(id)
    const after = known.busy.get(id)
    const isCut = known.busy.has(id)
    const found = await find(url, key, id)
    const isAllowed = same(found, before) || (isCut && same(found, after))
    assert.ok(
      isAllowed,
      `asset_file ${id} is ${JSON.stringify(found)}, not ${JSON.stringify({ before, after, isCut })}`,
    )
    known.busy.delete(id)
    put(known, id, found)
  }
  known.touched.clear()
}

/** Checks files whose creation was interrupted: they are complete or do not exist. */
async function adoptOthers(
  { url, key }: Site,
  known: Known,
  { clients, above }: { readonly clients: number; readonly above: number },
): Promise<void> {
  const qry = encodeURIComponent(JSON.stringify({ asset_file_id: { $gt: above } }))
  const path = `/api/v2/asset_file?length=1000&fields=asset_file_id&qry=${qry}`
  const ids: number[] = []
  for (let next: string | null = ''; next !== null; ) {
    const cursor: string = next === '' ? '' : `&cursor=${next}`
    const { status, body, text } = await send(url, 'GET', path + cursor, { key })
    assert.equal(status, 200, text)
    ids.push(...body.asset_file.map((file: any) => file.asset_file_id))
    next = body.page.next
  }
  const others = ids.filter((id) => !known.files.has(id))
  assert.ok(others.length <= clients, `${others.length} files that nobody was told of`)
  for (const id of others) {
    const found = await find(url, key, id)
    if (found !== undefined) known.files.set(id, found)
  }
  known.highestId = Math.max(known.highestId, ...ids)
}

/**
 * Returns the state on the server: hashes of the bytes of the latest version and of the live
 * version.
 */
async function find(url: string, key: string, id: number): Promise<Expected | undefined> {
  const { status, body } = await send(
    url,
    'GET',
    `/api/v2/asset_file/${id}?fields=version,live_version,sha256,url`,
    { key },
  )
  if (status === 404) return undefined
  const latest = await send(
    url,
    'GET',
    `/api/v2/asset_file/${id}/versions/${body.version}/content`,
    { key },
  )
  assert.deepEqual([latest.status, sha256(latest.bytes)], [200, body.sha256])
  assert.equal(
    (await send(url, 'GET', body.url, { key })).status,
    body.live_version === null ? 404 : 200,
  )
  return { latest: body.sha256, version: body.version, live: body.live_version }
}

function same(left: Expected | undefined, right: Expected | undefined): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
