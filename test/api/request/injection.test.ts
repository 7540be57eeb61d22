// Hostile texts as names, titles, values, headers and queries. Each text is stored and returned unchanged, or
// refused with a problem. No text becomes a path, a header, or a property of all objects.

import assert from 'node:assert/strict'
import { basename, dirname } from 'node:path'
import { readdirSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { parse as parseDisposition } from 'content-disposition'
import { HEADERS, HOSTILE } from '../../corpora/hostile-texts.ts'
import { fileOf, newName } from '../../helpers/content.ts'
import { filesIn, newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { ask } from '../../helpers/raw.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { directoriesOf } from '../../helpers/node-pair.ts'

const UNSPOILT = Object.getOwnPropertyNames(Object.prototype).sort()
/** File names that the directory of a server or node may contain, whatever clients store. */
const KNOWN_FILE = /^(records|copy|[0-9a-f]{2}|\.tmp)$/

let server: TestServer
let entries: string
/** A separate folder for the records of each text, so that their names do not collide. */
let folderId: number
let count = 0

before(async () => {
  server = await startTestServer({ dataDir: newDataDirectory() })
  const json = { name: 'values', parent_category_id: 12, table_schema: 'short C(255), long X' }
  entries = (await server.call('POST', '/api/v2/datatable', { json })).body.module_url
})
beforeEach(async () => {
  count += 1
  const json = { name: `folder-${count}` }
  folderId = (await server.call('POST', '/api/v2/asset_category', { json })).body.asset_category_id
})
after(async () => {
  assert.deepEqual(Object.getOwnPropertyNames(Object.prototype).sort(), UNSPOILT)
  await server.stop()
  const strange = filesIn(server.dataDir).filter(
    (path) => dirname(path) !== server.dataDir && !KNOWN_FILE.test(basename(dirname(path))),
  )
  assert.deepEqual(strange, [])
  const own = directoriesOf(server.dataDir).map((path) => basename(path))
  assert.deepEqual(readdirSync(dirname(server.dataDir)).toSorted(), own)
  removeDataDirectories()
})

const show = (text: string): string => JSON.stringify(text).slice(0, 60)

/** Checks that the answer is a success or a refusal. A hostile text never causes a server error. */
function assertHandled(answer: Answer): boolean {
  assert.equal(answer.headers['x-injected'], undefined)
  if (answer.status < 300) return true
  assert.ok([400, 404, 409, 422].includes(answer.status), `${answer.status} ${answer.text}`)
  assert.equal(answer.headers['content-type'], 'application/problem+json')
  return false
}

const CREATED: readonly (readonly [string, (text: string) => object, string])[] = [
  ['asset_category', (name) => ({ name, parent_category_id: folderId }), 'name'],
  [
    'asset_category',
    (title) => ({ name: newName(), title, parent_category_id: folderId }),
    'title',
  ],
  [
    'asset_file',
    (name) => ({
      name,
      type: 'html',
      parent_category_id: folderId,
      pageContent: 'x',
      fileState: 'publish',
    }),
    'name',
  ],
  [
    'asset_file',
    (pageContent) => ({ name: newName(), type: 'html', parent_category_id: folderId, pageContent }),
    'pageContent',
  ],
  [
    'asset_file',
    (type) => ({ name: newName(), type, parent_category_id: folderId, pageContent: 'x' }),
    'type',
  ],
  ['file_group', (name) => ({ name, parent_category_id: folderId }), 'name'],
  ['datatable', (name) => ({ name, parent_category_id: folderId, table_schema: 'a C(9)' }), 'name'],
  [
    'datatable',
    (table_schema) => ({ name: newName(), parent_category_id: folderId, table_schema }),
    'table_schema',
  ],
  [
    'datatable',
    (text) => ({ name: newName(), parent_category_id: folderId, table_schema: `${text} C(9)` }),
    'name',
  ],
  ['calendar', (name) => ({ name, parent_category_id: folderId }), 'name'],
  [
    'calendar',
    (time_zone) => ({ name: newName(), parent_category_id: folderId, time_zone }),
    'time_zone',
  ],
  ['user', (name) => ({ name }), 'name'],
  ['user', (email) => ({ name: newName(), email }), 'email'],
  ['api_key', (name) => ({ name, grants: [] }), 'name'],
]

describe('N1, N3, N6, H14, B7: in a record,', () => {
  for (const text of HOSTILE) {
    test(`${show(text)} stays a text`, async () => {
      for (const [object, json, field] of CREATED) {
        const body = json(text)
        const answer = await server.call('POST', `/api/v2/${object}`, { json: body })
        if (!assertHandled(answer)) continue
        const sent = (body as Record<string, unknown>)[field]
        const kept = await server.call('GET', String(answer.headers.location))
        assert.equal(kept.body[field], sent, `${object} ${field}`)
        const qry = encodeURIComponent(JSON.stringify({ [field]: text }))
        const found = await server.call('GET', `/api/v2/${object}?qry=${qry}`)
        assert.ok(found.status === 200 || field === 'pageContent', found.text)
        if (object === 'asset_file' && field === 'name') await download(kept.body, text)
      }
    })
  }
})

async function download({ url }: { url: string }, name: string): Promise<void> {
  const { status, headers } = await server.call('GET', url)
  assert.equal(status, 200)
  assert.equal(
    parseDisposition(String(headers['content-disposition'])).parameters['filename'],
    name,
  )
  assert.equal(headers['x-injected'], undefined)
}

describe('N1, N6, M13: in a form and in an entry,', () => {
  for (const text of HOSTILE) {
    test(`${show(text)} stays a text`, async () => {
      const target = { name: 'asset_category_id', value: String(folderId) }
      for (const name of ['name', 'title', 'type', 'fileState', 'asset_file_id'])
        assertHandled(await server.upload([target, { name, value: text }, fileOf('x', newName())]))
      // A quote or a line break would end the parameter in the head of a part.
      if (!/["\r\n]/.test(text)) assertHandled(await server.upload([target, fileOf('x', text)]))

      const made = await server.call('POST', entries, {
        json: { short: text.slice(0, 200), long: text },
        headers: { prefer: 'return=representation' },
      })
      assert.equal(made.status, 201, made.text)
      assert.deepEqual(
        [made.body.datatable_entry.short, made.body.datatable_entry.long],
        [text.slice(0, 200), text],
      )
    })
  }
})

/** Addresses that contain a text of the caller. */
const ADDRESSES: readonly ((text: string) => string)[] = [
  (text) => `/-${text}`,
  (text) => `/file/1/${text}`,
  (text) => `/file/${text}/a`,
  (text) => `/api/v2/${text}`,
  (text) => `/api/v2/asset_file/${text}`,
  (text) => `/api/v2/module/datatable/1/${text}`,
  (text) => `/api/v2/module/${text}/1/values`,
  (text) => `/problems/${text}`,
  (text) => `/public/api/assets/${text}/${text}`,
  (text) => `/api/v2/asset_file?qry=${text}`,
  (text) => `/api/v2/asset_file?orderStr=${text}`,
  (text) => `/api/v2/asset_file?cursor=${text}`,
  (text) => `/api/v2/asset_file?fields=${text}`,
  (text) => `/api/v2/asset_file?table_filter=${text}`,
  (text) => `/api/v2/asset_file?qry=%7B%22name%22%3A%7B%22%24regex%22%3A%22${text}%22%7D%7D`,
]

describe('N1, N5, H14, B7, B10: in an address,', () => {
  for (const text of HOSTILE) {
    test(`${show(text)} finds nothing`, async () => {
      for (const address of ADDRESSES) {
        const answer = await server.call('GET', address(encodeURIComponent(text)))
        // Addresses below the API also match the other routes. An empty text leads to the entrance.
        const isList = /^\{"(asset_file|asset_category|documents)":[[{]/.test(answer.text)
        assert.ok(
          isList || !assertHandled(answer),
          `${address(text)}: ${answer.text.slice(0, 200)}`,
        )
      }
    })
  }
})

const REQUEST_HEADERS = [
  'Accept',
  'If-Match',
  'If-None-Match',
  'If-Range',
  'Range',
  'Origin',
  'Prefer',
  'X-Forwarded-For',
  'Cookie',
  'Content-Type',
  'Accept-Encoding',
]

test('H14, E1, E3, X4: hostile text in a header is not repeated and causes no server error', async () => {
  const key = `Authorization: Bearer ${server.key}`
  const values = [...HEADERS, ...HOSTILE].filter((text) => !/[\r\n\u0000]/.test(text))
  for (const value of values.map((text) => Buffer.from(text).toString('latin1'))) {
    const lines = REQUEST_HEADERS.map((name) => `${name}: ${value}`)
    const { status, head } = await ask(server.url, [
      'GET /api/v2/asset_category HTTP/1.1',
      'Host: a',
      key,
      ...lines,
    ])
    assert.ok(status < 500 && status > 0, `${status} for ${show(value)}`)
    assert.ok(!/x-injected|canary|access-control/i.test(head), head)
  }
})
