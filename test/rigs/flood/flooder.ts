// Floods the site of a server from several addresses until the process is killed. Each connection has one kind of request. The
// process prints the number of answers by status once a second.

import { connect, type Socket } from 'node:net'

const [url = '', host = '', list = '', connections = '0'] = process.argv.slice(2)
const { hostname, port } = new URL(url)
/** Loopback addresses of the crawlers; the editors of the rig use another one. */
const ADDRESSES = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5']
const PIPELINED = 20
const SLOW_BYTES = 1_000
const RETRY_MS = 100
const STATUS = /HTTP\/1\.1 (\d{3}) /g
/** One byte less than the text that STATUS matches. */
const CARRY = 12

const counts: Record<string, number> = {}

/** The request of a connection. */
type Kind = (at: number) => string

const head = (method: string, path: string, ...lines: readonly string[]): string =>
  `${[`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...lines].join('\r\n')}\r\n\r\n`
const search = (qry: object): string =>
  `GET ${list}?qry=${encodeURIComponent(JSON.stringify(qry))} HTTP/1.1\r\nHost: api\r\n\r\n`

const KINDS: readonly Kind[] = [
  () => head('GET', '/'),
  (at) => head('GET', `/nothing-${at}-${Math.random()}`),
  () => head('HEAD', '/large.bin'),
  (at) => head('GET', '/large.bin', `Range: bytes=${at}-${at + 50_000}`),
  () => head('GET', '/large.bin', `Range: bytes=${'0-1,'.repeat(500)}5-6`),
  () => head('GET', '/style.css', 'Accept-Encoding: gzip, br'),
  (at) => head('GET', `/INDEX.html?${at}`),
  (at) => head('GET', `/~preview/${'x'.repeat(120)}${at}/`),
  () => head('GET', '/sitemap.xml'),
  // The host of the API answers public lists.
  (at) => search({ text: { $contains: `nothing ${at}` } }),
]

function flood(index: number): void {
  const kind = KINDS[index % KINDS.length]
  const count = index % 5 === 0 ? PIPELINED : 1
  const localAddress = ADDRESSES[index % ADDRESSES.length]
  const socket = connect({ host: hostname, port: Number(port), localAddress })
  let sent = 0
  let text = ''
  let open = 0
  const sendAll = (): void => {
    for (; open < count; open += 1) socket.write(kind?.(index + (sent += 1)) ?? '')
  }
  socket.on('error', () => undefined)
  socket.once('connect', sendAll)
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    for (const [, status = ''] of text.matchAll(STATUS)) {
      counts[status] = (counts[status] ?? 0) + 1
      open -= 1
    }
    text = text.slice(-CARRY)
    if (open === 0) sendAll()
  })
  socket.once('close', () => setTimeout(flood, RETRY_MS, index))
}

/** Requests a large file and reads it slowly. */
function readSlowly(index: number): void {
  const localAddress = ADDRESSES[index % ADDRESSES.length]
  const socket: Socket = connect({ host: hostname, port: Number(port), localAddress })
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(head('GET', '/large.bin'))
  const timer = setInterval(() => socket.read(SLOW_BYTES), 1_000)
  socket.once('close', () => {
    clearInterval(timer)
    setTimeout(readSlowly, RETRY_MS, index)
  })
}

for (let index = 0; index < Number(connections); index += 1)
  if (index % 11 === 10) readSlowly(index)
  else flood(index)
setInterval(() => console.log(JSON.stringify(counts)), 1_000)
