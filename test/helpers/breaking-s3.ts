// A stand-in for S3 that can fail on demand: tests cut, delay, falsify or lose its answers. It shows how the
// server handles the failures, not how a real store behaves; npm run test:cluster covers real stores.

import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/**
 * The failure of an answer:
 * - `cut`: no answer, and the request has no effect
 * - `lost`: no answer, but the request takes effect
 * - `silent`: no answer, and the connection stays open
 * - `held`: no answer until mend() is called
 * - `cut-body` and `stalled-body`: half of the body
 * - `wrong-byte`: one wrong bit in the body
 * - otherwise an error status and an S3 error code
 */
export type Fault =
  | 'cut'
  | 'lost'
  | 'silent'
  | 'held'
  | 'cut-body'
  | 'stalled-body'
  | 'wrong-byte'
  | { readonly status: number; readonly code: string }

export interface FaultRule {
  readonly fault: Fault
  /** Matches the method, path and query: `PUT /bucket/ab/1.ab?partNumber=1`. */
  readonly when: RegExp
  /** Number of failing answers; undefined: all. */
  readonly times?: number
  /** Number of correct answers before the first failure. */
  readonly after?: number
}

interface Upload {
  readonly key: string
  readonly sha256: string
  readonly headers?: Readonly<Record<string, string>>
  readonly parts: Buffer[]
  /** Time of the start. */
  readonly atMs: number
}

interface StoredObject {
  readonly bytes: Buffer
  readonly sha256: string
  /** Headers of the upload that the store sends with the object. */
  readonly headers?: Readonly<Record<string, string>>
  atMs: number
}

export interface BreakingS3 {
  readonly endpoint: string
  readonly objects: Map<string, StoredObject>
  readonly uploads: Map<string, Upload>
  /** All requests, in the form that FaultRule.when matches. */
  readonly asked: string[]
  break(rule: FaultRule): void
  mend(): void
  close(): Promise<void>
}

export const BUCKET = 'cms'

export async function startBreakingS3(): Promise<BreakingS3> {
  const store: Pick<BreakingS3, 'objects' | 'uploads' | 'asked'> = {
    objects: new Map(),
    uploads: new Map(),
    asked: [],
  }
  let rules: { fault: Fault; when: RegExp; left: number; after: number }[] = []
  let held: (() => void)[] = []

  function faultOf(line: string): Fault | undefined {
    const rule = rules.find(({ when, left }) => left > 0 && when.test(line))
    if (rule === undefined) return undefined
    if (rule.after > 0) {
      rule.after -= 1
      return undefined
    }
    rule.left -= 1
    return rule.fault
  }

  const server = createServer((request, response) => {
    void (async () => {
      const line = `${request.method} ${request.url}`
      store.asked.push(line)
      const fault = faultOf(line)
      const body = await buffer(request)
      if (fault === 'cut') return request.socket.destroy()
      if (fault === 'silent') return
      if (fault === 'held') await new Promise<void>((resolve) => void held.push(resolve))
      if (typeof fault === 'object') return send(response, errorOf(fault.status, fault.code))
      const answer = answerTo(store, request, body)
      if (fault === 'lost') return request.socket.destroy()
      sendBroken(response, answer, fault === 'held' ? undefined : fault)
    })().catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    ...store,
    endpoint: `http://127.0.0.1:${port}`,
    break: ({ fault, when, times = Number.POSITIVE_INFINITY, after = 0 }) =>
      void rules.push({ fault, when, left: times, after }),
    mend: () => {
      rules = []
      for (const goOn of held) goOn()
      held = []
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface S3Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
  /** Content length in the answer to a HEAD request. */
  readonly length?: number
}

type Stored = Pick<BreakingS3, 'objects' | 'uploads' | 'asked'>

function answerTo(store: Stored, request: IncomingMessage, body: Buffer): S3Answer {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3')
  const [, bucket, ...rest] = decodeURIComponent(pathname).split('/')
  const key = rest.join('/')
  if (bucket !== BUCKET) return errorOf(404, 'NoSuchBucket')
  if (!hasItsSums(request, body)) return errorOf(400, 'BadDigest')
  const { method } = request
  if (key === '')
    return searchParams.has('uploads')
      ? listUploads(store, searchParams)
      : listKeys(store, searchParams)
  if (method === 'POST' || searchParams.has('uploadId'))
    return answerPart(store, { request, key, query: searchParams, body })
  if (method === 'PUT') {
    const headers = keptHeaders(request)
    store.objects.set(key, { bytes: body, sha256: metaOf(request), headers, atMs: Date.now() })
    return { status: 200, headers: { etag: '"1"' } }
  }
  if (method === 'DELETE') {
    store.objects.delete(key)
    return { status: 204 }
  }
  return readObject(store, key, request)
}

function metaOf({ headers }: IncomingMessage): string {
  return String(headers['x-amz-meta-sha256'] ?? '')
}

function keptHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const isKept = (name: string): boolean =>
    ['content-type', 'cache-control'].includes(name) || name.startsWith('x-amz-meta-')
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      isKept(name) ? [[name, String(value)]] : [],
    ),
  )
}

/** Verifies the checksums, as a real store does. */
function hasItsSums({ headers, method }: IncomingMessage, body: Buffer): boolean {
  const sum = (name: string) => createHash(name).update(body)
  const md5 = headers['content-md5']
  if (method === 'PUT' && md5 === undefined) return false
  if (md5 !== undefined && md5 !== sum('md5').digest('base64')) return false
  return headers['x-amz-content-sha256'] === sum('sha256').digest('hex')
}

function readObject(
  { objects }: Stored,
  key: string,
  { method, headers }: IncomingMessage,
): S3Answer {
  const found = objects.get(key)
  if (found === undefined) return errorOf(404, 'NoSuchKey')
  const { bytes, sha256, headers: kept } = found
  const meta = { ...kept, 'x-amz-meta-sha256': sha256 }
  if (method === 'HEAD') return { status: 200, headers: meta, length: bytes.length }
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
  if (from === undefined) return { status: 200, headers: meta, body: bytes }
  const [start, end] = [Number(from), Math.min(Number(to), bytes.length - 1)]
  if (start >= bytes.length) return errorOf(416, 'InvalidRange')
  const range = { 'content-range': `bytes ${start}-${end}/${bytes.length}` }
  return { status: 206, headers: { ...meta, ...range }, body: bytes.subarray(start, end + 1) }
}

interface PartCall {
  readonly request: IncomingMessage
  readonly key: string
  readonly query: URLSearchParams
  readonly body: Buffer
}

function answerPart(
  { objects, uploads }: Stored,
  { request, key, query, body }: PartCall,
): S3Answer {
  if (query.has('uploads')) {
    const id = randomUUID()
    const headers = keptHeaders(request)
    uploads.set(id, { key, sha256: metaOf(request), headers, parts: [], atMs: Date.now() })
    return xml(
      `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    )
  }
  const id = query.get('uploadId') ?? ''
  const upload = uploads.get(id)
  if (upload === undefined) return errorOf(404, 'NoSuchUpload')
  if (request.method === 'PUT') {
    upload.parts[Number(query.get('partNumber')) - 1] = body
    return { status: 200, headers: { etag: '"1"' } }
  }
  uploads.delete(id)
  if (request.method === 'DELETE') return { status: 204 }
  const { sha256, headers } = upload
  objects.set(key, {
    bytes: Buffer.concat(upload.parts),
    sha256,
    ...(headers && { headers }),
    atMs: Date.now(),
  })
  return xml('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>')
}

function listKeys({ objects }: Stored, query: URLSearchParams): S3Answer {
  const prefix = query.get('prefix') ?? ''
  const rows = [...objects]
    .filter(([key]) => key.startsWith(prefix))
    .map(
      ([key, { atMs }]) =>
        `<Contents><Key>${key}</Key><LastModified>${new Date(atMs).toISOString()}</LastModified></Contents>`,
    )
  return xml(
    `<ListBucketResult><IsTruncated>false</IsTruncated>${rows.join('')}</ListBucketResult>`,
  )
}

/** Lists pending multipart uploads. */
function listUploads({ uploads }: Stored, query: URLSearchParams): S3Answer {
  const prefix = query.get('prefix') ?? ''
  const rows = [...uploads]
    .filter(([, { key }]) => key.startsWith(prefix))
    .map(
      ([id, { key, atMs }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${new Date(atMs).toISOString()}</Initiated></Upload>`,
    )
  return xml(
    `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${rows.join('')}</ListMultipartUploadsResult>`,
  )
}

function xml(text: string, status = 200): S3Answer {
  const body = Buffer.from(`<?xml version="1.0"?>${text}`)
  return { status, headers: { 'content-type': 'application/xml' }, body }
}

function errorOf(status: number, code: string): S3Answer {
  return xml(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`, status)
}

function send(response: ServerResponse, { status, headers, body, length }: S3Answer): void {
  const isHead = response.req.method === 'HEAD'
  const size = length ?? (isHead ? 0 : (body?.length ?? 0))
  response.writeHead(status, { ...headers, 'content-length': size })
  response.end(isHead ? undefined : body)
}

function sendBroken(
  response: ServerResponse,
  answer: S3Answer,
  fault: Extract<Fault, string> | undefined,
): void {
  const { status, headers, body = Buffer.alloc(0) } = answer
  if (fault === undefined) return send(response, answer)
  if (fault === 'wrong-byte') {
    const wrong = Buffer.from(body)
    wrong.writeUInt8(wrong.readUInt8(0) ^ 1, 0)
    return send(response, { ...answer, body: wrong })
  }
  response.writeHead(status, { ...headers, 'content-length': body.length })
  response.write(body.subarray(0, body.length / 2), () => {
    if (fault === 'cut-body') response.destroy()
  })
}
