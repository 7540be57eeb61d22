// PATCH with a merge patch (RFC 7396): the documents list null for exactly the members that null clears.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { CALENDAR, TABLE } from './traffic.ts'

const MERGE_PATCH = 'application/merge-patch+json'

/** The body that creates each kind of record of the System API. */
const RECORDS = {
  asset_category: { name: 'Press' },
  asset_file: { name: 'a.html', type: 'html', parent_category_id: 1 },
  file_group: { name: 'Downloads' },
  datatable: TABLE,
  calendar: CALENDAR,
  user: { name: 'ada', role: 'editor' },
  api_key: { name: 'site', grants: ['view'] },
  role: { name: 'translator', grants: ['view'] },
  webhook: { name: 'index', url: 'https://a.invalid', status: 'paused' },
}

/** The path of a record in the document, and its address on the server. */
interface Place {
  readonly path: string
  readonly url: string
}

let server: TestServer
const records: Place[] = []
const entries: Place[] = []

before(async () => {
  server = await startTestServer()
  for (const [name, json] of Object.entries(RECORDS)) {
    const { [`${name}_id`]: id, module_url: url } = await create(`/api/v2/${name}`, json)
    records.push({ path: `/${name}/{id}`, url: `/api/v2/${name}/${id}` })
    if (url === undefined) continue
    const entry = name === 'datatable' ? { title: 'One' } : EVENT
    const created = await create(url, entry, { prefer: 'return=representation' })
    const entryId = created[`${name}_entry`][`${name}_entry_id`]
    const path = `${url.replace('/api/v2', '')}/{entry_id}`
    entries.push({ path, url: `${url}/${entryId}` })
  }
})
after(() => server.close())

const EVENT = { event_title: 'Talk', start_time: '2026-03-02T09:00:00Z' }

async function create(url: string, json: object, headers: Record<string, string> = {}) {
  const { status, text, body } = await server.call('POST', url, { json, headers })
  assert.equal(status, 201, text)
  return body
}

/** Returns the members that the document allows to be null, and the members that the server accepts as null. */
async function compare(document: any, { path, url }: Place) {
  const { schema } = document.paths[path].patch.requestBody.content[MERGE_PATCH]
  const listed: string[] = []
  const accepted: string[] = []
  for (const [name, member] of Object.entries<any>(schema.properties)) {
    const types = [member.type, member.anyOf?.map(({ type }: any) => type)].flat(2)
    // A module without columns accepts null, but table_schema defines the columns.
    if (name === 'columns') continue
    // A schema without a type, which a JSON column has, accepts every value.
    if (types.includes('null') || types.every((type) => type === undefined)) listed.push(name)
    const body = JSON.stringify({ [name]: null })
    const headers = { 'content-type': MERGE_PATCH }
    const { status } = await server.call('PATCH', url, { body, headers })
    if (status === 200) accepted.push(name)
  }
  return { listed, accepted }
}

for (const [name, places] of [
  ['system', records],
  ['module', entries],
] as const)
  test(`the ${name} document allows null where null clears a field`, async () => {
    const { body: document } = await server.call('GET', `/public/api/${name}/swagger.json`)
    for (const place of places) {
      const { listed, accepted } = await compare(document, place)
      assert.ok(accepted.length > 0, place.path)
      assert.deepEqual(listed, accepted, place.path)
    }
  })
