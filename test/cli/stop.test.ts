// Ways to end a server: a signal during an upload or commits, an uncaught exception, a full heap.
// Acknowledged changes are present after the next start in every case.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { type ChildServer, makeKey, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { openSocket } from '../helpers/raw.ts'
import { buildForm, send } from '../helpers/server.ts'

after(removeDataDirectories)

describe('SIGTERM', () => {
  test('S38: during an upload completes and answers the upload, and exits with 0', async () => {
    const dataDir = newDataDirectory()
    const child = await startChild(dataDir)
    const key = await makeKey(dataDir)
    const { call, body } = await beginUpload(child, key)

    const ended = child.kill('SIGTERM')
    await untilRefused(child)
    call.end(body.subarray(HALF))
    const [response] = await once(call, 'response')
    const { url } = JSON.parse(await text(response))
    assert.deepEqual([response.statusCode, response.headers.connection], [201, 'close'])
    assert.equal((await ended).code, 0)
    assert.ok(existsSync(join(dataDir, 'clean.json')))

    const next = await startChild(dataDir)
    assert.equal((await send(next.url, 'GET', url, { key })).bytes.length, SIZE)
    await next.kill('SIGTERM')
  })

  test('S38: aborts an upload that does not arrive in time, and exits with 0', async () => {
    const dataDir = newDataDirectory()
    const child = await startChild(dataDir, ['--drain-seconds', '1'])
    const key = await makeKey(dataDir)
    const { call } = await beginUpload(child, key)
    const failed = once(call, 'error')
    assert.equal((await child.kill('SIGTERM')).code, 0)
    await failed
    assert.deepEqual(readdirSync(join(dataDir, '.tmp')), [])
    assert.ok(existsSync(join(dataDir, 'clean.json')))
  })

  test('S38: during commits loses no acknowledged commit', async () => {
    const dataDir = newDataDirectory()
    const child = await startChild(dataDir)
    const key = await makeKey(dataDir)
    const writers = Array.from({ length: 8 }, (_, index) => write(child, key, `w${index}`))
    await Promise.all(writers.map(({ hasBegun }) => hasBegun))
    const { code } = await child.kill('SIGTERM')
    assert.equal(code, 0)
    assert.ok(existsSync(join(dataDir, 'clean.json')))
    await requireAll(dataDir, key, writers)
  })
})

/**
 * Code that fails when the server receives SIGUSR2; loaded into the process before the server's own
 * code.
 */
function sabotage(code: string): { readonly env: Readonly<Record<string, string>> } {
  const script = `process.on('SIGUSR2', () => { ${code} })`
  return { env: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}` } }
}

describe('a fault of the process', () => {
  const faults = [
    ['S37: an uncaught exception exits at once with 70', 'throw new Error("oops")', 70],
    ['S37: an unhandled rejection exits at once with 70', 'Promise.reject(new Error("oops"))', 70],
    [
      'S36: a full heap ends the process like a crash',
      'const all = []; for (;;) all.push(new Array(100000).fill(all.length))',
      null,
    ],
  ] as const
  for (const [title, code, expected] of faults) {
    test(`${title}, and nothing acknowledged is lost`, async () => {
      const dataDir = newDataDirectory()
      const limits = ['--max-old-space-size=128']
      const { env } = sabotage(code)
      const options = { env: { NODE_OPTIONS: `${env['NODE_OPTIONS']} ${limits.join(' ')}` } }
      const child = await startChild(dataDir, [], options)
      const key = await makeKey(dataDir)
      const writers = Array.from({ length: 4 }, (_, index) => write(child, key, `w${index}`))
      await Promise.all(writers.map(({ hasBegun }) => hasBegun))

      const { code: exitCode, signal, stderr } = await child.kill('SIGUSR2')
      if (expected === null) assert.ok(exitCode !== 0 && signal !== 'SIGUSR2')
      else {
        // LMDB can prevent the process from ending during commits; a watchdog process then kills it.
        assert.ok(exitCode === expected || signal === 'SIGKILL', `${exitCode} ${signal}`)
        const fatal = stderr.split('\n').find((line) => line.includes('"level":"fatal"')) ?? '{}'
        assert.equal(JSON.parse(fatal).err?.message, 'oops')
      }
      assert.ok(!existsSync(join(dataDir, 'clean.json')))
      await requireAll(dataDir, key, writers)
    })
  }
})

const SIZE = 3 * 1024 * 1024
const HALF = SIZE / 2

/** Sends half of a form and waits until the system has accepted the bytes. */
async function beginUpload({ url }: ChildServer, key: string) {
  const { contentType, body } = buildForm([
    { name: 'asset_category_id', value: '1' },
    { name: 'fileState', value: 'publish' },
    { name: 'Filedata', fileName: 'big.bin', bytes: Buffer.alloc(SIZE, 7) },
  ])
  const call = request(`${url}/upload`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': contentType,
      'content-length': body.length,
      expect: '100-continue',
    },
  })
  call.flushHeaders()
  await once(call, 'continue')
  await new Promise((resolve) => call.write(body.subarray(0, HALF), resolve))
  return { call, body }
}

interface Writer {
  /** Resolves when the first write is acknowledged. */
  readonly hasBegun: Promise<void>
  /** Names of the acknowledged files; resolves when the server has ended. */
  readonly ended: Promise<readonly string[]>
}

function write({ url }: ChildServer, key: string, prefix: string): Writer {
  const names: string[] = []
  let begin = (): void => undefined
  const hasBegun = new Promise<void>((resolve) => {
    begin = resolve
  })

  async function run(): Promise<readonly string[]> {
    for (let count = 0; ; count += 1) {
      const name = `${prefix}-${count}`
      const answer = await send(url, 'POST', '/api/v2/asset_category', {
        key,
        json: { name },
      }).catch(() => undefined)
      if (answer === undefined || answer.status === 503) return names
      assert.equal(answer.status, 201, answer.text)
      names.push(name)
      begin()
    }
  }
  return { hasBegun, ended: run() }
}

async function requireAll(dataDir: string, key: string, writers: readonly Writer[]): Promise<void> {
  const names = (await Promise.all(writers.map(({ ended }) => ended))).flat()
  const next = await startChild(dataDir)
  try {
    const path = '/api/v2/asset_category?fields=name&length=1000'
    let { body } = await send(next.url, 'GET', path, { key })
    const found = new Set<string>(body.asset_category.map((record: any) => record.name))
    while (body.page.next !== null) {
      const more = await send(next.url, 'GET', `${path}&cursor=${body.page.next}`, { key })
      body = more.body
      for (const { name } of body.asset_category) found.add(name)
    }
    assert.deepEqual(
      names.filter((name) => !found.has(name)),
      [],
    )
  } finally {
    await next.kill('SIGTERM')
  }
}

async function untilRefused({ url }: ChildServer): Promise<void> {
  for (;;) {
    const socket = await openSocket(url).catch(() => undefined)
    if (socket === undefined) return
    socket.destroy()
  }
}
