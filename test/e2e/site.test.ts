// The whole life of a site on a small tree. The site is imported and published, changed on stage and
// published again. A PDF is uploaded and replaced. The export is equal byte for byte, before and after a
// restart.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { exportTree } from '../../lib/client/export.ts'
import { importTree } from '../../lib/client/import.ts'
import { startTestServer, type TestServer, temporaryDirectory } from '../helpers/server.ts'

const FILES: Readonly<Record<string, Buffer>> = {
  'index.html': Buffer.from('<!doctype html><title>Home</title><h1>Willkommen – καλώς ήρθατε</h1>'),
  'css/site.css': Buffer.from('body { color: #222 }\n'),
  'css/empty.css': Buffer.alloc(0),
  'images/dot.png': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  'docs/ein Bericht (1).txt': Buffer.from('Zeile eins\r\nZeile zwei\r\n'),
  'docs/tief/noch tiefer/seite.stml': Buffer.from(
    '<div id="dd.0"><p>[menu] {{title}} &nbsp; a & b</p></div>',
  ),
  'video.bin': randomBytes(1_500_000),
}

const REPORT = Buffer.concat([Buffer.from('%PDF-1.7\n%âãÏÓ\n', 'latin1'), randomBytes(40_000)])
const SECOND_REPORT = Buffer.concat([
  Buffer.from('%PDF-1.7\n%âãÏÓ\n', 'latin1'),
  randomBytes(60_000),
])

let server: TestServer
const root = temporaryDirectory()

before(async () => {
  server = await startTestServer()
  for (const [path, bytes] of Object.entries(FILES)) {
    const place = join(root, 'site', path)
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, bytes)
  }
})

after(async () => {
  await server.close()
  rmSync(root, { recursive: true, force: true })
})

test('an imported site is exported byte for byte, and importing it again sends nothing', async () => {
  const first = await bringIn()
  assert.equal(first.failed, 0)
  assert.equal(first.uploaded, Object.keys(FILES).length)
  assert.deepEqual(await exported('live'), FILES)
  const again = await bringIn()
  assert.deepEqual(
    [again.uploaded, again.replaced, again.unchanged],
    [0, 0, Object.keys(FILES).length],
  )
})

test('a change on stage reaches visitors when it is published', async () => {
  const { asset_file_id: id } = await find('index.html')
  const text = '<!doctype html><h1>Neu</h1>'
  await server.call('POST', `/api/v2/asset_file/${id}`, {
    json: { pageContent: text, fileState: 'stage' },
  })
  assert.deepEqual((await exported('live'))['index.html'], FILES['index.html'])
  assert.equal((await exported('stage'))['index.html']?.toString(), text)

  await server.call('GET', `/api/v2/asset_file/${id}/publish`)
  assert.equal((await exported('live'))['index.html']?.toString(), text)
})

test('a PDF is uploaded, replaced and published byte by byte', async () => {
  const created = await server.upload([
    { name: 'asset_category_id', value: '1' },
    { name: 'Filedata', bytes: REPORT, fileName: 'report.pdf' },
    { name: 'fileState', value: 'publish' },
  ])
  assert.equal(created.status, 201)
  const id = String(created.body.asset_file_id)
  const replaced = await server.upload([
    { name: 'Filedata', bytes: SECOND_REPORT, fileName: 'report.pdf' },
    { name: 'asset_file_id', value: id },
  ])
  assert.equal(replaced.body.version, 2)
  assert.deepEqual((await exported('live'))['report.pdf'], REPORT)

  await server.call('POST', `/api/v2/asset_file/${id}/publish`)
  assert.deepEqual((await exported('live'))['report.pdf'], SECOND_REPORT)
})

test('a restart does not change the site', async () => {
  const before = await exported('live')
  await server.stop()
  server = await startTestServer({ dataDir: server.dataDir })
  assert.deepEqual(await exported('live'), before)
})

function bringIn(): ReturnType<typeof importTree> {
  const { url, key } = server
  return importTree({ source: join(root, 'site'), url, key, categoryId: 1, publish: true })
}

async function find(name: string): Promise<{ readonly asset_file_id: number }> {
  const qry = encodeURIComponent(JSON.stringify({ name }))
  return (await server.call('GET', `/api/v2/asset_file?qry=${qry}`)).body.asset_file[0]
}

/** Returns the exported files by their paths. */
async function exported(state: 'live' | 'stage'): Promise<Record<string, Buffer>> {
  const target = join(root, `export-${state}`)
  rmSync(target, { recursive: true, force: true })
  await exportTree({ url: server.url, key: server.key, categoryId: 1, target, state })
  const paths = readdirSync(target, { recursive: true, withFileTypes: true }).filter(
    (item) => item.isFile() && !item.parentPath.endsWith('.cms'),
  )
  return Object.fromEntries(
    paths.map((item) => {
      const path = join(item.parentPath, item.name)
      return [path.slice(target.length + 1), readFileSync(path)]
    }),
  )
}
