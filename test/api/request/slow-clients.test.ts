// Clients that are slow, stall or disconnect: each connection ends, and nothing is left of it. The timeouts
// are short here. LIMITS has the real ones.

import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, test } from 'node:test'
import { makeFile, uploadFile } from '../../helpers/content.ts'
import { openDescriptorCount } from '../../helpers/descriptors.ts'
import { eventually, openSocket } from '../../helpers/raw.ts'
import { buildForm, startTestServer, type TestServer } from '../../helpers/server.ts'
import { unfinishedIn } from '../../helpers/stored.ts'

const LIMITS = {
  headersTimeoutMs: 600,
  bodyTimeoutMs: 600,
  dropTimeoutMs: 600,
  stallTimeoutMs: 600,
  requestTimeoutMs: 2_000,
  keepAliveTimeoutMs: 500,
  connectionsCheckMs: 50,
}

let server: TestServer
let key: string
/** Addresses of a large file and a large record. */
let file: string
let record: string
let descriptors: () => number

before(async () => {
  server = await startTestServer({ limits: LIMITS })
  descriptors = await openDescriptorCount(server.dataDir)
  key = `Authorization: Bearer ${server.key}`
  file = (await uploadFile(server, Buffer.alloc(40_000_000, 'x'), { fileState: 'publish' })).url
  const { asset_file_id: id } = await makeFile(server, { pageContent: 'x'.repeat(16_000_000) })
  record = `/api/v2/asset_file/${id}`
  // A thread that starts later would count as leaked descriptors, so these saves start the threads first.
  const pageContent = 'x'.repeat(900_000)
  const saves = Array.from({ length: 8 }, () => [
    uploadFile(server, Buffer.alloc(900_000)),
    makeFile(server, { pageContent }),
  ])
  await Promise.all(saves.flat())
})
after(() => server.close())

function temporaryFiles(): readonly string[] {
  return unfinishedIn(server.dataDir)
}

const head = (...lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`
const get = (path: string): string => head(`GET ${path} HTTP/1.1`, 'Host: a', key)
const post = (path: string, type: string, length: number, ...more: readonly string[]): string =>
  head(
    `POST ${path} HTTP/1.1`,
    'Host: a',
    `Content-Type: ${type}`,
    `Content-Length: ${length}`,
    ...more,
  )

const JSON_POST = (): string => post('/api/v2/asset_category', 'application/json', 100, key)
const form = buildForm([
  { name: 'asset_category_id', value: '1' },
  { name: 'Filedata', fileName: 'slow.bin', bytes: Buffer.alloc(900_000, 1) },
])
const UPLOAD = (): string => post('/upload', form.contentType, form.body.length, key)

/** Writes a byte every 40 ms until the connection is closed. */
function dribble(socket: Socket): void {
  const timer = setInterval(() => socket.write('x'), 40)
  socket.once('close', () => clearInterval(timer))
}

/** The behavior of a client, and the status that it receives, if any. */
const SLOW: readonly (readonly [string, (socket: Socket) => void, number?])[] = [
  ['that says nothing', () => undefined, 408],
  ['whose headers do not end', (socket) => socket.write('GET / HTTP/1.1\r\nHost: a\r\n'), 408],
  [
    'whose headers come a byte at a time',
    (socket) => {
      socket.write('GET / HTTP/1.1\r\nX: ')
      dribble(socket)
    },
    408,
  ],
  ['whose JSON stops', (socket) => socket.write(`${JSON_POST()}{"name":`), 408],
  [
    'whose JSON comes a byte at a time',
    (socket) => {
      socket.write(JSON_POST().replace('100', '1000000'))
      dribble(socket)
    },
    408,
  ],
  [
    'that was asked for its body and sends none',
    (socket) => socket.write(JSON_POST().replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n')),
    408,
  ],
  [
    'whose chunks stop',
    (socket) =>
      socket.write(
        `${JSON_POST().replace('Content-Length: 100', 'Transfer-Encoding: chunked')}5\r\n{"`,
      ),
    408,
  ],
  [
    'whose upload stops',
    (socket) => {
      socket.write(UPLOAD())
      socket.write(form.body.subarray(0, -100))
    },
  ],
  [
    // The client never stalls, so only the timeout of the whole request ends the connection.
    'whose upload comes a byte at a time',
    (socket) => {
      socket.write(UPLOAD())
      dribble(socket)
    },
    408,
  ],
  ['whose upload does not begin', (socket) => socket.write(UPLOAD())],
  [
    'without a key whose body comes a byte at a time',
    (socket) => {
      socket.write(post('/upload', form.contentType, 1_000_000))
      dribble(socket)
    },
    401,
  ],
  [
    'without a key whose body does not come',
    (socket) => socket.write(post('/upload', form.contentType, 1_000_000)),
    401,
  ],
  ['that keeps its connection after an answer', (socket) => socket.write(get('/health')), 200],
  ['that keeps its connection after a download', (socket) => socket.write(get(file)), 200],
]

describe('H1: the connection of a client', { concurrency: true }, () => {
  for (const [what, act, status] of SLOW) {
    test(`${what} is closed`, async () => {
      const socket = await openSocket(server.url)
      let text = ''
      socket.on('data', (chunk: Buffer) => {
        if (text.length < 1_000) text += chunk.toString('latin1')
      })
      socket.on('error', () => undefined)
      const closed = new Promise<true>((resolve) => socket.once('close', () => resolve(true)))
      act(socket)

      assert.ok(await Promise.race([closed, sleep(15_000)]), 'is still open')
      const answer = text.replace('HTTP/1.1 100 Continue\r\n\r\n', '')
      assert.equal(
        /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1],
        status === undefined ? undefined : String(status),
      )
    })
  }

  after(async () => {
    assert.ok(await eventually(() => temporaryFiles().length === 0), String(temporaryFiles()))
  })
})

describe('H2: a client that does not read its answer', () => {
  for (const [what, path] of [
    ['from a file', () => file],
    ['from memory', () => `${record}?fields=pageContent`],
    ['from memory, asked for many times at once', () => record],
  ] as const) {
    test(`${what} occupies neither a connection nor a file`, async () => {
      const before = await settledDescriptors()
      const socket = await openSocket(server.url)
      const answered = new Promise((resolve) => socket.once('readable', resolve))
      socket.write(get(path()).repeat(what.includes('many') ? 20 : 1))
      await answered

      assert.ok(descriptors() > before + 1, 'the connection is not open')
      const isFree = await eventually(() => descriptors() <= before + 1)
      assert.ok(isFree, `${descriptors()} descriptors, ${before} before`)
      socket.destroy()
    })
  }

  test('but then reads slowly, gets the complete answer', async () => {
    const { port, hostname } = new URL(server.url)
    const socket = connect({ port: Number(port), host: hostname })
    socket.write(get(record).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
    let size = 0
    for await (const chunk of socket) {
      size += (chunk as Buffer).length
      if (size % 3 === 0) await sleep(1)
    }
    assert.ok(size > 16_000_000, String(size))
  })
})

test('H1: a slow upload that never stalls may take longer than the stall timeout', async () => {
  const patient = await startTestServer({ limits: { stallTimeoutMs: 2_000 } })
  try {
    const begun = performance.now()
    assert.match(await sendInPieces(patient, 60_000), /^HTTP\/1\.1 201 /)
    assert.ok(performance.now() - begun > 2_000)
  } finally {
    await patient.close()
  }
})

test('H1: an upload below the minimum rate is ended, and a faster upload continues', async () => {
  const limits = { uploadWindowMs: 1_000, uploadWindowBytes: 20_000 }
  const strict = await startTestServer({ limits })
  try {
    const [slow, fast] = await Promise.all([
      sendInPieces(strict, 100),
      sendInPieces(strict, 60_000),
    ])
    assert.equal(slow, 'closed')
    assert.match(fast, /^HTTP\/1\.1 201 /)
  } finally {
    await strict.close()
  }
})

/**
 * Sends the upload in five pieces per second and returns the answer, `closed`, or `open` if the connection
 * stays open.
 */
async function sendInPieces(to: TestServer, pieceBytes: number): Promise<string> {
  const socket = await openSocket(to.url)
  socket.on('error', () => undefined)
  let isOver = false
  const answer = new Promise<string>((resolve) => {
    socket.once('data', (chunk) => resolve(`${chunk}`))
    socket.once('close', () => resolve('closed'))
    setTimeout(resolve, 20_000, 'open').unref()
  }).finally(() => {
    isOver = true
  })
  socket.write(UPLOAD().replace(server.key, to.key))
  for (let at = 0; at < form.body.length && !isOver; at += pieceBytes) {
    socket.write(form.body.subarray(at, at + pieceBytes))
    await sleep(200)
  }
  const told = await answer
  socket.destroy()
  return told
}

/**
 * Waits until the connections of earlier tests are closed. Work after an answer and store requests hold
 * descriptors for a moment.
 */
async function settledDescriptors(): Promise<number> {
  const seen: number[] = []
  await eventually(async () => {
    seen.push(descriptors())
    await sleep(100)
    return seen.length >= 5 && new Set(seen.slice(-5)).size === 1
  })
  return seen.at(-1) ?? 0
}

/** The bytes that a client has written before it disconnects. */
const VANISHING: readonly (readonly [string, () => readonly (string | Buffer)[]])[] = [
  ['in the middle of its headers', () => ['GET / HTTP/1.1\r\nHost']],
  ['in the middle of its JSON', () => [JSON_POST(), '{"name":']],
  ['in the middle of an upload', () => [UPLOAD(), form.body.subarray(0, 800_000)]],
  ['at the end of an upload', () => [UPLOAD(), form.body]],
  ['after it asked for a file', () => [get(file)]],
  ['after it asked for a record', () => [get(record)]],
  ['after it asked for many', () => [get(file).repeat(20)]],
]

describe('H2, H3: a client that vanishes', () => {
  for (const [what, parts] of VANISHING) {
    for (const how of ['with FIN', 'with RST'] as const) {
      test(`${what}, ${how}, leaves no descriptor`, async () => {
        const before = await settledDescriptors()
        for (let count = 0; count < 10; count += 1) {
          const socket = await openSocket(server.url)
          socket.on('error', () => undefined)
          for (const part of parts()) socket.write(part)
          await new Promise((resolve) => socket.write('', resolve))
          if (how === 'with FIN') socket.destroy()
          else socket.resetAndDestroy()
        }
        const isFree = await eventually(() => descriptors() <= before)
        assert.ok(isFree, `${descriptors()} descriptors, ${before} before`)
        assert.ok(await eventually(() => temporaryFiles().length === 0))
        assert.equal((await server.call('GET', '/health')).status, 200)
      })
    }
  }
})
