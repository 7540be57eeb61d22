// Invisible names, and names that look like another name: refused wherever a record has a name.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fileOf, makeFolder, newName, partsOf } from '../helpers/content.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'

let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const FAULT = { pointer: '/name', detail: 'must contain a visible character' }
const UNSEEN = ['\u200b', '\u3164', '\u200d\u2060', '\u2800', '\ufe0f', '\u{e0041}']
const HIDDEN_ENDS = ['ann ', ' ann', 'ann\u200b', '\ufeffann', 'ann\u00a0', 'trail.png\u3000']
const PERSIAN = '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'

/** Further required fields of each object. */
const OBJECTS: readonly (readonly [string, object])[] = [
  ['asset_category', {}],
  ['asset_file', { type: 'html', parent_category_id: 1, pageContent: 'x' }],
  ['file_group', {}],
  ['datatable', { table_schema: 'a C(10)' }],
  ['calendar', {}],
  ['user', {}],
  ['api_key', { grants: ['view'] }],
]

describe('N3: an invisible name is refused, and a name with a joiner is accepted:', () => {
  for (const [object, fields] of OBJECTS) {
    test(object, async () => {
      const path = `/api/v2/${object}`
      for (const name of UNSEEN) {
        const { status, body } = await server.call('POST', path, { json: { ...fields, name } })
        assert.equal(status, 422)
        assert.deepEqual(body.errors, [FAULT])
      }
      for (const name of HIDDEN_ENDS) {
        const { status, body } = await server.call('POST', path, { json: { ...fields, name } })
        assert.equal(status, 422, name)
        assert.equal(body.errors[0].pointer, '/name')
        assert.match(
          body.errors[0].detail,
          /^must not begin or end with a blank .* \(U\+[0-9A-F]{4}\)/,
        )
      }
      // A file and a folder in one folder cannot share a name.
      const name = `${PERSIAN} ${object}`
      const json = { ...fields, name }
      const { status, body, text } = await server.call('POST', path, { json })
      assert.equal(status, 201, text)
      const record = `${path}/${body[`${object}_id`]}`
      const renamed = await server.call('POST', record, { json: { name: '\u200b' } })
      assert.deepEqual([renamed.status, renamed.body.errors], [422, [FAULT]])
      assert.equal((await server.call('GET', record)).body.name, name)
    })
  }

  test('an upload', async () => {
    const target = partsOf({ asset_category_id: '1' })
    for (const name of ['\u200b', '\u3164', 'trail.png ', 'trail.png\u00a0']) {
      const answer = await server.upload([...target, fileOf('x', name)])
      assert.equal(answer.status, 422, answer.text)
    }
    const named = [...partsOf({ asset_category_id: '1', name: '\u2060' }), fileOf('x', newName())]
    assert.equal((await server.upload(named)).status, 422)
  })

  test('by the command line', async () => {
    for (const request of [
      { command: 'key.create', name: '\u200b' },
      { command: 'user.create', name: '\u200b', role: 'viewer' },
    ])
      await assert.rejects(server.command(request), /visible character/)
    for (const request of [
      { command: 'key.create', name: 'ann ' },
      { command: 'user.create', name: 'ann\u200b', role: 'viewer' },
    ])
      await assert.rejects(server.command(request), /blank or an invisible character/)
  })
})

test('N3: names that differ only in a joiner are different', async () => {
  const folder = await makeFolder(server, { name: 'pair' })
  const other = await makeFolder(server, { name: 'pa\u200cir' })
  assert.notEqual(folder.asset_category_id, other.asset_category_id)
})
