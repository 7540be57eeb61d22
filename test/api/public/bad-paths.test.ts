// Paths that no HTTP client would send, byte by byte on a socket of the site: each is 404 or 400, shows nothing, and leads
// to no other host.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makeFile, makeFolder } from '../../helpers/content.ts'
import { ask, type RawAnswer } from '../../helpers/raw.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const HOST = 'www.example.org'
const SECRET = 'not for visitors'

describe('a path of the site', () => {
  let server: TestServer
  /** The path of a preview without the slash at its end. */
  let preview: string
  before(async () => {
    const sites = [{ origin: `https://${HOST}`, folder: '/Main/website' }]
    server = await startTestServer({ config: { sites } })
    const { asset_category_id: root } = await makeFolder(server, { name: 'website', public: true })
    const { asset_category_id: news } = await makeFolder(server, {
      name: 'news',
      parent_category_id: root,
    })
    const publish = (parent: number, name: string, pageContent: string): Promise<any> =>
      makeFile(server, { name, parent_category_id: parent, pageContent, fileState: 'publish' })
    await publish(root, 'index.html', 'home')
    await publish(news, 'Größe.html', 'size')
    await publish(1, 'outside.html', SECRET)
    await makeFile(server, { name: 'draft.html', parent_category_id: root, pageContent: SECRET })
    const { body } = await server.call('POST', '/api/v2/preview', { json: {} })
    preview = new URL(body.url).pathname.slice(0, -1)
  })
  after(() => server.close())

  const get = (target: string, host = HOST): Promise<RawAnswer> =>
    ask(server.url, [`GET ${target} HTTP/1.1`, `Host: ${host}`])

  const BAD: readonly (readonly [string, string])[] = [
    ['dots', '/../outside.html'],
    ['dots in the middle', '/news/../../outside.html'],
    ['encoded dots', '/%2e%2e/outside.html'],
    ['dots with an encoded slash', '/news/..%2foutside.html'],
    ['dots encoded twice', '/%252e%252e/outside.html'],
    ['dots as overlong UTF-8', '/%c0%ae%c0%ae/outside.html'],
    ['dots with parameters', '/..;/outside.html'],
    ['a backslash', '/..\\outside.html'],
    ['an encoded backslash', '/news%5c..%5coutside.html'],
    ['an encoded slash', '/news%2fGr%C3%B6%C3%9Fe.html'],
    ['an encoded slash at the end', '/index.html%2f'],
    ['a NUL', '/index.html\0'],
    ['an encoded NUL', '/index.html%00'],
    ['an encoded NUL before another ending', '/draft.html%00.css'],
    ['an encoded line break', '/index.html%0d%0aSet-Cookie:%20a=b'],
    ['UTF-8 that ends early', '/%e2%82'],
    ['half a percent sign', '/%2'],
    ['a long name', `/${'x'.repeat(256)}`],
    ['a long name in another alphabet', `/${'%C3%BC'.repeat(256)}`],
    ['many folders', `${'/a'.repeat(3_000)}`],
    ['many slashes before a missing page', `${'/'.repeat(5_000)}x`],
    ['a dot at the end', '/index.html.'],
    ['a blank at the end', '/index.html%20'],
    ['an invisible character', '/index%E2%80%8B.html'],
    ['a stream of a file system', '/index.html::$DATA'],
    ['the tree of the operator', '/.cms/site.json'],
    ['a path of the API', '/api/v2/me'],
    ['a file by its number', '/file/3/outside.html'],
    ['a draft', '/draft.html'],
  ]
  for (const [name, path] of BAD)
    for (const place of ['the site', 'a preview'] as const)
      test(`with ${name} is not a page of ${place}`, async () => {
        const { status, head, body } = await get(place === 'the site' ? path : preview + path)
        assert.ok(status === 400 || status === 404, head)
        assert.doesNotMatch(head, /^(?:location|set-cookie):/im)
        assert.ok(!body.includes(SECRET) && !body.includes('home'), body)
      })

  test('may be at most 8 KiB long', async () => {
    assert.equal((await get(`/${'x/'.repeat(5_000)}`)).status, 414)
  })

  test('with another host in the target, or with several hosts, is not a page', async () => {
    const absolute = await get('http://www.example.org/', 'cms.example.org')
    assert.deepEqual([absolute.status, absolute.body], [200, 'home'])
    assert.equal((await get('http://other.example.org/index.html')).status, 404)
    const two = await ask(server.url, ['GET / HTTP/1.1', `Host: ${HOST}`, 'Host: cms.example.org'])
    assert.equal(two.status, 400)
    for (const target of ['//evil.example/..', '/\\evil.example/news', '//evil.example%2f..'])
      assert.doesNotMatch((await get(target)).head, /^location: *(?:\/\/|\/\\|http)/im)
  })

  test('finds the same file in both Unicode forms', async () => {
    for (const name of ['Gr%C3%B6%C3%9Fe.html', 'Gro%CC%88%C3%9Fe.html'])
      assert.equal((await get(`/news/${name}`)).body, 'size')
  })
})
