// --accel-redirect: the real nginx sends downloads itself, configured as in docs/reverse-proxy.md.

import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  downloadSettled,
  assertProblem,
  makeFile,
  newName,
  untilFiles,
  uploadFile,
} from '../../helpers/content.ts'
import { oneServer } from '../../helpers/engine.ts'
import { eventually } from '../../helpers/raw.ts'
import { NO_NGINX, type Nginx, startNginx } from '../../helpers/nginx.ts'
import { type Answer, send, startTestServer, type TestServer } from '../../helpers/server.ts'

const KIB = 1024
const ASKING = { 'x-sendfile-type': 'X-Accel-Redirect' }
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

let server: TestServer
before(async () => {
  server = await startTestServer({ config: { accelPrefix: '/contents/' } })
})
after(() => server.close())

interface Saved {
  readonly url: string
  readonly bytes: Buffer
  readonly id: number
}

/** Small contents are written to files a moment after they were saved. */
async function untilHandedOver(url: string): Promise<void> {
  await untilFiles(server)
  assert.ok(await eventually(async () => placeIn(await ask(url)) !== undefined))
}

/** Publishes a file and waits until the file was compared with its hash. */
async function save(bytes: Buffer, fileName = newName('bin')): Promise<Saved> {
  const fields = { fileState: 'publish', fileName }
  const { url, asset_file_id: id } = await uploadFile(server, bytes, fields)
  await untilHandedOver(url)
  return { url, bytes, id }
}

const ask = (url: string, headers: object = {}, method = 'GET') =>
  server.call(method, url, { headers: { ...ASKING, ...headers } })

const placeIn = ({ headers }: Answer) => headers['x-accel-redirect']

describe('the response to a proxy', oneServer('proxy'), () => {
  test('names the file below the prefix and has no body', async () => {
    for (const sizeBytes of [0, 10, 40 * KIB, 300 * KIB, 3000 * KIB]) {
      const { url, bytes, id } = await save(randomBytes(sizeBytes))
      for (let time = 0; time < 2; time += 1) {
        for (const method of ['GET', 'HEAD']) {
          const answer = await ask(url, {}, method)
          const [, place = ''] = /^\/contents\/(.*)$/.exec(String(placeIn(answer))) ?? []
          assert.match(place, new RegExp(`^[0-9a-f]{2}/${id}\\.[0-9a-f]{32}$`))
          assert.ok(readFileSync(join(server.dataDir, place)).equals(bytes))
          assert.deepEqual([answer.status, answer.bytes.length], [200, 0])
          assert.equal(answer.headers.etag, `"${sha256(bytes)}"`)
        }
        // A client without the header gets the bytes, even right before or after such a request.
        const plain = await server.call('GET', url)
        assert.deepEqual([placeIn(plain), plain.bytes.equals(bytes)], [undefined, true])
      }
    }
  })

  test('contains the bytes if they are not a file yet or were not verified recently', async () => {
    const small = await uploadFile(server, 'carried', { fileState: 'publish' })
    const large = await uploadFile(server, randomBytes(300 * KIB), { fileState: 'publish' })
    for (const { url } of [small, large]) {
      const answer = await ask(url)
      assert.deepEqual([answer.status, placeIn(answer)], [200, undefined])
      assert.ok(answer.bytes.length > 0)
      await untilHandedOver(url)
    }
  })

  test('comes from the server for conditions, ranges past the end, invalid keys and damage', async () => {
    const { url, bytes, id } = await save(randomBytes(300 * KIB))
    const etag = `"${sha256(bytes)}"`
    const answers = {
      304: await ask(url, { 'if-none-match': etag }),
      200: await ask(url, { 'if-match': etag }),
      412: await ask(url, { 'if-match': '"x"' }),
      416: await ask(url, { range: 'bytes=999999-' }),
      401: await server.call('GET', url, { key: null, headers: ASKING }),
      404: await ask(`${url}x`),
    }
    for (const [status, answer] of Object.entries(answers)) {
      assert.equal(answer.status, Number(status))
      assert.equal(placeIn(answer), undefined)
    }
    const names = readdirSync(server.dataDir, { recursive: true, encoding: 'utf8' })
    const place = names.find((name) => name.split('/')[1]?.startsWith(`${id}.`) === true) ?? ''
    writeFileSync(join(server.dataDir, place), bytes.subarray(1))
    assertProblem(await ask(url), 'content-damaged')
  })

  test('never names a file without the flag', async (t) => {
    const other = await startTestServer()
    t.after(() => other.close())
    const { url } = await uploadFile(other, randomBytes(300 * KIB), { fileState: 'publish' })
    for (let time = 0; time < 2; time += 1) {
      const answer = await other.call('GET', url, { headers: ASKING })
      assert.deepEqual([placeIn(answer), answer.bytes.length], [undefined, 300 * KIB])
    }
  })
})

describe('behind nginx', { skip: NO_NGINX || oneServer('proxy').skip }, () => {
  let nginx: Nginx
  before(async () => {
    nginx = await startNginx(server)
  })
  after(() => nginx.close())

  const get = (url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    send(nginx.url, method, url, { key: server.key, headers })

  const COMPARED = [
    'etag',
    'last-modified',
    'content-type',
    'content-length',
    'content-disposition',
    'content-security-policy',
    'cross-origin-resource-policy',
    'x-content-type-options',
    'referrer-policy',
    'cache-control',
    'accept-ranges',
    'vary',
  ]

  for (const [what, sizeBytes, name] of [
    ['a small', 20 * KIB, 'a b+c%.bin'],
    ['a large', 3000 * KIB, 'é.png'],
    ['a long text', 1100 * KIB, 'long.txt'],
  ] as const) {
    test(`${what} file gets the same responses as without nginx: headers, HEAD, conditions, ranges`, async () => {
      const random = randomBytes(sizeBytes)
      const { url, bytes } = await save(
        name.endsWith('txt') ? Buffer.from(random.toString('hex').slice(0, sizeBytes)) : random,
        `${newName('')}${name}`,
      )
      assert.notEqual(placeIn(await ask(url)), undefined)
      const plain = await downloadSettled(server, url)
      for (const method of ['GET', 'HEAD']) {
        const answer = await get(url, {}, method)
        assert.equal(answer.status, 200)
        assert.ok(answer.bytes.equals(method === 'GET' ? bytes : Buffer.alloc(0)))
        for (const header of COMPARED)
          assert.equal(answer.headers[header], plain.headers[header], `${method} ${header}`)
        assert.equal(placeIn(answer), undefined)
      }

      const etag = String(plain.headers.etag)
      const modified = String(plain.headers['last-modified'])
      const unchanged = await get(url, { 'if-none-match': etag })
      assert.deepEqual([unchanged.status, unchanged.headers.etag], [304, etag])
      assert.equal((await get(url, { 'if-modified-since': modified })).status, 304)
      assert.equal((await get(url, { 'if-none-match': '"x"' })).status, 200)
      assert.equal((await get(url, { 'if-match': etag })).status, 200)
      assert.equal((await get(url, { 'if-match': '"x"' })).status, 412)

      const range = 'bytes=5-1004'
      for (const same of [undefined, etag, modified]) {
        const part = await get(url, { range, ...(same !== undefined && { 'if-range': same }) })
        assert.equal(part.status, 206, same)
        assert.ok(part.bytes.equals(bytes.subarray(5, 1005)))
        assert.equal(part.headers['content-range'], `bytes 5-1004/${sizeBytes}`)
        assert.equal(part.headers.etag, etag)
      }
      assert.equal((await get(url, { range, 'if-range': '"x"' })).status, 200)
      assert.equal((await get(url, { range: 'bytes=0-1,3-4' })).status, 200)
      const outside = await get(url, { range: 'bytes=9999999-' })
      assertProblem(outside, 'range-not-satisfiable')
    })
  }

  test('no request from outside reaches the internal location', async () => {
    const { url } = await save(randomBytes(20 * KIB))
    const place = String(placeIn(await ask(url)))
    for (const path of [
      place,
      `/contents/records/data.mdb`,
      `/x/..${place}`,
      `/%63ontents${place.slice(9)}`,
    ])
      assert.equal((await get(path)).status, 404, path)
    // A client cannot remove the header or make the server send a file name.
    for (const sent of ['X-Accel-Redirect', 'none']) {
      const answer = await get(url, { 'x-sendfile-type': sent })
      assert.deepEqual([answer.bytes.length, placeIn(answer)], [20 * KIB, undefined])
    }
    assert.equal((await send(nginx.url, 'GET', url, {})).status, 401)
  })

  test('compressed text, records and bytes that are not a file yet come from the server', async () => {
    const fields = { fileState: 'publish', fileName: newName('txt') }
    const { url } = await uploadFile(server, 'lorem ipsum '.repeat(1_000), fields)
    const coded = await get(url, { 'accept-encoding': 'gzip' })
    assert.equal(coded.headers['content-encoding'], 'gzip')
    const fresh = await makeFile(server, { pageContent: 'fresh', fileState: 'publish' })
    assert.equal((await get(fresh.url)).text, 'fresh')
    assert.equal((await get('/api/v2/asset_category/1')).status, 200)
  })
})
