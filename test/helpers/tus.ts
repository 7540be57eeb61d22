// Requests of tus 1.0.0, without a client library.

import type { ReadStream } from 'node:fs'
import type { Answer, Answering, Call } from './server.ts'

export const UPLOADS = '/api/v2/uploads'
export const TUS = { 'tus-resumable': '1.0.0' }
export const BYTES = { ...TUS, 'content-type': 'application/offset+octet-stream' }

/** The value of Upload-Metadata. */
export function metadataOf(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(String(value)).toString('base64')}`)
    .join(',')
}

type Values = Readonly<Record<string, string | number>>

/** Begins an upload of this many bytes. */
export function begin(
  server: Answering,
  values: Values,
  length: number,
  { headers, ...call }: Call = {},
): Promise<Answer> {
  const own = { ...TUS, 'upload-length': String(length), 'upload-metadata': metadataOf(values) }
  return server.call('POST', UPLOADS, { ...call, headers: { ...own, ...headers } })
}

export function append(
  server: Answering,
  path: string,
  offset: number,
  body: Uint8Array,
  { headers, ...call }: Call = {},
): Promise<Answer> {
  const own = { ...BYTES, 'upload-offset': String(offset) }
  return server.call('PATCH', path, { ...call, body, headers: { ...own, ...headers } })
}

export function look(server: Answering, path: string, call: Call = {}): Promise<Answer> {
  return server.call('HEAD', path, { ...call, headers: { ...TUS, ...call.headers } })
}

export interface ClientUpload {
  /** Address of the server, without a path. */
  readonly url: string
  readonly key: string
  readonly bytes: Buffer | ReadStream
  readonly values: Readonly<Record<string, string>>
  /** Bytes of each PATCH; all of them in one by default. */
  readonly chunkSize?: number
  readonly retryDelays?: readonly number[]
}

const DELAYS = [0, 20, 50, 100, 200, 400, 800]

/** Uploads with tus-js-client, which resumes by itself. Resolves with the identifier of the file. */
export async function uploadWithClient(upload: ClientUpload): Promise<number> {
  const { Upload } = await import('tus-js-client')
  const { url, key, bytes, values, chunkSize, retryDelays = DELAYS } = upload
  return new Promise((resolve, reject) => {
    const client = new Upload(bytes, {
      endpoint: `${url}${UPLOADS}`,
      headers: { authorization: `Bearer ${key}` },
      metadata: { ...values },
      chunkSize: chunkSize ?? Number.POSITIVE_INFINITY,
      retryDelays: [...retryDelays],
      onError: reject,
      // The last response may have been lost.
      onSuccess: () => resolve(fileOfUpload(client.url ?? '', key)),
    })
    client.start()
  })
}

async function fileOfUpload(url: string, key: string): Promise<number> {
  const headers = { ...TUS, authorization: `Bearer ${key}` }
  const answer = await fetch(url, { method: 'HEAD', headers })
  return Number(answer.headers.get('upload-asset-file-id'))
}
