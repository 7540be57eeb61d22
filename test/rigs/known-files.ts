// The oracle of the rigs with a load: what the clients know of each file, and whether the server that
// was killed or cut off has all of it.

import assert from 'node:assert/strict'
import { sha256, untilContents } from '../helpers/data-directory.ts'
import { send } from '../helpers/server.ts'
import type { Site } from './site-state.ts'

export interface Expected {
  /** SHA-256 of the latest version. */
  readonly latest: string
  readonly version: number
  readonly live: number | null
}

export interface Known {
  readonly files: Map<number, Expected>
  /** Files with a write under way, and what it makes of them; undefined: they are deleted. */
  readonly busy: Map<number, Expected | undefined>
  acknowledged: number
}

export function newKnown(): Known {
  return { files: new Map(), busy: new Map(), acknowledged: 0 }
}

/** The write is done: the file is what it made of it. */
export function settle({ files, busy }: Known, id: number): void {
  const next = busy.get(id)
  busy.delete(id)
  if (next === undefined) files.delete(id)
  else files.set(id, next)
}

/** Compares every file with what is known of it; a write that was cut off is settled by what is found. */
export async function compare(
  { url, key }: Site,
  known: Known,
  dataDir: string,
  clients: number,
): Promise<void> {
  for (const [id, before] of [...known.files]) {
    const after = known.busy.get(id)
    const isCut = known.busy.has(id)
    const found = await find(url, key, id)
    const isAllowed = same(found, before) || (isCut && same(found, after))
    assert.ok(
      isAllowed,
      `asset_file ${id} is ${JSON.stringify(found)}, not ${JSON.stringify({ before, after, isCut })}`,
    )
    known.busy.set(id, found)
    settle(known, id)
  }
  await adoptOthers(url, key, known, clients)
  const versions = [...known.files.values()].reduce((sum, file) => sum + file.version, 0)
  await untilContents(dataDir, versions)
}

/** Files whose creation was cut off: whole, or not there. */
async function adoptOthers(url: string, key: string, known: Known, clients: number): Promise<void> {
  const { body } = await send(
    url,
    'GET',
    '/api/v2/asset_file?length=1000&orderStr=asset_file_id&orderDir=DESC&fields=asset_file_id',
    { key },
  )
  const others = body.asset_file
    .map((file: any) => file.asset_file_id)
    .filter((id: number) => !known.files.has(id))
  assert.ok(others.length <= clients)
  for (const id of others) {
    const found = await find(url, key, id)
    if (found !== undefined) known.files.set(id, found)
  }
}

/** What the server holds: the hash of the bytes themselves, of the latest version and of the live one. */
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
