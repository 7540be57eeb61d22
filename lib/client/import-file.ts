// One file of an import: what the server holds under its name becomes what the disk holds.
//
// Each attempt does only what is still missing, so one whose answer was lost can be repeated: a
// file that was created is met again as a name that is taken, one that was replaced by its SHA-256.

import { Readable } from 'node:stream'
import type { Api } from './api.ts'
import { buildForm } from './form.ts'
import { type LocalContent, readLocal, streamLocal } from './local-file.ts'
import type { LocalFile } from './local-tree.ts'
import { type ListedFile, readFile, takenBy } from './records.ts'

export interface FileImport {
  readonly api: Api
  readonly file: LocalFile
  readonly categoryId: number
  /** What the folder was seen to hold under this name. */
  readonly listed: ListedFile | undefined
  readonly publish: boolean
  readonly addBytes: (bytes: number) => void
  /** Where it was read already. */
  readonly content?: LocalContent
  /** An attempt was made whose outcome is not known. */
  readonly isRepeated?: boolean
}

export interface Imported {
  readonly change: 'uploaded' | 'replaced' | 'unchanged'
  /** Whether this import made its latest version live. */
  readonly isPublished: boolean
}

interface Sending extends FileImport {
  readonly content: LocalContent
}

export async function importFile(task: FileImport): Promise<Imported> {
  const { api, listed, isRepeated = false } = task
  const sending = { ...task, content: task.content ?? (await readLocal(task.file.path)) }

  return api.retrying(async (attempt) => {
    const isFresh = attempt === 1 || listed === undefined
    const record = isFresh ? listed : await readFile(api, listed.asset_file_id)
    const imported = await settle(sending, record)
    // Nothing is left to do: an attempt whose answer was lost has done it.
    const isLater = isRepeated || attempt > 1
    return isLater && imported.change === 'unchanged' ? plan(sending) : imported
  })
}

/** What is to happen, by what the folder was seen to hold. */
function plan({ listed, content, publish }: Sending): Imported {
  if (listed === undefined) return { change: 'uploaded', isPublished: publish }
  if (listed.sha256 !== content.sha256) return { change: 'replaced', isPublished: publish }
  return { change: 'unchanged', isPublished: publish && !isLive(listed) }
}

function isLive({ live_version, version }: ListedFile): boolean {
  return live_version === version
}

async function settle(sending: Sending, record: ListedFile | undefined): Promise<Imported> {
  if (record === undefined) return create(sending)

  const { api, content, publish } = sending
  const id = record.asset_file_id
  if (record.sha256 !== content.sha256) {
    await upload(sending, { asset_file_id: String(id) })
    return { change: 'replaced', isPublished: publish }
  }

  const isPublished = publish && !isLive(record)
  if (isPublished) await api.sendJson({ method: 'GET', path: `/api/v2/asset_file/${id}/publish` })
  return { change: 'unchanged', isPublished }
}

async function create(sending: Sending): Promise<Imported> {
  const { api, file, categoryId, publish } = sending

  try {
    await upload(sending, { asset_category_id: String(categoryId), name: file.name })
    return { change: 'uploaded', isPublished: publish }
  } catch (error) {
    const id = takenBy(error, 'asset_file_id')
    if (id === undefined) throw error
    return settle(sending, await readFile(api, id))
  }
}

async function upload(sending: Sending, target: Readonly<Record<string, string>>): Promise<void> {
  const { api, file, content, publish, addBytes } = sending
  const fields = publish ? { ...target, fileState: 'publish' } : target
  const { contentType, head, tail } = buildForm(fields, file.name)
  let sentBytes = 0
  const countBytes = (bytes: number): void => {
    sentBytes += bytes
    addBytes(bytes)
  }

  try {
    await api.sendJson({
      method: 'POST',
      path: '/upload',
      headers: {
        'content-type': contentType,
        'content-length': String(head.length + content.sizeBytes + tail.length),
      },
      body:
        content.bytes === undefined
          ? Readable.from(frame(head, counted(streamLocal(content), countBytes), tail), {
              objectMode: false,
            })
          : Buffer.concat([head, content.bytes, tail]),
    })
    countBytes(content.sizeBytes - sentBytes)
  } catch (error) {
    addBytes(-sentBytes)
    throw error
  }
}

async function* frame(
  head: Buffer,
  content: AsyncIterable<Buffer>,
  tail: Buffer,
): AsyncGenerator<Buffer> {
  yield head
  yield* content
  yield tail
}

async function* counted(
  content: AsyncIterable<Buffer>,
  count: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    count(chunk.length)
    yield chunk
  }
}
