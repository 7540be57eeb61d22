// Pictures in other sizes for readers without a key: presets and some widths only.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { PICTURE_WIDTHS } from '../../../lib/shared/picture-parameters.ts'
import { makeFile, makeFolder, newName, uploadFile } from '../../helpers/content.ts'
import { halves } from '../../helpers/pictures.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

const ORIGIN = 'https://www.example.org'
const HOST = 'www.example.org'

let server: TestServer
let folder: number
/** The picture by its address, by a link, and on the site. */
const places: { url: string; headers: Record<string, string> }[] = []
before(async () => {
  const sites = [{ origin: ORIGIN, folder: '/Main/website' }]
  const picturePresets = new Map([['square', { width: 50, height: 50, quality: 30 }]])
  server = await startTestServer({ config: { sites, picturePresets } })
  folder = (await makeFolder(server, { name: 'website', public: true })).asset_category_id
  const bytes = await halves(1000, 500).png().toBuffer()
  const place = { asset_category_id: String(folder), fileState: 'publish' }
  const { url, asset_file_id: id } = await uploadFile(server, bytes, {
    fileName: 'a.png',
    ...place,
  })
  const link = await server.call('POST', `/api/v2/asset_file/${id}/link`, { json: {} })
  places.push({ url, headers: {} })
  places.push({ url: link.body.url, headers: {} })
  places.push({ url: '/a.png', headers: { host: HOST } })
})
after(() => server.close())

function visit(
  { url, headers }: (typeof places)[number],
  query: string,
  accept = '*/*',
): Promise<Answer> {
  return server.call('GET', `${url}?${query}`, { key: null, headers: { ...headers, accept } })
}

test('presets and some widths are served, each in its own form', async () => {
  for (const place of places)
    for (const [query, accept, width, format] of [
      ['width=320', '*/*', 320, 'png'],
      ['width=320', 'image/webp', 320, 'webp'],
      ['width=640&format=jpeg', '*/*', 640, 'jpeg'],
      ['width=1024', '*/*', 1000, 'png'],
      ['preset=square', 'image/webp', 50, 'webp'],
      ['', '*/*', 1000, 'png'],
      ['utm_source=x', '*/*', 1000, 'png'],
    ] as const) {
      const answer = await visit(place, query, accept)
      assert.equal(answer.status, 200, `${place.url} ${query} ${answer.text.slice(0, 200)}`)
      const found = await sharp(answer.bytes).metadata()
      assert.deepEqual([found.width, found.format], [width, format], `${place.url} ${query}`)
      const isByAccept = /^width=\d+$|preset/.test(query)
      assert.equal(/accept$/i.test(String(answer.headers.vary)), isByAccept, query)
    }
})

test('other sizes are refused with the possible values', async () => {
  for (const place of places)
    for (const query of [
      'width=321',
      'width=320&height=320',
      'width=320&quality=80',
      'height=320',
      'format=webp',
      'width=50&height=50&focus=0,0',
    ]) {
      const { status, body } = await visit(place, query)
      assert.deepEqual([status, body.type], [400, '/problems/bad-request'], place.url + query)
      assert.ok(body.detail.includes(PICTURE_WIDTHS.join(', ')), body.detail)
      assert.match(body.detail, /preset= \(square\)/)
    }
})

test('a key without limits gets any size of a public picture', async () => {
  const { url } = places[0] ?? assert.fail()
  assert.equal((await server.call('GET', `${url}?width=321`)).status, 200)
})

test('the site ignores the query of files that are not pictures', async () => {
  const text = { pageContent: 'text', fileState: 'publish', parent_category_id: folder }
  await makeFile(server, { ...text, name: 'index.html' })
  await makeFile(server, { ...text, name: 'false.png', type: 'txt' })
  for (const path of ['/', '/false.png'])
    for (const query of ['width=320', 'width=5', 'preset=none']) {
      const answer = await visit({ url: path, headers: { host: HOST } }, query)
      assert.deepEqual([answer.status, answer.text], [200, 'text'], path + query)
    }
})

test('a picture that is not public is not found in any size', async () => {
  const bytes = await halves(400, 400).png().toBuffer()
  const parts = { fileName: newName('png'), asset_category_id: String(folder) }
  const { url, name } = await uploadFile(server, bytes, parts)
  for (const query of ['width=320', 'width=5', 'preset=none', 'width=x']) {
    const hidden = await visit({ url, headers: {} }, query)
    const absent = await visit({ url: url.replace(name, 'none.png'), headers: {} }, query)
    const told = ({ status, body }: Answer) => [status, body.type, body.detail]
    assert.deepEqual(told(hidden), told(absent), query)
    const onSite = await visit({ url: `/${name}`, headers: { host: HOST } }, query)
    const nowhere = await visit({ url: '/none.png', headers: { host: HOST } }, query)
    assert.deepEqual([onSite.status, onSite.text], [nowhere.status, nowhere.text])
    assert.equal(onSite.status, 404)
  }
})

test('a preview shows the staged picture in the size that its page requests', async () => {
  const bytes = await halves(900, 300).png().toBuffer()
  const parts = { fileName: 'staged.png', asset_category_id: String(folder), fileState: 'stage' }
  await uploadFile(server, bytes, parts)
  const { body } = await server.call('POST', '/api/v2/preview', { json: { site: ORIGIN } })
  const path = new URL(String(body.url)).pathname
  const answer = await visit({ url: `${path}staged.png`, headers: { host: HOST } }, 'width=320')
  assert.equal((await sharp(answer.bytes).metadata()).width, 320)
})
