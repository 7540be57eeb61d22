// The fields of a folder that apply on its site: redirects and response headers.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeFile, makeFolder, pointersOf, assertProblem } from '../../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

const HOST = 'www.example.org'

let server: TestServer
/** The folder of the site, and a folder in it. */
let root: number
let news: number
before(async () => {
  const sites = [{ origin: `https://${HOST}`, folder: '/Main/website' }]
  server = await startTestServer({ config: { sites } })
  root = (await makeFolder(server, { name: 'website', public: true })).asset_category_id
  news = (await makeFolder(server, { name: 'news', parent_category_id: root })).asset_category_id
})
after(() => server.close())

const visit = (path: string, method = 'GET'): Promise<Answer> =>
  server.call(method, path, { key: null, headers: { host: HOST } })

const set = (folder: number, json: object, key?: string): Promise<Answer> =>
  server.call('POST', `/api/v2/asset_category/${folder}`, { json, ...(key && { key }) })

async function setUp(folder: number, json: object): Promise<void> {
  const { status, text } = await set(folder, json)
  assert.equal(status, 200, text)
}

function publish(folder: number, name: string): Promise<any> {
  const type = name.split('.').at(-1)
  const content = { pageContent: 'text', fileState: 'publish' }
  return makeFile(server, { name, type, parent_category_id: folder, ...content })
}

const whereTo = async (path: string): Promise<unknown> => {
  const { status, headers } = await visit(path)
  return [status, headers.location]
}

test('a redirect applies to paths without a live file; the nearest folder and the longest path take precedence', async () => {
  await setUp(root, {
    redirects: [
      { from: '/old', to: '/new.html', status: 308 },
      { from: '/Caf%C3%A9', to: '/größe?q=1#top', status: 301 },
      { from: '/shop/*', to: 'https://shop.example.org/items/*', status: 308 },
      { from: '/shop/cart', to: 'https://shop.example.org/cart?from=site', status: 308 },
      { from: '/shop/old/*', to: '/archive', status: 308 },
      { from: '/news/first', to: '/from-root', status: 308 },
      { from: '/news/second', to: '/from-root', status: 308 },
      { from: '/robots.txt', to: '/elsewhere', status: 308 },
    ],
  })
  await setUp(news, { redirects: [{ from: '/first', to: '/1.html', status: 301 }] })
  for (const [path, wanted] of [
    ['/old', [308, '/new.html']],
    ['/OLD/', [308, '/new.html']],
    ['/old?x=1', [308, '/new.html?x=1']],
    ['/cafe%CC%81?x=1', [301, '/gr%C3%B6%C3%9Fe?q=1#top']],
    ['/shop', [308, 'https://shop.example.org/items']],
    ['/shop/a/b%20c', [308, 'https://shop.example.org/items/a/b%20c']],
    ['/shop?x=1', [308, 'https://shop.example.org/items']],
    ['/shop/cart', [308, 'https://shop.example.org/cart?from=site']],
    ['/shop/old/a', [308, '/archive']],
    ['/news/first', [301, '/news/1.html']],
    ['/news/second', [308, '/from-root']],
    ['/older', [404, undefined]],
    ['/%ff', [404, undefined]],
    ['/robots.txt', [200, undefined]],
  ] as const)
    assert.deepEqual(await whereTo(path), wanted, path)
  assert.equal((await visit('/old', 'HEAD')).status, 308)

  const file = await publish(root, 'old')
  assert.deepEqual(await whereTo('/old'), [200, undefined])
  await server.call('POST', `/api/v2/asset_file/${file.asset_file_id}/unpublish`)
  assert.deepEqual(await whereTo('/old'), [308, '/new.html'])
  await setUp(root, { redirects: null })
  assert.deepEqual(await whereTo('/old'), [404, undefined])
})

test('a redirect of everything leaves files alone, and never leads to itself', async () => {
  await publish(root, 'there.html')
  await setUp(root, { redirects: [{ from: '/*', to: '/there.html', status: 308 }] })
  assert.deepEqual(await whereTo('/a/b'), [308, '/there.html'])
  assert.deepEqual(await whereTo('/there.html'), [200, undefined])
  assert.deepEqual(await whereTo('/sitemap.xml'), [200, undefined])
  await setUp(root, { redirects: [{ from: '/*', to: '/missing.html', status: 308 }] })
  assert.deepEqual(await whereTo('/missing.html'), [404, undefined])
  await setUp(root, { redirects: null })
})

test('a redirect is part of its folder: a hidden folder leads nowhere, and a renamed one leads from its new path', async () => {
  const redirects = [{ from: '/a', to: '/b', status: 308 }]
  const json = { name: 'inner', parent_category_id: root, redirects }
  const { asset_category_id: id } = await makeFolder(server, json)
  assert.deepEqual(await whereTo('/inner/a'), [308, '/inner/b'])
  await setUp(id, { name: 'renamed' })
  assert.deepEqual(await whereTo('/renamed/a'), [308, '/renamed/b'])
  await setUp(id, { public: false })
  assert.deepEqual(await whereTo('/renamed/a'), [404, undefined])
})

test('headers of the nearest folder apply to its files, on the site alone', async () => {
  await setUp(root, {
    site_headers: { 'X-Robots-Tag': 'noindex', 'content-security-policy': "default-src 'self'" },
  })
  await setUp(news, { site_headers: { 'X-Robots-Tag': '', 'Cache-Control': 'no-store' } })
  const above = await publish(root, 'above.html')
  await publish(news, 'below.html')
  const headersOf = async (path: string): Promise<unknown> => {
    const { headers } = await visit(path)
    const { 'x-robots-tag': robots, 'content-security-policy': policy } = headers
    return [robots, policy, headers['cache-control'], headers['x-content-type-options']]
  }
  const policy = "default-src 'self'"
  assert.deepEqual(await headersOf('/above'), ['noindex', policy, 'public, no-cache', 'nosniff'])
  assert.deepEqual(await headersOf('/news/below'), [undefined, policy, 'no-store', 'nosniff'])
  const { etag = '' } = (await visit('/above')).headers
  const unchanged = await server.call('GET', '/above', {
    key: null,
    headers: { host: HOST, 'if-none-match': etag },
  })
  assert.deepEqual([unchanged.status, unchanged.headers['x-robots-tag']], [304, 'noindex'])
  const path = `/file/${above.asset_file_id}/above.html`
  assert.equal((await server.call('GET', path, { key: null })).headers['x-robots-tag'], undefined)

  // An empty value leaves no header of the server in its place.
  await setUp(news, { site_headers: { 'Content-Security-Policy': '', 'Cache-Control': '' } })
  assert.deepEqual(await headersOf('/news/below'), ['noindex', undefined, undefined, 'nosniff'])

  await setUp(root, { site_headers: null })
  assert.deepEqual(await headersOf('/above'), [
    undefined,
    "frame-ancestors 'self'",
    'public, no-cache',
    'nosniff',
  ])
})

test('redirects that cannot work are rejected with the reason', async () => {
  const to = '/b'
  for (const [value, reason] of [
    [{ from: '/a', to }, /list of at most 200/],
    [[{ from: '/a', status: 308 }], /texts as from and to \(redirect 1\)/],
    [[{ from: '/a', to, state: 1 }], /unknown member state/],
    [[{ from: '/a', to, status: 302 }], /301 or 308/],
    [[{ from: '/a', to }], /301 or 308/],
    [[{ from: 'a', to }], /begins with a slash/],
    [[{ from: '/a?b', to }], /query/],
    [[{ from: '/a b', to }], /write %20/],
    [[{ from: '/a/../b', to }], /"\.\."/],
    [[{ from: '/a//b', to }], /not be empty/],
    [[{ from: '/%zz', to }], /percent-encoded/],
    [[{ from: '/a*', to }], /"\*"/],
    [[{ from: '/a', to: 'javascript:alert(1)' }], /http or https/],
    [[{ from: '/a', to: '//evil.example' }], /one slash/],
    [[{ from: '/a', to: '/\\evil.example' }], /backslashes/],
    [[{ from: '/a', to: '/b\r\nx: y' }], /control characters/],
    [[{ from: '/a', to: 'https://me:you@example.org/' }], /password/],
    [[{ from: '/a', to: '/../b' }], /names \. and \.\./],
    [[{ from: '/a', to: '/b/*' }], /must have \/\* in from/],
    [[{ from: '/a', to: '/A?x' }], /lead to itself/],
    [[{ from: '/*', to: '/b/*' }], /lead to itself/],
    [[{ from: '/a/*', to: '/a/b/*' }], /lead to itself/],
    [
      [
        { from: '/a', to, status: 308 },
        { from: '/%41/', to, status: 308 },
      ],
      /two redirects from \/%41\//,
    ],
    [Array.from({ length: 201 }, (_, at) => ({ from: `/${at}`, to, status: 308 })), /at most 200/],
    [
      Array.from({ length: 100 }, (_, at) => ({
        from: `/${at}${'x'.repeat(240)}`,
        to,
        status: 308,
      })),
      /at most 20000 characters/,
    ],
  ] as const) {
    const answer = await set(root, { redirects: value })
    const { detail, errors } = assertProblem(answer, 'invalid-content')
    assert.deepEqual(pointersOf(answer), ['/redirects'])
    assert.match(`${detail} ${JSON.stringify(errors)}`.replaceAll('\\"', '"'), reason)
  }
  for (const [value, reason] of [
    [[], /an object like/],
    [{ 'Set-Cookie': 'a=b' }, /not Set-Cookie/],
    [{ 'X-Robots-Tag': null }, /visible ASCII/],
    [{ 'X-Robots-Tag': 'a\nb' }, /visible ASCII/],
    [{ 'X-Robots-Tag': 'ä' }, /visible ASCII/],
    [{ 'X-Robots-Tag': 'x'.repeat(2_001) }, /visible ASCII/],
    [{ 'X-Robots-Tag': 'a', 'x-robots-tag': 'b' }, /twice/],
  ] as const) {
    const answer = await set(root, { site_headers: value })
    const { detail, errors } = assertProblem(answer, 'invalid-content')
    assert.match(`${detail} ${JSON.stringify(errors)}`, reason)
  }
})

test('redirects and headers need the grant publish, in the folder and in those below', async () => {
  const redirects = [{ from: '/a', to: '/b', status: 308 }]
  const editor = await server.makeKey({ name: 'e', grants: 'view,create,modify' })
  assertProblem(await set(news, { redirects }, editor), 'grant-missing')
  assertProblem(await set(news, { site_headers: {} }, editor), 'grant-missing')
  const json = { name: 'of-editor', parent_category_id: news, redirects }
  const made = await server.call('POST', '/api/v2/asset_category', { json, key: editor })
  assertProblem(made, 'grant-missing')
  assert.equal((await set(news, { title: 'x' }, editor)).status, 200)
  const publisher = await server.makeKey({ name: 'p', grants: 'view,modify,publish' })
  assert.equal((await set(news, { redirects }, publisher)).status, 200)
})
