// Reading a JSON body from its head to its last byte: the limits, the announced sizes and the refusals.
// Through a whole server: test/api/request/bodies.test.ts.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { CmsError } from '../../lib/base/errors.ts'
import { readJsonBody } from '../../lib/http/body.ts'
import { openSocket } from '../helpers/raw.ts'

interface Reading {
  readonly value?: unknown
  readonly code?: string
  readonly detail?: string
  /** The byte counts that the reader announced, and the bytes that arrived. */
  readonly told: readonly number[]
  readonly came: string
  readonly isContinued: boolean
  readonly isElsewhere: boolean
  /** The number of listeners left on the request. */
  readonly left: number
  /** True if the request is paused, as after an abort. */
  readonly isPaused: boolean
}

const EVENTS = ['data', 'end', 'error', 'close'] as const

function listenersOf(request: IncomingMessage): number {
  return EVENTS.reduce((count, event) => count + request.listenerCount(event), 0)
}

interface ReadOptions {
  readonly isOptional?: boolean
  readonly limits?: Partial<typeof LIMITS>
  /** Number of the announcement for which no memory is available. */
  readonly refuseAt?: number
  readonly method?: string
}

const LIMITS = {
  maxBytes: 20,
  instead: 'Send less.',
  inlineBytes: 10,
  timeoutMs: 60_000,
  maxDepth: 2,
  maxKeys: 2,
}

const closers: (() => void)[] = []
after(() => {
  for (const close of closers) close()
})

/** Reads one body and returns everything observable about the read. */
async function read(
  lines: readonly string[],
  body: string | Uint8Array = '',
  { isOptional = false, limits = {}, refuseAt = Infinity, method = 'POST' }: ReadOptions = {},
): Promise<Reading> {
  const readings: Reading[] = []
  const server = createServer((request, response) => {
    const before = listenersOf(request)
    const told: number[] = []
    const came: Buffer[] = []
    let [isContinued, isElsewhere] = [false, false]
    void readJsonBody(
      request,
      { ...LIMITS, ...limits },
      {
        isOptional,
        parseElsewhere: (bytes) => {
          isElsewhere = true
          return Promise.resolve(JSON.parse(Buffer.from(bytes).toString()))
        },
        continueBody: () => {
          isContinued = true
        },
        onBytes: (sizeBytes) => {
          told.push(sizeBytes)
          if (told.length >= refuseAt) throw new CmsError('too-many-requests', 'Wait.')
        },
        onChunk: (chunk) => came.push(chunk),
      },
    )
      .then(
        (value) => ({ value }),
        (error: unknown) => {
          assert.ok(error instanceof CmsError)
          return { code: error.code, detail: error.message }
        },
      )
      .then((outcome) => {
        const text = Buffer.concat(came).toString()
        const left = listenersOf(request) - before
        const isPaused = request.isPaused()
        readings.push({ ...outcome, told, came: text, isContinued, isElsewhere, left, isPaused })
        response.end()
        server.emit('read')
      })
  })
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const head = [`${method} / HTTP/1.1`, 'Host: a', ...lines].map((line) => `${line}\r\n`).join('')
  const wasRead = once(server, 'read')
  const socket = await openSocket(url)
  socket.on('error', () => undefined)
  socket.write(Buffer.concat([Buffer.from(`${head}\r\n`), Buffer.from(body)]))
  if (lines.includes('X-End: early')) socket.end()
  await wasRead
  socket.destroy()
  const [reading] = readings
  assert.ok(reading)
  return reading
}

const JSON_TYPE = 'Content-Type: application/json'
const length = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}`
const chunked = (...pieces: readonly string[]): string =>
  `${pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')}0\r\n\r\n`
const CHUNKED = 'Transfer-Encoding: chunked'

describe('a body of known size', () => {
  test('is announced once, requested and read', async () => {
    const body = '{"a":"é"}'
    assert.deepEqual(await read([JSON_TYPE, length(body)], body), {
      value: { a: 'é' },
      told: [10],
      came: body,
      isContinued: true,
      isElsewhere: false,
      left: 0,
      isPaused: false,
    })
  })

  test('leaves no listeners and is not read further after it was refused', async () => {
    const { code, left } = await read([JSON_TYPE, CHUNKED], chunked('x'.repeat(21), 'x'))
    assert.deepEqual([code, left], ['too-large', 0])
  })

  test('is parsed elsewhere above the limit', async () => {
    assert.equal((await read([JSON_TYPE, length('[12345678]')], '[12345678]')).isElsewhere, false)
    const longer = await read([JSON_TYPE, length('[123456789]')], '[123456789]')
    assert.deepEqual([longer.isElsewhere, longer.value], [true, [123_456_789]])
  })

  test('is not requested if it exceeds the limit', async () => {
    const most = `["${'x'.repeat(16)}"]`
    assert.equal((await read([JSON_TYPE, length(most)], most)).isContinued, true)
    const { code, detail, told, isContinued } = await read([JSON_TYPE, 'Content-Length: 21'])
    assert.deepEqual([code, told, isContinued], ['too-large', [], false])
    assert.equal(detail, 'A JSON body may have at most 20 bytes here. Send less.')
  })

  test('is not requested if there is no memory for it', async () => {
    const { code, isContinued } = await read([JSON_TYPE, 'Content-Length: 2'], '', { refuseAt: 1 })
    assert.deepEqual([code, isContinued], ['too-many-requests', false])
  })

  test('is limited in depth and keys', async () => {
    for (const body of ['[[[]]]', '[{"a":1,"b":2,"c":3}]'])
      assert.equal(
        (await read([JSON_TYPE, length(body)], body, { limits: { maxBytes: 99, inlineBytes: 99 } }))
          .code,
        'bad-json',
      )
  })

  test('is refused if it is incomplete', async () => {
    const { code, detail } = await read([JSON_TYPE, 'Content-Length: 5', 'X-End: early'], '[1')
    assert.deepEqual([code, detail], ['bad-request', 'The body ended before it was complete.'])
  })

  test('is refused if it does not arrive in time, and its connection is closed', async () => {
    const { code, detail } = await read([JSON_TYPE, 'Content-Length: 5'], '[1', {
      limits: { timeoutMs: 50 },
    })
    assert.equal(code, 'request-timeout')
    assert.match(detail ?? '', /within 0.05 seconds/)
  })
})

describe('a body of unknown size', () => {
  test('is announced as it arrives, in any pieces, and read', async () => {
    const { value, told, came } = await read([JSON_TYPE, CHUNKED], chunked('[1,', '2', ']'))
    assert.deepEqual([value, told, came], [[1, 2], [3, 1, 1], '[1,2]'])
  })

  test('may arrive in thousands of pieces', async () => {
    const pieces = ['[', ...Array.from({ length: 3_000 }, (_, at) => String(at % 10)), ']']
    const limits = { maxBytes: 9_999, inlineBytes: 0 }
    const text = pieces.join('').replace('[0', '["0').replace(']', '"]')
    const { value, came } = await read([JSON_TYPE, CHUNKED], chunked(...text), { limits })
    assert.deepEqual([came, value], [text, JSON.parse(text)])
  })

  test('is refused at the size limit and when there is no memory left', async () => {
    const more = await read([JSON_TYPE, CHUNKED], chunked('x'.repeat(10), 'x'.repeat(10), 'x'))
    assert.deepEqual([more.code, more.told], ['too-large', [10, 10]])
    const full = await read([JSON_TYPE, CHUNKED], chunked('[', '1', ']'), { refuseAt: 2 })
    assert.deepEqual([full.code, full.told, full.came], ['too-many-requests', [1, 1], '['])
  })
})

describe('an optional body', () => {
  const optional = { isOptional: true }

  test('is undefined if it is missing in any form, without a check of its type', async () => {
    for (const lines of [[], ['Content-Length: 0']]) {
      const { value, code, isContinued } = await read(lines, '', optional)
      assert.deepEqual([value, code, isContinued], [undefined, undefined, false])
    }
    const empty = await read([JSON_TYPE, CHUNKED], chunked(), optional)
    assert.deepEqual([empty.value, empty.isContinued], [undefined, true])
  })

  test('is read if it is present, and must be JSON', async () => {
    assert.equal((await read([JSON_TYPE, 'Content-Length: 1'], '1', optional)).value, 1)
    assert.equal((await read([JSON_TYPE, CHUNKED], chunked('1'), optional)).value, 1)
    assert.equal((await read(['Content-Length: 1'], '1', optional)).code, 'unsupported-media-type')
    assert.equal((await read([CHUNKED], chunked('1'), optional)).code, 'unsupported-media-type')
  })

  test('is required on other routes', async () => {
    assert.equal((await read([JSON_TYPE, 'Content-Length: 0'])).code, 'bad-json')
    assert.equal((await read([JSON_TYPE, CHUNKED], chunked())).code, 'bad-json')
  })
})

const TYPES: readonly (readonly [line: string, isTaken: boolean])[] = [
  ['Content-Type: application/json', true],
  ['Content-Type: Application/JSON', true],
  ['Content-Type: application/json; charset=utf-8', true],
  ['Content-Type: application/json; charset=UTF8', true],
  ['Content-Type: application/json; charset="utf-8"', true],
  ['Content-Type: application/json; charset=utf-16', false],
  ['Content-Type: application/json; charset=xutf-8', false],
  ['Content-Type: application/json; charset=utf-8x', false],
  ['Content-Type: application/json; x=y', true],
  ['Content-Type: application/merge-patch+json', false],
  ['Content-Type: text/plain', false],
  ['Content-Type: nonsense', false],
  ['Content-Type:', false],
  ['X: application/json', false],
  ['Content-Type: application/json\r\nContent-Type: application/json', false],
  ['Content-Type: application/json\r\nContent-Encoding: identity', true],
  ['Content-Type: application/json\r\nContent-Encoding: IDENTITY', true],
  ['Content-Type: application/json\r\nContent-Encoding: gzip', false],
]

describe('a body with', () => {
  for (const [line, isTaken] of TYPES)
    test(`${line.replace('\r\n', ', ')} is ${isTaken ? 'accepted' : 'refused'}`, async () => {
      const { value, code } = await read([line, 'Content-Length: 1'], '1')
      assert.deepEqual(
        [value, code],
        isTaken ? [1, undefined] : [undefined, 'unsupported-media-type'],
      )
    })
})

test('a patch may have the media type of merge patches', async () => {
  for (const type of ['application/merge-patch+json', 'application/json'])
    assert.equal(
      (await read([`Content-Type: ${type}`, 'Content-Length: 1'], '1', { method: 'PATCH' })).value,
      1,
    )
  const { detail } = await read(['Content-Length: 1'], '1', { method: 'PATCH' })
  assert.match(
    detail ?? '',
    /"Content-Type: application\/json" or "application\/merge-patch\+json"/,
  )
})
