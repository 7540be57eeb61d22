// Pages of type stml: checked before they are saved, and stored exactly as sent.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  assertProblem,
  fileOf,
  makeFile,
  newName,
  partsOf,
  read,
  uploadFile,
} from '../../helpers/content.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const PATH = '/api/v2/asset_file'
const page = (inside: string) => `<div id="dd.0">${inside}</div>`
let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const pathOf = (file: any) => `${PATH}/${file.asset_file_id}`
const create = (pageContent: string) =>
  server.call('POST', PATH, {
    json: { name: newName('stml'), type: 'stml', parent_category_id: 1, pageContent },
  })

const ACCEPTED: readonly string[] = [
  page(''),
  page('text'),
  `<?xml version="1.0"?>\r\n${page('\r\n')}\r\n`,
  page('<br><img src="a.png"><hr/>'),
  page('&nbsp;&copy;&#x26; &unknown; a & b'),
  page('[gallery id="1"] {{title}} {{{raw}}}'),
  page('<![CDATA[ <b> ]]><!-- <i> --><?php if (1 > 0) echo "</div>" ?>'),
  page('<dd:zone x:y="1">caf\u00e9 \u{1f600}</dd:zone>'),
  page("<div id='dd.1'><p class=a>x</p></div>"),
  page('<script>if (a < b && c > d) alert(1)</script>'),
]

test('well-formed STML is stored and returned byte by byte', async (t) => {
  for (const text of ACCEPTED) {
    await t.test(text, async () => {
      const answer = await create(text)
      assert.equal(answer.status, 201, answer.text)
      assert.equal((await read(server, pathOf(answer.body))).body.pageContent, text)
      await server.call('POST', `${pathOf(answer.body)}/publish`)
      const download = await server.call('GET', answer.body.url)
      assert.ok(download.bytes.equals(Buffer.from(text)))
      assert.match(String(download.headers['content-disposition']), /^attachment/)
    })
  }
})

/** Invalid texts with the line and column of the fault. */
const REFUSED: readonly (readonly [string, number, number])[] = [
  ['', 1, 1],
  ['text', 1, 1],
  ['<p id="dd.0"></p>', 1, 1],
  ['<div id="dd.1"></div>', 1, 1],
  ['<div></div>', 1, 1],
  [`<!DOCTYPE html>${page('')}`, 1, 1],
  [`${page('')}\n${page('')}`, 2, 1],
  [`${page('')}\n  text`, 2, 3],
  [page('\n<p>\n</div>'), 3, 1],
  [page('\r\n  <b><i></b></i>'), 2, 9],
  ['<div id="dd.0">\n  <p>', 2, 3],
  [page('</p>'), 1, 16],
]

test('B14: STML that is not well formed gets 422 with line and column, and nothing is saved', async (t) => {
  const kept = await makeFile(server, {
    name: newName('stml'),
    type: 'stml',
    pageContent: page('kept'),
  })
  const before = await read(server, pathOf(kept))
  const total = (await server.call('GET', `${PATH}?count=exact`)).body.page.total
  for (const [text, line, column] of REFUSED) {
    await t.test(JSON.stringify(text), async () => {
      const upload = [...partsOf({ asset_category_id: '1' }), fileOf(text, newName('stml'))]
      const replace = [...partsOf({ asset_file_id: String(kept.asset_file_id) }), fileOf(text, 'x')]
      const update = { json: { pageContent: text, fileState: 'publish', title: 'lost' } }
      const answers = [
        await create(text),
        await server.call('POST', pathOf(kept), update),
        await server.upload(upload),
        await server.upload(replace),
      ]
      for (const answer of answers) {
        const body = assertProblem(answer, 'stml-invalid')
        assert.deepEqual([body.line, body.column], [line, column])
        assert.match(body.detail, new RegExp(`^Line ${line}, column ${column}: `))
        assert.equal(body.errors[0].pointer, '/pageContent')
      }
    })
  }
  assert.deepEqual(await read(server, pathOf(kept)), before)
  assert.equal((await server.call('GET', `${PATH}?count=exact`)).body.page.total, total)
})

test('an uploaded page is checked and stored byte by byte', async () => {
  const text = `\r\n${page('up\r\n')}\n`
  const file = await uploadFile(server, text, { fileName: newName('stml') })
  assert.equal(file.type, 'stml')
  assert.equal((await read(server, pathOf(file))).body.pageContent, text)
  const binary = [
    ...partsOf({ asset_category_id: '1' }),
    fileOf(Buffer.from([0xff, 0xfe, 0]), newName('stml')),
  ]
  const { errors } = assertProblem(await server.upload(binary), 'stml-invalid')
  assert.deepEqual(errors, [
    { pointer: '/pageContent', detail: 'must be text in UTF-8 of at most 16 MiB' },
  ])
})

test('the type decides whether a page is STML, in upper or lower case', async () => {
  for (const type of ['stml', 'STML', 'Stml']) {
    const json = { name: newName('txt'), type, parent_category_id: 1, pageContent: '<p>' }
    assertProblem(await server.call('POST', PATH, { json }), 'stml-invalid')
  }
  assert.equal(
    (await makeFile(server, { type: 'html', name: newName('stml'), pageContent: '<p>' })).type,
    'html',
  )
})

test('a page that becomes STML with its new text is checked as STML', async () => {
  const file = await makeFile(server, { pageContent: '<p>' })
  const become = (pageContent: string) =>
    server.call('POST', pathOf(file), { json: { type: 'stml', pageContent } })
  for (const text of ['<div>', '<p>']) assertProblem(await become(text), 'stml-invalid')
  const { body } = await become(page('ok'))
  assert.deepEqual([body.type, body.mime_type, body.version], ['stml', 'application/stml+xml', 2])
})
