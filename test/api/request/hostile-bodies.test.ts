// Malicious bodies, columns and searches: names that JavaScript treats specially, fields that only the server
// may set, numbers with equal hashes.

import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { OBJECTS } from '../../../lib/schema/catalog.ts'
import {
  assertProblem,
  make,
  makeFile,
  makeFolder,
  newName,
  pointersOf,
} from '../../helpers/content.ts'
import { makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const FOLDER = '/api/v2/asset_category'
const JSON_TYPE = { 'content-type': 'application/json' }
let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

/** No request has added a property to all objects. */
afterEach(() => assert.deepEqual(Object.keys(Object.prototype), []))

const post = (path: string, body: string) => server.call('POST', path, { body, headers: JSON_TYPE })

test('B4: 100,000 keys are rejected at the first key over the limit, even if they collide', async () => {
  // Multiples of a power of two collide in a hash table that is indexed by number.
  const collide = Array.from({ length: 40_000 }, (_, at) => `"${at * 65_536}":1`)
  const many = Array.from({ length: 100_000 }, (_, at) => `"${at.toString(36)}":1`)
  for (const keys of [collide, many]) {
    const { detail } = assertProblem(await post(FOLDER, `{${keys.join(',')}}`), 'bad-json')
    assert.match(detail, /too many keys, at byte \d{4,5}:/)
  }
  const { url } = await makeTable(server, 'a C(5)')
  assertProblem(
    await post(url, `[{"a":"x"},{${many.slice(0, 90_000).join(',')}}]`),
    'invalid-content',
  )
})

const KNOWN_TO_ALL = ['__proto__', 'constructor', 'prototype']
const INHERITED = ['toString', 'hasOwnProperty', 'valueOf', '__defineGetter__']

describe('B7: a name that every JavaScript object has is rejected as', () => {
  for (const name of [...KNOWN_TO_ALL, ...INHERITED]) {
    const isKnown = KNOWN_TO_ALL.includes(name)
    const json = `{"name":"a","${name}":{"isAdmin":true}}`

    test(`a property: ${name}`, async () => {
      const { url } = await makeTable(server, 'a C(5)')
      for (const path of [FOLDER, `${FOLDER}/12`, url]) {
        const answer = await post(path, json)
        if (isKnown) assertProblem(answer, 'bad-json')
        else assert.ok(pointersOf(answer).includes(`/${name}`))
      }
    })

    test(`a field to search, to sort by or to select: ${name}`, async () => {
      const qry = encodeURIComponent(`{"${name}":1}`)
      for (const query of [`qry=${qry}`, `orderStr=${name}`, `fields=${name}`])
        assertProblem(await server.call('GET', `${FOLDER}?${query}`), 'bad-qry')
      const operator = encodeURIComponent(`{"name":{"${name}":1}}`)
      assertProblem(await server.call('GET', `${FOLDER}?qry=${operator}`), 'bad-qry')
    })

    test(`an object, a module type or a parameter: ${name}`, async () => {
      assertProblem(await server.call('GET', `/api/v2/${name}`), 'not-found')
      assertProblem(await server.call('GET', `/api/v2/module/${name}/1/a`), 'not-found')
      assertProblem(await server.call('GET', `${FOLDER}/12?${name}=1`), 'bad-request')
    })
  }

  test('a column, if it would hide a member that all objects have', async () => {
    for (const name of KNOWN_TO_ALL) {
      const table = { name: newName(), table_schema: `${name} C(5)` }
      assertProblem(
        await server.call('POST', '/api/v2/datatable', { json: table }),
        'invalid-content',
      )
    }
  })
})

describe('B8: fields that only the server sets are rejected in a body of', () => {
  // The audit object has no POST, so no body reaches an audit row.
  for (const object of OBJECTS.filter(({ name }) => name !== 'audit' && name !== 'trash')) {
    test(object.name, async () => {
      const fields = Object.entries(object.fields).filter(
        ([, field]) => field.access === 'assigned',
      )
      assert.ok(fields.length >= 4)
      for (const [field] of fields) {
        const json = { name: newName(), [field]: 'x' }
        const answer = await server.call('POST', `/api/v2/${object.name}`, { json })
        assert.ok(pointersOf(answer).includes(`/${field}`), field)
      }
    })
  }

  test('any object, under an internal name of the storage', async () => {
    const hidden = [
      'damaged',
      'uid',
      'revision',
      'deleted',
      'secret',
      'secret_hash',
      'date_published',
    ]
    for (const field of hidden) {
      const file = await makeFile(server)
      const path = `/api/v2/asset_file/${file.asset_file_id}`
      const answer = await server.call('POST', path, { json: { [field]: 'x' } })
      assert.deepEqual(pointersOf(answer), [`/${field}`])
    }
  })
})

test('B10: a search cannot use hidden fields, and an invalid search is rejected', async () => {
  for (const object of OBJECTS) {
    for (const field of [
      'secret',
      'secret_hash',
      'hash',
      'password',
      'uid',
      'damaged',
      'revision',
    ]) {
      const qry = encodeURIComponent(JSON.stringify({ [field]: { $startsWith: 'a' } }))
      assertProblem(await server.call('GET', `/api/v2/${object.name}?qry=${qry}`), 'bad-qry')
    }
  }
  const qry = (value: unknown) => `qry=${encodeURIComponent(JSON.stringify(value))}`
  for (const value of [
    [],
    [{ name: 'a' }],
    'name',
    1,
    null,
    { name: { first: { $gt: '' } } },
    { name: ['a'] },
  ])
    assertProblem(await server.call('GET', `${FOLDER}?${qry(value)}`), 'bad-qry')
  const twice = await server.call('GET', `${FOLDER}?${qry({ name: 'a' })}&${qry({ name: 'b' })}`)
  assert.equal(twice.status, 400)
  const long = await server.call('GET', `${FOLDER}?${qry({ name: 'x'.repeat(4_090) })}`)
  assertProblem(long, 'bad-qry')
  assert.equal((await server.call('GET', `${FOLDER}?${qry({ name: { $gt: '' } })}`)).status, 200)
})

test('B13: modules with one name have different addresses, and a module answers only under its own name', async () => {
  const { asset_category_id: other } = await makeFolder(server)
  const fields = { table_schema: 'a C(5)' }
  const names = [
    'Shop items',
    'shop-items',
    'SHOP  ITEMS',
    'shop_items',
    'Sh\u00f6p items',
    '\u4e2d\u6587',
    '...',
  ]
  const urls = new Set<string>()
  for (const parent_category_id of [12, other]) {
    for (const name of names) {
      const answer = await server.call('POST', '/api/v2/datatable', {
        json: { ...fields, name, parent_category_id },
      })
      if (answer.status === 409) continue
      assert.equal(answer.status, 201, answer.text)
      const { module_url: url, module_name: slug } = answer.body
      assert.match(url, /^\/api\/v2\/module\/datatable\/\d+\/[a-z0-9-]+$/, name)
      assert.ok(!urls.has(url), url)
      urls.add(url)
      await server.call('POST', url, { json: { a: String(urls.size) } })
      assertProblem(await server.call('GET', `${url}-2`), 'not-found')
      assertProblem(
        await server.call('GET', url.replace(slug, slug.toUpperCase() + 'X')),
        'not-found',
      )
    }
  }
  let at = 0
  for (const url of urls) {
    at += 1
    const { body } = await server.call('GET', url)
    assert.deepEqual(
      body.datatable_entry.map((entry: any) => entry.a),
      [String(at)],
    )
  }
  const calendar = await make(server, 'calendar', { name: 'Shop items' })
  assert.ok(!urls.has(calendar.module_url))
})
