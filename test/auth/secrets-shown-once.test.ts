// Secrets appear only in the one answer that shows them. The tests use and misuse a server with keys and a
// password, then search everything that the server sent and wrote for the secrets.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type ChildServer, makeKey, runCli, startChild } from '../helpers/child-server.ts'
import { contentsIn, newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { eventually, exchange, openSocket } from '../helpers/raw.ts'
import { type Answer, buildForm, type Call, send } from '../helpers/server.ts'

const PASSWORD = 'correct horse canary staple'
const FORM = buildForm([
  { name: 'asset_category_id', value: '1' },
  { name: 'fileState', value: 'publish' },
  { name: 'Filedata', fileName: 'a.bin', bytes: Buffer.alloc(1_000_000, 1) },
])

let dataDir: string
let reports: string
let server: ChildServer
const keys: string[] = []
/** Everything that the server sent, except the answers that show a secret. */
const told: string[] = []

before(async () => {
  dataDir = newDataDirectory()
  reports = join(dirname(dataDir), 'reports')
  mkdirSync(reports)
  server = await start()
  keys.push(await makeKey(dataDir))
})
after(async () => {
  await server.kill('SIGKILL')
  removeDataDirectories()
})

function start(): Promise<ChildServer> {
  const report = ['--report-on-signal', '--report-signal=SIGUSR2', `--report-directory=${reports}`]
  const env = { NODE_OPTIONS: report.join(' ') }
  return startChild(dataDir, ['--log-level', 'debug'], { env })
}

async function call(method: string, path: string, options: Call = {}): Promise<Answer> {
  const answer = await send(server.url, method, path, { key: keys[0] ?? null, ...options })
  told.push(JSON.stringify(answer.headers))
  if (answer.body?.secret === undefined) told.push(answer.text)
  else keys.push(answer.body.secret)
  return answer
}

async function cli(...args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await runCli([...args, '--data', dataDir], {
    input: `${PASSWORD}\n`,
  })
  assert.equal(code, 0, stderr)
  told.push(stdout, stderr)
}

/** Returns every file below a directory with its bytes. */
function bytesIn(directory: string): readonly (readonly [string, Buffer])[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name))])
}

/** The forms in which a secret could be written. */
function formsOf(secret: string): readonly Buffer[] {
  const text = Buffer.from(secret)
  return [
    text,
    Buffer.from(secret, 'utf16le'),
    Buffer.from(text.toString('hex')),
    Buffer.from(text.toString('base64').slice(0, -4)),
  ]
}

function assertNowhere(where: string, bytes: Buffer): void {
  for (const secret of [...keys, PASSWORD]) {
    for (const form of formsOf(secret)) assert.ok(!bytes.includes(form), `a secret is in ${where}`)
  }
}

describe('K6: a secret', () => {
  test('is used in every way, correctly and incorrectly', async () => {
    const { body } = await call('POST', '/api/v2/api_key', { json: { name: 'second' } })
    await call('POST', `/api/v2/api_key/${body.api_key_id}/rotate`, { json: { keep_old: '1h' } })
    await call('POST', `/api/v2/api_key/${body.api_key_id}/rotate`, { json: { keep_old: 'soon' } })
    assert.equal(keys.length, 3)
    await cli('user', 'password', 'admin')
    await cli('key', 'list')
    await cli('user', 'list')

    for (const key of keys) {
      for (const path of [
        `/${key}`,
        `/file/1/${key}`,
        `/api/v2/user?qry={"a":"${key}"}`,
        `/health?key=${key}`,
      ])
        await call('GET', path, { key })
      for (const authorization of [
        `Basic ${key}`,
        key,
        `Bearer ${key}, Bearer ${key}`,
        `Bearer ${key}x`,
      ])
        await call('GET', '/api/v2/user', { key: null, headers: { authorization, cookie: key } })
      await call('POST', '/api/v2/user', {
        key,
        body: `{"name":"${key}`,
        headers: { 'content-type': 'application/json' },
      })
      told.push(
        await exchange(
          server.url,
          `GET / HTTP/1.1\r\nAuthorization: Bearer ${key}\r\nX : x\r\n\r\n`,
        ),
      )
    }
  })

  test('is used during failures in the server', async () => {
    const form = { body: FORM.body, headers: { 'content-type': FORM.contentType } }
    const upload = await call('POST', '/upload', form)
    assert.equal(upload.status, 201, upload.text)
    const damage = [
      (path: string) => writeFileSync(path, Buffer.alloc(1_000_000, 2)),
      (path: string) => rmSync(path),
      (path: string) => mkdirSync(path),
    ]
    for (const harm of damage) {
      for (const path of contentsIn(dataDir)) harm(path)
      assert.equal((await call('GET', upload.body.url)).status, 500)
    }
    // Log lines arrive a moment later.
    assert.ok(await eventually(() => /"level":"error",/.test(server.stderr())))

    const socket = await openSocket(server.url)
    const head = [
      'POST /upload HTTP/1.1',
      'Host: a',
      `Authorization: Bearer ${keys[0]}`,
      `Content-Type: ${FORM.contentType}`,
    ]
    socket.write(`${[...head, `Content-Length: ${FORM.body.length}`].join('\r\n')}\r\n\r\n`)
    socket.write(FORM.body.subarray(0, -100))
    assert.ok(await eventually(() => readdirSync(join(dataDir, '.tmp')).length > 0))
    // Half of the upload is stored now, and the request is in memory.
    process.kill(server.pid, 'SIGUSR2')
    assert.ok(await eventually(() => readdirSync(reports).length > 0))
    await server.kill('SIGKILL')
    socket.destroy()
  })

  test('is in no response, log, output of commands or report of Node', async () => {
    assert.ok(told.length > 30)
    for (const text of told) assertNowhere('an answer or a command', Buffer.from(text))
    assert.ok(server.stderr().length > 1_000)
    assertNowhere('the log', Buffer.from(server.stderr() + server.stdout()))
    const reported = bytesIn(reports)
    assert.equal(reported.length, 1)
    for (const [path, bytes] of reported) assertNowhere(path, bytes)
  })

  test('is in no file after a crash and after the next start; keys are stored as hashes', async () => {
    const sweep = (): void => {
      const files = bytesIn(dataDir)
      for (const [path, bytes] of files) assertNowhere(path, bytes)
      for (const key of keys) {
        const hash = createHash('sha256').update(key).digest('hex')
        assert.equal(files.filter(([, bytes]) => bytes.includes(hash)).length, 1)
      }
    }
    sweep()
    server = await start()
    assert.equal((await call('GET', '/api/v2/user', { key: keys[2] ?? null })).status, 200)
    await server.kill('SIGTERM')
    sweep()
    assertNowhere('the log', Buffer.from(server.stderr() + server.stdout()))
  })
})
