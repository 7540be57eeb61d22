// Sends a large file by tus 1.0.0, in slices that continue where the connection was lost. The library tus-js-client would
// take more bytes than the other code of uploads.

import { RESUMABLE_BYTES } from '../../../shared/limits.ts'
import { API } from '../../client/address.ts'
import type { Speaking } from '../../client/client-context.ts'
import { Problem } from '../../client/problem.ts'
import { findUnfinished, noteUnfinished } from './unfinished-uploads.ts'
import { MOST_TRIES, sendSigned, untilAgain, withRetries } from './upload-request.ts'

export interface ResumableUpload {
  readonly file: File
  /** Identifies the file and its target: uploadKey(). */
  readonly key: string
  /** The values of Upload-Metadata. */
  readonly values: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly onSent: (bytes: number) => void
}

const TUS = { 'tus-resumable': '1.0.0' }

/** Continues or begins the upload. Returns the identifier of the file. */
export async function sendResumable(client: Speaking, upload: ResumableUpload): Promise<number> {
  const { key, signal, file, onSent } = upload
  const known = findUnfinished(key)
  let state = known === undefined ? undefined : await find(client, known, signal)
  for (let tries = 0; ; ) {
    state ??= await withRetries(client, signal, () => begin(client, upload))
    if (state.fileId !== undefined) {
      noteUnfinished(key, undefined)
      return state.fileId
    }
    const from: State = state
    onSent(Math.min(from.offset, file.size))
    try {
      state = await append(client, upload, from)
      tries = 0
    } catch (error) {
      tries += 1
      if (tries === MOST_TRIES) throw error
      await untilOffsetMayDiffer(client, signal, error)
      state = await find(client, from.address, signal)
      if (state !== undefined && state.offset > from.offset) tries = 0
    }
  }
}

/** Returns at once if the server has another offset or no longer has the upload. */
async function untilOffsetMayDiffer(
  client: Speaking,
  signal: AbortSignal,
  error: unknown,
): Promise<void> {
  signal.throwIfAborted()
  const code = error instanceof Problem ? error.code : undefined
  if (code !== 'upload-offset' && code !== 'not-found') await untilAgain(client, signal, error)
}

/** Ends the upload of a file on the server. */
export async function endResumable(client: Speaking, key: string): Promise<void> {
  const url = findUnfinished(key)
  if (url === undefined) return
  noteUnfinished(key, undefined)
  const { signal } = new AbortController()
  await sendSigned(client, { method: 'DELETE', url, headers: TUS, body: null, signal })
}

interface State {
  readonly address: string
  readonly offset: number
  /** The file that the upload became. */
  readonly fileId: number | undefined
}

/** Undefined if the upload no longer exists. */
async function find(
  client: Speaking,
  url: string,
  signal: AbortSignal,
): Promise<State | undefined> {
  try {
    const request = { method: 'HEAD', url, headers: TUS, body: null, signal } as const
    return stateOf(url, await withRetries(client, signal, () => sendSigned(client, request)))
  } catch (error) {
    if (error instanceof Problem && error.facts.status === 404) return undefined
    throw error
  }
}

async function begin(
  client: Speaking,
  { file, key, values, signal }: ResumableUpload,
): Promise<State> {
  const headers = {
    ...TUS,
    'upload-length': String(file.size),
    'upload-metadata': Object.entries(values)
      .map(([name, value]) => `${name} ${base64Of(value)}`)
      .join(','),
  }
  const request = { method: 'POST', url: `${API}/uploads`, headers, body: null, signal } as const
  const response = await sendSigned(client, request)
  const location = response.headers.get('location') ?? ''
  const address = new URL(location, globalThis.location.href).href
  noteUnfinished(key, address)
  return stateOf(address, response)
}

/** Sends the next slice. */
async function append(
  client: Speaking,
  { file, signal, onSent }: ResumableUpload,
  { address: url, offset }: State,
): Promise<State> {
  const response = await sendSigned(client, {
    method: 'PATCH',
    url,
    headers: {
      ...TUS,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
    },
    // A slice arrives before the secret of the session expires, also over a slow connection.
    body: file.slice(offset, offset + RESUMABLE_BYTES),
    signal,
    onSent: (bytes) => onSent(offset + bytes),
  })
  return stateOf(url, response)
}

function stateOf(address: string, { headers }: Response): State {
  const fileId = headers.get('upload-asset-file-id')
  return {
    address,
    offset: Number(headers.get('upload-offset') ?? 0),
    fileId: fileId === null ? undefined : Number(fileId),
  }
}

function base64Of(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
