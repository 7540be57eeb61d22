// cms-server publish-to: a bucket with the public live files of a site.

import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { type BreakingS3, BUCKET, startBreakingS3 } from '../helpers/breaking-s3.ts'
import { type Ended, runCli } from '../helpers/child-server.ts'
import { makeFile, makeFolder, uploadFile } from '../helpers/content.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'

let s3: BreakingS3
let server: TestServer
let root: number
let news: number
const files: Record<string, any> = {}
before(async () => {
  s3 = await startBreakingS3()
  server = await startTestServer()
  root = (await makeFolder(server, { name: 'website', public: true })).asset_category_id
  news = (await makeFolder(server, { name: 'news', parent_category_id: root })).asset_category_id
  const hidden = await makeFolder(server, {
    name: 'private',
    parent_category_id: root,
    public: false,
  })
  await publish(root, 'index.html', 'home')
  await publish(root, 'style.css', 'p {}')
  await publish(news, 'Grüße 100%.html', 'news')
  await publish(hidden.asset_category_id, 'secret.html', 'secret')
  await makeFile(server, { name: 'draft.html', parent_category_id: root, pageContent: 'draft' })
  files['large'] = await uploadFile(server, Buffer.alloc(9 * 1024 * 1024, 255), {
    asset_category_id: String(news),
    fileName: 'large.bin',
    fileState: 'publish',
  })
})
afterEach(() => s3.mend())
after(async () => {
  await server.close()
  await s3.close()
})

async function publish(folder: number, name: string, pageContent: string): Promise<void> {
  files[name] = await makeFile(server, {
    name,
    type: name.split('.').at(-1),
    parent_category_id: folder,
    pageContent,
    fileState: 'publish',
  })
}

function publishTo(args: readonly string[] = [], target = `s3://${BUCKET}/de`): Promise<Ended> {
  const env = {
    CMS_URL: server.url,
    CMS_KEY: server.key,
    S3_ENDPOINT: s3.endpoint,
    S3_ACCESS_KEY_ID: 'a',
    S3_SECRET_ACCESS_KEY: 'b',
  }
  return runCli(['publish-to', target, '--category', String(root), ...args], { env })
}

const keys = (): readonly string[] => [...s3.objects.keys()].toSorted()
const ALL = ['de/index.html', 'de/news/Grüße 100%.html', 'de/news/large.bin', 'de/style.css']

test('a dry run lists the changes and makes none', async () => {
  const { code, stdout } = await publishTo(['--dry-run'])
  assert.equal(code, 0)
  assert.match(stdout, /^upload index\.html$/m)
  assert.match(stdout, /to upload +4\b/)
  assert.deepEqual(keys(), [])
})

test('live files of public folders are uploaded with their headers, pages last', async () => {
  s3.objects.set('de/other.txt', { bytes: Buffer.from('x'), sha256: '', atMs: Date.now() })
  const { code, stdout, stderr } = await publishTo()
  assert.equal(code, 0, stderr)
  assert.match(stdout, /uploaded +4\b/)
  assert.match(stdout, /left +1\b/)
  assert.deepEqual(keys(), [...ALL, 'de/other.txt'].toSorted())
  const page = s3.objects.get('de/index.html')
  assert.equal(page?.bytes.toString(), 'home')
  assert.equal(page?.headers?.['content-type'], 'text/html; charset=utf-8')
  assert.equal(page?.headers?.['cache-control'], 'public, no-cache')
  assert.equal(s3.objects.get('de/style.css')?.headers?.['cache-control'], 'public, max-age=60')
  assert.equal(s3.objects.get('de/news/large.bin')?.bytes.length, 9 * 1024 * 1024)
  const puts = s3.asked.filter((line) => /^(?:PUT|POST) /.test(line))
  const isPage = (line: string): boolean => line.includes('.html')
  assert.ok(puts.findIndex(isPage) > puts.findLastIndex((line) => !isPage(line)), puts.join('\n'))
})

test('a second run changes nothing, and a run after changes uploads and removes only the differences', async () => {
  const again = await publishTo()
  assert.match(again.stdout, /unchanged +4\b/)
  assert.doesNotMatch(again.stdout, /uploaded +[1-9]/)

  await server.call('POST', `/api/v2/asset_file/${files['style.css'].asset_file_id}`, {
    json: { name: 'main.css', pageContent: 'p { color: red }', fileState: 'publish' },
  })
  await server.call('POST', `/api/v2/asset_file/${files['large'].asset_file_id}/unpublish`)
  const from = s3.asked.length
  const { stdout, code } = await publishTo()
  assert.equal(code, 0)
  assert.match(stdout, /uploaded +1\b[^]*removed +2\b/)
  const changes = s3.asked.slice(from).filter((line) => /^(?:PUT|DELETE) /.test(line))
  assert.match(changes[0] ?? '', /^PUT .*main\.css/)
  assert.deepEqual(
    keys(),
    ['de/index.html', 'de/main.css', 'de/news/Grüße 100%.html', 'de/other.txt'].toSorted(),
  )
})

test('a run that fails in the bucket removes nothing and is continued by the next', async () => {
  for (const name of ['a.html', 'b.html', 'c.html']) await publish(root, name, name)
  await server.call('POST', `/api/v2/asset_file/${files['index.html'].asset_file_id}/unpublish`)
  s3.break({ when: /^PUT /, after: 1, fault: { status: 403, code: 'AccessDenied' } })
  const ended = await publishTo(['--concurrency', '1'])
  assert.equal(ended.code, 1)
  assert.match(ended.stderr, /The bucket does not accept the request: PutObject: 403 AccessDenied/)
  assert.ok(s3.objects.has('de/index.html'), 'removals come last')
  s3.mend()
  const { stdout } = await publishTo()
  assert.match(stdout, /uploaded +2\b/)
  assert.ok(!s3.objects.has('de/index.html'))
})

test('an object of another program is not replaced, and the run removes nothing', async () => {
  s3.objects.set('de/mine.html', { bytes: Buffer.from('x'), sha256: '', atMs: Date.now() })
  await publish(root, 'mine.html', 'theirs')
  await server.call('POST', `/api/v2/asset_file/${files['a.html'].asset_file_id}/unpublish`)
  const { code, stdout } = await publishTo()
  assert.equal(code, 1)
  assert.match(stdout, /object of another program under this name/)
  assert.equal(s3.objects.get('de/mine.html')?.bytes.toString(), 'x')
  assert.ok(s3.objects.has('de/a.html'))
})

test('a folder that is not public and an invalid address are refused', async () => {
  await server.call('POST', `/api/v2/asset_category/${root}`, { json: { public: false } })
  const hidden = await publishTo()
  assert.equal(hidden.code, 1)
  assert.match(hidden.stderr, /The folder \d+ is not public\. Make it public/)
  assert.ok(s3.objects.has('de/a.html'))
  for (const target of ['bucket', 's3://', 's3://b/..//x', 'https://b/x']) {
    const { code, stderr } = await publishTo([], target)
    assert.equal(code, 2, target)
    assert.match(stderr, /s3:\/\/BUCKET|prefix of a bucket/)
  }
})
