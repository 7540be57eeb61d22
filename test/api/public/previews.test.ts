// POST /api/v2/preview: a link that shows the staged site for a time, on the host of the site.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { LIMITS } from '../../../lib/config/limits.ts'
import { assertProblem, make, makeFile, makeFolder, uploadFile } from '../../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { givePassword, session, signIn } from '../../helpers/sessions.ts'

const ORIGIN = 'https://www.example.org'
const HOST = 'www.example.org'
const OTHER = 'https://docs.example.org'
const START = Date.UTC(2026, 0, 1)

let server: TestServer
let clockMs = START
/** The folder of the site, and a folder in it. */
let root: number
let news: number
before(async () => {
  const sites = [
    { origin: ORIGIN, folder: '/Main/website' },
    { origin: OTHER, folder: '/Main/docs' },
  ]
  server = await startTestServer({ config: { sites }, now: () => new Date(clockMs) })
  root = (await makeFolder(server, { name: 'website', public: true })).asset_category_id
  news = (await makeFolder(server, { name: 'news', parent_category_id: root })).asset_category_id
  await makeFolder(server, { name: 'docs', public: true })
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

const save = (name: string, fields: object): Promise<any> =>
  makeFile(server, { name, type: name.split('.').at(-1), parent_category_id: news, ...fields })

const change = (file: any, json: object): Promise<Answer> =>
  server.call('POST', `/api/v2/asset_file/${file.asset_file_id}`, { json })

function ask(json: object, key?: string): Promise<Answer> {
  return server.call('POST', '/api/v2/preview', { json, ...(key !== undefined && { key }) })
}

/** The path of a new preview of the site, without a slash at the end. */
async function preview(key?: string, json: object = {}): Promise<string> {
  const answer = await ask({ site: ORIGIN, ...json }, key)
  assert.equal(answer.status, 201, answer.text)
  return new URL(answer.body.url).pathname.replace(/\/$/, '')
}

async function gone(path: string, why: string): Promise<void> {
  const answer = await visit(path)
  assert.deepEqual([answer.status, /preview has ended/.test(answer.text)], [404, true], why)
  assert.equal(answer.headers['cache-control'], 'private, no-store')
}

describe('a preview', () => {
  test('shows staged versions, else live ones, while the live site stays the same to the byte', async () => {
    const both = await save('both.html', { pageContent: 'live', fileState: 'publish' })
    await change(both, { pageContent: 'staged', fileState: 'stage' })
    await change(both, { pageContent: 'draft' })
    await save('live.html', { pageContent: 'only live', fileState: 'publish' })
    await save('staged.html', { pageContent: 'only staged', fileState: 'stage' })
    await save('draft.html', { pageContent: 'only a draft' })
    const paths = ['/news/both.html', '/news/live.html', '/news/staged.html', '/nothing']
    const before_ = await Promise.all(paths.map((path) => visit(path)))

    const link = await preview()
    for (const [path, text] of [
      ['/news/both.html', 'staged'],
      ['/news/both', 'staged'],
      ['/news/live.html', 'only live'],
      ['/news/staged.html?query', 'only staged'],
    ] as const) {
      const answer = await visit(link + path)
      assert.deepEqual([answer.status, answer.text], [200, text], path)
      assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
    }
    assert.equal((await visit(`${link}/news/draft.html`)).status, 404)

    const after_ = await Promise.all(paths.map((path) => visit(path)))
    const lasting = ({ status, text, headers }: Answer): unknown => {
      const { date: _, 'x-request-id': __, ...others } = headers
      return { status, text, headers: others }
    }
    assert.deepEqual(after_.map(lasting), before_.map(lasting))
  })

  test('is stored by no cache, lists nowhere, sets no cookie and may be framed by the administration area', async () => {
    const link = await preview()
    await save('page.css', { pageContent: 'p { color: red }', fileState: 'publish' })
    await save('page.txt', { pageContent: 'text', fileState: 'publish' })
    const paths = ['/news/live.html', '/news/page.css', '/news/page.txt', '/', '', '/robots.txt']
    for (const path of paths) {
      const { headers } = await visit(link + path)
      assert.equal(headers['cache-control'], 'private, no-store', path)
      assert.equal(headers['x-robots-tag'], 'noindex', path)
      assert.equal(headers['referrer-policy'], 'same-origin', path)
      assert.equal(headers['set-cookie'], undefined, path)
      assert.match(String(headers['content-security-policy']), /^frame-ancestors 'self'/, path)
    }
    const { headers } = await visit(`${link}/news/live.html`)
    // The origin of the server that made the preview: each node has its own.
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /^frame-ancestors 'self' http:\/\/127\.0\.0\.1:\d+$/)
    const live = await visit('/news/live.html')
    assert.equal(live.headers['content-security-policy'], "frame-ancestors 'self'")
  })

  test('uses the staged name as the path, and redirects from the live name', async () => {
    const file = await save('old.html', { pageContent: 'renamed', fileState: 'publish' })
    await change(file, { name: 'new.html', fileState: 'stage' })
    await change(file, { name: 'third.html' })
    const link = await preview()
    assert.equal((await visit(`${link}/news/new.html`)).text, 'renamed')
    const { status, headers } = await visit(`${link}/news/old.html`)
    assert.deepEqual([status, headers.location], [307, `${link}/news/new.html`])
    assert.equal(headers['cache-control'], 'private, no-store')
    assert.equal((await visit(`${link}/news/third.html`)).status, 404)
    assert.equal((await visit('/news/old.html')).status, 200)
    const { body } = await ask({ asset_file_id: file.asset_file_id })
    assert.match(body.url, /\/news\/new\.html$/)
  })

  test('keeps redirects inside, and omits headers of folders that reveal the preview', async () => {
    const json = {
      redirects: [
        { from: '/gone', to: '/live.html', status: 308 },
        { from: '/out', to: `${ORIGIN}/news/`, status: 301 },
        { from: '/away', to: 'https://away.example.org/', status: 308 },
      ],
      site_headers: {
        'Content-Security-Policy':
          "img-src *; frame-ancestors 'self'; report-uri https://r.example/",
        'Permissions-Policy': 'camera=()',
        'Cross-Origin-Embedder-Policy': '',
        'Referrer-Policy': 'unsafe-url',
      },
    }
    await server.call('POST', `/api/v2/asset_category/${news}`, { json })
    await save('index.html', { pageContent: 'all news', fileState: 'stage' })
    const link = await preview()
    for (const [path, to] of [
      ['', '/'],
      ['/news', '/news/'],
      ['/News/LIVE.html', '/news/live.html'],
      ['/news/gone?width=640', '/news/live.html?width=640'],
      ['/news/out', '/news/'],
    ] as const) {
      const { status, headers } = await visit(link + path)
      assert.deepEqual([status, headers.location], [307, link + to], path)
    }
    const away = await visit(`${link}/news/away`)
    assert.deepEqual([away.status, away.headers.location], [307, 'https://away.example.org/'])
    const { headers } = await visit(`${link}/news/live.html`)
    assert.match(
      String(headers['content-security-policy']),
      /^img-src \*, frame-ancestors 'self' h/,
    )
    assert.equal(headers['permissions-policy'], 'camera=()')
    assert.equal('cross-origin-embedder-policy' in headers, false)
    assert.equal(headers['referrer-policy'], 'same-origin')
    await server.call('POST', `/api/v2/asset_category/${news}`, { json: { site_headers: null } })
  })

  test('answers HEAD and, where it changes no links, ranges and conditions', async () => {
    const link = await preview()
    const whole = await visit(`${link}/news/page.txt`)
    const part = await visit(`${link}/news/page.txt`, { headers: { range: 'bytes=0-1' } })
    assert.deepEqual([part.status, part.text], [206, 'te'])
    const condition = { 'if-none-match': String(whole.headers.etag) }
    assert.equal((await visit(`${link}/news/page.txt`, { headers: condition })).status, 304)

    const page = await visit(`${link}/news/live.html`, { headers: { range: 'bytes=0-1' } })
    assert.deepEqual([page.status, page.headers.etag], [200, undefined])
    const head = await visit(`${link}/news/live.html`, { method: 'HEAD' })
    assert.deepEqual([head.text, head.headers['content-length']], ['', '9'])
    assert.equal((await visit(`${link}/news/live.html`, { method: 'POST' })).status, 405)
    const big = await save('big.html', { pageContent: 'x'.repeat(5000), fileState: 'stage' })
    const packed = await visit(`${link}/news/${big.name}`, {
      headers: { 'accept-encoding': 'gzip' },
    })
    assert.equal(gunzipSync(packed.bytes).length, 5000)
  })

  test('hides folders that are not public, and everything outside of the site', async () => {
    const hidden = await makeFolder(server, {
      name: 'hidden',
      parent_category_id: root,
      public: false,
    })
    const file = await save('a.html', {
      parent_category_id: hidden.asset_category_id,
      pageContent: 'a',
      fileState: 'stage',
    })
    const link = await preview()
    for (const path of ['/hidden/a.html', '/../docs/', '/%2e%2e/docs/', '/%00', '//'])
      assert.notEqual((await visit(link + path)).status, 200, path)
    const answer = await ask({ asset_file_id: file.asset_file_id })
    assert.deepEqual(assertProblem(answer, 'invalid-content').errors[0].pointer, '/asset_file_id')
  })

  test('shows the staged 404.html, and a robots.txt of its own', async () => {
    const link = await preview()
    const missing = await visit(`${link}/nothing`)
    assert.match(missing.text, /<h1>Not found<\/h1>/)
    const json = { parent_category_id: root, pageContent: '<a href=/>', fileState: 'stage' }
    const file = await save('404.html', json)
    const answer = await visit(`${link}/nothing`)
    assert.deepEqual([answer.status, answer.text], [404, `<a href="${link}/">`])
    assert.equal((await visit(`${link}/robots.txt`)).text, 'User-agent: *\nDisallow: /\n')
    assert.equal((await visit(`${link}/sitemap.xml`)).status, 404)
    await server.call('DELETE', `/api/v2/asset_file/${file.asset_file_id}`)
  })
})

describe('links in a preview', () => {
  test('stay inside: of pages, style sheets, and addresses with the host of the site', async () => {
    const page = `<base href="/news/"><a href="/a.html?x=1&amp;y">a</a><a href='${ORIGIN}'>b</a>
<a href=//www.example.org/c>c</a><a href="https://other.example.org/d">d</a><a href="e.html">e</a>
<picture><source srcset="/w.webp, /w2.webp 2x"><img srcset="/1.png 1x,/2.png 2x" style="background: url('/s.png')"><form action="/send">
<meta http-equiv="refresh" content="9; url=/r.html"><link integrity="sha256-x" href="/page.css">
<style>@import "/i.css"; p { background: image-set("/u.png" 1x type("/"), url(/v.png) 2x) / "/" } /* url(/c.png) */</style>
<script>const a = '<a href="/script">'</script><!-- <a href="/comment"> -->`
    await save('links.html', { pageContent: page, fileState: 'stage' })
    await save('links.css', { pageContent: '@import url(/a.css);', fileState: 'stage' })
    const link = await preview()
    const { text } = await visit(`${link}/news/links.html`)
    const expected = `<base href="${link}/news/"><a href="${link}/a.html?x=1&amp;y">a</a><a href='${link}/'>b</a>
<a href="${link}/c">c</a><a href="https://other.example.org/d">d</a><a href="e.html">e</a>
<picture><source srcset="${link}/w.webp, ${link}/w2.webp 2x"><img srcset="${link}/1.png 1x,${link}/2.png 2x" style="background: url(&#39;${link}/s.png&#39;)"><form action="${link}/send">
<meta http-equiv="refresh" content="9; url=${link}/r.html"><link data-integrity="sha256-x" href="${link}/page.css">
<style>@import "${link}/i.css"; p { background: image-set("${link}/u.png" 1x type("/"), url(${link}/v.png) 2x) / "/" } /* url(/c.png) */</style>
<script>const a = '<a href="/script">'</script><!-- <a href="/comment"> -->`
    assert.equal(text, expected)
    assert.equal((await visit(`${link}/news/links.css`)).text, `@import url(${link}/a.css);`)
  })

  test('stay as they are in a page that is too large, or has too many of them', async () => {
    const large = `<a href="/a">${' '.repeat(LIMITS.previewPageBytes)}`
    const many = '<a href=/>'.repeat(50_000)
    for (const [name, text] of [
      ['large.html', large],
      ['many.html', many],
    ] as const) {
      const fields = { fileState: 'stage', asset_category_id: String(news) }
      await uploadFile(server, Buffer.from(text), { ...fields, fileName: name })
      const answer = await visit(`${await preview()}/news/${name}`)
      assert.equal(answer.text, text)
    }
  })

  test('of a script lead into the preview by the referrer', async () => {
    const link = await preview()
    const referer = `${ORIGIN}${link}/news/live.html`
    const { status, headers } = await visit('/news/both.html', { headers: { referer } })
    assert.deepEqual([status, headers.location], [307, `${link}/news/both.html`])
    assert.equal(headers['cache-control'], 'private, no-store')
    for (const other of [`${ORIGIN}/news/`, `https://evil.example.org${link}/`, 'about:client'])
      assert.equal((await visit('/news/both.html', { headers: { referer: other } })).status, 200)
  })

  test('install no service worker', async () => {
    const link = await preview()
    const answer = await visit(`${link}/news/page.txt`, { headers: { 'service-worker': 'script' } })
    assert.equal(answer.status, 404)
  })
})

describe('the end of a preview', () => {
  test('is in an hour, or at date_expires, at most in 24 hours', async () => {
    const { body } = await ask({ site: ORIGIN })
    assert.equal(body.date_expires, new Date(clockMs + 3_600_000).toISOString())
    const path = new URL(body.url).pathname
    const day = await preview(undefined, { date_expires: new Date(clockMs + 86_400_000) })
    const early = clockMs
    clockMs += 3_599_000
    assert.equal((await visit(`${path}news/live.html`)).status, 200)
    clockMs += 1_000
    await gone(`${path}news/live.html`, 'expired')
    assert.equal((await visit(`${day}/news/live.html`)).status, 200)
    clockMs = early + 86_400_000
    await gone(`${day}/news/live.html`, 'expired')
    for (const ms of [0, -1, 86_400_001]) {
      const answer = await ask({ site: ORIGIN, date_expires: new Date(clockMs + ms) })
      assert.deepEqual(assertProblem(answer, 'invalid-content').errors[0].pointer, '/date_expires')
    }
  })

  test('comes with the key, its secret and its user, and with the end of a session', async () => {
    const user = await make(server, 'user', { name: 'ada', role: 'editor' })
    const makeKey = async (json: object = {}): Promise<any> => {
      const fields = { name: 'preview', user_id: user.user_id, ...json }
      return (await server.call('POST', '/api/v2/api_key', { json: fields })).body
    }
    const key = await makeKey()
    const rotated = await makeKey()
    const ending = await makeKey({ date_expires: new Date(clockMs + 60_000) })
    const [one, two, three] = [
      await preview(key.secret),
      await preview(rotated.secret),
      await preview(ending.secret),
    ]
    await givePassword(server, 'ada')
    const signedIn = await signIn(server, 'ada')
    const four = await preview(signedIn.secret)
    for (const link of [one, two, three, four])
      assert.equal((await visit(`${link}/news/both.html`)).text, 'staged')

    await server.call('DELETE', `/api/v2/api_key/${key.api_key_id}`)
    await gone(`${one}/news/both.html`, 'the key is deleted')
    await server.call('POST', `/api/v2/api_key/${rotated.api_key_id}/rotate`, { json: {} })
    await gone(`${two}/news/both.html`, 'the secret is rotated')
    clockMs += 60_000
    await gone(`${three}/news/both.html`, 'the key is expired')
    clockMs += 600_000
    assert.equal((await visit(`${four}/news/both.html`)).status, 200)
    await session(server.url, 'DELETE', '', { cookie: signedIn.cookie })
    await gone(`${four}/news/both.html`, 'the session is over')

    const last = await preview((await makeKey()).secret)
    await server.call('POST', `/api/v2/user/${user.user_id}`, { json: { status: 'disabled' } })
    await gone(`${last}/news/both.html`, 'the user is disabled')
  })

  test('a lost grant hides staged versions, and the live ones stay', async () => {
    const user = await make(server, 'user', { name: 'grace', role: 'editor' })
    const fields = { name: 'preview', user_id: user.user_id }
    const { body } = await server.call('POST', '/api/v2/api_key', { json: fields })
    const link = await preview(body.secret)
    assert.equal((await visit(`${link}/news/both.html`)).text, 'staged')
    const json = { category_roles: [{ asset_category_id: news, role: 'viewer' }] }
    await server.call('POST', `/api/v2/user/${user.user_id}`, { json })
    assert.equal((await visit(`${link}/news/both.html`)).text, 'live')
    assert.equal((await visit(`${link}/news/staged.html`)).status, 404)
  })

  test('changed tokens and tokens of other sites are rejected', async () => {
    const link = await preview()
    const token = link.slice('/~preview/'.length)
    for (let at = 0; at < token.length; at += 7) {
      const other = token[at] === 'A' ? 'B' : 'A'
      await gone(`/~preview/${token.slice(0, at)}${other}${token.slice(at + 1)}/`, `at ${at}`)
    }
    await gone(`/~preview/${token.slice(0, -4)}/`, 'shorter')
    await gone(`/~preview/${token}AAAA/`, 'longer')
    const answer = await visit(`${link}/`, { host: 'docs.example.org' })
    assert.deepEqual([answer.status, /preview has ended/.test(answer.text)], [404, true])
    // On the host of the API there are no previews.
    assertProblem(await server.call('GET', `${link}/`), 'not-found')
  })
})

describe('a link to a preview', () => {
  test('leads to the page of a file, on the site that shows the file', async () => {
    const file = await save('linked.html', { pageContent: 'x', fileState: 'stage' })
    const { body } = await ask({ asset_file_id: file.asset_file_id })
    assert.equal(body.site, ORIGIN)
    assert.match(body.url, /^https:\/\/www\.example\.org\/~preview\/[\w-]+\/news\/linked\.html$/)
    assert.equal((await visit(new URL(body.url).pathname)).text, 'x')
    const wrong = await ask({ asset_file_id: file.asset_file_id, site: OTHER })
    assert.equal(assertProblem(wrong, 'invalid-content').errors[0].pointer, '/asset_file_id')
  })

  test('is refused with the reason', async () => {
    const draft = await save('unstaged.html', { pageContent: 'x' })
    assertProblem(await ask({ asset_file_id: draft.asset_file_id }), 'not-published')
    assertProblem(await ask({ asset_file_id: 999_999 }), 'not-found')
    for (const [json, pointer] of [
      [{}, '/site'],
      [{ site: 'https://nowhere.example.org' }, '/site'],
      [{ site: 7 }, '/site'],
      [{ asset_file_id: 'x' }, '/asset_file_id'],
      [{ site: ORIGIN, date_expires: 'soon' }, '/date_expires'],
      [{ site: ORIGIN, hours: 2 }, '/hours'],
    ] as const)
      assert.equal(assertProblem(await ask(json), 'invalid-content').errors[0].pointer, pointer)
    const viewer = await server.makeKey({ name: 'viewer', grants: 'view' })
    assertProblem(await ask({ site: ORIGIN }, viewer), 'grant-missing')
  })

  test('needs a site', async () => {
    const alone = await startTestServer()
    const answer = await alone.call('POST', '/api/v2/preview', { json: {} })
    assert.match(assertProblem(answer, 'not-found').detail, /--site-origin/)
    await alone.close()
  })
})
