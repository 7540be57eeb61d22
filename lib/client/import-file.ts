// Imports one file: makes the file on the server equal to the file on disk.
//
// Each attempt does only what is still missing, so an attempt whose response was lost can be repeated: a
// file that was already created is found by its name, and a file that was already replaced by its SHA-256.

import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { countLineFeeds } from './csv-rows.ts'
import { findBadUtf8 } from '../http/json.ts'
import { typeOfName } from '../schema/media-type.ts'
import type { Api } from './api.ts'
import { ClientError } from './client-error.ts'
import { type LocalContent, readLocal, streamLocal } from './local-file.ts'
import type { LocalFile } from './local-tree.ts'
import { type ListedFile, post, readFile as readRecord, takenBy } from './records.ts'
import type { FileFields } from './side-file.ts'

export interface FileImport {
  readonly api: Api
  readonly file: LocalFile
  readonly categoryId: number
  /** The file that the folder listing had under this name. */
  readonly listed: ListedFile | undefined
  /** State of the latest version after the import; undefined: unchanged. */
  readonly state: 'publish' | 'stage' | undefined
  /** Fields of the record after the import; undefined: unchanged. */
  readonly fields: FileFields | undefined
  readonly addBytes: (bytes: number) => void
  /** Content that was already read. */
  readonly content?: LocalContent
  /** An earlier attempt has an unknown outcome. */
  readonly isRepeated?: boolean
}

export interface Imported {
  readonly change: 'uploaded' | 'replaced' | 'unchanged'
  /** Whether this import made the latest version live. */
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
    // Nothing is left to do, because the attempt whose response was lost has already done it.
    const isLater = isRepeated || attempt > 1
    return isLater && imported.change === 'unchanged' ? plan(sending) : imported
  })
}

/** The outcome that follows from the folder listing. */
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

/** Undefined if the record already has these fields. */
function changedFields(
  record: FileFields,
  fields: FileFields | undefined,
): Partial<FileFields> | undefined {
  if (fields === undefined) return undefined
  const { type, title, description, alt_text = record.alt_text, focus = record.focus } = fields
  const changed = {
    ...(type !== record.type && { type }),
    ...(title !== record.title && { title }),
    ...(description !== record.description && { description }),
    ...(alt_text !== undefined && alt_text !== record.alt_text && { alt_text }),
    ...(focus !== undefined && focus !== record.focus && { focus }),
  }
  return Object.keys(changed).length === 0 ? undefined : changed
}

/** Sets fields and state in one save, so that the live version has the fields. */
async function describe(
  { api, content, state }: Sending,
  id: number,
  changed: Partial<FileFields>,
): Promise<void> {
  const body = {
    ...changed,
    // The server validates the text of a page when its type becomes STML.
    ...(changed.type === 'stml' && {
      pageContent: textOf(content.path, content.bytes ?? (await readFile(content.path))),
    }),
    ...(state !== undefined && { fileState: state }),
  }
  await api.sendJson(post(`/api/v2/asset_file/${id}`, body))
}

function textOf(path: string, bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString()
  const offset = findBadUtf8(bytes)
  const line = 1 + countLineFeeds(bytes.subarray(0, offset))
  const detail = `${path} is a page, and not valid UTF-8 in line ${line}, at byte ${offset}: save it as UTF-8.`
  throw new ClientError('unreadable', detail)
}

async function settle(sending: Sending, record: ListedFile | undefined): Promise<Imported> {
  if (record === undefined) return create(sending)

  const { api, file, content, state, fields } = sending
  const id = record.asset_file_id
  const isPublished = state === 'publish'
  if (record.sha256 !== content.sha256) {
    // The upload sets the type that belongs to the file name.
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
  const none = { title: null, description: null, alt_text: null, focus: null }
  const made = { type: typeOfName(file.name), ...none }
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

/** Returns the identifier of the file. `isLast`: no other request follows, so the upload sets the state. */
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

interface Form {
  readonly contentType: string
  /** The bytes before and after the content of the file. */
  readonly head: Buffer
  readonly tail: Buffer
}

/**
 * The upload form (RFC 7578), built here so that its length is known before the first byte:
 *
 *   --boundary CRLF Content-Disposition: form-data; name="…" CRLF CRLF value CRLF
 *   --boundary CRLF Content-Disposition: form-data; name="Filedata"; filename="…" CRLF
 *   Content-Type: application/octet-stream CRLF CRLF bytes CRLF --boundary-- CRLF
 */
function buildForm(fields: Readonly<Record<string, string>>, fileName: string): Form {
  // 128 random bits: the content cannot contain them by chance.
  const boundary = `cms-${randomBytes(16).toString('hex')}`
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const disposition = `form-data; name="Filedata"; filename="${quoted(fileName)}"`
  const headers = `Content-Disposition: ${disposition}\r\nContent-Type: application/octet-stream`

  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    head: Buffer.from(`${parts.join('')}--${boundary}\r\n${headers}\r\n\r\n`),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\r': '%0D',
  '\n': '%0A',
  '"': '%22',
  '\\': '%5C',
}

// Escapes like browsers, plus the backslash, because parsers differ in whether it escapes. The exact name is in
// the part `name`.
function quoted(fileName: string): string {
  return fileName.replace(/[\r\n"\\]/g, (character) => ESCAPES[character] ?? '')
}
