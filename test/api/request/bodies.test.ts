// Bodies of the System API: invalid JSON, invalid records, and values that are returned as sent.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import {
  assertProblem,
  make,
  makeFile,
  makeFolder,
  newName,
  pointersOf,
  read,
} from '../../helpers/content.ts'
import { ask, exchange, parseAnswer } from '../../helpers/raw.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const FOLDER = '/api/v2/asset_category'
const FILE = '/api/v2/asset_file'
const JSON_TYPE = { 'content-type': 'application/json' }
let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const post = (
  path: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = JSON_TYPE,
) => server.call('POST', path, { body, headers })

const nested = (depth: number) => `{"name":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
const keys = (count: number) =>
  `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`

const BAD_JSON: readonly (readonly [string, string | Uint8Array])[] = [
  ['nothing', ''],
  ['blanks', '  \n'],
  ['a word', 'name'],
  ['a cut object', '{"name":"a"'],
  ['a comma at the end', '{"name":"a",}'],
  ['single quotes', "{'name':'a'}"],
  ['a key without quotes', '{name:"a"}'],
  ['a comment', '{"name":"a"/**/}'],
  ['NaN', '{"name":NaN}'],
  ['Infinity', '{"name":-Infinity}'],
  ['a number with a leading zero', '{"parent_category_id":01}'],
  ['hexadecimal', '{"parent_category_id":0x1}'],
  ['two values', '{"name":"a"}{"name":"b"}'],
  ['a byte order mark', '\ufeff{"name":"a"}'],
  ['a line break in a string', '{"name":"a\nb"}'],
  ['an unknown escape', '{"name":"\\x41"}'],
  ['half of a surrogate pair', '{"name":"\\ud800"}'],
  ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  [
    'overlong UTF-8',
    Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
  ],
  ['UTF-16', Buffer.from('{"name":"a"}', 'utf16le')],
  ['a key twice', '{"name":"a","name":"b"}'],
  ['a key twice, once escaped', '{"name":"a","\\u006eame":"b"}'],
  ['__proto__', '{"__proto__":{"name":"a"}}'],
  ['constructor', '{"constructor":1}'],
  ['prototype, deep inside', '{"name":[{"prototype":1}]}'],
  ['33 levels', nested(33)],
  ['a million levels', '['.repeat(1_000_000)],
  ['1001 keys', keys(1_001)],
  ['a number out of range', '{"parent_category_id":1e999}'],
]

test('B1, B2, B3, B4, B5, B6, B7: a body that is not acceptable JSON gets 400 with the byte position', async (t) => {
  for (const [what, body] of BAD_JSON) {
    await t.test(what, async () => {
      for (const path of [FOLDER, `${FOLDER}/12`, FILE]) {
        assert.match(assertProblem(await post(path, body), 'bad-json').detail, /at byte \d+/)
      }
    })
  }
  assert.equal((await read(server, `${FOLDER}/12`)).body.name, 'Modules')
  assert.equal(Object.hasOwn(Object.prototype, 'name'), false)
})

test('a number that a double would round is rejected by its field', async () => {
  for (const path of [FOLDER, `${FOLDER}/12`, FILE]) {
    const answer = await post(path, '{"parent_category_id":9007199254740993}')
    const { errors } = assertProblem(answer, 'invalid-content')
    assert.equal(errors[0].pointer, '/parent_category_id')
  }
})

test('B9: valid JSON that is not a record gets 422', async (t) => {
  const id = (await makeFolder(server)).asset_category_id
  for (const body of ['[]', '"a"', '1', 'null', 'true', '[{"name":"a"}]']) {
    await t.test(body, async () => {
      assert.deepEqual(pointersOf(await post(FOLDER, body)), [''])
      assert.deepEqual(pointersOf(await post(`${FOLDER}/${id}`, body)), [''])
    })
  }
  assert.deepEqual(pointersOf(await post(FOLDER, nested(32))), ['/name'])
  assert.equal(pointersOf(await post(FOLDER, keys(1_000))).length, 100)
})

const WRONG: readonly unknown[] = [5, true, ['a'], { a: 1 }]

test('B9: each value of the wrong kind is rejected with its pointer', async () => {
  const file = await makeFile(server)
  const path = `${FILE}/${file.asset_file_id}`
  for (const value of WRONG) {
    for (const field of ['name', 'type', 'title', 'description', 'pageContent', 'fileState']) {
      const answer = await server.call('POST', path, { json: { [field]: value } })
      assert.deepEqual(pointersOf(answer), [`/${field}`], `${field} ${JSON.stringify(value)}`)
    }
  }
  for (const value of ['1', 0, -1, 1.5, true, [1], {}, 1e15, 2 ** 53]) {
    const answer = await server.call('POST', path, { json: { parent_category_id: value } })
    assert.deepEqual(pointersOf(answer), ['/parent_category_id'], JSON.stringify(value))
  }
  assert.equal((await read(server, path)).body.version, 1)
})

test('all faults of a body are reported at once', async () => {
  const json = {
    nmae: 'a',
    type: '',
    parent_category_id: 'x',
    title: 5,
    version: 9,
    fileState: 'live',
    pageContent: 1,
  }
  const created = await server.call('POST', FILE, { json })
  const faults = [
    '/fileState',
    '/name',
    '/nmae',
    '/pageContent',
    '/parent_category_id',
    '/title',
    '/type',
    '/version',
  ]
  assert.deepEqual(pointersOf(created), faults)
  const file = await makeFile(server)
  const updated = await server.call('POST', `${FILE}/${file.asset_file_id}`, { json })
  assert.deepEqual(
    pointersOf(updated),
    faults.filter((pointer) => pointer !== '/name'),
  )
})

test('an unknown property is rejected with the closest known name', async () => {
  for (const [name, near] of [
    ['page_content', 'pageContent'],
    ['filestate', 'fileState'],
    ['parent_category', 'parent_category_id'],
    ['Name', 'name'],
  ]) {
    const answer = await server.call('POST', FILE, { json: { [String(name)]: 'x' } })
    const fault = assertProblem(answer, 'invalid-content').errors.find(
      (item: any) => item.pointer === `/${name}`,
    )
    assert.match(fault.detail, new RegExp(`did you mean "${near}"`))
  }
  for (const name of ['toString', 'hasOwnProperty', 'valueOf', 'a/b~c', '', 'uid', 'damaged']) {
    const pointer = `/${name.replace('~', '~0').replace('/', '~1')}`
    const answer = await server.call('POST', FOLDER, { json: { name: 'x', [name]: 1 } })
    assert.deepEqual(pointersOf(answer), [pointer])
  }
})

test('null for a folder is rejected, because it would be a silent move', async () => {
  const folder = await makeFolder(server)
  const parent_category_id = folder.asset_category_id
  const columns = { table_schema: 'a C(5)' }
  for (const [object, fields] of [
    ['asset_category', {}],
    ['asset_file', { type: 'html' }],
    ['file_group', {}],
    ['datatable', columns],
    ['calendar', columns],
  ] as const) {
    const record = await make(server, object, { name: newName(), parent_category_id, ...fields })
    const path = `/api/v2/${object}/${record[`${object}_id`]}`
    const answer = await server.call('POST', path, { json: { parent_category_id: null } })
    assert.deepEqual(pointersOf(answer), ['/parent_category_id'], object)
    assert.equal((await read(server, path)).body.parent_category_id, parent_category_id)
  }
})

test('at most a hundred faults are listed, and the detail names the first', async () => {
  const faulty = (count: number) => server.call('POST', `${FOLDER}/1`, { json: unknown(count) })
  const unknown = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, at]))
  assert.equal((await faulty(100)).body.errors[99].pointer, '/x99')
  assert.equal(
    (await faulty(101)).body.errors[99].detail,
    'and 2 more faults, which are not listed',
  )
  const answer = await faulty(150)
  const { errors, detail } = assertProblem(answer, 'invalid-content')
  assert.equal(errors.length, 100)
  assert.deepEqual(errors[98].pointer, '/x98')
  assert.deepEqual(errors[99], { pointer: '', detail: 'and 51 more faults, which are not listed' })
  assert.match(detail, /^\/x0 is not a field of asset_category; .*; and 149 more faults\.$/)

  const list = Array.from({ length: 300 }, () => ({ wrong: 1 }))
  const { module_url: url } = await make(server, 'datatable', {
    name: newName(),
    table_schema: 'a C(5)',
  })
  const entries = assertProblem(await server.call('POST', url, { json: list }), 'invalid-content')
  assert.equal(entries.errors.length, 100)
  assert.match(entries.errors[99].detail, /^and 201 more faults/)
  assert.ok(entries.detail.length < 200, entries.detail)
})

test('the detail of one fault is one sentence', async () => {
  const { detail } = (await server.call('POST', `${FOLDER}/1`, { json: { titel: 'x' } })).body
  assert.equal(detail, '/titel is not a field of asset_category; did you mean "title"?')
})

test('a record can be sent back with one field changed', async () => {
  const file = await makeFile(server, { fileState: 'stage' })
  const path = `${FILE}/${file.asset_file_id}`
  const { body } = await read(server, path)
  const answer = await server.call('POST', path, { json: { ...body, title: 'changed' } })
  assert.deepEqual([answer.status, answer.body.title, answer.body.version], [200, 'changed', 2])
})

const TYPES: readonly (readonly [string, number])[] = [
  ['application/json', 201],
  ['Application/JSON; charset=UTF-8', 201],
  ['application/json;charset="utf-8"', 201],
  ['application/json; charset=iso-8859-1', 415],
  ['application/json; x="; charset=latin1";', 201],
  ['application/json; charset=utf-8; charset=iso-8859-1', 415],
  ['application/json; charset="utf-8', 415],
  ['application/json; charset', 415],
  ['application/json, text/plain', 415],
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['multipart/form-data; boundary=x', 415],
  ['application/jsonx', 415],
  ['', 415],
]

test('H17: a body is application/json in UTF-8', async (t) => {
  for (const [type, status] of TYPES) {
    await t.test(type || 'no type', async () => {
      const answer = await post(FOLDER, JSON.stringify({ name: newName() }), {
        'content-type': type,
      })
      if (status === 415) assertProblem(answer, 'unsupported-media-type')
      else assert.equal(answer.status, status)
    })
  }
  assertProblem(await server.call('POST', FOLDER), 'unsupported-media-type')
})

test('H16: a compressed body is rejected without decompression', async () => {
  const body = gzipSync(JSON.stringify({ name: 'x' }))
  for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'gzip, identity']) {
    assertProblem(
      await post(FOLDER, body, { ...JSON_TYPE, 'content-encoding': encoding }),
      'unsupported-media-type',
    )
  }
  const plain = JSON.stringify({ name: newName() })
  assert.equal(
    (await post(FOLDER, plain, { ...JSON_TYPE, 'content-encoding': 'identity' })).status,
    201,
  )
})

test('a body over its limit gets 413, by its Content-Length or its bytes; the limit of a page is larger', async () => {
  const big = JSON.stringify({ name: newName(), description: 'x'.repeat(1024 * 1024) })
  assertProblem(await post(FOLDER, big), 'too-large')
  const lines = [
    'POST /api/v2/asset_file HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${server.key}`,
  ]
  const declared = await ask(server.url, [
    ...lines,
    'Content-Type: application/json',
    'Content-Length: 99999999',
  ])
  assert.equal(declared.status, 413)

  const long = {
    name: newName(),
    type: 'txt',
    parent_category_id: 1,
    pageContent: 'x'.repeat(16 * 1024 * 1024 + 1),
  }
  assertProblem(await server.call('POST', FILE, { json: long }), 'too-large')
  const pageContent = '\u00e9\n'.repeat(700_000)
  const file = await makeFile(server, { pageContent })
  assert.equal((await read(server, `${FILE}/${file.asset_file_id}`)).body.pageContent, pageContent)
})

test('H17: two content types are rejected', async () => {
  const body = JSON.stringify({ name: newName() })
  const json = 'Content-Type: application/json'
  for (const types of [
    [json, 'Content-Type: text/plain'],
    [json, json],
  ]) {
    const head = [
      `POST ${FOLDER} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${server.key}`,
      ...types,
      `Content-Length: ${body.length}`,
      'Connection: close',
    ]
    const answer = await exchange(server.url, `${head.join('\r\n')}\r\n\r\n${body}`)
    assert.equal(parseAnswer(answer).status, 415)
  }
})

test('H17: responses are JSON; a client that does not accept JSON gets 406', async (t) => {
  const cases: readonly (readonly [string, boolean])[] = [
    ['application/json', true],
    ['*/*', true],
    ['text/html, */*;q=0.1', true],
    ['application/*', true],
    ['application/problem+json', true],
    ['application/json; charset=utf-8', true],
    ['application/json;odata=verbose', true],
    ['application/json;q=often', true],
    ['', true],
    ['text/html', false],
    ['application/xml, text/plain', false],
    ['application/json;q=0', false],
  ]
  for (const [accept, isAccepted] of cases) {
    await t.test(accept, async () => {
      const answer = await server.call('GET', FOLDER, { headers: { accept } })
      if (isAccepted) assert.equal(answer.status, 200)
      else assertProblem(answer, 'not-acceptable')
    })
  }
  const refused = { json: { name: '406' }, headers: { accept: 'text/html' } }
  assertProblem(await server.call('POST', FOLDER, refused), 'not-acceptable')
  const found = await server.call('GET', `${FOLDER}?qry={"name":"406"}`)
  assert.deepEqual(found.body.asset_category, [])
})
