// GET and HEAD /file/<n>/<file_name>: the file and the version that an address names.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  downloadSettled,
  assertProblem,
  make,
  makeFile,
  makeFolder,
  newName,
  uploadFile,
} from '../../helpers/content.ts'
import { ask } from '../../helpers/raw.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')
let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const download = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  server.call(method, path, { headers })

test('E4: a download has headers that protect its type', async () => {
  const file = await makeFile(server, { pageContent: '<p>\u00e9</p>', fileState: 'publish' })
  const { status, text, headers } = await download(file.url)
  assert.deepEqual([status, text], [200, '<p>\u00e9</p>'])
  assert.equal(headers.etag, `"${sha256(text)}"`)
  assert.equal(headers['content-length'], '9')
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(headers['content-disposition'], `attachment; filename=${file.name}`)
  assert.equal(headers['accept-ranges'], 'bytes')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(String(headers['content-security-policy']), /default-src 'none';.*sandbox$/)
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
  assert.equal(headers['cache-control'], 'private, no-cache')
  assert.equal(headers.vary, 'Authorization')
  const settled = await downloadSettled(server, file.url)
  const end = Math.floor(Date.parse(file.date_published) / 1_000) * 1_000 + 1_000
  assert.equal(Date.parse(String(settled.headers['last-modified'])), end)
})

test('HEAD has the headers of GET and no body', async () => {
  const file = await makeFile(server, { fileState: 'publish' })
  const get = await download(file.url)
  const head = await download(file.url, {}, 'HEAD')
  const { date: _, 'x-request-id': __, ...expected } = get.headers
  const { date: ___, 'x-request-id': ____, ...headers } = head.headers
  assert.deepEqual([head.status, headers, head.bytes.length], [200, expected, 0])
})

test('the number identifies a file or a folder with that file, and never both', async () => {
  const folder = await makeFolder(server)
  const number: number = folder.asset_category_id
  let other = await makeFile(server, { fileState: 'publish' })
  while (other.asset_file_id < number) {
    other = await makeFile(server, { fileState: 'publish' })
    assert.notEqual(other.asset_file_id, number)
  }
  const name = newName()
  const inside = await makeFile(server, {
    name,
    parent_category_id: number,
    pageContent: 'inside',
    fileState: 'publish',
  })
  assert.equal((await download(`/file/${number}/${name}`)).text, 'inside')
  assert.equal((await download(`/file/${inside.asset_file_id}/${name}`)).text, 'inside')
  for (let made = 0; made < number; made += 1) {
    const { asset_category_id: id } = await makeFolder(server)
    assertProblem(await server.call('GET', `/api/v2/asset_file/${id}`), 'not-found')
  }
})

test('folder 1 has the files of the root and not those of its subfolders', async () => {
  const root = await makeFile(server, { fileState: 'publish' })
  const below = await makeFile(server, {
    fileState: 'publish',
    parent_category_id: (await makeFolder(server)).asset_category_id,
  })
  assert.equal((await download(`/file/1/${root.name}`)).status, 200)
  assertProblem(await download(`/file/1/${below.name}`), 'not-found')
})

const NAMES = [
  'caf\u00e9 \u4e2d.txt',
  '\u{1f600}.txt',
  'a%20b.txt',
  'a+b&c=d.txt',
  "it's (1)!.txt",
  'a#b?c.txt',
  'a\\b;c.txt',
  '%2e%2e',
  '100%',
  'x'.repeat(255),
  '\u4e2d'.repeat(85),
]

test('N2, N6: every name has a working address and is returned in Content-Disposition', async (t) => {
  for (const name of NAMES) {
    await t.test(name.slice(0, 40), async () => {
      const file = await makeFile(server, {
        name,
        type: 'txt',
        pageContent: name,
        fileState: 'publish',
      })
      assert.equal(file.url, `/file/${file.asset_file_id}/${encodeURIComponent(name)}`)
      const all = [...Buffer.from(name)]
        .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
        .join('')
      for (const path of [
        file.url,
        `/file/${file.asset_file_id}/${all}`,
        `/file/1/${encodeURIComponent(name)}`,
      ]) {
        const answer = await download(path)
        assert.deepEqual([answer.status, answer.text], [200, name], path)
        assert.equal(nameIn(String(answer.headers['content-disposition'])), name)
      }
    })
  }
})

/** Returns the file name of a Content-Disposition by RFC 6266: filename* takes precedence over filename. */
function nameIn(header: string): string {
  const extended = /filename\*=UTF-8''([^;]+)/.exec(header)?.[1]
  if (extended !== undefined) return decodeURIComponent(extended)
  const quoted = /filename="((?:[^"\\]|\\.)*)"/.exec(header)?.[1]
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? /filename=([^;]+)/.exec(header)?.[1] ?? ''
}

test('N3: a name matches in any case and in any Unicode form', async () => {
  const file = await makeFile(server, { name: 'R\u00e9sum\u00e9.txt', fileState: 'publish' })
  for (const name of ['R\u00e9sum\u00e9.txt', 'Re\u0301sume\u0301.txt', 'R\u00c9SUM\u00c9.TXT']) {
    const answer = await download(`/file/${file.asset_file_id}/${encodeURIComponent(name)}`)
    assert.equal(answer.status, 200)
    assert.equal(nameIn(String(answer.headers['content-disposition'])), 'R\u00e9sum\u00e9.txt')
  }
})

test('N1, N5: an invalid address is not found and never becomes a path', async (t) => {
  const { asset_file_id: id, name } = await makeFile(server, { fileState: 'publish' })
  const paths = [
    `/file/${id}`,
    `/file/${id}/`,
    `/file/${id}/${name}/`,
    `/file/${id}//${name}`,
    `/file//${name}`,
    `/file/0/${name}`,
    `/file/-1/${name}`,
    `/file/0${id}/${name}`,
    `/file/${id}.0/${name}`,
    `/file/%20${id}/${name}`,
    `/file/\u0661/${name}`.replace('\u0661', '%D9%A1'),
    `/file/9007199254740993/${name}`,
    `/file/999999/${name}`,
    `/file/${id}/other.html`,
    `/file/${id}/${name};x`,
    `/File/${id}/${name}`,
    `/file/${id}/..`,
    `/file/${id}/%2e%2e`,
    `/file/${id}/%2e%2e%2f%2e%2e%2fetc%2fpasswd`,
    `/file/${id}/%252f`,
    `/file/${id}/%5c..%5cx`,
    `/file/${id}/${name}%00`,
    `/file/${id}/../../health`,
  ]
  for (const path of paths) {
    await t.test(path, async () => {
      assertProblem(await download(path), 'not-found')
    })
  }
})

test('N1: an address that is not UTF-8 or badly encoded gets 400', async (t) => {
  for (const name of ['%ff', '%c0%ae', '%ed%a0%80', '%', '%2', '%zz']) {
    await t.test(name, async () => {
      assertProblem(await download(`/file/1/${name}`), 'bad-request')
    })
  }
})

test('an address with a # is refused, because no client sends a fragment', async () => {
  const file = await makeFile(server, { fileState: 'publish' })
  const key = `Authorization: Bearer ${server.key}`
  const answer = await ask(server.url, [`GET ${file.url}#f HTTP/1.1`, 'Host: x', key])
  assert.deepEqual([answer.status, JSON.parse(answer.body).code], [400, 'bad-request'])
})

test('a file without a live version gets 404 not-published with advice', async () => {
  const file = await makeFile(server)
  assert.match(assertProblem(await download(file.url), 'not-published').detail, /\?state=stage/)
  assertProblem(await download(`${file.url}?state=stage`), 'not-published')
  assertProblem(await download(file.url, {}, 'GET'), 'not-published')
})

test('state and version select another version', async () => {
  const file = await makeFile(server, { pageContent: '1', fileState: 'publish' })
  await server.call('POST', `/api/v2/asset_file/${file.asset_file_id}`, {
    json: { pageContent: '2', fileState: 'stage' },
  })
  await server.call('POST', `/api/v2/asset_file/${file.asset_file_id}`, {
    json: { pageContent: '3' },
  })
  const texts = []
  for (const query of ['', '?state=stage', '?version=1', '?version=2', '?version=3', '?state=live'])
    texts.push((await download(file.url + query)).text)
  assert.deepEqual(texts, ['1', '2', '1', '2', '3', '1'])
  assertProblem(await download(`${file.url}?version=4`), 'not-found')
  for (const query of [
    'state=draft',
    'state=',
    'version=0',
    'version=x',
    'version=1&version=2',
    'state=stage&version=1',
  ]) {
    assertProblem(await download(`${file.url}?${query}`), 'bad-request')
  }
})

test('a download ignores unknown query parameters, which can separate cache entries', async () => {
  const file = await makeFile(server, { pageContent: '1', fileState: 'publish' })
  const content = `/api/v2/asset_file/${file.asset_file_id}/versions/1/content`
  for (const path of [file.url, `/api/v2${file.url}`, content]) {
    const plain = await download(path)
    for (const query of ['v=1', 'v=1&v=2', '_=1732280000', 'utm_source=a%20b', '']) {
      const { status, text, headers } = await download(`${path}?${query}`)
      assert.deepEqual([status, text, headers['etag']], [200, '1', plain.headers['etag']])
    }
  }
  assert.equal((await download(`${file.url}?v=2&version=1`)).text, '1')
})

test('the live version needs view, and other versions need more', async () => {
  const viewer = await server.makeKey({ name: 'viewer', grants: 'view' })
  const stager = await server.makeKey({ name: 'stager', grants: 'view,stage' })
  const file = await makeFile(server, { fileState: 'publish' })
  const statuses = async (key: string | null) => {
    const answers = []
    for (const query of ['', '?state=stage', '?version=1'])
      answers.push((await server.call('GET', file.url + query, { key })).status)
    return answers
  }
  assert.deepEqual(await statuses(viewer), [200, 403, 403])
  assert.deepEqual(await statuses(stager), [200, 200, 403])
  assert.deepEqual(await statuses(server.key), [200, 200, 200])
  assert.deepEqual(await statuses(null), [401, 401, 401])
})

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

/** File name, bytes, Content-Type of the answer, and whether a browser may show the file. */
const SHOWN: readonly (readonly [string, string | Buffer, string, 'inline' | 'attachment'])[] = [
  ['a.png', PNG, 'image/png', 'inline'],
  ['b.pdf', '%PDF-1.7\n%%EOF', 'application/pdf; charset=utf-8', 'inline'],
  ['c.txt', 'plain', 'text/plain; charset=utf-8', 'inline'],
  ['d.svg', SVG, 'image/svg+xml; charset=utf-8', 'attachment'],
  ['e.html', '<script>alert(1)</script>', 'text/html; charset=utf-8', 'attachment'],
  ['f.xml', '<a/>', 'application/xml; charset=utf-8', 'attachment'],
  ['g.css', 'p{}', 'text/css; charset=utf-8', 'attachment'],
  ['h.js', 'alert(1)', 'text/javascript; charset=utf-8', 'attachment'],
  ['i.png', SVG, 'image/png; charset=utf-8', 'attachment'],
  ['j.pdf', '<html><script>', 'application/pdf; charset=utf-8', 'attachment'],
  ['k.bin', Buffer.from([0, 1, 2]), 'application/octet-stream', 'attachment'],
  // Bytes that begin like an image, with a type that a browser executes.
  ['m.html', 'GIF89a/*<html><script>', 'text/html; charset=utf-8', 'attachment'],
  ['n.svg', PNG, 'image/svg+xml', 'attachment'],
  ['o.txt', 'GIF89a, said he', 'text/plain; charset=utf-8', 'inline'],
  ['l.unheard', Buffer.from([0, 255]), 'application/octet-stream', 'attachment'],
]

test('X1: only types with harmless bytes open in a browser, in a sandbox', async (t) => {
  for (const [name, bytes, type, disposition] of SHOWN) {
    await t.test(`${name}: ${disposition}`, async () => {
      const file = await uploadFile(server, bytes, { fileName: name, fileState: 'publish' })
      const { headers } = await download(file.url)
      assert.equal(headers['content-type'], type)
      assert.equal(headers['content-disposition'], `${disposition}; filename=${name}`)
      assert.match(String(headers['content-security-policy']), /sandbox$/)
      assert.equal(headers['x-content-type-options'], 'nosniff')
    })
  }
})

test('a running download finishes with its first version', async () => {
  const texts = ['a', 'b'].map((letter) => letter.repeat(3_000_000))
  const file = await makeFile(server, { pageContent: texts[0], fileState: 'publish' })
  const running = download(file.url)
  await server.call('POST', `/api/v2/asset_file/${file.asset_file_id}`, {
    json: { pageContent: texts[1], fileState: 'publish' },
  })
  assert.ok(texts.includes((await running).text))
  assert.equal((await download(file.url)).text, texts[1])
})

test('the number of a group, a folder or a module is not a file', async () => {
  const group = await make(server, 'file_group', { name: 'group.html' })
  assertProblem(await download(`/file/${group.file_group_id}/group.html`), 'not-found')
  const folder = await makeFolder(server)
  assertProblem(await download(`/file/1/${folder.name}`), 'not-found')
})

test('the address of a file by its folder is not found if the folder is invisible', async () => {
  const { asset_category_id: id } = await makeFolder(server)
  const name = newName()
  await makeFile(server, { name, parent_category_id: id, fileState: 'publish' })
  const outside = await server.makeKey({ grants: 'view', category: 12 })
  const get = (path: string, key: string) => server.call('GET', path, { key })

  assert.equal((await get(`/file/${id}/${name}`, server.key)).status, 200)
  for (const path of [`/file/${id}/${name}`, `/file/${id}/nothing.html`])
    assertProblem(await get(path, outside), 'not-found')
})
