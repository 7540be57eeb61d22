// --site-origin: the live files of a public folder at their paths, on a host of their own.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { networks } from '../../../lib/config/flag-values.ts'
import { make, makeFile, makeFolder, uploadFile } from '../../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

const ORIGIN = 'https://www.example.org'
const HOST = 'www.example.org'

let server: TestServer
/** The folder of the site, and a folder in it. */
let root: number
let news: number
before(async () => {
  const sites = [{ origin: ORIGIN, folder: '/Main/website' }]
  server = await startTestServer({ config: { sites } })
  root = (await makeFolder(server, { name: 'website', public: true })).asset_category_id
  news = (await makeFolder(server, { name: 'news', parent_category_id: root })).asset_category_id
})
after(() => server.close())

interface Visit {
  readonly method?: string
  readonly host?: string
  readonly headers?: Record<string, string>
}

function visit(path: string, { method = 'GET', host = HOST, headers = {} }: Visit = {}) {
  return server.call(method, path, { key: null, headers: { host, ...headers } })
}

async function publish(folder: number, name: string, pageContent: string): Promise<any> {
  return makeFile(server, {
    name,
    type: name.split('.').at(-1),
    parent_category_id: folder,
    pageContent,
    fileState: 'publish',
  })
}

const change = (file: any, json: object): Promise<Answer> =>
  server.call('POST', `/api/v2/asset_file/${file.asset_file_id}`, { json })

const location = ({ status, headers }: Answer): unknown => [status, headers.location]

describe('a site', () => {
  test('shows live files at their paths, also without .html, and index.html for a folder', async () => {
    await publish(root, 'index.html', 'home')
    await publish(news, 'index.html', 'all news')
    await publish(news, 'hello.html', '<h1>hello</h1>')
    for (const [path, text] of [
      ['/', 'home'],
      ['/index.html', 'home'],
      ['/?utm_source=x', 'home'],
      ['/news/', 'all news'],
      ['/news/hello.html', '<h1>hello</h1>'],
      ['/news/hello', '<h1>hello</h1>'],
    ] as const) {
      const answer = await visit(path)
      assert.deepEqual([answer.status, answer.text], [200, text], path)
      assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(answer.headers['content-disposition'], undefined)
      assert.equal(answer.headers['content-security-policy'], "frame-ancestors 'self'")
      assert.equal(answer.headers['cache-control'], 'public, no-cache')
      assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    }
    const moved = await visit('/news')
    assert.deepEqual(location(moved), [308, '/news/'])
    // A redirect with the policy of the API would take the referrer of the next request.
    assert.equal(moved.headers['referrer-policy'], 'strict-origin-when-cross-origin')
    assert.equal(moved.headers['cross-origin-resource-policy'], 'cross-origin')
  })

  test('answers HEAD, conditions and ranges, and compresses texts', async () => {
    const style = 'body { color: black }\n'.repeat(200)
    await publish(root, 'style.css', style)
    // Otherwise the first visitor gets the text, and the form is made meanwhile.
    const encoding = { 'accept-encoding': 'gzip, identity;q=0' }
    const { headers, bytes } = await visit('/style.css', { headers: encoding })
    assert.equal(gunzipSync(bytes).toString(), style)
    assert.deepEqual(
      [headers['cache-control'], headers.vary],
      ['public, max-age=60', 'Accept-Encoding'],
    )
    const whole = await visit('/style.css')
    const condition = { 'if-none-match': String(whole.headers.etag) }
    assert.equal((await visit('/style.css', { headers: condition })).status, 304)
    const part = await visit('/style.css', { headers: { range: 'bytes=0-3' } })
    assert.deepEqual([part.status, part.text], [206, 'body'])
    const head = await visit('/style.css', { method: 'HEAD' })
    assert.deepEqual([head.status, head.text], [200, ''])
    assert.equal(head.headers['content-length'], String(style.length))
  })

  test('shows no draft, nothing of a private folder and nothing outside of its folder', async () => {
    const hidden = await makeFolder(server, {
      name: 'private',
      parent_category_id: root,
      public: false,
    })
    await publish(hidden.asset_category_id, 'page.html', 'private')
    const { asset_category_id: below } = await makeFolder(server, {
      name: 'below',
      parent_category_id: hidden.asset_category_id,
      public: true,
    })
    await publish(below, 'page.html', 'below a private folder')
    await publish(1, 'outside.html', 'outside')
    await makeFile(server, { name: 'draft.html', parent_category_id: news, pageContent: 'draft' })
    const paths = [
      '/private/page.html',
      '/private/below/page.html',
      '/private/',
      '/private',
      '/outside.html',
      '/../outside.html',
      '/%2e%2e/outside.html',
      '/news/..%2f..%2foutside.html',
      '/news/draft.html',
      '/news/draft',
      '/nothing',
      '/%00',
      '/%ff',
      `/${'x'.repeat(300)}`,
      '/news/hello.html/',
    ]
    const { text } = await visit('/nothing')
    for (const path of paths) {
      const answer = await visit(path)
      assert.deepEqual([answer.status, answer.text], [404, text], path)
    }
  })

  test('answers a missing page with 404.html, if there is one', async () => {
    const file = await publish(root, '404.html', 'not here')
    const answer = await visit('/nothing', { headers: { range: 'bytes=0-1' } })
    assert.deepEqual([answer.status, answer.text], [404, 'not here'])
    const condition = { 'if-none-match': String(answer.headers.etag) }
    assert.equal((await visit('/nothing', { headers: condition })).status, 404)
    await server.call('POST', `/api/v2/asset_file/${file.asset_file_id}/unpublish`)
  })

  test('finds names in any case and Unicode form, and redirects to the form of the record', async () => {
    await publish(news, 'Größe.html', 'size')
    const path = '/news/Gr%C3%B6%C3%9Fe.html'
    assert.equal((await visit(path)).text, 'size')
    assert.equal((await visit('/news/Gro%CC%88%C3%9Fe.html')).text, 'size')
    assert.deepEqual(location(await visit('/News/gr%C3%B6%C3%9Fe.html')), [308, path])
    assert.deepEqual(location(await visit('/NEWS/HELLO')), [308, '/news/hello'])
    await publish(news, 'Pru\u0308fung.html', 'exam')
    for (const name of ['Pr%C3%BCfung.html', 'Pru%CC%88fung.html', 'Pr%C3%BCfung'])
      assert.equal((await visit(`/news/${name}`)).text, 'exam', name)
  })

  test('keeps the address of a draft, and redirects from the former address of a live file', async () => {
    const file = await publish(news, 'old.html', 'text')
    await change(file, { name: 'new.html' })
    assert.equal((await visit('/news/old.html')).status, 200)
    assert.equal((await visit('/news/new.html')).status, 404)
    await change(file, { fileState: 'publish' })
    assert.deepEqual(location(await visit('/news/old.html')), [308, '/news/new.html'])
    const resized = await visit('/news/old.html?width=640&format=webp')
    assert.deepEqual(location(resized), [308, '/news/new.html?width=640&format=webp'])
    assert.equal((await visit('/news/new.html')).text, 'text')

    await change(file, { parent_category_id: root })
    assert.deepEqual(location(await visit('/news/new.html')), [308, '/new.html'])
    await publish(news, 'new.html', 'another')
    assert.equal((await visit('/news/new.html')).text, 'another')
  })

  test('redirects from the former path of a folder, until another folder takes its place', async () => {
    const team = await makeFolder(server, { name: 'team', parent_category_id: root })
    const staff = await makeFolder(server, {
      name: 'staff',
      parent_category_id: team.asset_category_id,
    })
    await publish(staff.asset_category_id, 'ada.html', 'ada')
    await publish(staff.asset_category_id, 'index.html', 'staff')
    const update = (folder: any, json: object): Promise<Answer> =>
      server.call('POST', `/api/v2/asset_category/${folder.asset_category_id}`, { json })
    await update(team, { name: 'people' })
    assert.deepEqual(location(await visit('/team/staff/ada')), [308, '/people/staff/ada'])
    await update(staff, { parent_category_id: news, name: 'authors' })
    for (const path of ['/team/staff/ada.html', '/people/staff/ada.html', '/people/STAFF/ada.html'])
      assert.deepEqual(location(await visit(path)), [308, '/news/authors/ada.html'], path)
    assert.deepEqual(location(await visit('/people/staff')), [308, '/news/authors/'])
    assert.equal((await visit('/news/authors/ada.html')).text, 'ada')

    const again = await makeFolder(server, { name: 'team', parent_category_id: root })
    assert.equal((await visit('/team/staff/ada.html')).status, 404)
    await server.call('DELETE', `/api/v2/asset_category/${again.asset_category_id}`)
    await update(staff, { public: false })
    assert.equal((await visit('/people/staff/ada.html')).status, 404)
  })

  test('redirects as before when a folder that is not public takes the former place', async () => {
    const folder = await makeFolder(server, { name: 'first', parent_category_id: root })
    await publish(folder.asset_category_id, 'page.html', 'page')
    const path = `/api/v2/asset_category/${folder.asset_category_id}`
    await server.call('POST', path, { json: { name: 'second' } })
    await makeFolder(server, { name: 'first', parent_category_id: root, public: false })
    assert.deepEqual(location(await visit('/first/page')), [308, '/second/page'])
  })

  test('knows its host in every spelling, whatever host a proxy passes on', async () => {
    for (const host of ['WWW.example.org', 'www.example.org.', 'www.example.org:443'])
      assert.equal((await visit('/api/v2/me', { host })).status, 404, host)
  })

  test('treats repeated slashes as one slash', async () => {
    assert.deepEqual(location(await visit('/news//hello.html')), [308, '/news/hello.html'])
    assert.deepEqual(location(await visit('//news///')), [308, '/news/'])
  })

  test('does not redirect to files outside of the site', async () => {
    const file = await publish(news, 'moved.html', 'text')
    await change(file, { parent_category_id: 1 })
    assert.equal((await visit('/news/moved.html')).status, 404)
  })

  test('can only be read, and has neither the API nor the administration area', async () => {
    const answer = await visit('/', { method: 'POST' })
    assert.deepEqual([answer.status, answer.headers.allow], [405, 'GET, HEAD'])
    for (const path of ['/api/v2/me', '/admin', '/health', '/file/1/index.html', '/public/api'])
      assert.equal((await visit(path)).status, 404, path)
    const { headers } = await visit('/', { headers: { authorization: 'Bearer wrong' } })
    assert.equal(headers['set-cookie'], undefined)
    const { body } = await visit('/health', { host: 'other.example.org' })
    assert.equal(body.status, 'ok')
  })

  test('may change nothing on the host of the API, even with a key', async () => {
    const { status, body } = await server.call('POST', '/api/v2/asset_category', {
      json: { name: 'from the site' },
      headers: { origin: ORIGIN },
    })
    assert.deepEqual([status, body.code], [403, 'cross-site'])
    const read = await server.call('GET', '/api/v2/me', { headers: { origin: ORIGIN } })
    assert.equal(read.status, 200)
  })

  test('shows bytes of any type, as large as they are', async () => {
    const bytes = Buffer.alloc(3_000_000, 0xff)
    const file = await uploadFile(server, bytes, {
      fileName: 'film.mp4',
      asset_category_id: String(news),
      fileState: 'publish',
    })
    assert.equal(file.fileState, 'publish')
    const answer = await visit('/news/film.mp4')
    assert.deepEqual([answer.status, answer.bytes.equals(bytes)], [200, true])
    assert.equal(answer.headers['content-type'], 'video/mp4')
  })
})

describe('robots.txt and sitemap.xml', () => {
  test('are made from the live pages, and a file of the site comes first', async () => {
    const robots = await visit('/robots.txt')
    assert.match(robots.text, /Sitemap: https:\/\/www\.example\.org\/sitemap\.xml\n/)
    const { text, headers } = await visit('/sitemap.xml')
    assert.equal(headers['content-type'], 'application/xml')
    const addresses = [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address)
    for (const path of ['/', '/news/', '/news/hello.html', '/news/Gr%C3%B6%C3%9Fe.html'])
      assert.ok(addresses.includes(ORIGIN + path), path)
    for (const address of addresses) {
      assert.doesNotMatch(String(address), /private|draft|outside|style|404/)
      const path = String(address).slice(ORIGIN.length)
      assert.equal((await visit(path)).status, 200, path)
    }
    assert.equal((await visit('/sitemap-1.xml')).status, 404)

    await publish(root, 'robots.txt', 'User-agent: *\nDisallow: /\n')
    assert.match((await visit('/robots.txt')).text, /Disallow: \//)
    await publish(root, 'sitemap.xml', '<urlset/>')
    assert.equal((await visit('/sitemap.xml')).text, '<urlset/>')
  })
})

test('a sitemap of more than 4 MiB has every address once, and is sent uncompressed', async () => {
  const sites = [{ origin: ORIGIN, folder: '/Main/website' }]
  const other = await startTestServer({ config: { sites } })
  try {
    // A letter takes six bytes in an address.
    const long = 'é'.repeat(120)
    let folder = (await makeFolder(other, { name: 'website', public: true })).asset_category_id
    for (let depth = 0; depth < 15; depth += 1)
      folder = (await makeFolder(other, { name: long, parent_category_id: folder }))
        .asset_category_id
    const list = Array.from({ length: 420 }, (_, at) => ({
      ...{ name: `page-${at}.html`, type: 'html', parent_category_id: folder },
      ...{ pageContent: 'page', fileState: 'publish' },
    }))
    for (let from = 0; from < list.length; from += 50)
      await make(other, 'asset_file', list.slice(from, from + 50))

    const headers = { host: HOST, 'accept-encoding': 'gzip' }
    const { text, headers: sent } = await other.call('GET', '/sitemap.xml', { key: null, headers })
    const names = [...text.matchAll(/<loc>\S+\/page-(\d+)\.html<\/loc>/g)].map(([, name]) =>
      Number(name),
    )
    assert.deepEqual(
      names.toSorted((left, right) => left - right),
      [...list.keys()],
    )
    assert.ok(text.length > 4 * 1024 * 1024 && text.endsWith('</urlset>\n'))
    assert.deepEqual(
      [sent['content-length'], sent['content-encoding']],
      [String(text.length), undefined],
    )
  } finally {
    await other.close()
  }
})

test('a proxy cannot choose another host, and redirects have no API prefix', async () => {
  const sites = [{ origin: ORIGIN, folder: '/Main/website' }]
  const baseUrl = 'https://cms.example.com/cms'
  const config = { sites, baseUrl, proxies: networks('test')('loopback') }
  const other = await startTestServer({ config })
  try {
    const { asset_category_id: id } = await makeFolder(other, { name: 'website', public: true })
    await make(other, 'asset_file', {
      name: 'page.html',
      type: 'html',
      parent_category_id: id,
      pageContent: 'page',
      fileState: 'publish',
    })
    const read = (path: string, headers: Record<string, string>): Promise<Answer> =>
      other.call('GET', path, { key: null, headers })
    const forwarded = { host: HOST, 'x-forwarded-host': 'cms.example.com' }
    assert.equal((await read('/cms/admin', forwarded)).status, 404)
    assert.equal((await read('/page', { host: 'proxy', 'x-forwarded-host': HOST })).text, 'page')
    assert.deepEqual(location(await read('/PAGE', { host: HOST })), [308, '/page'])
  } finally {
    await other.close()
  }
})

test('a site whose folder is missing or not public shows nothing', async () => {
  const sites = [
    { origin: 'http://a.example', folder: '/Main/none' },
    { origin: 'http://b.example:8080', folder: '/Main/closed' },
  ]
  const other = await startTestServer({ config: { sites } })
  try {
    const { asset_category_id: id } = await makeFolder(other, { name: 'closed' })
    await make(other, 'asset_file', {
      name: 'index.html',
      type: 'html',
      parent_category_id: id,
      pageContent: 'closed',
      fileState: 'publish',
    })
    const status = async (host: string): Promise<number> =>
      (await other.call('GET', '/', { key: null, headers: { host } })).status
    assert.deepEqual([await status('a.example'), await status('b.example:8080')], [404, 404])
    await other.call('POST', `/api/v2/asset_category/${id}`, { json: { public: true } })
    assert.equal(await status('b.example:8080'), 200)
  } finally {
    await other.close()
  }
})
