// A stopped site with objects of every kind, and the data that must be the same after each move.

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { dataPathsOf, parseContentName } from '../../../lib/storage/embedded/data-paths.ts'
import { openLmdb } from '../../../lib/storage/embedded/lmdb-kv.ts'
import { putInline } from '../../../lib/storage/records/inline-contents.ts'
import { basename } from 'node:path'
import { make, makeFile, uploadFile } from '../../helpers/content.ts'
import { contentsIn, newDataDirectory } from '../../helpers/data-directory.ts'
import { makeCalendar, makeEntries, makeTable } from '../../helpers/modules.ts'
import { query } from '../../helpers/postgres.ts'
import { startTestServer } from '../../helpers/server.ts'
import { tamper } from '../../helpers/site.ts'

export interface RichSite {
  readonly dataDir: string
  readonly key: string
  /** The path of the entries. */
  readonly entries: string
}

const MIB = 1024 * 1024
/** Each entry has six rows, so the entries fill several batches of a move. */
const MANY_ENTRIES = 3_000

export async function makeRichSite(entryCount = MANY_ENTRIES): Promise<RichSite> {
  const server = await startTestServer({ dataDir: newDataDirectory() })
  const { asset_category_id: folderId } = await make(server, 'asset_category', { name: 'News' })
  const table = await makeTable(server, 'title C(40), pages I')
  const entries = Array.from({ length: entryCount }, (_, at) => ({
    title: `book ${at}`,
    pages: at,
  }))
  await makeEntries(server, table.url, entries)
  await makeCalendar(server)
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
    await makeFile(server, { name: `${name}.html` })
  // Reads the links of all pages, so that a node on the moved site has nothing to commit.
  const [page] = (await server.call('GET', '/api/v2/asset_file?length=1')).body.asset_file
  const used = await server.call('GET', `/api/v2/asset_file/${page.asset_file_id}/used_on`)
  assert.equal(used.status, 200)
  const large = Buffer.alloc(9 * MIB, 'large ')
  await uploadFile(server, large, { asset_category_id: String(folderId) })
  await uploadFile(server, Buffer.alloc(MIB, 'middle '))
  await make(server, 'user', { name: 'editor' })
  await make(server, 'api_key', { name: 'reader', user_id: 1 })
  await make(server, 'webhook', { name: 'hook', url: 'https://a.invalid', status: 'paused' })
  const { asset_category_id: gone } = await make(server, 'asset_category', { name: 'Old' })
  await server.call('DELETE', `/api/v2/asset_category/${gone}`)
  const answered = await server.call('POST', '/api/v2/asset_category', {
    json: { name: 'Once' },
    headers: { 'idempotency-key': 'once' },
  })
  assert.ok(answered.status < 300, answered.text)
  await server.stop()
  await carryAgain(server.dataDir)
  return { dataDir: server.dataDir, key: server.key, entries: table.url }
}

/** Puts the smallest content back into the records, as a crash before the write-out leaves it. */
async function carryAgain(dataDir: string): Promise<void> {
  const path = contentsIn(dataDir).find((name) => readFileSync(name).length < MIB)
  assert.ok(path !== undefined)
  const name = parseContentName(basename(path))
  assert.ok(name !== undefined)
  await tamper(dataDir, (kv) => kv.commit((writer) => putInline(writer, name, readFileSync(path))))
  rmSync(path)
}

export async function rowsOf(dataDir: string): Promise<readonly string[]> {
  const kv = openLmdb({
    path: dataPathsOf(dataDir).records,
    readOnly: true,
    onFailure: () => undefined,
  })
  try {
    const all = kv.pairs({ start: Buffer.of(0), end: Buffer.of(0xff) })
    return Array.from(all, ({ key, value }) => lineOf(key, value))
  } finally {
    await kv.close()
  }
}

export async function rowsInDatabase(url: string): Promise<readonly string[]> {
  const rows = await query(url, 'select key, value from cms_kv order by key')
  return rows.map(({ key, value }) => lineOf(key as Buffer, value as Buffer))
}

export function contentsOf(dataDir: string): readonly string[] {
  return contentsIn(dataDir).map(
    (path) => `${basename(path)} ${hash('sha256', readFileSync(path))}`,
  )
}

function lineOf(key: Buffer, value: Buffer): string {
  return `${key.toString('hex')} ${value.toString('hex')}`
}
