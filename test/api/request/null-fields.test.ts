// Null for a field is refused or takes effect. The server never ignores null and reports success.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { OBJECTS } from '../../../lib/schema/catalog.ts'
import { make, makeFile, makeFolder, newName, pointersOf, read } from '../../helpers/content.ts'
import { makeEntry, makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const OF_SITE = {
  keep_versions: { latest: 1_000, days: 1 },
  redirects: [{ from: '/a', to: '/b', status: 308 }],
  site_headers: { 'X-Robots-Tag': 'none' },
  layout_file_id: 0,
}
const PUBLIC = { public: true, public_columns: ['a'], public_filter: { a: 'x' } }

/** A text for each optional field that accepts any text. */
function textsOf(object: string): Readonly<Record<string, string>> {
  const fields = OBJECTS.find(({ name }) => name === object)?.fields ?? {}
  const free = Object.entries(fields).filter(
    ([, field]) => field.access === 'optional' && field.check('t').ok,
  )
  return Object.fromEntries(free.map(([name]) => [name, 't']))
}

/** Makes a record of each object whose fields all differ from the defaults of a create. */
const MAKERS: Readonly<Record<string, (field: string) => Promise<any>>> = {
  asset_category: async () => {
    const { asset_category_id: parent } = await makeFolder(server)
    const texts = { ...textsOf('asset_category'), public: true, ...OF_SITE }
    return makeFolder(server, { name: newName(), parent_category_id: parent, ...texts })
  },
  asset_file: async () => {
    const texts = { ...textsOf('asset_file'), focus: '0,1', layout_file_id: 0 }
    const { asset_file_id: id } = await makeFile(server, {
      ...{ ...texts, pageContent: 'p', fileState: 'publish' },
    })
    const times = {
      publish_at: '2099-01-01',
      unpublish_at: '2099-01-02',
      stage_at: '2099-01-01',
      pinned_versions: [1],
    }
    const answer = await server.call('POST', `/api/v2/asset_file/${id}`, { json: times })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  },
  file_group: async () => {
    const { asset_file_id: file } = await makeFile(server)
    const fields = { ...textsOf('file_group'), name: newName(), asset_file_ids: [file] }
    return make(server, 'file_group', { parent_category_id: 12, ...fields })
  },
  datatable: () =>
    make(server, 'datatable', {
      name: newName(),
      datatable_type: 'Form',
      title: 't',
      description: 'd',
      title_field: 'a',
      table_schema: 'a C(5)',
      parent_category_id: 1,
      ...PUBLIC,
    }),
  calendar: () =>
    make(server, 'calendar', {
      name: newName(),
      display_type: 'News',
      title: 't',
      description: 'd',
      time_zone: 'Europe/Berlin',
      title_field: 'a',
      table_schema: 'a C(5)',
      parent_category_id: 1,
      ...PUBLIC,
    }),
  user: () => {
    const roles = { role: 'viewer', category_roles: [{ asset_category_id: 1, role: 'editor' }] }
    return make(server, 'user', {
      name: newName(),
      display_name: 'Ada',
      email: 'a@example.org',
      ...roles,
    })
  },
  role: () => make(server, 'role', { name: newName(), description: 'd', grants: ['view'] }),
  comment: async (field) => {
    const { asset_file_id: file } = await makeFile(server)
    const json = { target: `asset_file/${file}`, text: 't' }
    const first = await make(server, 'comment', { ...json, resolved: field !== 'reply_to' })
    if (field !== 'reply_to') return first
    return make(server, 'comment', { ...json, reply_to: first.comment_id })
  },
  webhook: () =>
    make(server, 'webhook', {
      name: newName(),
      url: 'https://a.invalid',
      objects: ['user'],
      actions: ['update'],
      asset_category_id: 1,
      status: 'paused',
    }),
  api_key: () =>
    make(server, 'api_key', {
      name: newName(),
      grants: ['view'],
      asset_category_id: 12,
      date_expires: '2999-01-01T00:00:00Z',
    }),
}

for (const { name, idField, fields } of OBJECTS) {
  const maker = MAKERS[name]
  const writable = Object.entries(fields).filter(([, field]) => field.access !== 'assigned')
  for (const [field] of maker === undefined ? [] : writable) {
    test(`null for ${field} of ${name} is rejected or stored`, async () => {
      const made = await maker?.(field)
      const path = `/api/v2/${name}/${made[idField]}`
      const { body: before } = await read(server, path)
      const answer = await server.call('POST', path, { json: { [field]: null } })
      if (answer.status === 422) {
        assert.ok(pointersOf(answer).length > 0, answer.text)
        assert.deepEqual((await read(server, path)).body, before)
        return
      }
      assert.equal(answer.status, 200, answer.text)
      assert.notDeepEqual(answer.body[field], before[field])
    })
  }
}

test('null for a column of an entry is rejected or stored, as is a missing value', async () => {
  const columns = "a C(5), b C(5) DEFAULT 'x', c C(5) NOTNULL, d I NOTNULL DEFAULT 3"
  const { url } = await makeTable(server, columns)
  const values = { a: 'y', b: 'y', c: 'y', d: 4 }
  const { datatable_entry_id: id } = await makeEntry(server, url, values)
  for (const [column, status, expected] of [
    ['a', 200, null],
    ['b', 200, null],
    ['c', 422, 'y'],
    ['d', 200, 3],
  ] as const) {
    const answer = await server.call('POST', `${url}/${id}`, { json: { [column]: null } })
    const { body } = await server.call('GET', `${url}/${id}?fields=*`)
    assert.deepEqual([answer.status, body[column]], [status, expected], column)
  }
})
