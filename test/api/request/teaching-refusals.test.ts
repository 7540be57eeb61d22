// Common first mistakes: each refusal says what to send instead.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { make } from '../../helpers/content.ts'
import { makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
let table: string
before(async () => {
  server = await startTestServer({ config: { maxUploadBytes: 1_000 } })
  table = (await makeTable(server, 'title C(20) NOTNULL, n I NOTNULL, t T')).url
})
after(() => server.close())

const ADDRESSES: readonly (readonly [string, string])[] = [
  ['/api/v2/asset_file/7/', '/api/v2/asset_file/7'],
  ['/api/v2//asset_file', '/api/v2/asset_file'],
  ['/api/v2/asset_files', '/api/v2/asset_file'],
  ['/api/v2/asset_files/7?fields=name', '/api/v2/asset_file/7'],
  ['/api/v2/asset_categories', '/api/v2/asset_category'],
  ['/api/v2/datatables/', '/api/v2/datatable'],
  ['/api/v2/Asset_File', '/api/v2/asset_file'],
  ['/API/V2/asset_file', '/api/v2/asset_file'],
  ['/api/v1/asset_file', '/api/v2/asset_file'],
  ['/api/asset_file', '/api/v2/asset_file'],
  ['/public/api/system/asset_file', '/api/v2/asset_file'],
  ['/asset_file/7', '/api/v2/asset_file/7'],
  ['/health/', '/health'],
  ['/api/v2/zebra', ''],
  ['/', ''],
]
describe('an address that resembles a route', () => {
  for (const [wrong, right] of ADDRESSES) {
    test(`${wrong}: ${right === '' ? 'no suggestion' : right}`, async () => {
      const { status, body } = await server.call('GET', wrong)
      if (wrong === '/' && status !== 404) return
      assert.equal(status, 404)
      const hint = right === '' ? '' : ` Did you mean ${right}?`
      assert.equal(body.detail, `There is nothing at this address.${hint}`)
    })
  }

  for (const [wrong, right] of [
    ['/api', '/api/v2/asset_file'],
    ['/api/v2', '/public/api/system/swagger.json'],
    ['/api/v2/module', '/api/v2/datatable'],
    ['/api/v2/module/datatable/1', '/api/v2/calendar'],
    ['/file', '/file/{asset_file_id}/{name}'],
    ['/file/1', '/file/{asset_category_id}/{name}'],
    ['/public/api/systems', '/public/api/module/swagger.json'],
    ['/openapi.json', '/public/api/system/swagger.json'],
    ['/api/v2/openapi.json', '/public/api/system/swagger.json'],
    ['/v3/api-docs', '/public/api/module/swagger.json'],
  ] as const) {
    test(`${wrong}: names ${right}`, async () => {
      const { status, body } = await server.call('GET', wrong)
      assert.deepEqual([status, body.code], [404, 'not-found'])
      assert.ok(body.detail.includes(` ${right}`), body.detail)
    })
  }

  test('means the list if the identifier is missing', async () => {
    const { status, body } = await server.call('GET', '/api/v2/asset_file/')
    assert.deepEqual(
      [status, body.detail],
      [404, 'There is nothing at this address: leave out the slash at its end.'],
    )
  })

  test('includes the path of --base-url', async (t) => {
    const site = await startTestServer({ config: { baseUrl: 'https://www.example.org/cms' } })
    t.after(() => site.close())
    const { body } = await site.call('GET', '/cms/api/v2/users/')
    assert.match(body.detail, /Did you mean \/cms\/api\/v2\/user\?$/)
  })
})

interface Wrong {
  readonly what: string
  readonly path: string | (() => string)
  readonly json?: object
  readonly status: number
  readonly says: RegExp
}

const WRONGS: readonly Wrong[] = [
  {
    what: '?name=news',
    path: '/api/v2/asset_category?name=news',
    status: 400,
    says: /"name" is not known; to search by that field send qry=\{"name":"news"\}, percent-encoded\. Known are qry/,
  },
  {
    what: 'a mistyped parameter',
    path: '/api/v2/user?lenght=5',
    status: 400,
    says: /did you mean "length"\?/,
  },
  {
    what: 'cursor=abc',
    path: '/api/v2/user?cursor=abc',
    status: 400,
    says: /Copy it from page\.next unchanged, or leave it out/,
  },
  {
    what: 'a time without offset',
    path: () => table,
    json: { title: 'a', n: 1, t: '2026-01-31T12:00:00' },
    status: 422,
    says: /\/t must be a date.*; this time has no offset: append Z for UTC, or an offset such as \+02:00/,
  },
  {
    what: 'null for NOTNULL',
    path: () => table,
    json: { title: null, n: 1 },
    status: 422,
    says: /\/title must not be null: send a value, or omit the field in an update/,
  },
  {
    what: 'a text for a number',
    path: () => table,
    json: { title: 'a', n: 'many' },
    status: 422,
    says: /\/n must be/,
  },
  {
    what: 'an identifier in quotes',
    path: '/api/v2/asset_category',
    json: { name: 'a', parent_category_id: '1' },
    status: 422,
    says: /must be an identifier: a whole number from 1, without quotes/,
  },
  {
    what: 'a folder of a name that is there',
    path: '/api/v2/asset_category',
    json: { name: 'modules' },
    status: 409,
    says: /"modules" is taken in this folder by asset_category_id 12\. Update that record/,
  },
  {
    what: 'a user of a name that is there',
    path: '/api/v2/user',
    json: { name: 'Admin' },
    status: 409,
    says: /"Admin" is taken by user_id 1\. Update that record/,
  },
]
for (const { what, path, json, status, says } of WRONGS) {
  test(`${what} gets an error that says what to send`, async () => {
    const address = typeof path === 'string' ? path : path()
    const answer = await server.call(json === undefined ? 'GET' : 'POST', address, json && { json })
    assert.equal(answer.status, status, answer.text)
    assert.match(answer.body.detail, says)
  })
}

test('a file in another part than Filedata gets both names in the error', async () => {
  for (const name of ['file', 'filedata', 'upload']) {
    const part = { name, bytes: Buffer.from('x'), fileName: 'a.txt' }
    const { status, body } = await server.upload([{ name: 'asset_category_id', value: '1' }, part])
    assert.equal(status, 400)
    const detail = `The part "${name}" is not known: send the file in the part "Filedata", with its file name; known`
    assert.ok(body.detail.startsWith(detail), body.detail)
  }
})

test('a form that is too large gets the limit in the error', async () => {
  const bytes = Buffer.alloc(200_000)
  const { status, body } = await server.upload([
    { name: 'asset_category_id', value: '1' },
    { name: 'Filedata', bytes, fileName: 'a.bin' },
  ])
  assert.equal(status, 413)
  assert.match(body.detail, /Send a smaller file, .*--max-upload-mb/)
})

test('a small file in a form that is too large gets the limit in the error', async () => {
  const { status, body } = await server.upload([
    { name: 'asset_category_id', value: '1' },
    { name: 'Filedata', bytes: Buffer.alloc(1_001), fileName: 'a.bin' },
  ])
  assert.equal(status, 413)
  assert.match(body.detail, /at most 1000 bytes\. Send a smaller file, .*--max-upload-mb/)
})

describe('a body that is too large gets an alternative in the error', () => {
  const long = 'x'.repeat(5 * 1024 * 1024)
  const bodies = (): readonly (readonly [string, unknown, RegExp])[] => [
    ['/api/v2/asset_category', { name: 'a', description: long }, /Shorten the texts,/],
    [table, [{ title: long, n: 1 }], /Send the entries in several lists\./],
    [`${table}/1`, { title: long }, /Shorten the texts,/],
    ['/api/v2/asset_file', { name: 'a', pageContent: long.repeat(4) }, /POST \/upload/],
  ]
  for (const [at, what] of ['a folder', 'a list of entries', 'an entry', 'a page'].entries()) {
    test(what, async () => {
      const [path = '', json, expected] = bodies()[at] ?? []
      const { status, body } = await server.call('POST', path, { json })
      assert.equal(status, 413)
      assert.match(body.detail, expected ?? /never/)
    })
  }
})

test('title_field ignores case and is returned in the case of table_schema', async () => {
  const fields = { table_schema: 'Headline C(20), body X', title_field: 'HEADLINE' }
  const made = await make(server, 'datatable', { name: 'titled', ...fields })
  assert.equal(made.title_field, 'Headline')
  const path = `/api/v2/datatable/${made.datatable_id}`
  const { body } = await server.call('POST', path, { json: { title_field: 'BODY' } })
  assert.equal(body.title_field, 'body')
  const wrong = await server.call('POST', path, { json: { title_field: 'none' } })
  assert.match(wrong.body.detail, /must be a column of table_schema: Headline, body/)
})

const NAMES: readonly (readonly [string, string])[] = [
  ['日本語', 'ribenyu'],
  ['Straße', 'strasse'],
  ['Müller & Söhne', 'muller-sohne'],
  ['Новости', 'novosti'],
  ['Ειδήσεις', 'eidiseis'],
  ['أخبار', 'khbr'],
  ['ニュース 2026', 'niyusu-2026'],
  ['Press Releases', 'press-releases'],
]
describe('a module name resembles the name', () => {
  for (const [name, moduleName] of NAMES) {
    test(`${name}: ${moduleName}`, async () => {
      const record = await make(server, 'calendar', { name })
      assert.equal(record.module_name, moduleName)
      assert.equal((await server.call('GET', record.module_url)).status, 200)
    })
  }

  test('two modules with one name have two addresses, and a long name is shortened', async () => {
    const [one, two] = [
      await make(server, 'calendar', { name: '語' }),
      await make(server, 'calendar', { name: '語' }),
    ]
    assert.equal(one.module_name, two.module_name)
    assert.notEqual(one.module_url, two.module_url)
    const { module_name: name, module_url: url } = await make(server, 'calendar', {
      name: '㌀'.repeat(200),
    })
    assert.ok(name.length <= 255 && /^[a-z0-9][a-z0-9-]*$/.test(name), name)
    assert.equal((await server.call('GET', url)).status, 200)
  })
})
