// The document of one module, and the list of all modules.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertProblem, make, newName } from '../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../helpers/server.ts'
import { makeModules } from './traffic.ts'

const DOCUMENT = '/public/api/module/swagger.json'
const TYPES = '/public/api/module/types.ts'
const LIST = '/public/api/module/modules.json'

let server: TestServer
before(async () => {
  server = await startTestServer()
  await makeModules(server.call)
})
after(() => server.close())

function one(module: string, key: string | null = null, at = server): Promise<Answer> {
  return at.call('GET', `${DOCUMENT}?module=${module}`, { key })
}

describe('the document of all modules', () => {
  test('has a size limit, and beyond it refers to the document of one module', async () => {
    const { text: types } = await server.call('GET', TYPES)
    const small = await startTestServer({ limits: { documentBytes: types.length + 1 } })
    try {
      await makeModules(small.call)
      assert.equal((await small.call('GET', TYPES)).status, 200)
      const refused = await small.call('GET', DOCUMENT)
      assert.match(assertProblem(refused, 'too-large').detail, /module=datatable\/5/)
      assert.equal((await one('datatable/1', null, small)).status, 200)
    } finally {
      await small.close()
    }
    const smaller = await startTestServer({ limits: { documentBytes: 1_000 } })
    try {
      await makeModules(smaller.call)
      const { detail } = assertProblem(await smaller.call('GET', TYPES), 'too-large')
      assert.match(detail, /sees fewer folders/)
    } finally {
      await smaller.close()
    }
  })
})

describe('the document of one module', () => {
  test('equals the part of the whole document', async () => {
    const { body: whole } = await server.call('GET', DOCUMENT, { key: null })
    const { body: list } = await server.call('GET', LIST, { key: null })
    assert.ok(list.modules.length > 1)
    for (const { module, name } of list.modules) {
      const { body } = await one(module)
      assert.deepEqual(
        body.tags.map((tag: any) => tag.name),
        [`${module.replace('/', ' ')}: ${name}`],
      )
      assert.ok(Object.keys(body.paths).length > 0)
      for (const [path, item] of Object.entries(body.paths)) {
        assert.ok(path.startsWith(`/module/${module}/`), path)
        assert.deepEqual(item, whole.paths[path])
      }
      const { paths: _, tags: __, components, ...head } = body
      for (const [key, value] of Object.entries(head)) assert.deepEqual(value, whole[key], key)
      for (const [key, schema] of Object.entries(components.schemas))
        assert.deepEqual(schema, whole.components.schemas[key], key)
    }
  })

  test('follows changes of its module at once and disappears with it', async () => {
    const { datatable_id: id } = await make(server, 'datatable', {
      name: 'Films',
      table_schema: 'title C(9) NOTNULL',
    })
    const first = await one(`datatable/${id}`)
    assert.equal(first.status, 200)
    const json = { name: 'Movies', table_schema: 'title C(20) NOTNULL, year I2' }
    await server.call('POST', `/api/v2/datatable/${id}`, { json })
    const { body, headers } = await one(`datatable/${id}`)
    assert.notEqual(headers.etag, first.headers.etag)
    assert.equal(body.tags[0].name, `datatable ${id}: Movies`)
    assert.ok('year' in body.components.schemas[`datatable_${id}_entry`].properties)
    await server.call('DELETE', `/api/v2/datatable/${id}`)
    assertProblem(await one(`datatable/${id}`), 'not-found')
  })

  test('disappears with the folder of its module', async () => {
    const { asset_category_id: folder } = await make(server, 'asset_category', { name: 'Old' })
    const { calendar_id: id } = await make(server, 'calendar', {
      name: newName('c'),
      parent_category_id: folder,
    })
    assert.equal((await one(`calendar/${id}`)).status, 200)
    await server.call('DELETE', `/api/v2/asset_category/${folder}?recursive=true`)
    assert.equal((await one(`calendar/${id}`)).status, 404)
  })

  test('is refused if the parameter names no module', async () => {
    for (const value of [
      '',
      '1',
      'datatable',
      'datatable/',
      'datatable/0',
      'datatable/01',
      'table/1',
    ])
      assertProblem(await one(value), 'bad-request')
    assertProblem(await one('datatable/9999999999999999'), 'bad-request')
    assertProblem(await one('datatable/1&module=datatable/2'), 'bad-request')
    assertProblem(await server.call('GET', `${DOCUMENT}?modul=datatable/1`), 'bad-request')
    assertProblem(await server.call('GET', `${LIST}?module=datatable/1`), 'bad-request')
    assertProblem(await one('datatable/999'), 'not-found')
  })
})

describe('with --docs keyed', () => {
  let keyed: TestServer
  let key: string
  let own: string
  let hidden: string
  before(async () => {
    keyed = await startTestServer({ config: { docs: 'keyed' } })
    const { asset_category_id: category } = await make(keyed, 'asset_category', { name: 'Own' })
    const fields = { name: 'Mine', parent_category_id: category }
    own = `calendar/${(await make(keyed, 'calendar', fields)).calendar_id}`
    hidden = `calendar/${(await make(keyed, 'calendar', { name: 'Theirs' })).calendar_id}`
    key = await keyed.makeKey({ name: 'narrow', category })
  })
  after(() => keyed.close())

  test('the list needs a key and contains what the key may see', async () => {
    const { body } = await keyed.call('GET', LIST, { key })
    assert.deepEqual(body, { modules: [{ module: own, name: 'Mine' }] })
    assert.equal((await keyed.call('GET', LIST)).body.modules.length, 2)
    for (const path of [LIST, `${DOCUMENT}?module=${own}`])
      assert.equal((await keyed.call('GET', path, { key: null })).status, 401)
  })

  test('an invisible module is answered like a missing module', async () => {
    assert.equal((await one(own, key, keyed)).status, 200)
    // Other keys see the module in their documents, and the server shares its cache among keys.
    assert.equal((await one(hidden, keyed.key, keyed)).status, 200)
    const said = ({ status, headers, body }: Answer): object => {
      const { date: _, 'x-request-id': __, ...rest } = headers
      return { status, headers: rest, body: { ...body, request_id: undefined } }
    }
    const unseen = await one(hidden, key, keyed)
    assert.equal(unseen.status, 404)
    assert.deepEqual(said(unseen), said(await one('calendar/999', key, keyed)))
  })
})
