// The live files of a site as publish-to uploads them: the bytes of the server, or, for a page of type stml, the HTML that the
// site of the server would show.

import { hash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { STML } from '../schema/media-type.ts'
import { cacheControlOf } from '../schema/site-settings.ts'
import { documentOf, RENDERED_TYPE } from '../schema/stml-document.ts'
import { renderStml } from '../schema/stml-template.ts'
import type { Api, ApiReply } from './api.ts'
import { ClientError } from './client-error.ts'
import { saveDownload } from './disk.ts'
import { type ListedFile, readVersion } from './records.ts'
import type { Run } from './run.ts'

export interface LiveFile {
  readonly id: number
  readonly version: number
  /** Path on the site, without a slash at the beginning. */
  readonly key: string
  readonly address: string
  readonly name: string
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
  /** The files of the site by their numbers. */
  readonly linked: ReadonlyMap<number, LiveFile>
  /** Every folder of the site could be read. */
  readonly isWhole: boolean
}

/** The live files of a folder. A bucket has one name for the index of a folder, so a page of type stml has that name, too. */
export function liveFilesOf(listed: readonly ListedFile[], folder: string): readonly LiveFile[] {
  const files = listed.flatMap((file) => liveFileOf(file, folder) ?? [])
  const names = new Set(files.map(({ name }) => name.toLowerCase()))
  const shown = files.flatMap((file) => {
    const plain = /^(index|404)\.stml$/i.exec(file.name)?.[1]?.toLowerCase()
    if (plain === undefined || names.has(`${plain}.html`)) return []
    return plain === '404' && folder !== '' ? [] : [{ ...file, key: `${folder}${plain}.html` }]
  })
  return [...files, ...shown]
}

function liveFileOf(file: ListedFile, folder: string): LiveFile | undefined {
  const { asset_file_id: id, live_version: version, addressName: name } = file
  if (version === undefined) return undefined
  const address = `/file/${id}/${encodeURIComponent(name)}`
  return { id, version, key: folder + name, address, name }
}

/** Undefined if the file is not live any more. `isRendered`: the headers are not those of the object. */
export async function readHeaders(
  api: Api,
  { address }: LiveFile,
): Promise<(ObjectHeaders & { readonly isRendered: boolean }) | undefined> {
  const reply = await requestLive(api, 'HEAD', address)
  if (reply === undefined) return undefined
  await reply.body.dump()
  const headers = headersOf(reply)
  return { ...headers, isRendered: isStml(headers) }
}

/** Saves the file at this path; undefined if it is not live any more. */
export async function download(
  downloading: Downloading,
  file: LiveFile,
  path: string,
): Promise<Downloaded | undefined> {
  const { api, run } = downloading
  return api.retrying(async () => {
    const reply = await requestLive(api, 'GET', file.address)
    if (reply === undefined) return undefined
    const headers = headersOf(reply)
    const sizeBytes = Number(reply.headers['content-length'])
    const { signal, addBytes } = run
    await saveDownload(path, { ...headers, sizeBytes, body: reply.body, signal, addBytes })
    return isStml(headers) ? renderFile(downloading, file, path) : { ...headers, path, sizeBytes }
  })
}

function isStml({ contentType }: ObjectHeaders): boolean {
  return contentType.startsWith(`${STML};`)
}

/** Replaces the page at this path with its HTML. */
async function renderFile(
  { api, linked, isWhole }: Downloading,
  { id, version, name }: LiveFile,
  path: string,
): Promise<Downloaded> {
  const template = renderStml(await readFile(path, 'utf8'))
  const paths = template.links.map(({ fileId }) => {
    const key = linked.get(fileId)?.key
    if (key === undefined && !isWhole)
      throw new ClientError(
        'links-unknown',
        'a folder could not be read, and the page may link to a file in it',
      )
    return key === undefined ? undefined : `/${key.split('/').map(encodeURIComponent).join('/')}`
  })
  const { title } = await readVersion(api, id, version)
  const { bytes } = documentOf(template, { title, name, paths })
  await writeFile(path, bytes)
  const [contentType, sizeBytes] = [RENDERED_TYPE, bytes.length]
  const sha256 = hash('sha256', bytes)
  return { sha256, contentType, cacheControl: cacheControlOf(contentType), path, sizeBytes }
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
