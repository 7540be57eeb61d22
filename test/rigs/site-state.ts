// The complete state of a site as a client sees it, for comparisons. Dates are omitted, and the
// bytes of every version are represented by their hash.

import assert from 'node:assert/strict'
import { sha256 } from '../helpers/data-directory.ts'
import { send } from '../helpers/server.ts'

export interface Site {
  readonly url: string
  readonly key: string
}

export type SiteState = Readonly<Record<string, unknown>>

export async function readState(site: Site): Promise<SiteState> {
  const files = await readList(site, 'asset_file')
  const datatables = await readList(site, 'datatable')
  const versions = await Promise.all(files.map((file) => readVersions(site, file['asset_file_id'])))
  const entries = await Promise.all(
    datatables.map(({ module_url: url }) => readAll(site, `${url}?length=1000`, 'datatable_entry')),
  )
  const categories = await readList(site, 'asset_category')
  const items = await readList(site, 'trash')
  // The work that follows a deletion changes the other members.
  const trash = items.map(({ object, object_id, name }) => ({ object, object_id, name }))
  return { categories, files, versions, datatables, entries, trash }
}

type Item = Record<string, any>

function readList(site: Site, object: string): Promise<readonly Item[]> {
  const path = `/api/v2/${object}?length=1000&orderStr=${object}_id&orderDir=ASC`
  return readAll(site, path, object)
}

async function readAll({ url, key }: Site, path: string, member: string): Promise<readonly Item[]> {
  const { status, body, text } = await send(url, 'GET', path, { key })
  assert.equal(status, 200, text)
  return body[member].map(withoutDates)
}

async function readVersions(site: Site, fileId: number): Promise<readonly Item[]> {
  const path = `/api/v2/asset_file/${fileId}/versions`
  const versions = await readAll(site, path, 'asset_file_version')
  return Promise.all(
    versions.map(async (version) => {
      const content = await send(site.url, 'GET', `${path}/${version['version']}/content`, site)
      assert.deepEqual([content.status, sha256(content.bytes)], [200, version['sha256']])
      return version
    }),
  )
}

function withoutDates(item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !name.startsWith('date_')))
}
