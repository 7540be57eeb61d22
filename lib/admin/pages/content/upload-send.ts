// Sends one upload as a form. The Idempotency-Key makes it safe to send an interrupted upload again.

import { API } from '../../client/address.ts'
import { type Api, dataOf, newRequestKey } from '../../client/api.ts'
import type { Speaking } from '../../client/client-context.ts'
import { Problem } from '../../client/problem.ts'
import type { FileRecord } from './records.ts'
import { sendSigned, withRetries } from './upload-request.ts'

interface Sending {
  readonly form: FormData
  /** Identifies this request; a different body needs a different key. */
  readonly requestKey: string
  readonly signal: AbortSignal
  readonly onSent: (bytes: number) => void
}

/** Throws Problem, NoConnection, or the reason of the signal. */
export function sendUpload(client: Speaking, sending: Sending): Promise<FileRecord> {
  const { form, requestKey, signal, onSent } = sending
  return withRetries(client, signal, async () => {
    const response = await sendSigned(client, {
      method: 'POST',
      url: `${API}/upload`,
      headers: { 'idempotency-key': requestKey },
      body: form,
      signal,
      onSent,
    })
    return (await response.json()) as FileRecord
  })
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
