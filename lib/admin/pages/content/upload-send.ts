// Sends one upload with XMLHttpRequest, which reports progress and streams the file from disk. The Idempotency-Key
// makes it safe to send an interrupted upload again.

import { API } from '../../client/address.ts'
import { type Api, dataOf, newRequestKey } from '../../client/api.ts'
import type { Speaking } from '../../client/client-context.ts'
import { NoConnection, Problem, readProblem } from '../../client/problem.ts'
import type { FileRecord } from './records.ts'

interface Sending {
  readonly form: FormData
  /** Identifies this request; a different body needs a different key. */
  readonly requestKey: string
  readonly signal: AbortSignal
  readonly onSent: (bytes: number) => void
}

const MOST_TRIES = 4

/** Throws Problem, NoConnection, or the reason of the signal. */
export async function sendUpload(client: Speaking, sending: Sending): Promise<FileRecord> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await sendSigned(client, sending)
    } catch (error) {
      sending.signal.throwIfAborted()
      if (tries === MOST_TRIES) throw error
      await untilAgain(client, sending.signal, error)
    }
  }
}

/** Waits after temporary errors; rethrows all others. */
async function untilAgain(client: Speaking, signal: AbortSignal, error: unknown): Promise<void> {
  if (error instanceof NoConnection) {
    client.connection.lose()
    await client.connection.back(signal)
    return
  }
  const seconds = error instanceof Problem ? error.facts.retrySeconds : undefined
  if (seconds === undefined) throw error
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
}

async function sendSigned(client: Speaking, sending: Sending): Promise<FileRecord> {
  const secret = await client.session.secret(sending.signal)
  const response = await send(secret, sending)
  if (response.status !== 401) return readAnswer(response)
  client.session.drop(secret)
  return readAnswer(await send(await client.session.secret(sending.signal), sending))
}

async function readAnswer(response: Response): Promise<FileRecord> {
  if (!response.ok) throw await readProblem(response)
  return (await response.json()) as FileRecord
}

function send(secret: string, { form, requestKey, signal, onSent }: Sending): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = (): void => request.abort()
    signal.addEventListener('abort', abort, { once: true })
    request.open('POST', `${API}/upload`)
    request.setRequestHeader('authorization', `Bearer ${secret}`)
    request.setRequestHeader('idempotency-key', requestKey)
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded))
    request.addEventListener('loadend', () => {
      signal.removeEventListener('abort', abort)
      if (signal.aborted) reject(signal.reason as Error)
      else if (request.status === 0) reject(new NoConnection(undefined))
      else resolve(answerOf(request))
    })
    request.send(form)
  })
}

function answerOf(request: XMLHttpRequest): Response {
  const retryAfter = request.getResponseHeader('retry-after')
  const headers = retryAfter === null ? {} : { 'retry-after': retryAfter }
  return new Response(request.responseText, { status: request.status, headers })
}

/** Creates the folders of dropped files. Each is created once; existing folders are reused. */
interface UploadFolders {
  /** Returns the identifier of the innermost folder. */
  readonly require: (targetId: number, names: readonly string[]) => Promise<number>
}

export function openUploadFolders(api: Api): UploadFolders {
  const known = new Map<string, Promise<number>>()

  function requireOne(parentId: number, name: string): Promise<number> {
    const key = `${parentId}/${name}`
    const found = known.get(key) ?? makeFolder(api, parentId, name)
    known.set(key, found)
    // A retry may succeed.
    found.catch(() => known.delete(key))
    return found
  }

  return {
    async require(targetId, names) {
      let id = targetId
      for (const name of names) id = await requireOne(id, name)
      return id
    },
  }
}

async function makeFolder(api: Api, parentId: number, name: string): Promise<number> {
  try {
    const folder = await dataOf(
      api.POST('/asset_category', {
        params: { header: { 'Idempotency-Key': newRequestKey() } },
        body: { name, parent_category_id: parentId },
      }),
    )
    return folder.asset_category_id
  } catch (error) {
    const id = error instanceof Problem ? error.facts.members['asset_category_id'] : undefined
    if (typeof id === 'number') return id
    throw error
  }
}
