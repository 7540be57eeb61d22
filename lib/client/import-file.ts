// One file of an import: what the server holds under its name becomes what the disk holds.
//
// Each attempt does only what is still missing, so one whose answer was lost can be repeated: a
// file that was created is met again as a name that is taken, one that was replaced by its SHA-256.

import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { typeOfName } from '../schema/media-type.ts'
import type { Api } from './api.ts'
import { buildForm } from './form.ts'
import { type LocalContent, readLocal, streamLocal } from './local-file.ts'
import type { LocalFile } from './local-tree.ts'
import { type ListedFile, post, readFile as readRecord, takenBy } from './records.ts'
import type { FileFields } from './side-file.ts'

export interface FileImport {
  readonly api: Api
  readonly file: LocalFile
  readonly categoryId: number
  /** What the folder was seen to hold under this name. */
  readonly listed: ListedFile | undefined
  /** What its latest version becomes; undefined: what it is. */
  readonly state: 'publish' | 'stage' | undefined
  /** What the record gets; undefined: what it has. */
  readonly fields: FileFields | undefined
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
    const record = isFresh ? listed : await readRecord(api, listed.asset_file_id)
    const imported = await settle(sending, record)
    // Nothing is left to do: an attempt whose answer was lost has done it.
    const isLater = isRepeated || attempt > 1
    return isLater && imported.change === 'unchanged' ? plan(sending) : imported
  })
}

/** What is to happen, by what the folder was seen to hold. */
function plan({ listed, content, state, fields }: Sending): Imported {
  const isPublished = state === 'publish'
  if (listed === undefined) return { change: 'uploaded', isPublished }
  if (listed.sha256 !== content.sha256) return { change: 'replaced', isPublished }
  const isLive = isIn(listed, 'publish') && changedFields(listed, fields) === undefined
  return { change: 'unchanged', isPublished: isPublished && !isLive }
}

function isIn(record: ListedFile, state: FileImport['state']): boolean {
  const { live_version: live, staged_version: staged, version } = record
  return state === undefined || version === (state === 'publish' ? live : staged)
}

/** Undefined: the record has them. */
function changedFields(
  record: FileFields,
  fields: FileFields | undefined,
): Partial<FileFields> | undefined {
  if (fields === undefined) return undefined
  const { type, title, description } = fields
  const changed = {
    ...(type !== record.type && { type }),
    ...(title !== record.title && { title }),
    ...(description !== record.description && { description }),
  }
  return Object.keys(changed).length === 0 ? undefined : changed
}

/** Fields and state in one save: what is live has the fields. */
async function describe(
  { api, content, state }: Sending,
  id: number,
  changed: Partial<FileFields>,
): Promise<void> {
  const body = {
    ...changed,
    // The server checks the text of an STML page when it becomes one.
    ...(changed.type === 'stml' && {
      pageContent: (content.bytes ?? (await readFile(content.path))).toString(),
    }),
    ...(state !== undefined && { fileState: state }),
  }
  await api.sendJson(post(`/api/v2/asset_file/${id}`, body))
}

async function settle(sending: Sending, record: ListedFile | undefined): Promise<Imported> {
  if (record === undefined) return create(sending)

  const { api, file, content, state, fields } = sending
  const id = record.asset_file_id
  const isPublished = state === 'publish'
  if (record.sha256 !== content.sha256) {
    // The upload gives the file the type of its name.
    const changed = changedFields({ ...record, type: typeOfName(file.name) }, fields)
    await upload(sending, { asset_file_id: String(id) }, changed === undefined)
    if (changed !== undefined) await describe(sending, id, changed)
    return { change: 'replaced', isPublished }
  }

  const changed = changedFields(record, fields)
  if (changed !== undefined) await describe(sending, id, changed)
  else if (!isIn(record, state)) await api.sendJson(post(`/api/v2/asset_file/${id}/${state}`, {}))
  else return { change: 'unchanged', isPublished: false }
  return { change: 'unchanged', isPublished }
}

async function create(sending: Sending): Promise<Imported> {
  const { api, file, categoryId, state, fields } = sending
  const made = { type: typeOfName(file.name), title: null, description: null }
  const changed = changedFields(made, fields)

  try {
    const target = { asset_category_id: String(categoryId), name: file.name }
    const id = await upload(sending, target, changed === undefined)
    if (changed !== undefined) await describe(sending, id, changed)
    return { change: 'uploaded', isPublished: state === 'publish' }
  } catch (error) {
    const id = takenBy(error, 'asset_file_id')
    if (id === undefined) throw error
    return settle(sending, await readRecord(api, id))
  }
}

/** Gives the identifier of the file. `isLast`: nothing else is sent of it, so it gets its state. */
async function upload(
  sending: Sending,
  target: Readonly<Record<string, string>>,
  isLast: boolean,
): Promise<number> {
  const { api, file, content, state, addBytes } = sending
  const fields = isLast && state !== undefined ? { ...target, fileState: state } : target
  const { contentType, head, tail } = buildForm(fields, file.name)
  let sentBytes = 0
  const countBytes = (bytes: number): void => {
    sentBytes += bytes
    addBytes(bytes)
  }

  try {
    const answer = await api.sendJson({
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
    return Number(answer['asset_file_id'])
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
