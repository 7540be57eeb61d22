// Pages of type stml on a site: rendered as HTML, with the paths of linked files. The stored bytes stay as they are.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { makeFile, makeFolder } from '../../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

const HOST = 'www.example.org'
const SITE = { origin: `https://${HOST}`, folder: '/Main/website' }

let server: TestServer
let root: number
let news: number
before(async () => {
  server = await startTestServer({ config: { sites: [SITE] } })
  root = (await makeFolder(server, { name: 'website', public: true })).asset_category_id
  news = (await makeFolder(server, { name: 'news', parent_category_id: root })).asset_category_id
})
after(() => server.close())

function visit(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return server.call(method, path, { key: null, headers: { host: HOST, ...headers } })
}

function publish(folder: number, name: string, pageContent: string, more = {}): Promise<any> {
  return makeFile(server, {
    name,
    type: name.split('.').at(-1),
    parent_category_id: folder,
    pageContent,
    fileState: 'publish',
    ...more,
  })
}

const change = (file: any, json: object): Promise<Answer> =>
  server.call('POST', `/api/v2/asset_file/${file.asset_file_id}`, { json })

const stml = (inside: string): string => `<div id="dd.0">${inside}</div>`

const bodyOf = ({ text }: Answer): string => /<body>\n([^]*)\n<\/body>/.exec(text)?.[1] ?? text

describe('a page of type stml', () => {
  test('has the language of its first element', async () => {
    await publish(news, 'gruss.stml', '<div id="dd.0" lang="de-AT"><p>Servus</p></div>')
    assert.match((await visit('/news/gruss')).text, /^<!DOCTYPE html>\n<html lang="de-AT">\n<head>/)
    await publish(news, 'plain.stml', '<div id="dd.0"><p lang="de">Hallo</p></div>')
    assert.match((await visit('/news/plain')).text, /^<!DOCTYPE html>\n<html>\n<head>/)
  })

  test('is shown as HTML, and its stored bytes stay the same', async () => {
    const source = stml('<p>Grüße [menu a="1"] {{x}}<?php secret() ?></p>')
    const file = await publish(news, 'hello.stml', source, { title: 'Hello <you> & me' })
    for (const path of ['/news/hello.stml', '/news/hello']) {
      const answer = await visit(path)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(answer.headers['cache-control'], 'public, no-cache')
      assert.equal(answer.headers['content-security-policy'], "frame-ancestors 'self'")
      assert.equal(answer.headers['content-disposition'], undefined)
      assert.match(answer.text, /^<!DOCTYPE html>\n/)
      assert.match(answer.text, /<title>Hello &lt;you> &amp; me<\/title>/)
      assert.equal(
        bodyOf(answer),
        stml('<p>Grüße <!-- shortcode menu --> <!-- field x --><!-- php --></p>'),
      )
    }
    const stored = await server.call('GET', `/file/${file.asset_file_id}/hello.stml`)
    assert.equal(stored.text, source)
    assert.match(String(stored.headers['content-type']), /^application\/stml\+xml/)
    const read = await server.call('GET', `/api/v2/asset_file/${file.asset_file_id}`)
    assert.equal(read.body.pageContent ?? source, source)
    await publish(news, 'untitled.stml', stml('x'))
    assert.match((await visit('/news/untitled')).text, /<title>untitled\.stml<\/title>/)
  })

  test('comes after the HTML page with the same name, also as an index and for missing pages', async () => {
    await publish(news, 'index.stml', stml('index'))
    await publish(news, 'both.stml', stml('stml'))
    await publish(root, '404.stml', stml('not here'))
    assert.equal(bodyOf(await visit('/news/')), stml('index'))
    assert.deepEqual((await visit('/news')).headers.location, '/news/')
    assert.equal(bodyOf(await visit('/news/both')), stml('stml'))
    const missing = await visit('/nothing', { range: 'bytes=0-1' })
    assert.deepEqual([missing.status, bodyOf(missing)], [404, stml('not here')])
    assert.equal(missing.headers['content-type'], 'text/html; charset=utf-8')
    const { text } = await visit('/sitemap.xml')
    for (const path of ['/news/', '/news/hello.stml', '/news/both.stml'])
      assert.ok(text.includes(`<loc>${SITE.origin}${path}</loc>`), path)
    assert.doesNotMatch(text, /404|index/)

    await publish(news, 'index.html', 'html index')
    await publish(news, 'both.html', 'html')
    await publish(root, '404.html', 'html 404')
    assert.equal((await visit('/news/')).text, 'html index')
    assert.equal((await visit('/news/both')).text, 'html')
    assert.equal(bodyOf(await visit('/news/both.stml')), stml('stml'))
    assert.equal((await visit('/nothing')).text, 'html 404')
  })

  test('answers HEAD, conditions and ranges about the rendered bytes, and is compressed', async () => {
    await publish(news, 'long.stml', stml('text '.repeat(1_000)))
    const whole = await visit('/news/long')
    const etag = String(whole.headers.etag)
    const head = await visit('/news/long', {}, 'HEAD')
    assert.deepEqual([head.text, head.headers.etag], ['', etag])
    assert.equal(head.headers['content-length'], String(whole.bytes.length))
    const same = await visit('/news/long', { 'if-none-match': etag })
    assert.deepEqual([same.status, same.text, same.headers.etag], [304, '', etag])
    assert.equal((await visit('/news/long', { 'if-match': '"other"' })).status, 412)
    const part = await visit('/news/long', { range: 'bytes=2-8', 'if-range': etag })
    assert.deepEqual([part.status, part.text], [206, 'DOCTYPE'])
    assert.equal(part.headers['content-range'], `bytes 2-8/${whole.bytes.length}`)
    assert.equal((await visit('/news/long', { range: 'bytes=2-8', 'if-range': '"x"' })).status, 200)
    assert.equal((await visit('/news/long', { range: 'bytes=900000-' })).status, 416)
    const packed = await visit('/news/long', { 'accept-encoding': 'gzip' })
    assert.equal(gunzipSync(packed.bytes).toString(), whole.text)
    assert.equal(packed.headers.vary, 'Accept-Encoding')
  })

  test('links to live files of the site, and changes when a linked file does', async () => {
    const picture = await publish(news, `it's (1).txt`, 'picture')
    const id = picture.asset_file_id
    await publish(root, 'links.stml', stml(`<img src="[get_asset_file_url id=${id}]">`))
    const read = async (): Promise<readonly unknown[]> => {
      const answer = await visit('/links')
      const { etag } = answer.headers
      const again = await visit('/links', { 'if-none-match': String(etag) })
      assert.equal(again.status, 304)
      return [etag, /src="(.*?)"/.exec(answer.text)?.[1]]
    }
    const known = new Set<unknown>()
    const expect = async (path: string, isNew = true): Promise<void> => {
      const [etag, shown] = await read()
      assert.deepEqual([shown, known.has(etag)], [path, !isNew])
      known.add(etag)
    }
    await expect('/news/it%27s%20%281%29.txt')
    await change(picture, { name: 'draft.txt' })
    await expect('/news/it%27s%20%281%29.txt', false)
    await change(picture, { fileState: 'publish' })
    await expect('/news/draft.txt')
    await change(picture, { parent_category_id: root })
    await expect('/draft.txt')
    const folder = `/api/v2/asset_category/${news}`
    await change(picture, { parent_category_id: news })
    await server.call('POST', folder, { json: { name: 'latest' } })
    await expect('/latest/draft.txt')
    await server.call('POST', folder, { json: { public: false } })
    await expect('')
    await server.call('POST', folder, { json: { public: true, name: 'news' } })
    await expect('/news/draft.txt', false)
    await server.call('POST', `/api/v2/asset_file/${id}/unpublish`)
    await expect('', false)
  })

  test('reveals no file that the site does not show', async () => {
    const hidden = await makeFolder(server, {
      name: 'hidden',
      parent_category_id: root,
      public: false,
    })
    const secret = await publish(hidden.asset_category_id, 'secret.txt', 'x')
    const draft = await makeFile(server, {
      name: 'd.txt',
      parent_category_id: root,
      pageContent: 'x',
    })
    const outside = await publish(1, 'outside.txt', 'x')
    const ids = [secret, draft, outside].map((file) => file.asset_file_id)
    const links = [...ids, 999_999].map((id) => `<a href="[get_asset_file_url id=${id}]">x</a>`)
    await publish(root, 'hidden-links.stml', stml(links.join('')))
    assert.equal(bodyOf(await visit('/hidden-links')), stml('<a href="">x</a>'.repeat(4)))
  })

  test('of 16 MiB is rendered while other requests are answered', { timeout: 60_000 }, async () => {
    const source = stml('[a_'.repeat(5_000_000))
    await publish(root, 'huge.stml', source)
    const huge = visit('/huge')
    let isDone = false
    void huge.finally(() => (isDone = true))
    let answered = 0
    while (!isDone) {
      assert.equal((await visit('/links')).status, 200)
      answered += 1
    }
    assert.ok(answered > 1)
    assert.equal(bodyOf(await huge), source)
    assert.equal((await visit('/huge', { range: 'bytes=0-8' })).text, '<!DOCTYPE')
  })

  test('is rendered in a preview, with staged bytes, names and links that stay in it', async () => {
    const file = await publish(news, 'target.txt', 'x')
    const link = `<a href="[get_asset_file_url id=${file.asset_file_id}]">x</a><a href="/news/">y</a>`
    const shown = await publish(root, 'shown.stml', stml('live'))
    await change(shown, { pageContent: stml(`{{x}}${link}`), fileState: 'stage' })
    await change(file, { name: 'staged.txt', pageContent: 'y', fileState: 'stage' })
    const { body } = await server.call('POST', '/api/v2/preview', { json: {} })
    const prefix = new URL(body.url).pathname.replace(/\/$/, '')
    const answer = await visit(`${prefix}/shown`)
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(answer.headers['cache-control'], 'private, no-store')
    const links = ['/news/staged.txt', '/news/'].map((path) => `<a href="${prefix}${path}">`)
    assert.equal(bodyOf(answer), stml(`<!-- field x -->${links[0]}x</a>${links[1]}y</a>`))
    assert.equal(bodyOf(await visit('/shown')), stml('live'))
    const huge = await visit(`${prefix}/huge`)
    assert.equal(bodyOf(huge).length, stml('[a_'.repeat(5_000_000)).length)
  })
})
