// --docs keyed: each key gets the document of the modules that the key may see. Without a key there is no
// document.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newSecret } from '../../lib/auth/secret.ts'
import { make, newName } from '../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../helpers/server.ts'
import { operationsOf } from './document.ts'

const DOCUMENT = '/public/api/module/swagger.json'
const TABLE = 'title C(20) NOTNULL'

let server: TestServer
before(async () => {
  server = await startTestServer({ config: { docs: 'keyed' } })
})
after(() => server.close())

interface Place {
  readonly folder: number
  readonly table: number
  /** The secret of a key that is limited to the folder. */
  readonly key: string
}

async function makePlace(grants?: string): Promise<Place> {
  const { asset_category_id: folder } = await make(server, 'asset_category', { name: newName('f') })
  const fields = { name: newName('t'), parent_category_id: folder, table_schema: TABLE }
  const { datatable_id: table } = await make(server, 'datatable', fields)
  const name = newName('k')
  const key = await server.makeKey({ name, category: folder, ...(grants && { grants }) })
  return { folder, table, key }
}

async function read(key: string | null, headers: Record<string, string> = {}): Promise<Answer> {
  return server.call('GET', DOCUMENT, { key, headers })
}

/** Returns everything in an answer that does not differ between two equal requests. */
function saidBy({ status, headers, text }: Answer): object {
  const { date: _, 'x-request-id': __, ...rest } = headers
  return { status, headers: rest, text }
}

describe('without a valid key', () => {
  for (const [what, key] of [
    ['none', null],
    ['an unknown one', newSecret()],
    ['what is no key', 'x'],
  ] as const) {
    test(`(${what}) the document is refused, and the response reveals nothing about the site`, async () => {
      await makePlace()
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, text } = await server.call(method, DOCUMENT, { key })
        assert.equal(status, 401)
        assert.match(String(headers['www-authenticate']), /^Bearer realm="cms"/)
        assert.equal(headers['cache-control'], 'no-store')
        assert.doesNotMatch(text, /datatable|openapi/)
      }
    })
  }

  test('guessing keys is rate limited', async () => {
    const other = await startTestServer({ config: { docs: 'keyed' } })
    try {
      const key = newSecret()
      const answers: number[] = []
      for (let count = 0; count <= 20; count += 1)
        answers.push((await other.call('GET', DOCUMENT, { key })).status)
      assert.deepEqual([answers[0], answers.at(-1)], [401, 429])
    } finally {
      await other.close()
    }
  })

  test('the pages, their scripts and the System API document need no key', async () => {
    const page = await server.call('GET', '/public/api/module', { key: null })
    assert.equal(page.status, 200)
    const [, asset] = /src="(assets\/[^"]+start\.js)"/.exec(page.text) ?? []
    for (const path of ['system', 'system/swagger.json', asset])
      assert.equal((await server.call('GET', `/public/api/${path}`, { key: null })).status, 200)
  })
})

describe('with a key', () => {
  test('the document contains exactly the modules for which the key has a grant', async () => {
    const places = [await makePlace('create'), await makePlace('view'), await makePlace('admin')]
    const { secret: none } = await make(server, 'api_key', { name: newName('k'), grants: [] })
    const { body: empty } = await read(none)
    assert.deepEqual([empty.tags, empty.paths], [[], {}])
    for (const { key, table } of places) {
      const { body } = await read(key)
      assert.equal(body.tags.length, 1)
      assert.deepEqual(
        Object.keys(body.components.schemas).filter((name) => name.endsWith('_entry')),
        [`datatable_${table}_entry`],
      )
      for (const { name } of operationsOf(body))
        assert.match(name, new RegExp(` /module/datatable/${table}/`))
    }
    const { body } = await read(server.key)
    for (const { table } of places) assert.ok(`datatable_${table}_entry` in body.components.schemas)
  })

  test('invisible modules change no byte and no header of the response', async () => {
    const { key, folder } = await makePlace()
    const before = saidBy(await read(key))
    // Another key loads the hidden module in the meantime, and the server shares its cache among keys.
    const hidden = await makePlace()
    await read(server.key)
    assert.deepEqual(saidBy(await read(key)), before)

    const path = `/api/v2/datatable/${hidden.table}`
    await server.call('POST', path, { json: { table_schema: `${TABLE}, more C(9)` } })
    assert.deepEqual(saidBy(await read(key)), before)
    await read(server.key)
    await server.call('DELETE', path)
    assert.deepEqual(saidBy(await read(key)), before)

    await make(server, 'calendar', { name: newName('c'), parent_category_id: folder })
    assert.notDeepEqual(saidBy(await read(key)), before)
  })

  test('the document follows folders, columns and the grants of the key', async () => {
    const { key, table, folder } = await makePlace()
    const { folder: elsewhere } = await makePlace()
    const columns = async (): Promise<readonly string[]> => {
      const schema = (await read(key)).body.components.schemas[`datatable_${table}_entry`]
      return schema === undefined ? [] : Object.keys(schema.properties)
    }
    assert.ok((await columns()).includes('title'))

    const change = (json: object): Promise<Answer> =>
      server.call('POST', `/api/v2/datatable/${table}`, { json })
    await change({ parent_category_id: elsewhere })
    assert.deepEqual(await columns(), [])
    await change({ table_schema: `${TABLE}, later C(9)` })
    assert.deepEqual(await columns(), [])
    await change({ parent_category_id: folder })
    assert.ok((await columns()).includes('later'))

    await server.call('DELETE', `/api/v2/asset_category/${folder}?recursive=true`)
    assert.deepEqual(await columns(), [])
  })

  test('only the client may cache the document, and a client that has it gets 304', async () => {
    const { key } = await makePlace()
    const { headers } = await read(key)
    assert.equal(headers['cache-control'], 'private, no-cache')
    assert.equal(headers.vary, 'Authorization, Host, Accept-Encoding')
    const condition = { 'if-none-match': String(headers.etag) }
    const again = await read(key, condition)
    assert.deepEqual([again.status, again.text], [304, ''])
    assert.equal(again.headers.vary, headers.vary)
    assert.equal((await read(server.key, condition)).status, 200)
    assert.equal((await read(null, condition)).status, 401)
  })
})

test('the documents state that the module document needs a key', async () => {
  const path = '/public/api/system/swagger.json'
  const keyed = (await server.call('GET', path)).body.paths[DOCUMENT].get
  // Without a key, the document has the public modules.
  assert.deepEqual(keyed.security, [{ bearerAuth: [] }, {}])
  for (const status of ['304', '401', '429']) assert.ok(status in keyed.responses, status)
  assert.match(keyed.description, /Needs a key/)

  const open = await startTestServer()
  try {
    const { get } = (await open.call('GET', path)).body.paths[DOCUMENT]
    assert.deepEqual(get.security, [])
    assert.ok(!('401' in get.responses))
  } finally {
    await open.close()
  }
})
