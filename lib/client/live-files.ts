// The live files of a site as publish-to uploads them: the bytes of the server, or the HTML of a page that the site of the
// server would put together.

import { hash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { RENDERED_TYPE } from '../schema/media-type.ts'
import { cacheControlOf } from '../schema/site-settings.ts'
import type { Api, ApiReply } from './api.ts'
import { ClientError } from './client-error.ts'
import { saveDownload } from './disk.ts'
import type { ListedFile } from './records.ts'
import type { Run } from './run.ts'

export interface LiveFile {
  readonly id: number
  readonly version: number
  /** Path on the site, without a slash at the beginning. */
  readonly key: string
  readonly address: string
  readonly name: string
  /** The public folder of the file, and the layout that applies to the pages of this folder; 0 and null: none. */
  readonly folder: LiveFolder
  /** The layout of the latest version, which is the live one unless the file has a draft. */
  readonly layoutId: number | null
  readonly hasDraft: boolean
}

export interface LiveFolder {
  readonly id: number
  /** Path on the site, without a slash at the beginning, and with one at the end unless it is empty. */
  readonly path: string
  readonly layoutId: number | null
}

export interface ObjectHeaders {
  readonly sha256: string
  readonly contentType: string
  readonly cacheControl: string
}

export interface Downloaded extends ObjectHeaders {
  readonly path: string
  readonly sizeBytes: number
}

interface Downloading {
  readonly api: Api
  readonly run: Run
  readonly renderPage: RenderPage
}

/** Undefined if the site sends the stored bytes. */
export type RenderPage = (
  file: LiveFile,
  page: { readonly mediaType: string; readonly readText: () => Promise<string> },
) => Promise<Uint8Array | undefined>

/** The live files of a folder. A bucket has one name for the index of a folder, so a page of type stml has that name, too. */
export function liveFilesOf(
  listed: readonly ListedFile[],
  folder: LiveFolder,
): readonly LiveFile[] {
  const files = listed.flatMap((file) => liveFileOf(file, folder) ?? [])
  const names = new Set(files.map(({ name }) => name.toLowerCase()))
  const shown = files.flatMap((file) => {
    const plain = /^(index|404)\.stml$/i.exec(file.name)?.[1]?.toLowerCase()
    if (plain === undefined || names.has(`${plain}.html`)) return []
    return plain === '404' && folder.path !== ''
      ? []
      : [{ ...file, key: `${folder.path}${plain}.html` }]
  })
  return [...files, ...shown]
}

function liveFileOf(file: ListedFile, folder: LiveFolder): LiveFile | undefined {
  const { asset_file_id: id, live_version: version, addressName: name } = file
  if (version === undefined) return undefined
  const address = `/file/${id}/${encodeURIComponent(name)}`
  const hasDraft = file.version !== version
  const shown = { folder, layoutId: file.layout_file_id, hasDraft }
  return { id, version, key: folder.path + name, address, name, ...shown }
}

/** Undefined if the file is not live any more. */
export async function readHeaders(
  api: Api,
  { address }: LiveFile,
): Promise<ObjectHeaders | undefined> {
  const reply = await requestLive(api, 'HEAD', address)
  if (reply === undefined) return undefined
  await reply.body.dump()
  return headersOf(reply)
}

/** Saves the file at this path; undefined if it is not live any more. */
export async function download(
  downloading: Downloading,
  file: LiveFile,
  path: string,
): Promise<Downloaded | undefined> {
  const { api, run, renderPage } = downloading
  return api.retrying(async () => {
    const reply = await requestLive(api, 'GET', file.address)
    if (reply === undefined) return undefined
    const headers = headersOf(reply)
    const sizeBytes = Number(reply.headers['content-length'])
    const { signal, addBytes } = run
    await saveDownload(path, { ...headers, sizeBytes, body: reply.body, signal, addBytes })
    const mediaType = mediaTypeOf(headers)
    const bytes = await renderPage(file, { mediaType, readText: () => readFile(path, 'utf8') })
    return bytes === undefined ? { ...headers, path, sizeBytes } : replaceFile(path, bytes)
  })
}

export function mediaTypeOf({ contentType }: Pick<ObjectHeaders, 'contentType'>): string {
  return contentType.split(';', 1)[0] ?? ''
}

async function replaceFile(path: string, bytes: Uint8Array): Promise<Downloaded> {
  await writeFile(path, bytes)
  const [contentType, sizeBytes] = [RENDERED_TYPE, bytes.length]
  const sha256 = hash('sha256', bytes)
  return { sha256, contentType, cacheControl: cacheControlOf(contentType), path, sizeBytes }
}

/** The text of a live page; undefined if the file is not live any more. */
export async function readLiveText(
  api: Api,
  { address }: LiveFile,
): Promise<{ readonly mediaType: string; readonly text: string } | undefined> {
  return api.retrying(async () => {
    const reply = await requestLive(api, 'GET', address)
    if (reply === undefined) return undefined
    return { mediaType: mediaTypeOf(headersOf(reply)), text: await reply.body.text() }
  })
}

/** Undefined if the file is not live any more: the next run removes its object. */
async function requestLive(
  api: Api,
  method: 'GET' | 'HEAD',
  path: string,
): Promise<ApiReply | undefined> {
  try {
    return await api.retrying(() => api.send({ method, path }))
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return undefined
    throw error
  }
}

function headersOf({ headers }: ApiReply): ObjectHeaders {
  const sha256 = /^"([0-9a-f]{64})"$/.exec(String(headers['etag']))?.[1] ?? ''
  const contentType = String(headers['content-type'])
  return { sha256, contentType, cacheControl: cacheControlOf(contentType) }
}
