// A caller without a key may do exactly this: read live files of public folders, entries and feeds of public modules, and
// with --docs keyed their document. Every other request is answered as on a site where nothing is public, whether
// something is there or not.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { allRoutes } from '../../lib/api/routes.ts'
import { make, makeFile, makeFolder } from '../helpers/content.ts'
import { makeEntry } from '../helpers/modules.ts'
import { ROUTE_OPTIONS } from '../helpers/route-options.ts'
import { type Answer, startTestServer, type TestServer } from '../helpers/server.ts'
import { addressOf } from './requests.ts'

const GUARDED = allRoutes({ ...ROUTE_OPTIONS, docs: 'keyed' }).filter(
  ({ access, ignoresKey }) => access !== 'open' && ignoresKey !== true,
)

const OF_FILES = 'GET /file/:number/:name'
const DOCUMENTS = ['swagger.json', 'modules.json', 'types.ts'].map(
  (name) => `GET /public/api/module/${name}`,
)
const OF_MODULES = [
  'GET /api/v2/module/:type/:module_id/:module_name',
  'GET /api/v2/module/:type/:module_id/:module_name/:entry_id',
  String.raw`GET /api/v2/module/calendar/:module_id/:feed(^[a-z0-9-]+\.ics$)`,
]
const PUBLIC = [...OF_MODULES, OF_FILES, ...DOCUMENTS]

/** Values for the parameters of a path. */
type Values = Readonly<Record<string, string>>

interface Filled {
  /** Public on the site with public content. */
  readonly shown: Values
  readonly hidden: readonly Values[]
}

/** The site without public content has the same records. */
async function fill(server: TestServer, isPublic: boolean): Promise<Filled> {
  const settings = isPublic ? { public: true } : {}
  const folder = await makeFolder(server, settings)
  const shut = await makeFolder(server, {
    parent_category_id: folder.asset_category_id,
    ...(isPublic && { public: false }),
  })
  const page = (place: any, name: string, state: object = {}): Promise<any> =>
    makeFile(server, { name, parent_category_id: place.asset_category_id, ...state })
  const live = await page(folder, 'live.html', { fileState: 'publish' })
  const draft = await page(folder, 'draft.html')
  const hidden = await page(shut, 'hidden.html', { fileState: 'publish' })
  const modules: Values[] = []
  for (const fields of [settings, {}]) {
    const name: string = `dates-${modules.length}`
    const calendar: any = await make(server, 'calendar', { name, ...fields })
    await makeEntry(server, calendar.module_url, { event_title: 'a', start_time: '2026-01-01' })
    modules.push({
      type: 'calendar',
      module_id: String(calendar.calendar_id),
      module_name: name,
      feed: `${name}.ics`,
    })
  }
  const [open = {}, closed = {}] = modules
  const fileOf = ({ asset_file_id: id, name }: any): Values => ({
    number: String(id),
    id: String(id),
    name,
  })
  return {
    shown: { ...open, ...fileOf(live) },
    hidden: [
      { ...closed, ...fileOf(hidden) },
      { ...closed, ...fileOf(draft) },
      { ...closed, ...fileOf(hidden), number: String(shut.asset_category_id) },
      {
        type: 'datatable',
        module_id: '999',
        module_name: 'none',
        feed: 'none.ics',
        number: '999',
        id: '999',
      },
    ],
  }
}

let open: TestServer
let closed: TestServer
let ofOpen: Filled
let ofClosed: Filled
before(async () => {
  open = await startTestServer({ config: { docs: 'keyed' } })
  closed = await startTestServer({ config: { docs: 'keyed' } })
  ofOpen = await fill(open, true)
  ofClosed = await fill(closed, false)
})
after(async () => {
  await open.close()
  await closed.close()
})

/** The content of an answer without the name and time of the request. */
function said({ status, headers, body, text }: Answer) {
  const { date: _, 'x-request-id': __, ...rest } = headers
  return { status, rest, body: body === undefined ? text : { ...body, request_id: '' } }
}

test('only these routes have public content', () => {
  const found = GUARDED.filter(({ isPublic }) => isPublic !== undefined)
  assert.deepEqual(found.map(({ method, path }) => `${method} ${path}`).sort(), PUBLIC.toSorted())
})

describe('without a key', () => {
  for (const { method, path, hasHead } of GUARDED) {
    const route = `${method} ${path}`
    const isPublic = PUBLIC.includes(route)
    const methods = method === 'GET' && hasHead ? ['GET', 'HEAD'] : [method]
    const ask = (server: TestServer, each: string, values: Values, query = ''): Promise<Answer> =>
      server.call(each, addressOf(path, values) + query, {
        key: null,
        ...(each === 'POST' || each === 'PATCH' ? { json: {} } : {}),
      })

    test(`${route} ${isPublic ? 'shows only public content' : 'gets 401 everywhere'}`, async () => {
      for (const each of methods) {
        // The same answer on both sites, whatever is at the address.
        const refusal = said(await ask(closed, each, { feed: 'a.ics' }))
        assert.equal(refusal.status, 401)
        if (each !== 'HEAD') assert.equal(refusal.body.code, 'key-required')
        for (const values of [...ofClosed.hidden, ofClosed.shown])
          assert.deepEqual(said(await ask(closed, each, values)), refusal, JSON.stringify(values))
        for (const values of DOCUMENTS.includes(route) ? [] : ofOpen.hidden)
          assert.deepEqual(said(await ask(open, each, values)), refusal, JSON.stringify(values))

        const { status } = await ask(open, each, { ...ofOpen.shown, entry_id: '1' })
        assert.equal(status, isPublic ? 200 : 401)
      }
    })
  }

  test('a file shows neither staged nor numbered versions and accepts no ticket', async () => {
    const { number = '', name = '' } = ofOpen.shown
    for (const query of ['?state=stage', '?version=1', '?ticket=x'])
      assert.equal(
        (await open.call('GET', `/file/${number}/${name}${query}`, { key: null })).status,
        401,
      )
  })

  test('an invalid key is also refused for public content', async () => {
    for (const { method, path, isPublic } of GUARDED) {
      if (isPublic === undefined) continue
      const answer = await open.call(method, addressOf(path, ofOpen.shown), { key: 'no-key' })
      assert.deepEqual([answer.status, answer.body.code], [401, 'key-invalid'], path)
    }
  })
})
