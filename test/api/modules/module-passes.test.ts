// A read of one entry keeps the decision that the caller may view the module. Each change that the decision
// depends on must end it at the next read.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { make, makeFolder, newName } from '../../helpers/content.ts'
import { makeEntry, makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

interface Site {
  /** The folder in which the user is a viewer, and the folder of the table below it. */
  readonly outer: number
  readonly inner: number
  readonly table: string
  readonly userId: number
  readonly keyId: number
}

const asViewer = (id: number) => ({ category_roles: [{ asset_category_id: id, role: 'viewer' }] })

async function change(path: string, json: object): Promise<void> {
  const { status, text } = await server.call('POST', `/api/v2/${path}`, { json })
  assert.equal(status, 200, text)
}

const CHANGES: Readonly<Record<string, (site: Site) => Promise<unknown>>> = {
  'the role in the folder is removed': ({ userId }) =>
    change(`user/${userId}`, { category_roles: [] }),
  'the key loses all grants': ({ keyId }) => change(`api_key/${keyId}`, { grants: [] }),
  'the key is revoked': ({ keyId }) => server.call('DELETE', `/api/v2/api_key/${keyId}`),
  'the user is disabled': ({ userId }) => change(`user/${userId}`, { status: 'disabled' }),
  'the table moves to another folder': async ({ table }) => {
    const { asset_category_id } = await makeFolder(server)
    return change(table, { parent_category_id: asset_category_id })
  },
  'a folder above the table moves': async ({ inner }) => {
    const { asset_category_id } = await makeFolder(server)
    return change(`asset_category/${inner}`, { parent_category_id: asset_category_id })
  },
  'a nearer folder has no role': ({ userId, outer, inner }) =>
    change(`user/${userId}`, {
      category_roles: [...asViewer(outer).category_roles, { asset_category_id: inner, role: null }],
    }),
  'the table is renamed': ({ table }) => change(table, { name: newName('renamed') }),
  'the table is deleted': ({ table }) => server.call('DELETE', `/api/v2/${table}`),
}

const OUTCOMES: Readonly<Record<string, number>> = {
  'the key loses all grants': 403,
  'the key is revoked': 401,
  'the role in the folder is removed': 403,
  'the user is disabled': 401,
  'the table is renamed': 308,
}

for (const [name, apply] of Object.entries(CHANGES))
  test(`an entry that was readable is refused after ${name}`, async () => {
    const outer = (await makeFolder(server)).asset_category_id
    const inner = (await makeFolder(server, { parent_category_id: outer })).asset_category_id
    const { id, url } = await makeTable(server, 'title C(20)', { parent_category_id: inner })
    const entry = await makeEntry(server, url, { title: 'seen' })
    const { user_id: userId } = await make(server, 'user', {
      name: newName('u'),
      ...asViewer(outer),
    })
    const key = await make(server, 'api_key', { name: newName('k'), user_id: userId })
    const read = () =>
      server.call('GET', `${url}/${entry.datatable_entry_id}?fields=*`, { key: key.secret })

    for (const time of [1, 2]) assert.equal((await read()).status, 200, `read ${time}`)
    const site = { outer, inner, table: `datatable/${id}`, userId, keyId: key.api_key_id }
    await apply(site)
    const { status, text } = await read()
    assert.equal(status, OUTCOMES[name] ?? 404, text)
    assert.doesNotMatch(text, /seen/)
  })
