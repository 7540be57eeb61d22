// The website of docs/website.md, exactly as documented: the real nginx shows the site of the server, and
// a webhook keeps a directory up to date.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { networks } from '../../lib/config/flag-values.ts'
import { fileOf, makeFile, makeFolder, partsOf } from '../helpers/content.ts'
import { documentedIn, freePort, NO_NGINX, type Nginx, runNginx } from '../helpers/nginx.ts'
import {
  type Answer,
  send,
  startTestServer,
  temporaryDirectory,
  type TestServer,
} from '../helpers/server.ts'

const GUIDE = 'docs/website.md'
const PAGE = '<h1>Welcome</h1><script>document.title = "runs"</script>'

async function until<T>(read: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read()
    if (isRight(value)) return value
    await sleep(50)
  }
}

describe('a website behind nginx', { skip: NO_NGINX }, () => {
  const folder = temporaryDirectory()
  let server: TestServer
  let nginx: Nginx
  let page: any
  before(async () => {
    const sites = [{ origin: 'https://www.example.org', folder: '/Main/website' }]
    server = await startTestServer({ config: { sites, proxies: networks('test')('loopback') } })
    const { asset_category_id: root } = await makeFolder(server, { name: 'website', public: true })
    const { asset_category_id: news } = await makeFolder(server, {
      name: 'news',
      parent_category_id: root,
    })
    const live = { parent_category_id: root, fileState: 'publish' }
    page = await makeFile(server, { ...live, name: 'index.html', pageContent: PAGE })
    await makeFile(server, { ...live, name: 'style.css', type: 'css', pageContent: 'p {}' })
    await makeFile(server, { parent_category_id: root, name: 'draft.html', pageContent: 'draft' })
    await makeFile(server, {
      ...live,
      parent_category_id: news,
      name: 'Grüße & 100 %.html',
      pageContent: 'news',
    })
    nginx = await start()
  })
  after(async () => {
    await nginx?.close()
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function start(): Promise<Nginx> {
    const port = await freePort()
    const server_ = documentedIn('website.md', 'upstream cms_website {')
      .replace('/var/cache/nginx/website', join(folder, 'cache'))
      .replaceAll('127.0.0.1:8080', new URL(server.url).host)
      .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
      .replaceAll(/^ *ssl_certificate.*$/gm, '')
      .replace('200 308 10s', '200 308 1s')
    return runNginx(port, server_)
  }

  const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    send(nginx.url, 'GET', path, { headers })

  test('pages are shown at the path of their folder and can be revalidated', async () => {
    for (const path of ['/', '/index.html']) {
      const { status, text, headers } = await get(path)
      assert.deepEqual([status, text], [200, PAGE])
      assert.match(String(headers['content-type']), /^text\/html/)
      assert.equal(headers['content-disposition'], undefined)
      assert.equal(headers['cache-control'], 'public, no-cache')
      assert.equal(headers['x-content-type-options'], 'nosniff')
    }
    assert.match(String((await get('/style.css')).headers['content-type']), /^text\/css/)
    const name = encodeURIComponent('Grüße & 100 %.html')
    assert.equal((await get(`/news/${name}`)).text, 'news')
    const etag = String((await get('/')).headers['etag'])
    assert.equal((await get('/', { 'if-none-match': etag })).status, 304)
    const part = await get('/style.css', { range: 'bytes=0-0' })
    assert.deepEqual([part.status, part.text], [206, 'p'])
  })

  const NOT_SHOWN = [
    '/draft.html',
    '/draft.html?state=stage',
    '/draft.html?version=1',
    '/nowhere.html',
    '/news/nowhere/else.html',
    '/file/1/index.html',
    '/api/v2/asset_file',
    '/news/..%2fapi/v2/me',
    '/admin/',
    '/metrics/x',
  ] as const

  for (const path of NOT_SHOWN) {
    test(`other paths are not shown: ${path}`, async () => {
      const { status, text } = await get(path)
      assert.equal(status, 404)
      assert.match(text, /<html lang="en">[\s\S]*<h1>Not found<\/h1>/)
    })
  }

  test('an address that leads out of the site is not found', async () => {
    for (const path of ['/news/..%2f..%2fapi/v2/me', '/%2e%2e/api/v2/me'])
      assert.equal((await get(path)).status, 400)
  })

  test('a query and a key of the visitor are ignored, and other methods are refused', async () => {
    const authorization = `Bearer ${server.key}`
    assert.equal((await get('/?state=stage&version=1', { authorization })).text, PAGE)
    assert.equal((await get('/draft.html?state=stage', { authorization })).status, 404)
    for (const method of ['POST', 'PUT', 'DELETE'])
      assert.equal((await send(nginx.url, method, '/', {})).status, 405)
  })

  test('a publish is visible, and a former address redirects to the file', async () => {
    const path = `/api/v2/asset_file/${page.asset_file_id}`
    await server.call('POST', path, { json: { pageContent: 'second' } })
    assert.equal((await get('/')).text, PAGE)
    await server.call('POST', `${path}/publish`)
    await until(
      () => get('/'),
      ({ text }) => text === 'second',
    )
    const json = { name: 'start.html', pageContent: 'third', fileState: 'publish' }
    await server.call('POST', path, { json })
    const { headers } = await until(
      () => get('/index.html'),
      ({ status }) => status === 308,
    )
    assert.equal(headers.location, '/start.html')
    assert.equal((await get('/start.html')).text, 'third')
  })

  test('a preview is never stored, and scripts in it skip the cache', async () => {
    const file = await server.call('GET', `/api/v2/asset_file/${page.asset_file_id}`)
    const path = `/api/v2/asset_file/${page.asset_file_id}`
    const { body } = await server.call('POST', '/api/v2/preview', {
      json: { asset_file_id: page.asset_file_id },
    })
    const { pathname } = new URL(body.url)
    assert.ok(pathname.endsWith(`/${file.body.name}`))
    for (const pageContent of ['staged', 'staged again']) {
      await server.call('POST', path, { json: { pageContent, fileState: 'stage' } })
      const { text, headers } = await get(pathname)
      assert.deepEqual([text, headers['cache-control']], [pageContent, 'private, no-store'])
    }
    assert.equal((await get('/style.css')).status, 200)
    const referer = `https://www.example.org${pathname}`
    const moved = await get('/style.css', { referer })
    assert.equal(moved.status, 307)
    assert.equal((await get('/style.css')).text, 'p {}')
    await server.call('POST', `${path}/unstage`)
  })

  test('a preview has the headers of the server even with a live tree', async () => {
    const cms = join(folder, 'tree/.cms')
    mkdirSync(cms, { recursive: true })
    for (const name of [
      'files.map',
      'folders.map',
      'files.301.map',
      'folders.301.map',
      'header-maps.conf',
      'headers.conf',
    ])
      writeFileSync(join(cms, `www.example.org.${name}`), '')
    const port = await freePort()
    const config = documentedIn('website.md', 'map $uri $cms_moved_file {')
      .replaceAll('/srv/website', join(folder, 'tree'))
      .replaceAll('127.0.0.1:8080', new URL(server.url).host)
      .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
      .replaceAll(/^ *ssl_certificate.*$/gm, '')
    const other = await runNginx(port, config)
    const json = { asset_file_id: page.asset_file_id }
    const { body } = await server.call('POST', '/api/v2/preview', { json })
    const { status, headers } = await send(other.url, 'GET', new URL(body.url).pathname, {})
    await other.close()
    assert.equal(status, 200)
    assert.equal(headers['cache-control'], 'private, no-store')
    assert.equal(headers['x-robots-tag'], 'noindex')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.match(String(headers['content-security-policy']), /^frame-ancestors 'self' http[^,]*$/)
  })

  test('the cache shows pages while the server is down, and other paths are 503', async () => {
    assert.equal((await get('/style.css')).status, 200)
    await server.stop()
    // nginx answers from its cache, however old the entry is.
    assert.equal((await get('/style.css')).text, 'p {}')
    const { status, text } = await get('/never-asked-for.html')
    assert.deepEqual(
      [status, text],
      [503, 'This page cannot be shown at the moment. Try again soon.\n'],
    )
  })
})

describe('a website as files', () => {
  const folder = temporaryDirectory()
  let server: TestServer
  let program: ChildProcess | undefined
  before(async () => {
    server = await startTestServer({ config: { webhookAllow: networks('test')('127.0.0.0/8') } })
  })
  after(async () => {
    program?.kill()
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const onSite = (name: string): string | undefined => {
    const path = join(folder, 'site', name)
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined
  }
  const shows = (name: string, text: string | undefined): Promise<unknown> =>
    until(
      () => Promise.resolve(onSite(name)),
      (found) => found === text,
    )

  test('is built by the program of the guide after each publish and unpublish', async () => {
    const port = await freePort()
    const json = {
      name: 'website',
      url: `http://127.0.0.1:${port}/`,
      objects: ['asset_file', 'asset_category'],
      actions: ['publish', 'unpublish', 'update', 'delete'],
    }
    const guide = readFileSync(GUIDE, 'utf8')
    const { body } = await server.call('POST', '/api/v2/webhook', { json })
    // The webhook is the same as in the guide.
    for (const name of ['objects', 'actions'] as const)
      assert.ok(guide.includes(`"${name}":${JSON.stringify(json[name])}`))
    const [, text = ''] = /```js\n([^]*?)```/.exec(guide) ?? []
    writeFileSync(join(folder, 'website.mjs'), text)
    program = spawn(process.execPath, [join(folder, 'website.mjs')], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        PATH: `${resolve('bin')}${delimiter}${process.env['PATH'] ?? ''}`,
        CMS_URL: server.url,
        CMS_KEY: await server.makeKey({ name: 'website', grants: 'view' }),
        SECRET: body.secret,
        WEB_ROOT: join(folder, 'site'),
        PORT: String(port),
      },
    })

    const file = await makeFile(server, {
      name: 'index.html',
      pageContent: 'one',
      fileState: 'publish',
    })
    await shows('index.html', 'one')
    const path = `/api/v2/asset_file/${file.asset_file_id}`
    await server.call('POST', path, { json: { pageContent: 'two' } })
    const other = [
      ...partsOf({ asset_category_id: '1', fileState: 'publish' }),
      fileOf('x', 'b.bin'),
    ]
    await server.upload(other)
    await shows('b.bin', 'x')
    assert.equal(onSite('index.html'), 'one')
    await server.call('POST', `${path}/publish`)
    await shows('index.html', 'two')
    await server.call('POST', `${path}/unpublish`)
    await shows('index.html', undefined)
    await shows('b.bin', 'x')
  })
})
