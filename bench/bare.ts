// The limits that are servers: bare node:http, which does only what its kind says. Runs as a separate
// process; its argument is the path of a JSON file that says what to answer and how.

import { createHash } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { tuneV8 } from '../lib/cli/v8-flags.ts'
import { articleOf, PAGE_LENGTH } from './articles.ts'

export interface Replay {
  readonly kind:
    | 'same-bytes'
    | 'stream'
    | 'read-file'
    | 'parse-json'
    | 'body-to-disk'
    | 'large-and-small'
    | 'lmdb'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** File with the bytes to answer. */
  readonly path: string
  /** Directory for the request bodies, or for the records of lmdb. */
  readonly dir: string
  /** Number of articles, for lmdb. */
  readonly entries: number
}

const [file = ''] = process.argv.slice(2)
const { kind, status, headers, path, dir, entries } = JSON.parse(
  readFileSync(file, 'utf8'),
) as Replay
const isLarge = kind === 'stream' || kind === 'read-file' || kind === 'large-and-small'
const bytes = isLarge ? undefined : readFileSync(path)
const length = statSync(path).size

const MIB = 1024 * 1024
/**
 * Buffers of responses that the system has accepted in full. A connection that reads slowly has its
 * own buffer.
 */
const idle: Buffer[] = []

/** The least possible work: synchronous reads of a mebibyte at a time into reused memory. */
function readFile(response: ServerResponse): void {
  const fd = openSync(path, 'r')
  const buffer = idle.pop() ?? Buffer.allocUnsafeSlow(MIB)
  let position = 0
  let isOver = false
  response.once('close', () => {
    isOver = true
    closeSync(fd)
  })
  response.writeHead(status, { ...headers, 'content-length': fstatSync(fd).size })

  function next(): void {
    if (isOver) return
    const bytesRead = readSync(fd, buffer, 0, MIB, position)
    position += bytesRead
    if (position < length) response.write(buffer.subarray(0, bytesRead), () => setImmediate(next))
    else response.end(buffer.subarray(0, bytesRead), () => void idle.push(buffer))
  }
  next()
}

/**
 * Every address has its own copy of the bytes, because a server of many pages cannot keep all of
 * them in the processor's cache, either.
 */
const copies = new Map<string, Buffer>()

function copyFor(source: Buffer, url: string): Buffer {
  const known = copies.get(url)
  if (known !== undefined) return known
  const copy = Buffer.from(source)
  copies.set(url, copy)
  return copy
}

function reply(response: ServerResponse, url = ''): void {
  if (kind === 'read-file') return readFile(response)
  response.writeHead(status, { ...headers, 'content-length': length })
  if (bytes === undefined) createReadStream(path).pipe(response)
  else response.end(copyFor(bytes, url))
}

function parse(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString())
    reply(response)
  })
}

let written = 0

/** Streams the body to a new file and hashes it; the file is durable before the answer is sent. */
async function write(request: IncomingMessage, response: ServerResponse): Promise<void> {
  written += 1
  const handle = await open(join(dir, `body-${written}`), 'wx')
  try {
    const hash = createHash('sha256')
    for await (const chunk of request as AsyncIterable<Buffer>) {
      hash.update(chunk)
      await handle.write(chunk)
    }
    hash.digest('hex')
    await handle.sync()
  } finally {
    await handle.close()
  }
  if (kind === 'large-and-small') response.end(SMALL)
  else reply(response)
}

const SMALL = Buffer.alloc(300, 'x')

/**
 * A POST goes to disk, a request below `/file/` streams the file, and every other answer is small.
 */
function replyByPath(request: IncomingMessage, response: ServerResponse): void {
  request.resume()
  if (request.url?.startsWith('/file/')) reply(response)
  else response.end(SMALL)
}

interface Articles {
  readonly get: (id: number) => unknown
  readonly page: (firstId: number) => unknown
  readonly withTitle: (title: string) => unknown
}

/** The articles as LMDB stores objects by default (MessagePack), with an index of their titles. */
async function openArticles(): Promise<Articles> {
  const lmdb = await import('lmdb')
  const root = lmdb.open({ path: join(dir, 'articles'), overlappingSync: false })
  const db = root.openDB<object, number>({ name: 'articles' })
  const titles = root.openDB<number, string>({
    name: 'titles',
    dupSort: true,
    encoding: 'ordered-binary',
  })
  for (let id = 1; id <= entries; id += 1) {
    const article = articleOf(id) as { readonly title: string }
    void db.put(id, { datatable_entry_id: id, ...article })
    void titles.put(article.title, id)
  }
  await root.flushed
  return {
    get: (id) => db.get(id),
    page: (start) => Array.from(db.getRange({ start, limit: PAGE_LENGTH }), ({ value }) => value),
    withTitle: (title) => Array.from(titles.getValues(title), (id) => db.get(id)),
  }
}

const articles = kind === 'lmdb' ? await openArticles() : undefined

/** Reads what the address asks for, as the server does: one article, a page by identifier, or a title. */
function read({ get, page, withTitle }: Articles, url: string): unknown {
  const [target = '', query = ''] = url.split('?', 2)
  const qry = new URLSearchParams(query).get('qry')
  const id = Number(target.slice(target.lastIndexOf('/') + 1))
  if (qry === null) return Number.isNaN(id) ? page(1) : get(id)
  const { title, ...others } = JSON.parse(qry) as Record<string, unknown>
  if (typeof title === 'string') return withTitle(title)
  const [range] = Object.values(others) as { readonly $gte: number }[]
  return page(range?.$gte ?? 1)
}

function replyFromLmdb(
  known: Articles,
  { url = '' }: IncomingMessage,
  response: ServerResponse,
): void {
  const text = JSON.stringify(read(known, url))
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

const server = createServer((request, response) => {
  if (articles !== undefined) return replyFromLmdb(articles, request, response)
  if (kind === 'large-and-small' && request.method === 'GET') return replyByPath(request, response)
  if (kind === 'parse-json') return parse(request, response)
  // The load generator disconnects in the middle of a body when its time is up.
  if (kind === 'body-to-disk' || kind === 'large-and-small')
    return void write(request, response).catch(() => response.destroy())
  request.resume()
  return reply(response, request.url)
})

server.listen(0, '127.0.0.1', () => {
  // The limit has the flags of the server, so that both collect garbage in the same way.
  tuneV8('writes')
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
