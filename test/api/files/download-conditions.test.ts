// Downloads: ranges, conditional requests, and bytes that changed on disk.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  downloadSettled,
  assertProblem,
  makeFile,
  newName,
  uploadFile,
} from '../../helpers/content.ts'
import { oneServer } from '../../helpers/engine.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const DAMAGE = oneServer('damage')
const TEXT = '0123456789'
const ETAG = `"${createHash('sha256').update(TEXT).digest('hex')}"`
let server: TestServer
let url: string
let modified: string

before(async () => {
  server = await startTestServer()
  url = (await makeFile(server, { pageContent: TEXT, fileState: 'publish' })).url
  modified = String((await downloadSettled(server, url)).headers['last-modified'])
})
after(() => server.close())

const download = (headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  server.call(method, url, { headers })
const BEFORE = 'Thu, 01 Jan 2015 00:00:00 GMT'
const AFTER = 'Fri, 01 Jan 2100 00:00:00 GMT'

/** Range header, and the body and Content-Range of the answer; undefined for 416. */
const RANGES: readonly (readonly [string, string | undefined, string?])[] = [
  ['bytes=0-0', '0', 'bytes 0-0/10'],
  ['bytes=0-9', TEXT, 'bytes 0-9/10'],
  ['bytes=5-', '56789', 'bytes 5-9/10'],
  ['bytes=5-99', '56789', 'bytes 5-9/10'],
  ['bytes=-3', '789', 'bytes 7-9/10'],
  ['bytes=-99', TEXT, 'bytes 0-9/10'],
  ['Bytes=1-2', '12', 'bytes 1-2/10'],
  ['bytes=10-', undefined],
  ['bytes=99-100', undefined],
  ['bytes=-0', undefined],
  ['bytes=0-0,2-3', TEXT],
  [`bytes=${Array.from({ length: 500 }, (_, at) => `${at}-${at}`).join(',')}`, TEXT],
  ['bytes=5-2', TEXT],
  ['bytes=x-y', TEXT],
  ['bytes=', TEXT],
  ['items=0-1', TEXT],
  ['bytes=1-2;x', TEXT],
  ['bytes=-1-2', TEXT],
]

test('E3: one range gets 206, a range past the end 416, and other ranges the whole file', async (t) => {
  for (const [range, expected, contentRange] of RANGES) {
    await t.test(range.slice(0, 40), async () => {
      const answer = await download({ range })
      if (expected === undefined) {
        assertProblem(answer, 'range-not-satisfiable')
        assert.equal(answer.headers['content-range'], 'bytes */10')
        return
      }
      const status = contentRange === undefined ? 200 : 206
      assert.deepEqual(
        [answer.status, answer.text, answer.headers['content-range']],
        [status, expected, contentRange],
      )
      assert.deepEqual(
        [answer.headers['content-length'], answer.headers.etag],
        [String(expected.length), ETAG],
      )
    })
  }
})

test('E3: HEAD ignores a range', async () => {
  const answer = await download({ range: 'bytes=0-0' }, 'HEAD')
  assert.deepEqual(
    [answer.status, answer.headers['content-length'], answer.headers['content-range']],
    [200, '10', undefined],
  )
})

test('E3: an empty file has no range', async () => {
  const empty = await uploadFile(server, '', { fileState: 'publish' })
  const ask = (range: string) => server.call('GET', empty.url, { headers: { range } })
  assert.equal((await ask('bytes=0-')).status, 200)
  assert.equal((await ask('bytes=0-99')).status, 200)
  assert.equal((await ask('bytes=1-')).status, 416)
  assert.equal((await ask('bytes=-5')).status, 200)
})

test('E3: If-Range returns the range only if the client has the same bytes', async () => {
  const cases: readonly (readonly [string, number])[] = [
    [ETAG, 206],
    [modified, 206],
    [`W/${ETAG}`, 200],
    ['"x"', 200],
    [BEFORE, 200],
    [AFTER, 200],
    ['garbage', 200],
  ]
  for (const [ifRange, status] of cases) {
    const answer = await download({ range: 'bytes=0-3', 'if-range': ifRange })
    assert.deepEqual(
      [answer.status, answer.text],
      [status, status === 206 ? '0123' : TEXT],
      ifRange,
    )
  }
})

/**
 * RFC 9110, section 13.2.2: If-Match, then If-Unmodified-Since, then If-None-Match, then If-Modified-Since.
 */
const CONDITIONS: readonly (readonly [Readonly<Record<string, string>>, number])[] = [
  [{ 'if-none-match': ETAG }, 304],
  [{ 'if-none-match': `W/${ETAG}` }, 304],
  [{ 'if-none-match': `"x", ${ETAG}` }, 304],
  [{ 'if-none-match': '*' }, 304],
  [{ 'if-none-match': '"x"' }, 200],
  [{ 'if-none-match': 'garbage' }, 200],
  [{ 'if-modified-since': 'LAST' }, 304],
  [{ 'if-modified-since': AFTER }, 304],
  [{ 'if-modified-since': BEFORE }, 200],
  [{ 'if-modified-since': 'garbage' }, 200],
  [{ 'if-match': ETAG }, 200],
  [{ 'if-match': '*' }, 200],
  [{ 'if-match': '"x"' }, 412],
  [{ 'if-match': `W/${ETAG}` }, 200],
  [{ 'if-match': 'garbage' }, 400],
  [{ 'if-unmodified-since': 'LAST' }, 200],
  [{ 'if-unmodified-since': BEFORE }, 412],
  [{ 'if-unmodified-since': 'garbage' }, 200],
  [{ 'if-match': ETAG, 'if-unmodified-since': BEFORE }, 200],
  [{ 'if-match': '"x"', 'if-unmodified-since': AFTER }, 412],
  [{ 'if-match': '"x"', 'if-none-match': ETAG }, 412],
  [{ 'if-match': ETAG, 'if-none-match': ETAG }, 304],
  [{ 'if-unmodified-since': BEFORE, 'if-none-match': ETAG }, 412],
  [{ 'if-none-match': '"x"', 'if-modified-since': AFTER }, 200],
  [{ 'if-none-match': ETAG, 'if-modified-since': BEFORE }, 304],
  [{ 'if-none-match': ETAG, range: 'bytes=0-1' }, 304],
  [{ 'if-match': '"x"', range: 'bytes=99-' }, 412],
  [{ 'if-match': ETAG, range: 'bytes=0-1' }, 206],
]

test('E1: conditions are evaluated in the order of the RFC', async (t) => {
  for (const [given, status] of CONDITIONS) {
    const headers = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value === 'LAST' ? modified : value]),
    )
    await t.test(`${JSON.stringify(given).slice(0, 90)}: ${status}`, async () => {
      for (const method of ['GET', 'HEAD']) {
        const answer = await download(headers, method)
        assert.equal(answer.status, status === 206 && method === 'HEAD' ? 200 : status)
        if (status === 412) assert.equal(answer.headers.etag, ETAG)
        if (status === 412 && method === 'GET')
          assert.deepEqual([answer.body.current_etag, answer.body.current_version], [ETAG, 1])
        if (status !== 304) continue
        assert.deepEqual(
          [answer.text, answer.headers.etag, answer.headers['last-modified']],
          ['', ETAG, modified],
        )
        assert.equal(answer.headers['cache-control'], 'private, no-cache')
      }
    })
  }
})

test('a date identifies one content, even if two versions go live within a second', async (t) => {
  // The clock stands still, so both versions go live in the same second.
  let now = new Date('2026-03-01T12:00:00.100Z')
  const other = await startTestServer({ now: () => now })
  t.after(() => other.close())
  const { asset_file_id: id, url: path } = await makeFile(other, {
    pageContent: 'one',
    fileState: 'publish',
  })
  const ask = (headers: Readonly<Record<string, string>>) => other.call('GET', path, { headers })
  const first = await ask({})
  assert.equal(first.headers['last-modified'], undefined)
  const json = { pageContent: 'two', fileState: 'publish' }
  await other.call('POST', `/api/v2/asset_file/${id}`, { json })
  const dates = ['12:00:00', '12:00:01', '12:00:02'].map((time) => `Sun, 01 Mar 2026 ${time} GMT`)
  const requireWhole = async (date: string): Promise<void> => {
    for (const headers of [
      { 'if-modified-since': date },
      { 'if-range': date, range: 'bytes=0-1' },
    ]) {
      const answer = await ask(headers)
      assert.deepEqual([answer.status, answer.text], [200, 'two'], JSON.stringify(headers))
    }
  }
  for (const date of dates) await requireWhole(date)

  // The second has passed, so no other version can get the same date.
  now = new Date('2026-03-01T12:00:02.000Z')
  const [during = '', end = ''] = dates
  await requireWhole(during)
  assert.equal((await ask({})).headers['last-modified'], end)
  assert.equal((await ask({ 'if-modified-since': end })).status, 304)
  const part = await ask({ 'if-range': end, range: 'bytes=0-1' })
  assert.deepEqual([part.status, part.text], [206, 'tw'])
})

test('the ETag of an earlier live version gets the new content', async () => {
  const file = await makeFile(server, { pageContent: 'one', fileState: 'publish' })
  const { headers } = await server.call('GET', file.url)
  await server.call('POST', `/api/v2/asset_file/${file.asset_file_id}`, {
    json: { pageContent: 'two', fileState: 'publish' },
  })
  const again = await server.call('GET', file.url, {
    headers: { 'if-none-match': String(headers.etag) },
  })
  assert.deepEqual([again.status, again.text], [200, 'two'])
})

/** Damage to the bytes on disk. */
const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  'one bit is flipped': (path) => {
    const bytes = readFileSync(path)
    bytes[0] = (bytes[0] ?? 0) ^ 1
    rewrite(path, bytes)
  },
  'it is shorter': (path) => truncateSync(path, 3),
  'it is longer': (path) => rewrite(path, Buffer.concat([readFileSync(path), Buffer.from('x')])),
  'it is empty': (path) => truncateSync(path, 0),
  'it is missing': (path) => rmSync(path),
  'it is a directory': (path) => {
    rmSync(path)
    mkdirSync(path)
  },
  'it is a link to the same bytes': (path) => {
    renameSync(path, `${path}.moved`)
    symlinkSync(`${path}.moved`, path)
  },
}

function rewrite(path: string, bytes: Uint8Array): void {
  rmSync(path)
  writeFileSync(path, bytes)
}

function pathOfBytes(id: number): string {
  const names = readdirSync(server.dataDir, { recursive: true, encoding: 'utf8' })
  return join(
    server.dataDir,
    names.find((name) => name.split('/')[1]?.startsWith(`${id}.`) === true) ?? '',
  )
}

for (const [what, damage] of Object.entries(DAMAGES)) {
  test(`S21, S22, S23: damaged bytes are never sent: ${what}`, DAMAGE, async () => {
    const file = await makeFile(server, {
      name: newName('txt'),
      type: 'txt',
      pageContent: TEXT,
      fileState: 'publish',
    })
    // The server restarts because recently saved bytes are served from memory.
    await server.stop()
    damage(pathOfBytes(file.asset_file_id))
    server = await startTestServer({ dataDir: server.dataDir })
    const path = `/api/v2/asset_file/${file.asset_file_id}`
    for (const address of [file.url, `${file.url}?version=1`, `${path}/versions/1/content`, path]) {
      const answer = await server.call('GET', address)
      assertProblem(answer, 'content-damaged')
      assert.ok(!answer.text.includes(TEXT))
    }
    assertProblem(
      await server.call('GET', file.url, { headers: { range: 'bytes=0-1' } }),
      'content-damaged',
    )
    assert.equal((await server.call('HEAD', file.url)).status, 500)
    assert.equal((await download()).text, TEXT)

    const mended = await server.call('POST', path, {
      json: { pageContent: 'new', fileState: 'publish' },
    })
    assert.equal(mended.status, 200)
    assert.equal((await server.call('GET', file.url)).text, 'new')
  })
}

test('S22: the response for a large file of the wrong size is not started', DAMAGE, async () => {
  const file = await uploadFile(server, Buffer.alloc(3_000_000, 7), { fileState: 'publish' })
  truncateSync(pathOfBytes(file.asset_file_id), 2_999_999)
  assertProblem(await server.call('GET', file.url), 'content-damaged')
})

for (const at of [0, 1_500_000, 2_999_999]) {
  test(
    `S22: a large file with a changed byte at ${at} is never received completely`,
    DAMAGE,
    async () => {
      const file = await uploadFile(server, Buffer.alloc(3_000_000, 7), { fileState: 'publish' })
      const path = pathOfBytes(file.asset_file_id)
      const bytes = readFileSync(path)
      bytes[at] = 8
      writeFileSync(path, bytes)
      for (let time = 0; time < 2; time += 1)
        await assert.rejects(server.call('GET', file.url), { code: 'ECONNRESET' })

      bytes[at] = 7
      writeFileSync(path, bytes)
      assert.equal((await server.call('GET', file.url)).bytes.length, 3_000_000)
    },
  )
}

/** Damage that keeps the size of a large file. */
const EXCHANGES: Readonly<Record<string, (path: string, other: string) => void>> = {
  'one bit at the end is flipped': (path) => {
    const bytes = readFileSync(path)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    rewrite(path, bytes)
  },
  'the bytes are those of another version': (path, other) => {
    const bytes = readFileSync(other)
    rewrite(path, bytes)
  },
}

for (const [what, exchange] of Object.entries(EXCHANGES)) {
  test(`S22: no client gets a complete large file when ${what}`, DAMAGE, async () => {
    const [file, other] = [
      await uploadFile(server, Buffer.alloc(3_000_000, 1), { fileState: 'publish' }),
      await uploadFile(server, Buffer.alloc(3_000_000, 2), { fileState: 'publish' }),
    ]
    exchange(pathOfBytes(file.asset_file_id), pathOfBytes(other.asset_file_id))
    await assert.rejects(server.call('GET', file.url), { code: 'ECONNRESET' })
    assert.equal((await server.call('GET', other.url)).bytes.length, 3_000_000)
  })
}
