// The common interface of this server and PocketBase: requests that do the same work in both, and the
// implementation for this server.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pMap from 'p-map'
import { request } from 'undici'
import { makeKey, type Running, startCms } from './processes.ts'
import { auth, form, json, search, SITE_HOST } from './requests.ts'
import { scratchDir } from './scratch.ts'
import { TABLE_SIZE } from './settings.ts'

const KIB = 1024
export const FILE_SIZES = [10 * KIB, KIB * KIB]

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly body?: Buffer
  readonly contentType?: string
}

/** A server with requests that do the same work in each peer. */
export interface Peer {
  readonly start: () => Promise<Running>
  readonly health: string
  readonly headers: Readonly<Record<string, string>>
  /** Identifiers of the articles, in order of creation. */
  readonly ids: readonly (number | string)[]
  readonly read: (id: number | string) => string
  readonly title: (title: string) => string
  readonly first: string
  readonly create: (article: object) => Call
  readonly update: (id: number | string, change: object) => Call
  readonly upload: (bytes: Buffer) => Call
  /** Paths of the files of FILE_SIZES. */
  readonly files: readonly string[]
  /** Headers and paths for reads of the same files by visitors, without a key. */
  readonly visited: {
    readonly headers: Readonly<Record<string, string>>
    readonly files: readonly string[]
  }
}

export function titleOf(index: number): string {
  return `Title number ${index}`
}

export function articleOf(index: number): object {
  return {
    title: titleOf(index),
    author: `Author ${index % 50}`,
    category: `cat${index % 10}`,
    body: `lorem ipsum dolor sit amet ${index} `.repeat(60).slice(0, 1_024),
  }
}

const TABLE = '/api/v2/module/datatable/1/articles'
const SCHEMA = 'title C(250) NOTNULL, author C(100), category C(50), body X(Large)'

export async function openOurs(): Promise<Peer> {
  const data = join(scratchDir(), 'data')
  const start = (): Promise<Running> => startCms(data, ['--site-origin', `http://${SITE_HOST}`])
  const cms = await start()
  try {
    const key = makeKey(data)
    const headers = auth({ key })
    const create = postTo(TABLE)
    const send = sender(cms.url, headers)
    await send(
      postTo('/api/v2/datatable')({ name: 'articles', title_field: 'title', table_schema: SCHEMA }),
    )
    await fill((article) => send(create(article)))
    await send(postTo('/api/v2/asset_category/1')({ public: true }))
    const files = await pMap(
      FILE_SIZES,
      async (size) => {
        const sent = form({
          field: 'asset_category_id',
          id: 1,
          bytes: bytesOf(size),
          name: `${size}.pdf`,
        })
        const file = (await send({ method: 'POST', path: '/upload', ...sent })) as {
          readonly asset_file_id: number
          readonly name: string
        }
        await send(postTo(`/api/v2/asset_file/${file.asset_file_id}/publish`)(undefined))
        return `/file/${file.asset_file_id}/${file.name}`
      },
      ONE_BY_ONE,
    )
    return {
      start,
      health: '/health',
      headers,
      files,
      visited: { headers: { Host: SITE_HOST }, files: FILE_SIZES.map((size) => `/${size}.pdf`) },
      create,
      first: `${TABLE}?length=25`,
      ids: Array.from({ length: TABLE_SIZE }, (_, at) => at + 1),
      read: (id) => `${TABLE}/${id}?fields=*`,
      title: (title) => search(TABLE, { title }),
      update: (id, change) => postTo(`${TABLE}/${id}`)(change),
      // A folder holds a name only once, so these uploads are versions of the second file.
      upload: (bytes) => ({
        method: 'POST',
        path: '/upload',
        ...form({ field: 'asset_file_id', id: 2, bytes, name: 'upload.bin' }),
      }),
    }
  } finally {
    await cms.stop()
  }
}

export const ONE_BY_ONE = { concurrency: 1 }
const IN_FLIGHT = { concurrency: 16 }

export function fill<T>(create: (article: object) => Promise<T>): Promise<readonly T[]> {
  return pMap(
    Array.from({ length: TABLE_SIZE }, (_, at) => articleOf(at)),
    create,
    IN_FLIGHT,
  )
}

export function postTo(path: string) {
  return (body: object | undefined): Call => ({
    method: 'POST',
    path,
    ...(body && { body: json(body) }),
  })
}

export function bytesOf(size: number): Buffer {
  return Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(size - 9)])
}

export function sender(url: string, headers: Readonly<Record<string, string>>) {
  return async ({
    method,
    path,
    body,
    contentType = 'application/json',
  }: Call): Promise<unknown> => {
    const type = body && { 'content-type': contentType }
    const answer = await request(url + path, {
      method,
      headers: { ...headers, ...type },
      body: body ?? null,
    })
    const told = await answer.body.text()
    if (answer.statusCode >= 300)
      throw new Error(`${method} ${path} answered ${answer.statusCode}: ${told.slice(0, 500)}`)
    return JSON.parse(told)
  }
}
