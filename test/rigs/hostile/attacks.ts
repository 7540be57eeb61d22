// Hostile clients. Each attack is the life of a single connection, until the client or the server
// ends the connection. The attack returns the permitted statuses.

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { FRAMES } from '../frames.ts'
import type { Random } from '../random.ts'
import { HOSTILE_BODIES, type HostileBody } from './bodies.ts'
import type { Connection } from './connection.ts'

export interface Target {
  /** A valid key. Uploads use another key. */
  readonly key: string
  /** The paths of a large download and of a record with a large text. */
  readonly file: string
  readonly record: string
  /** The path of the same download on the site, where it needs no key. */
  readonly publicFile: string
  readonly random: Random
}

export interface Attack {
  readonly name: string
  /** How many of 200 connections run this attack. */
  readonly share: number
  /** Resolves with the statuses that an answer may have. */
  readonly run: (connection: Connection, target: Target) => Promise<readonly number[]>
}

const MIB = 1024 * 1024
/** Generated once, so that the server does most of the work and not the hostile client. */
const JUNK = randomBytes(6 * MIB)

/** The host of the site that the server of the rig shows. */
export const SITE_HOST = 'www.example.org'

const headFor = (host: string, method: string, path: string, lines: readonly string[]): string =>
  `${[`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...lines].join('\r\n')}\r\n\r\n`
const head = (method: string, path: string, ...lines: readonly string[]): string =>
  headFor('cms.example.org', method, path, lines)
const siteHead = (method: string, path: string, ...lines: readonly string[]): string =>
  headFor(SITE_HOST, method, path, lines)
const signed = ({ key }: Target): string => `Authorization: Bearer ${key}`
const pick = (target: Target, ...values: readonly number[]): number => target.random.pick(values)

const formHead = (target: Target, bytes: number): string =>
  head(
    'POST',
    '/upload',
    signed(target),
    'Content-Type: multipart/form-data; boundary=x',
    `Content-Length: ${bytes}`,
  )
const FORM_START = Buffer.from(
  '--x\r\nContent-Disposition: form-data; name="Filedata"; filename="a.bin"\r\n\r\n',
)

export const ATTACKS: readonly Attack[] = [
  {
    name: 'heads that drip',
    share: 30,
    async run(connection, target) {
      const bytes = Buffer.from(head('GET', '/health', `X: ${'x'.repeat(10_000)}`))
      await connection.drip(bytes, pick(target, 1, 7, 100), pick(target, 100, 500))
      await connection.closed()
      return [200, 408]
    },
  },
  {
    name: 'nothing at all',
    share: 10,
    async run(connection) {
      await connection.closed()
      return [408]
    },
  },
  {
    name: 'JSON bodies that drip',
    share: 20,
    async run(connection, target) {
      const body = Buffer.from(`{"name":"${'x'.repeat(500_000)}"}`)
      connection.write(
        head(
          'POST',
          '/api/v2/asset_category',
          signed(target),
          'Content-Type: application/json',
          `Content-Length: ${body.length}`,
        ),
      )
      await connection.drip(body, pick(target, 1, 1_000), 200)
      await connection.answered()
      return [408, 422]
    },
  },
  {
    name: 'uploads that drip',
    share: 20,
    async run(connection, target) {
      const size = pick(target, 100_000, 5 * MIB)
      connection.write(formHead(target, size))
      await connection.drip(Buffer.concat([FORM_START, JUNK.subarray(0, size)]), 5_000, 250)
      await connection.answered()
      return [400]
    },
  },
  {
    name: 'uploads that are given up',
    share: 25,
    async run(connection, target) {
      const size = pick(target, 50_000, MIB, 6 * MIB)
      connection.write(formHead(target, size))
      connection.write(FORM_START)
      connection.write(JUNK.subarray(0, target.random.below(size - FORM_START.length)))
      await sleep(target.random.below(300))
      if (target.random.next() < 0.5) connection.socket.resetAndDestroy()
      else connection.socket.destroy()
      return [400]
    },
  },
  {
    name: 'downloads that are not read',
    share: 30,
    run: (connection, target) =>
      readSlowly(connection, target, head('GET', target.file, signed(target))),
  },
  {
    name: 'large records that are not read',
    share: 10,
    run: (connection, target) =>
      readSlowly(connection, target, head('GET', target.record, signed(target))),
  },
  {
    name: 'streams that are not read',
    share: 15,
    run: (connection, target) =>
      readSlowly(connection, target, head('GET', '/api/v2/change/stream?since=0', signed(target))),
  },
  {
    name: 'public downloads that are not read',
    share: 20,
    run: (connection, target) => readSlowly(connection, target, siteHead('GET', target.publicFile)),
  },
  {
    name: 'visitors that request anything of the site',
    share: 15,
    async run(connection, target) {
      for (let count = 0; count < 20; count += 1) {
        const path = target.random.pick(sitePaths(target))
        const ranges = target.random.pick([
          'bytes=0-9',
          'bytes=-1',
          `bytes=${'0-1,'.repeat(300)}5-6`,
          'x',
        ])
        connection.write(siteHead(target.random.pick(['GET', 'HEAD']), path, `Range: ${ranges}`))
        await sleep(target.random.below(100))
      }
      if (target.random.next() < 0.5) connection.socket.destroy()
      else await connection.answered()
      return [200, 206, 308, 400, 404, 414, 416]
    },
  },
  {
    name: 'changes by visitors',
    share: 5,
    async run(connection, { random }) {
      const json = '{"name":"never-made","public":true,"parent_category_id":1}'
      const lines = ['Content-Type: application/json', `Content-Length: ${json.length}`]
      const build = random.pick([head, siteHead])
      const path = random.pick(['/api/v2/asset_category', '/api/v2/asset_category/1', '/upload'])
      const method = random.pick(['POST', 'PATCH', 'DELETE'])
      connection.write(build(method, path, ...lines) + json)
      await connection.answered()
      return [401, 404, 405]
    },
  },
  {
    name: 'waits that are given up',
    share: 10,
    async run(connection, target) {
      connection.write(head('GET', '/api/v2/change?wait=60', signed(target)))
      await sleep(target.random.below(2_000))
      connection.socket.destroy()
      return [200]
    },
  },
  {
    name: 'guesses of a password',
    share: 2,
    async run(connection, { random }) {
      const name = random.pick(['admin', 'nobody', 'x'.repeat(255)])
      const body = JSON.stringify({ name, password: `wrong ${random.next()}` })
      const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`]
      connection.write(head('POST', '/api/v2/session', ...lines) + body)
      await connection.answered()
      return [401, 422]
    },
  },
  {
    name: 'hostile bodies',
    share: 35,
    async run(connection, target) {
      const hostile = target.random.pick(HOSTILE_BODIES)
      sendBody(connection, target, hostile)
      await connection.answered()
      return hostile.statuses
    },
  },
  {
    name: 'wrong keys',
    share: 5,
    async run(connection, { random }) {
      const secret = random.pick(['cms_wrong', 'x'.repeat(10_000), `cms_${'a'.repeat(43)}`, ''])
      const scheme = random.pick(['Bearer', 'Basic', 'bearer', ''])
      connection.write(head('GET', '/api/v2/asset_file', `Authorization: ${scheme} ${secret}`))
      await connection.answered()
      return [400, 401]
    },
  },
  {
    name: 'requests that two parsers would read in two ways',
    share: 10,
    async run(connection, target) {
      const frame = target.random.pick(FRAMES)
      connection.write(Buffer.from(frame.bytes.replaceAll('SECRET', target.key), 'latin1'))
      await connection.answered()
      return [frame.status]
    },
  },
  {
    name: 'requests that are cut',
    share: 5,
    async run(connection, target) {
      const json = '{"name":"never-made"}'
      const lines = ['Content-Type: application/json', `Content-Length: ${json.length}`]
      const whole = head('POST', '/api/v2/asset_category', signed(target), ...lines) + json
      connection.write(whole.slice(0, 1 + target.random.below(whole.length - 1)))
      await sleep(target.random.below(200))
      connection.socket.end()
      await connection.closed()
      return [400]
    },
  },
]

const sitePaths = ({ publicFile, random }: Target): readonly string[] => [
  '/',
  '/page-0.txt',
  '/PAGE-0.TXT',
  publicFile,
  `${publicFile}?width=64`,
  '/sitemap.xml',
  '/robots.txt',
  `/nothing-${random.next()}`,
  `/~preview/${'x'.repeat(120)}/`,
  '/../api/v2/me',
  '/%2e%2e/%00',
  '/a'.repeat(3_000),
  `/${'%C3%BC'.repeat(3_000)}`,
  '/'.repeat(5_000),
]

/** Reads a little from time to time; the server ends connections that make no progress. */
async function readSlowly(
  { socket, write, closed }: Connection,
  target: Target,
  request: string,
): Promise<readonly number[]> {
  socket.pause()
  write(request)
  const timer = setInterval(() => socket.read(1_000), pick(target, 1_000, 60_000))
  await closed()
  clearInterval(timer)
  return [200]
}

function sendBody(
  { write }: Connection,
  target: Target,
  { path, type, headers = [], body, isChunked = false }: HostileBody,
): void {
  const bytes = body()
  const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes.length}`
  const types = type === undefined ? [] : [`Content-Type: ${type}`]
  write(head('POST', path, signed(target), ...types, ...headers, framing))
  if (!isChunked) return write(bytes)
  write(`${bytes.length.toString(16)}\r\n`)
  write(bytes)
  write('\r\n0\r\n\r\n')
}
