// The log of changes and the audit trail name deleted, renamed and moved records by name, path and address.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { make, makeFile, makeFolder } from '../../helpers/content.ts'
import { changesOf } from '../../helpers/follow.ts'
import { eventually } from '../../helpers/raw.ts'
import { openSite, type Site } from '../webhooks/site.ts'

let site: Site
before(async () => {
  site = await openSite({}, { config: { baseUrl: 'https://example.org/cms' } })
})
after(() => site.close())

const post = (path: string, json: object): Promise<any> => site.ok('POST', `/api/v2/${path}`, json)
const remove = (path: string): Promise<any> => site.ok('DELETE', `/api/v2/${path}`)
const bound = (category: number, grants = 'view'): Promise<string> =>
  site.server.makeKey({ name: 'bound', grants, category })

const NAMES = ['name', 'path', 'url', 'previous_name', 'previous_path', 'previous_url'] as const
const namesIn = (change: any): readonly (string | null)[] => NAMES.map((name) => change[name])

async function namesOf(
  change: () => Promise<unknown>,
  more: { readonly key?: string; readonly query?: string } = {},
): Promise<readonly (readonly (string | null)[])[]> {
  return (await changesOf(site.server, change, more)).map(namesIn)
}

const NONE = [null, null, null, null, null, null]

describe('a change of a file contains', () => {
  test('its names after a rename, a move and a deletion, and no names otherwise', async () => {
    const { asset_category_id: folder } = await makeFolder(site.server, { name: 'Press' })
    const { asset_file_id: id } = await makeFile(site.server, { name: 'a b.html' })
    const path = `asset_file/${id}`
    const told = await namesOf(async () => {
      await post(path, { title: 'same place' })
      await post(path, { name: 'new.html' })
      await post(path, { parent_category_id: folder })
      await post(path, { name: 'both.html', parent_category_id: 1 })
      await remove(path)
    })
    const url = (name: string): string => `/cms/file/${id}/${name}`
    const [inMain, inPress] = ['/Main', '/Main/Press']
    assert.deepEqual(told, [
      NONE,
      [
        'new.html',
        `${inMain}/new.html`,
        url('new.html'),
        'a b.html',
        `${inMain}/a b.html`,
        url('a%20b.html'),
      ],
      ['new.html', `${inPress}/new.html`, url('new.html'), null, `${inMain}/new.html`, null],
      [
        'both.html',
        `${inMain}/both.html`,
        url('both.html'),
        'new.html',
        `${inPress}/new.html`,
        url('new.html'),
      ],
      ['both.html', `${inMain}/both.html`, url('both.html'), null, null, null],
    ])
  })

  test('an address that changes because a version with another name is published', async () => {
    const { asset_category_id: folder } = await makeFolder(site.server, { name: 'Shop' })
    const place = { parent_category_id: folder, fileState: 'publish' }
    const { asset_file_id: id } = await makeFile(site.server, { name: 'prices.html', ...place })
    const path = `asset_file/${id}`
    const url = (name: string): string => `/cms/file/${id}/${name}`
    const steps = async (): Promise<void> => {
      await post(path, { name: 'new.html' })
      await post(`${path}/publish`, {})
      await post(path, { name: 'draft.html' })
      await remove(path)
    }
    const key = await bound(folder)
    const editor = await bound(folder, 'view,modify')
    const seen = await Promise.all(
      [undefined, key, editor].map(async (one) => {
        const { page } = (
          await site.server.call('GET', '/api/v2/change', one === undefined ? {} : { key: one })
        ).body
        return { one, next: page.next }
      }),
    )
    await steps()
    const [all = [], visitor = [], modifier = []] = await Promise.all(
      seen.map(async ({ one, next }) => {
        const more = one === undefined ? {} : { key: one }
        const { body } = await site.server.call('GET', `/api/v2/change?since=${next}`, more)
        return body.change.map(namesIn)
      }),
    )
    const inShop = '/Main/Shop'
    assert.deepEqual(all, [
      ['new.html', `${inShop}/prices.html`, url('prices.html'), 'prices.html', null, null],
      [
        'new.html',
        `${inShop}/new.html`,
        url('new.html'),
        null,
        `${inShop}/prices.html`,
        url('prices.html'),
      ],
      ['draft.html', `${inShop}/new.html`, url('new.html'), 'new.html', null, null],
      ['draft.html', `${inShop}/new.html`, url('new.html'), null, null, null],
    ])
    assert.deepEqual(
      modifier,
      all.map((row: any) => row.map((text: string | null) => text?.replace('/Main/', '/') ?? null)),
    )
    // A key that may only view reads the names of live versions.
    assert.deepEqual(visitor, [
      ['prices.html', '/Shop/prices.html', url('prices.html'), null, null, null],
      [
        'new.html',
        '/Shop/new.html',
        url('new.html'),
        'prices.html',
        '/Shop/prices.html',
        url('prices.html'),
      ],
      ['new.html', '/Shop/new.html', url('new.html'), null, null, null],
      ['new.html', '/Shop/new.html', url('new.html'), null, null, null],
    ])
  })
})

test('a key for a folder gets no names from outside', async () => {
  const { asset_category_id: hidden } = await makeFolder(site.server, { name: 'secret-above' })
  const inside = { parent_category_id: hidden }
  const { asset_category_id: own } = await makeFolder(site.server, { name: 'own', ...inside })
  const { asset_file_id: id } = await makeFile(site.server, { name: 'secret.html' })
  const key = await bound(own)
  const path = `asset_file/${id}`
  const changes = await changesOf(
    site.server,
    async () => {
      await post(path, { name: 'seen.html', parent_category_id: own })
      await post(path, { name: 'secret-again.html', parent_category_id: hidden })
      await post(`asset_category/${own}`, { name: 'renamed' })
    },
    { key },
  )
  assert.ok(!JSON.stringify(changes).includes('secret'))
  const url = `/cms/file/${id}/seen.html`
  assert.deepEqual(
    changes.map((one) => [one.action, ...namesIn(one)]),
    [
      ['create', 'seen.html', '/own/seen.html', url, null, null, null],
      ['delete', 'seen.html', '/own/seen.html', url, null, null, null],
      ['update', 'renamed', '/renamed', null, 'own', '/own', null],
    ],
  )
})

test('the name of a draft is shown only to callers who may change its folder', async () => {
  const { asset_category_id: above } = await makeFolder(site.server, { name: 'above' })
  const inside = { parent_category_id: above }
  const { asset_category_id: shown } = await makeFolder(site.server, { name: 'shown', ...inside })
  const { asset_category_id: edited } = await makeFolder(site.server, { name: 'edited', ...inside })
  const roles = [
    { asset_category_id: shown, role: 'viewer' },
    { asset_category_id: edited, role: 'editor' },
  ]
  const user = await make(site.server, 'user', { name: 'mover', category_roles: roles })
  const { secret: key } = await make(site.server, 'api_key', { name: 'k', user_id: user.user_id })
  const live = { parent_category_id: shown, fileState: 'publish' }
  const { asset_file_id: id } = await makeFile(site.server, { name: 'live.html', ...live })
  const path = `asset_file/${id}`
  await post(path, { name: 'secret-draft.html' })
  const changes = await changesOf(
    site.server,
    () => post(path, { name: 'next.html', parent_category_id: edited }),
    { key },
  )
  assert.ok(!JSON.stringify(changes).includes('secret'))
  assert.equal(changes[0].name, 'live.html')
})

test('the deletion of a folder names its contents, also to webhooks and in the audit trail', async () => {
  const { server } = site
  const { asset_category_id: top } = await makeFolder(server, { name: 'top' })
  const { asset_category_id: below } = await makeFolder(server, {
    name: 'below',
    parent_category_id: top,
  })
  const inside = { parent_category_id: below }
  const one = await makeFile(server, { name: 'one.html', ...inside })
  const two = await makeFile(server, { name: 'two.html', ...inside })
  const table = await make(server, 'datatable', {
    name: 'Old Books',
    table_schema: 'name C(20)',
    ...inside,
  })
  const receiver = await site.receive()
  await site.hook(receiver, { actions: ['delete'] })
  await remove(`asset_category/${top}?recursive=true`)
  const wanted = [
    ['top', '/Main/top', null],
    ['one.html', '/Main/top/below/one.html', `/cms/file/${one.asset_file_id}/one.html`],
    ['two.html', '/Main/top/below/two.html', `/cms/file/${two.asset_file_id}/two.html`],
    ['Old Books', '/Main/top/below/Old Books', table.module_url],
    ['below', '/Main/top/below', null],
  ]
  const received = await receiver.until(wanted.length)
  assert.deepEqual(
    received.map(({ body }) => namesIn(body.data).slice(0, 3)),
    wanted,
  )
  const { body } = await server.call(
    'GET',
    '/api/v2/audit?orderStr=audit_id&orderDir=DESC&length=4',
  )
  assert.deepEqual(
    body.audit.toReversed().map((row: any) => [row.name, row.path, row.count]),
    [
      ['top', '/Main/top', 1],
      ['one.html', '/Main/top/below/one.html', 2],
      ['Old Books', '/Main/top/below/Old Books', 1],
      ['below', '/Main/top/below', 1],
    ],
  )
  assert.deepEqual(body.audit[2].changes[0].names, [{ name: 'one.html' }, { name: 'two.html' }])
})

test('the trail names deleted users, renamed and deleted keys, and the key that made the change', async () => {
  const { server } = site
  const user = await make(server, 'user', { name: 'eve', role: 'editor' })
  const key = await make(server, 'api_key', { name: 'temporary' })
  const made = await makeFile(server, {})
  const other = { key: key.secret }
  const url = `/api/v2/asset_file/${made.asset_file_id}`
  await server.call('POST', url, { json: { title: 'x' }, ...other })
  await post(`api_key/${key.api_key_id}`, { name: 'gone soon' })
  await remove(`api_key/${key.api_key_id}`)
  await remove(`user/${user.user_id}`)
  const { body } = await server.call(
    'GET',
    '/api/v2/audit?orderStr=audit_id&orderDir=DESC&length=4',
  )
  assert.deepEqual(
    body.audit.map((row: any) => [row.api_key_name, row.name, row.previous_name, row.path]),
    [
      ['admin', 'eve', null, null],
      ['admin', 'gone soon', null, null],
      ['admin', 'gone soon', 'temporary', null],
      ['temporary', null, null, null],
    ],
  )
})

test('the deletion of a datatable or calendar contains the number of its entries', async () => {
  const { asset_category_id: folder } = await makeFolder(site.server, { name: 'modules-of' })
  const inside = { parent_category_id: folder }
  const table = await make(site.server, 'datatable', {
    name: 'T',
    table_schema: 'a C(9)',
    ...inside,
  })
  const calendar = await make(site.server, 'calendar', { name: 'C', ...inside })
  const put = (url: string, json: object): Promise<unknown> =>
    site.ok('POST', url.replace('/cms', ''), json)
  await put(table.module_url, [{ a: '1' }, { a: '2' }, { a: '3' }] as object)
  await put(calendar.module_url, { event_title: 'x', start_time: '2026-03-01T10:00:00Z' })
  const told = await changesOf(site.server, async () => {
    await remove(`datatable/${table.datatable_id}`)
    await remove(`asset_category/${folder}?recursive=true`)
    await site.server.call('GET', '/api/v2/audit')
  })
  const entries = (object: string): unknown =>
    told.find((one) => one.object === object)?.entries ?? null
  assert.deepEqual([entries('datatable'), entries('asset_category')], [3, null])
  const findRow = async (): Promise<any> => {
    const qry = encodeURIComponent(JSON.stringify({ object: 'calendar', action: 'delete' }))
    const { body } = await site.server.call('GET', `/api/v2/audit?qry=${qry}`)
    return body.audit.at(-1)
  }
  // The calendar is deleted after its folder, in the background.
  await eventually(async () => (await findRow())?.name === 'C')
  assert.equal((await findRow()).entries, 1)
})

test('a column called name is a value and appears in no change', async () => {
  const { server } = site
  const table = await make(server, 'datatable', { name: 'People', table_schema: 'name C(40)' })
  const path = table.module_url.replace('/cms', '')
  const told = await changesOf(server, async () => {
    await site.ok('POST', path, { name: 'canary-of-an-entry' })
    await site.ok('POST', `${path}/1`, { name: 'canary-of-an-entry-2' })
    await site.ok('DELETE', `${path}/1`)
  })
  assert.deepEqual(told.map(namesIn), [NONE, NONE, NONE])
  const { text } = await server.call(
    'GET',
    '/api/v2/audit?orderStr=audit_id&orderDir=DESC&length=3',
  )
  assert.ok(!text.includes('canary-of-an-entry'))
})
