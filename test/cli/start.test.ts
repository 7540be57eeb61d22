import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { after, before, describe, test } from 'node:test'
import { openTarget } from '../../lib/client/disk.ts'
import { type ChildServer, makeKey, runCli, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { buildForm, send } from '../helpers/server.ts'

after(removeDataDirectories)

describe('the first line of stdout', () => {
  test('has the address of the server', async () => {
    const child = await startChild(newDataDirectory(), [], { cwd: tmpdir() })
    try {
      const [first = ''] = child.stdout().split('\n', 1)
      assert.match(first, /^cms-server listening on http:\/\/127\.0\.0\.1:[1-9]\d*$/)
      assert.notEqual(new URL(child.url).port, '0')
      assert.equal((await send(child.url, 'GET', '/ready', {})).status, 200)
    } finally {
      await child.kill('SIGTERM')
    }
  })

  test('K9: is followed by the ways to sign in until a user can', async () => {
    const dataDir = newDataDirectory()
    const command = `cms-server key create --data ${dataDir} --name first`
    for (const time of ['first', 'second']) {
      const { stdout, stderr } = await (await startChild(dataDir)).kill('SIGTERM')
      assert.ok(stdout.includes(command), time)
      assert.doesNotMatch(stdout + stderr, /cms_\w/, 'there is a key that nobody made')
    }
    await runCli(['key', 'create', '--data', dataDir, '--name', 'first'])
    const { stdout } = await (await startChild(dataDir)).kill('SIGTERM')
    assert.equal(stdout.trimEnd().split('\n').length, 1)
  })
})

describe('settings', { concurrency: 2 }, () => {
  test('are read from the environment, and flags take precedence', async () => {
    const dataDir = newDataDirectory()
    const env = {
      CMS_DATA: '/nonexistent/data',
      CMS_HOST: '::1',
      CMS_LOG_LEVEL: 'debug',
      CMS_CORS_ORIGIN: 'https://a.example',
    }
    const child = await startChild(dataDir, ['--host', '127.0.0.1'], { env })
    try {
      assert.equal(new URL(child.url).hostname, '127.0.0.1')
      const answer = await send(child.url, 'GET', '/health', {
        headers: { origin: 'https://a.example' },
      })
      assert.equal(answer.headers['access-control-allow-origin'], 'https://a.example')
      const exposed = String(answer.headers['access-control-expose-headers']).split(', ')
      for (const name of [
        'Retry-After',
        'Accept-Ranges',
        'Idempotency-Replayed',
        'WWW-Authenticate',
      ])
        assert.ok(exposed.includes(name), name)

      const preflight = await send(child.url, 'OPTIONS', '/file/1/a', {
        headers: { origin: 'https://a.example', 'access-control-request-method': 'GET' },
      })
      const allowed = String(preflight.headers['access-control-allow-headers']).split(', ')
      for (const name of ['If-Range', 'If-Modified-Since', 'Idempotency-Key', 'Authorization'])
        assert.ok(allowed.includes(name), name)
    } finally {
      await child.kill('SIGTERM')
    }
  })

  test('an unknown variable is logged without its value', async () => {
    const child = await startChild(newDataDirectory(), [], {
      env: { CMS_DOC: 'of the secret kind' },
    })
    const { stderr } = await child.kill('SIGTERM')
    const lines = stderr.split('\n').filter((line) => line.includes('CMS_DOC'))
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', /"level":"warn".*unknown variable has no effect/)
    assert.doesNotMatch(stderr, /secret kind/)
  })

  test('empty variables are unset, and variables of a service named "cms" are ignored with one warning', async () => {
    const ofService = {
      CMS_PORT: 'tcp://10.0.0.1:80',
      CMS_SERVICE_HOST: '10.0.0.1',
      CMS_PORT_80_TCP_ADDR: '10.0.0.1',
    }
    const empty = { CMS_HOST: '', CMS_LOG_LEVEL: ' ', CMS_READ_ONLY: '', S3_BUCKET: '' }
    const child = await startChild(newDataDirectory(), [], { env: { ...ofService, ...empty } })
    const { stderr } = await child.kill('SIGTERM')
    const warnings = stderr.split('\n').filter((line) => line.includes('"level":"warn"'))
    assert.equal(warnings.length, 1, stderr)
    const { names, msg } = JSON.parse(warnings[0] ?? '{}')
    assert.deepEqual(new Set(names), new Set(Object.keys(ofService)))
    assert.match(msg, /ignored variables of a service named "cms"/)
  })

  test('an unknown method is not logged as an error', async () => {
    const child = await startChild(newDataDirectory())
    const { status } = await send(child.url, 'PROPFIND', '/', {})
    const { stderr } = await child.kill('SIGTERM')
    const lines = stderr.split('\n').filter((line) => line.includes('not-implemented'))
    assert.deepEqual([status, lines.length], [501, 1])
    const { level, stack, err } = JSON.parse(lines[0] ?? '{}')
    assert.deepEqual({ level, stack, err }, { level: 'info', stack: undefined, err: undefined })
  })

  test('are each named in the help of start with their environment variable', async () => {
    const { code, stdout } = await runCli(['start', '--help'], { env: { COLUMNS: '200' } })
    // docs/tables compares this page with the options.
    const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8')
    const names = [...page.matchAll(/^\| `--[^|]*\| `CMS_(\w+)`/gm)].map((match) => match[1])
    const shown = [...stdout.replaceAll(/\s+/g, ' ').matchAll(/env: CMS_(\w+)/g)].map(
      (match) => match[1],
    )

    assert.equal(code, 0)
    assert.ok(names.length > 30)
    assert.deepEqual(shown, names)
  })

  const wrong = [
    ['an unknown command', ['sart']],
    ['no command', []],
    ['an invalid port', ['start', '--port', '65536']],
    ['an empty port', ['start', '--port', '']],
    ['a port in hexadecimal', ['start', '--port', '0x1F90']],
    ['a number with an exponent', ['start', '--workers', '1e1']],
    ['an invalid base URL', ['start', '--base-url', 'here']],
    ['a base URL of another scheme', ['start', '--base-url', 'ftp://a.example']],
    ['a base URL with a query', ['start', '--base-url', 'https://a.example/?x=1']],
    ['a base URL with a fragment', ['start', '--base-url', 'https://a.example/#']],
    ['a proxy by its name', ['start', '--trust-proxy', 'proxy.example']],
    ['a network with too many bits', ['start', '--trust-proxy', 'loopback,10.0.0.0/33']],
    ['a receiver by its name', ['start', '--webhook-allow', 'localhost']],
    ['a sender without an @', ['start', '--mail-from', 'cms']],
    ['a missing file with the mail server', ['start', '--smtp-url-file', '/none/here']],
    ['an empty list of proxies', ['start', '--trust-proxy', '']],
    ['every origin', ['start', '--cors-origin', '*']],
    ['every subdomain as an origin', ['start', '--cors-origin', 'https://*.a.example']],
    ['an origin with a slash', ['start', '--cors-origin', 'https://a.example/']],
    ['an origin with a path', ['start', '--cors-origin', 'https://b.example,https://a.example/b']],
    ['an origin with the default port', ['start', '--cors-origin', 'https://a.example:443']],
    ['an origin without a scheme', ['start', '--cors-origin', 'a.example']],
    ['a key without a name', ['key', 'create']],
  ] as const
  for (const [what, args] of wrong) {
    test(`${what} exits with 2 and the reason on stderr`, async () => {
      const { code, stdout, stderr } = await runCli(args)
      assert.deepEqual([code, stdout], [2, ''])
      assert.notEqual(stderr, '')
      if (args.length === 3)
        assert.match(stderr, /^error: option '--.*' .* is invalid\. Give .*\n$/)
    })
  }

  test('a start with a used port exits with 1 and one line, and leaves the data unchanged', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const { port } = blocker.address() as { port: number }
    const dataDir = newDataDirectory()
    try {
      const { code, stderr } = await runCli([
        'start',
        '--data',
        dataDir,
        '--port',
        String(port),
        '--log-level',
        'silent',
      ])
      assert.equal(code, 1)
      assert.match(stderr, /^cms-server: Another program uses port \d+ .*--port \d+\n$/)
      assert.ok(!existsSync(dataDir))
    } finally {
      blocker.close()
    }
    await (await startChild(dataDir)).kill('SIGTERM')
  })
})

test('a start and an export fail if their directory cannot be created', async () => {
  // mkdir in /proc fails with ENOENT although the parent exists, so Node's recursive mkdir would retry
  // forever.
  const start = await runCli(['start', '--data', '/proc/none/here', '--port', '0'])
  assert.deepEqual([start.code, /mkdir '\/proc\/none'/.test(start.stderr)], [1, true])
  await assert.rejects(openTarget('/proc/none/here'), { code: 'unwritable' })
})

describe('stopping', () => {
  let child: ChildServer
  let key: string
  let url: string
  const size = 24 * 1024 * 1024

  before(async () => {
    const dataDir = newDataDirectory()
    child = await startChild(dataDir)
    key = await makeKey(dataDir)
    const form = buildForm([
      { name: 'asset_category_id', value: '1' },
      { name: 'fileState', value: 'publish' },
      { name: 'Filedata', fileName: 'big.bin', bytes: Buffer.alloc(size, 7) },
    ])
    const saved = await send(child.url, 'POST', '/upload', {
      key,
      body: form.body,
      headers: { 'content-type': form.contentType },
    })
    assert.equal(saved.status, 201)
    url = saved.body.url
  })
  after(() => child.kill('SIGKILL'))

  test('S38: with SIGTERM completes a slow download, accepts no new connection, and exits with 0', async () => {
    const response = await startDownload(child.url, url, key)
    const ended = child.kill('SIGTERM')
    await untilRefused(child.url)

    let received = 0
    for await (const chunk of response) received += (chunk as Buffer).length
    const { code, signal } = await ended

    assert.equal(received, size)
    assert.deepEqual({ code, signal }, { code: 0, signal: null })
  })

  test('S38: does not wait for idle keep-alive connections', async () => {
    const idle = await startChild(newDataDirectory())
    const socket = request(`${idle.url}/health`, {
      agent: false,
      headers: { connection: 'keep-alive' },
    }).end()
    const [response] = (await once(socket, 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')

    const started = performance.now()
    const { code } = await idle.kill('SIGINT')

    assert.equal(code, 0)
    assert.ok(performance.now() - started < 4_000)
  })

  test('S38: a second signal exits at once, and the next start recovers', async () => {
    const dataDir = newDataDirectory()
    const server = await startChild(dataDir)
    const ownKey = await makeKey(dataDir)
    // The server waits for a request whose body never ends.
    const stuck = request(`${server.url}/upload`, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${ownKey}`,
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': '1000',
      },
    })
    stuck.on('error', () => undefined)
    stuck.write('--x\r\n')
    await untilReady(server.url)
    void server.kill('SIGTERM')
    await untilRefused(server.url)
    const { signal } = await server.kill('SIGTERM')

    assert.equal(signal, 'SIGKILL')
    const next = await startChild(dataDir)
    assert.equal((await next.kill('SIGTERM')).code, 0)
  })
})

async function startDownload(url: string, path: string, key: string): Promise<IncomingMessage> {
  const { hostname, port } = new URL(url)
  const call = request({
    hostname,
    port,
    path,
    agent: false,
    headers: { authorization: `Bearer ${key}` },
  }).end()
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  assert.equal(response.statusCode, 200)
  return response.pause()
}

async function untilReady(url: string): Promise<void> {
  assert.equal((await send(url, 'GET', '/ready', {})).status, 200)
}

async function untilRefused(url: string): Promise<void> {
  for (;;) {
    const isRefused = await send(url, 'GET', '/ready', {}).then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
    )
    if (isRefused) return
  }
}
