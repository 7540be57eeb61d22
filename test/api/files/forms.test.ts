// The corpus of upload forms against the whole server: each answer, and no leftovers of a refused form.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { LIMITS } from '../../../lib/config/limits.ts'
import type { ErrorCode } from '../../../lib/base/errors.ts'
import { assertProblem, newName } from '../../helpers/content.ts'
import { exchange, openSocket, parseAnswer } from '../../helpers/raw.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { contentsOf, unfinishedIn } from '../../helpers/stored.ts'
import { badForms } from '../../http/bad-forms.ts'
import { BOUNDARY, FORM, filePart, form, GOOD, ID, part, utf8Form } from '../../http/form-server.ts'

const MIB = 1024 * 1024
const BAD = badForms({ maxFieldBytes: LIMITS.formFieldBytes, maxFields: 6 })
let server: TestServer

before(async () => {
  server = await startTestServer({ config: { maxUploadBytes: 3 * MIB, trashDays: 0 } })
})
after(() => server.close())

const send = (body: Buffer | string, type = FORM): Promise<Answer> =>
  server.call('POST', '/upload', { body, headers: { 'content-type': type } })

/** Nothing was saved, and no temporary file is left. */
async function assertNothingLeft(): Promise<void> {
  const { body } = await server.call('GET', '/api/v2/asset_file?fields=name')
  assert.deepEqual(body.asset_file, [])
  assert.deepEqual(await contentsOf(server.dataDir), [])
  assert.deepEqual(unfinishedIn(server.dataDir), [])
}

async function assertRefused(row: string): Promise<void> {
  const forms = BAD.filter((form) => form.row === row)
  assert.ok(forms.length > 0)
  for (const { what, reason, body } of forms) {
    const { detail } = assertProblem(await send(body), 'bad-multipart')
    assert.match(detail, reason, what)
  }
  await assertNothingLeft()
}

/** Saves a form, deletes the file and returns its record. */
async function accepted(body: Buffer, type = FORM): Promise<any> {
  const answer = await send(body, type)
  assert.equal(answer.status, 201, answer.text)
  const path = `/api/v2/asset_file/${answer.body.asset_file_id}`
  const download = await server.call('GET', `${answer.body.url}?version=1`)
  await server.call('DELETE', path)
  return { ...answer.body, text: download.text }
}

test('M1: a form that is empty, truncated or has another boundary is refused', () =>
  assertRefused('M1'))

const TYPES: readonly (readonly [row: 'M2' | 'M3', type: string, code: ErrorCode])[] = [
  ['M2', 'multipart/form-data', 'bad-multipart'],
  ['M2', 'multipart/form-data; boundary=', 'bad-multipart'],
  ['M2', `multipart/form-data; boundary=${'x'.repeat(5_000)}`, 'bad-multipart'],
  ['M2', `${FORM}; boundary=${BOUNDARY}`, 'bad-multipart'],
  ['M2', `${FORM} x`, 'bad-multipart'],
  ['M2', 'multipart/mixed; boundary=x', 'unsupported-media-type'],
  ['M2', 'application/json', 'unsupported-media-type'],
  ['M2', '', 'unsupported-media-type'],
  ['M3', 'application/x-www-form-urlencoded', 'unsupported-media-type'],
]

test('M2, M3: a body that is not a form with a boundary is refused because of its type', async () => {
  for (const [, type, code] of TYPES) assertProblem(await send(GOOD, type), code)
  assertProblem(
    await send('asset_category_id=1&Filedata=x', 'application/x-www-form-urlencoded'),
    'unsupported-media-type',
  )
  await assertNothingLeft()
})

test('M4: an unreadable part makes the whole form invalid', () => assertRefused('M4'))
test('M5: a part with a repeated header or parameter is refused', () => assertRefused('M5'))
test('M6: a part without a name is refused', () => assertRefused('M6'))
test('M7: a part with an empty file name is not a file', () => assertRefused('M7'))
test('M8: a part name of 10 KB is refused and not quoted in full', () => assertRefused('M8'))
test('M9: a second file, and too many parts or headers, are refused', () => assertRefused('M9'))

test('M10: a file over the limit is refused, and a file of exactly the limit is accepted', async () => {
  const { size } = await accepted(form(ID, filePart('x'.repeat(3 * MIB))))
  assert.equal(size, 3 * MIB)
  const over = form(ID, filePart('x'.repeat(3 * MIB + 1)))
  assertProblem(await send(over), 'too-large')
  const said = ['POST /upload HTTP/1.1', 'Host: x', `Authorization: Bearer ${server.key}`]
  const head = [...said, `Content-Type: ${FORM}`, 'Content-Length: 99999999', '', '']
  assert.equal(parseAnswer(await exchange(server.url, head.join('\r\n'))).status, 413)
  await assertNothingLeft()
})

test('M11: a field over its limit is refused and never truncated', () => assertRefused('M11'))

test('M12: one identifier is required once, before or after the file', async () => {
  await assertRefused('M12')
  const file = filePart('hello')
  const other = part('asset_file_id', '1')
  const ids = ['0', '-1', '+1', '1.0', '1e0', '0x1', ' 1', '01', '\u0661', '9007199254740993', '']
  const forms = [form(ID, other, file), form(file, ID, other), form(file)]
  for (const id of ids) forms.push(utf8Form(part('asset_category_id', id), file))
  for (const body of forms) assertProblem(await send(body), 'bad-multipart')
  await assertNothingLeft()
  for (const body of [form(ID, file), form(file, ID)])
    assert.equal((await accepted(body)).text, 'hello')
})

/** The text between the quotes as clients send it, and the decoded name. */
const NAMES: readonly (readonly [sent: string, name: string])[] = [
  ['a%22b.txt', 'a"b.txt'],
  ['a\\"b.txt', 'a"b.txt'],
  ['a\\b.txt', 'a\\b.txt'],
  ['a\\\\b.txt', 'a\\\\b.txt'],
  ['C:\\dir\\a.txt', 'C:\\dir\\a.txt'],
  ['end\\', 'end\\'],
  ['100%25.txt', '100%25.txt'],
  ['a%0d%0ab.txt', 'a%0d%0ab.txt'],
  ['\u4e2d\u{1f600}\ufffd.txt', '\u4e2d\u{1f600}\ufffd.txt'],
]

test('M13: a file name is stored exactly as sent, or refused', async () => {
  await assertRefused('M13')
  for (const [sent, name] of NAMES)
    assert.equal((await accepted(utf8Form(ID, filePart('x', sent)))).name, name)
  const bad = [
    'a\u202eb.txt',
    'x'.repeat(256),
    '../../etc/passwd',
    'a/b.txt',
    '..',
    'a%0Db',
    'a%0Ab',
  ]
  for (const sent of bad) {
    const answer = await send(utf8Form(ID, filePart('x', sent)))
    assert.equal(assertProblem(answer, 'invalid-content').errors[0].pointer, '/name', sent)
  }
  await assertNothingLeft()
})

test('M13: the part "name" takes precedence over the file name', async () => {
  const body = form(ID, part('name', 'given.txt'), filePart('x', 'dir/sent.txt'))
  assert.equal((await accepted(body)).name, 'given.txt')
})

test('M13: names sent by fetch are stored unchanged', async () => {
  for (const name of [
    'a"b.txt',
    'a\\b.txt',
    'a\\"b',
    'end\\',
    '100%25.txt',
    "\u00fc;\u{1f600}='b.txt",
  ]) {
    const data = new FormData()
    data.append('asset_category_id', '1')
    data.append('Filedata', new Blob(['x']), name)
    const headers = { authorization: `Bearer ${server.key}` }
    const answer = await fetch(`${server.url}/upload`, { method: 'POST', headers, body: data })
    const made = (await answer.json()) as Record<string, unknown>
    assert.deepEqual([answer.status, made['name']], [201, name])
    await server.call('DELETE', `/api/v2/asset_file/${made['asset_file_id']}`)
  }
})

test('M14: bytes before and after the parts count as part of the form', async () => {
  const around = (size: number) =>
    Buffer.concat([Buffer.from(`${'p'.repeat(size)}\r\n`), GOOD, Buffer.from('e'.repeat(size))])
  assert.equal((await accepted(around(MIB))).text, 'hello')
  assertProblem(await send(around(2 * MIB)), 'too-large')
  await assertNothingLeft()
})

test('M15: lines of the content that only begin with the boundary belong to the content', async () => {
  const type = 'multipart/form-data; boundary=foo'
  const lines = [
    '--fooBAR',
    '--foo--BAR',
    '--foo x',
    '--foo\n',
    '-- foo',
    '--fo',
    '\r--foo',
    '--foo-',
    '',
  ]
  const content = lines.join('\r\n').repeat(3)
  const body = form(ID, filePart(content)).toString('latin1').replaceAll(BOUNDARY, 'foo')
  assert.equal((await accepted(Buffer.from(body, 'latin1'), type)).text, content)
})

test('M4: a part after a boundary with padding is read', async () => {
  const body = form(ID, part('fileState', 'publish'), part('title', 'T'), filePart('hello'))
  const padded = body.toString('latin1').replaceAll(/(--x-boundary(--)?)/g, '$1 \t')
  const { text, title, live_version: live } = await accepted(Buffer.from(padded, 'latin1'))
  assert.deepEqual([text, title, live], ['hello', 'T', 1])
})

test('M15: bytes are stored as sent, also a form inside a file and chunks of one byte', async () => {
  await assertRefused('M15')
  const nested = '--inner\r\nContent-Disposition: form-data; name="Filedata"\r\n\r\nx\r\n--inner--'
  assert.equal((await accepted(form(ID, filePart(nested)))).text, nested)

  const body = form(ID, filePart('in pieces', newName('txt')))
  const socket = await openSocket(server.url)
  socket.setNoDelay(true)
  const head = ['POST /upload HTTP/1.1', 'Host: x', `Authorization: Bearer ${server.key}`]
  const rest = [`Content-Type: ${FORM}`, `Content-Length: ${body.length}`, 'Connection: close']
  socket.write(`${[...head, ...rest].join('\r\n')}\r\n\r\n`)
  for (const byte of body) {
    socket.write(Buffer.of(byte))
    await new Promise((resolve) => setImmediate(resolve))
  }
  const answer = parseAnswer(Buffer.concat(await socket.toArray()).toString('latin1'))
  assert.equal(answer.status, 201, answer.body)
  const { asset_file_id: id, size } = JSON.parse(answer.body)
  assert.equal(size, 'in pieces'.length)
  await server.call('DELETE', `/api/v2/asset_file/${id}`)
})

test('M16: a part named __proto__ is refused', async () => {
  await assertRefused('M16')
  assert.deepEqual(Object.keys(Object.prototype), [])
})

test('M17: a form ends at its Content-Length, and missing bytes end the connection', async () => {
  const head = (length: number) =>
    [
      'POST /upload HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${server.key}`,
      `Content-Type: ${FORM}`,
      `Content-Length: ${length}`,
      '',
      '',
    ].join('\r\n')

  // The remaining four bytes are not a valid request.
  const short = await exchange(server.url, head(GOOD.length - 4) + GOOD.toString('latin1'))
  assert.equal(parseAnswer(short).status, 400)
  assert.doesNotMatch(short, /201 Created/)

  const socket = await openSocket(server.url)
  socket.end(head(GOOD.length + 4) + GOOD.toString('latin1'))
  const long = Buffer.concat(await socket.toArray()).toString('latin1')
  assert.match(long, /^(HTTP\/1\.1 400 |$)/)
  assert.doesNotMatch(long, /201 Created/)
  await assertNothingLeft()
})
