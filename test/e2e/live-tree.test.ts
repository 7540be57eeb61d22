// The live tree of docs/website.md, exactly as documented: the real nginx shows the complete site after the
// server was killed.

import assert from 'node:assert/strict'
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { type ChildServer, makeKey, startChild } from '../helpers/child-server.ts'
import { makeFile, makeFolder, uploadFile } from '../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { freePort, NO_NGINX, type Nginx, runNginx, treeConfig } from '../helpers/nginx.ts'
import { buildForm, type Answer, send, temporaryDirectory } from '../helpers/server.ts'
import { eventually, treeIn } from '../helpers/tree.ts'

const HOST = 'www.example.org'

describe('a live tree behind nginx', { skip: NO_NGINX }, () => {
  const folder = temporaryDirectory()
  const liveTree = join(folder, 'website')
  const tree = join(liveTree, HOST)
  let child: ChildServer
  let nginx: Nginx
  const paths: string[] = []
  const fromServer = new Map<string, Answer>()

  before(async () => {
    const dataDir = newDataDirectory()
    const site = ['--site-origin', `https://${HOST}=/Main/website`, '--live-tree', liveTree]
    child = await startChild(dataDir, site)
    await fill(await makeKey(dataDir))
    for (const path of paths)
      fromServer.set(path, await send(child.url, 'GET', path, { headers: { host: HOST } }))
    await child.kill('SIGKILL')
    nginx = await start()
  })
  after(async () => {
    await nginx?.close()
    await child.kill('SIGKILL')
    removeDataDirectories()
    rmSync(folder, { recursive: true, force: true })
  })

  async function fill(key: string): Promise<void> {
    const server: any = {
      call: (method: string, path: string, call: object = {}) =>
        send(child.url, method, path, { key, ...call }),
      upload(parts: any) {
        const { contentType, body } = buildForm(parts)
        return send(child.url, 'POST', '/upload', {
          key,
          body,
          headers: { 'content-type': contentType },
        })
      },
    }
    const change = async (object: string, id: number, json: object): Promise<void> => {
      const { status, text } = await server.call('POST', `/api/v2/${object}/${id}`, { json })
      assert.equal(status, 200, text)
    }
    const { asset_category_id: root } = await makeFolder(server, { name: 'website', public: true })
    const below = { parent_category_id: root }
    const { asset_category_id: news } = await makeFolder(server, { ...below, name: 'news' })
    const { asset_category_id: old } = await makeFolder(server, { ...below, name: 'Old (1) $x' })
    const { asset_category_id: empty } = await makeFolder(server, { ...below, name: 'empty' })
    const put = (parent: number, name: string, pageContent: string): Promise<any> =>
      makeFile(server, {
        name,
        type: name.split('.').at(-1),
        parent_category_id: parent,
        pageContent,
        fileState: 'publish',
      })
    await put(root, 'index.html', '<h1>Grüße</h1>')
    await put(root, '404.html', '<h1>Nothing here</h1>')
    await put(root, 'style.css', 'p { content: "ü" }')
    await put(root, 'long.css', 'p { color: red }\n'.repeat(200))
    await put(news, 'index.html', 'all news')
    const hello = await put(news, 'hello.html', 'hello')
    await put(news, 'Grüße & 100 %.html', 'special')
    await put(old, 'page "1".html', 'in a folder')
    await put(empty, 'page.html', 'no index')
    const { asset_category_id: about } = await makeFolder(server, { ...below, name: 'about' })
    const link = `<a href="[get_asset_file_url id=${hello.asset_file_id}]">{{x}}</a>`
    await put(about, 'index.stml', `<div id="dd.0">${link}</div>`)
    await put(about, 'us & you.stml', '<div id="dd.0">Grüße</div>')
    const fields = { asset_category_id: String(news), fileState: 'publish' }
    await uploadFile(server, Buffer.alloc(200_000, 255), { ...fields, fileName: 'data.bin' })
    await change('asset_file', hello.asset_file_id, {
      name: 'Welcome $1 "you".html',
      fileState: 'publish',
    })
    await change('asset_category', old, { name: 'New 100 %' })
    await change('asset_category', root, {
      redirects: [
        { from: '/Shop', to: '/news/?a=$host"', status: 308 },
        { from: '/(shop)/*', to: '/*', status: 308 },
        { from: '/away/*', to: 'https://shop.example.com/de/*', status: 308 },
        { from: '/news/hello.html', to: '/', status: 308 },
        { from: '/older', to: '/news/', status: 301 },
        { from: '/shown/*', to: '/news/*', status: 301 },
        { from: '/shown/kept/*', to: '/about/*', status: 308 },
      ],
      site_headers: {
        'X-Robots-Tag': 'noindex',
        'Content-Security-Policy': `default-src 'self' https://a.example/$x; frame-ancestors 'self'`,
      },
    })
    await change('asset_category', news, {
      site_headers: { 'X-Robots-Tag': '', 'Cache-Control': 'no-store', 'referrer-policy': '' },
    })
    await change('asset_category', old, {
      site_headers: { 'Permissions-Policy': 'camera=(self "https://a.example")' },
    })
    paths.push('/', '/index.html', '/style.css', '/news/', '/news/index.html', '/news/data.bin')
    paths.push('/about/', '/about/index.stml', '/long.css')
    for (const path of [
      'about/us & you',
      'about/us & you.stml',
      'news/Welcome $1 "you".html',
      'news/Grüße & 100 %',
      'New 100 %/page "1"',
    ])
      paths.push(`/${path.split('/').map(encodeURIComponent).join('/')}`)
    await eventually(() => {
      assert.equal(treeIn(tree)['New 100 %/page "1".html'], 'in a folder')
      assert.equal(Object.keys(treeIn(tree)).length, 14)
      assert.match(treeIn(tree)['about/index.stml'] ?? '', /Welcome/)
    })
    await eventually(() => {
      const maps = treeIn(join(liveTree, '.cms'))
      assert.match(maps[`${HOST}.files.map`] ?? '', /^"\/news\/hello\.html" /)
      assert.match(maps[`${HOST}.folders.map`] ?? '', /old.*away/s)
      assert.match(maps[`${HOST}.header-maps.conf`] ?? '', /camera/)
    })
  }

  async function start(): Promise<Nginx> {
    const port = await freePort()
    return runNginx(port, treeConfig(port, liveTree))
  }

  const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    send(nginx.url, 'GET', path, { headers })

  test('every page has the bytes and headers of the stopped server', async () => {
    for (const path of paths) {
      const [own, other] = [fromServer.get(path), await get(path)]
      assert.deepEqual([own?.status, other.status], [200, 200], path)
      assert.ok(own?.bytes.equals(other.bytes), path)
      for (const name of [
        'content-type',
        'cache-control',
        'content-security-policy',
        'referrer-policy',
        'cross-origin-resource-policy',
        'x-content-type-options',
        'x-robots-tag',
        'permissions-policy',
      ])
        assert.equal(other.headers[name], own?.headers[name], `${path} ${name}`)
    }
  })

  test('robots.txt and the sitemap are generated, and texts are compressed', async () => {
    assert.match(
      (await get('/robots.txt')).text,
      /^Sitemap: https:\/\/www\.example\.org\/sitemap\.xml$/m,
    )
    const { text, headers } = await get('/sitemap.xml')
    assert.match(text, /<loc>https:\/\/www\.example\.org\/news\/<\/loc>/)
    assert.match(String(headers['content-type']), /^(?:text|application)\/xml/)
    const packed = await get('/long.css', { 'accept-encoding': 'gzip' })
    assert.deepEqual(
      [packed.headers['content-encoding'], packed.headers.vary],
      ['gzip', 'Accept-Encoding'],
    )
    assert.ok(gunzipSync(packed.bytes).equals((await get('/long.css')).bytes))
  })

  test('ranges and conditions work, and a folder redirects to its index', async () => {
    const part = await get('/style.css', { range: 'bytes=0-0' })
    assert.deepEqual([part.status, part.text], [206, 'p'])
    const etag = String((await get('/')).headers['etag'])
    assert.equal((await get('/', { 'if-none-match': etag })).status, 304)
    const { status, headers } = await get('/news')
    assert.deepEqual([status, headers.location], [301, '/news/'])
  })

  test('former addresses of files and folders redirect', async () => {
    const moved = async (path: string): Promise<readonly unknown[]> => {
      const { status, headers } = await get(path)
      return [status, headers.location]
    }
    const page = '/news/Welcome%20%241%20%22you%22.html'
    assert.deepEqual(await moved('/news/hello.html'), [308, page])
    assert.deepEqual(await moved('/news/Hello.html?a=b'), [308, `${page}?a=b`])
    assert.equal((await get(page)).text, 'hello')
    for (const form of ['/Old%20(1)%20$x/', '/old%20%281%29%20%24x/'])
      assert.deepEqual(await moved(`${form}page%20%221%22.html`), [
        308,
        '/New%20100%20%25/page%20%221%22.html',
      ])
    for (const [path, location] of [
      ['/shop?b=c', '/news/?a=%24host%22'],
      ['/%28shop%29/a/b%20c?d', '/a/b%20c?d'],
      ['/away/x?b=c', 'https://shop.example.com/de/x'],
      ['/away', 'https://shop.example.com/de'],
      ['/shown/kept/x', '/about/x'],
    ] as const)
      assert.deepEqual(await moved(path), [308, location], path)
    for (const [path, location] of [
      ['/older', '/news/'],
      ['/shown/data.bin', '/news/data.bin'],
    ] as const)
      assert.deepEqual(await moved(path), [301, location], path)
    // No address of the site leads to a host that the visitor's link names.
    for (const path of [
      '/(shop)//evil.example',
      '/(shop)/%5cevil.example',
      '/(shop)/\\evil.example',
    ]) {
      const [status, location] = await moved(path)
      assert.ok(status === 404 || !/^(?:\/\/|\/\\)/.test(String(location)), `${path} ${location}`)
    }
    const split = await get('/Old%20(1)%20$x/%0d%0aSet-Cookie:%20a=b')
    assert.equal(split.headers['set-cookie'], undefined)
  })

  test('other paths get the page 404.html, and nothing outside the site is shown', async () => {
    for (const path of [
      '/nothing',
      '/news/nothing.html',
      '/empty/',
      '/.cms/site.json',
      '/%2e%2e/.cms/site.json',
      '/..%2f.cms/site.json',
      '/news/WELCOME',
    ]) {
      const { status, text } = await get(path)
      assert.ok(status === 404 || status === 400, `${path} ${status}`)
      if (status === 404) assert.equal(text, '<h1>Nothing here</h1>', path)
    }
    assert.ok(existsSync(join(liveTree, '.cms/site.json')))
  })

  test('a change of the tree is visible although nginx keeps files open', async () => {
    const shows = async (path: string): Promise<readonly unknown[]> => {
      const { status, text, headers } = await get(path)
      return [status, text, headers['content-type']]
    }
    const html = 'text/html; charset=utf-8'
    assert.deepEqual(await shows('/news/'), [200, 'all news', html])
    writeFileSync(join(folder, 'next'), 'newer and longer')
    renameSync(join(folder, 'next'), join(tree, 'news/index.html'))
    await eventually(async () =>
      assert.deepEqual(await shows('/news/'), [200, 'newer and longer', html]),
    )
    rmSync(join(tree, 'news/index.html'))
    rmSync(join(tree, '404.html'))
    writeFileSync(join(tree, '404.stml'), '<h1>Rendered</h1>')
    await eventually(async () =>
      assert.deepEqual(await shows('/news/'), [404, '<h1>Rendered</h1>', html]),
    )
  })
})
