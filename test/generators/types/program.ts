// The types of `cms-server types`, with openapi-fetch and with plain fetch.

import createClient from 'openapi-fetch'
import type { Page, paths, Products, ProductsInput, ProductsQry } from './types'

export async function run(key: string, baseUrl: string): Promise<object> {
  const headers = { authorization: `Bearer ${key}` }
  const client = createClient<paths>({ baseUrl, headers })
  const TABLE = '/module/datatable/1/products'

  const body: ProductsInput = { title: 'Lamp', price: '12.50', size: 'small' }
  const created = await client.POST(TABLE, { body, headers: { Prefer: 'return=representation' } })
  const id = created.data?.datatable_entry.datatable_entry_id ?? 0
  const params = { path: { entry_id: id } }
  const changed = await client.PATCH(`${TABLE}/{entry_id}`, {
    params,
    body: { count: 3, size: null },
  })
  const query = { fields: 'title' }
  const read = await client.GET(`${TABLE}/{entry_id}`, { params: { ...params, query } })

  const qry: ProductsQry = {
    title: { $startsWith: 'La' },
    $or: [{ count: { $gt: 2 } }, { size: null }],
  }
  const found = await client.POST(`${TABLE}/search`, { body: { qry, length: 5 } })
  const plain = await fetch(`${baseUrl}${TABLE}?qry=${encodeURIComponent(JSON.stringify(qry))}`, {
    headers,
  })
  const list: { datatable_entry: Products[]; page: Page } = await plain.json()

  const dryRun = { qry, values: { about: 'Warm' }, expect: 1, dry_run: true }
  const updated = await client.POST(`${TABLE}/bulk_update`, { body: dryRun })
  const removed = await client.POST(`${TABLE}/bulk_delete`, { body: { qry, dry_run: true } })

  // @ts-expect-error: a product has no color.
  const unknown: ProductsInput = { title: 'Lamp', color: 'red' }
  // @ts-expect-error: the size is one of two words.
  const wrong: ProductsQry = { size: 'large' }
  // @ts-expect-error: the title must be given.
  const missing: ProductsInput = { price: '1' }
  const refused = await client.POST(TABLE, { body: missing })

  return {
    created: created.data?.datatable_entry.price,
    changed: [changed.data?.count, changed.data?.size],
    read: [read.data?.title, read.data?.price],
    found: found.data?.datatable_entry.map(({ title, size }) => [title, size]),
    bulk: [updated.data?.changed, removed.data?.matched],
    plain: [list.datatable_entry[0]?.title, list.page.total],
    refused: [refused.error?.status, refused.error?.code],
    ignored: [unknown, wrong].length,
  }
}
