// What is measured, as data. Each scenario prepares what it needs over the documented interface and
// gives the request that is sent over and over.

import { randomBytes } from 'node:crypto'
import { request } from 'undici'
import type { Rows } from './load.ts'

export interface Site {
  readonly url: string
  readonly key: string
}

export interface Load {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
  /** Path and body of each request in turn, where the same one twice would change nothing. */
  readonly next?: () => Target
}

export interface Target {
  readonly path: string
  readonly body?: Buffer
}

/**
 * What a figure is compared with, in the same run:
 * same-bytes: a bare node:http server that answers the same bytes from memory;
 * stream: one that streams them from a file;
 * parse-json: one that takes the same bodies, parses them and answers the same bytes;
 * body-to-disk: one that writes each body to a file with its SHA-256 and syncs it;
 * raw-files: no server at all: write, sync, rename, sync of the directory, as many at a time;
 * none: nothing.
 */
type Limit = 'same-bytes' | 'stream' | 'parse-json' | 'body-to-disk' | 'raw-files' | 'none'

export interface Measured {
  readonly name: string
  readonly title: string
  readonly connections: number
  readonly limit: Limit
  /** The second limit of what writes entries. */
  readonly rows?: Rows
}

export interface Scenario extends Measured {
  readonly prepare: (site: Site) => Promise<Load>
}

const KIB = 1024

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'read-record',
    title: 'read one asset category',
    connections: 50,
    limit: 'same-bytes',
    prepare: async (site) => get(site, '/api/v2/asset_category/12'),
  },
  {
    name: 'read-page',
    title: 'read one asset file with a page of 1 KB',
    connections: 50,
    limit: 'same-bytes',
    prepare: async (site) =>
      get(site, `/api/v2/asset_file/${(await createPage(site, 1 * KIB)).asset_file_id}`),
  },
  {
    name: 'list-25',
    title: 'list 25 asset files, first page',
    connections: 50,
    limit: 'same-bytes',
    async prepare(site) {
      for (let index = 0; index < 30; index += 1) await createPage(site, 200)
      return get(site, '/api/v2/asset_file?length=25')
    },
  },
  {
    name: 'search-name',
    title: 'find one asset file by its exact name',
    connections: 50,
    limit: 'same-bytes',
    async prepare(site) {
      const { name } = await createPage(site, 200)
      return get(site, `/api/v2/asset_file?qry=${encodeURIComponent(JSON.stringify({ name }))}`)
    },
  },
  {
    name: 'download-10k',
    title: 'download a live file of 10 KB',
    connections: 50,
    limit: 'same-bytes',
    prepare: async (site) => get(site, (await createPage(site, 10 * KIB)).url),
  },
  {
    name: 'download-64m',
    title: 'download a live file of 64 MB',
    connections: 8,
    limit: 'stream',
    prepare: async (site) =>
      get(site, (await upload(site, Buffer.alloc(64 * KIB * KIB, 'x'), 'big.bin')).url),
  },
  {
    name: 'save-page',
    title: 'save a page of 10 KB, durable',
    connections: 16,
    limit: 'raw-files',
    async prepare(site) {
      const ids: number[] = []
      for (let index = 0; index < 64; index += 1)
        ids.push((await createPage(site, 1 * KIB)).asset_file_id)
      return saves(site, ids)
    },
  },
  {
    name: 'create-page',
    title: 'create a page of 10 KB, durable',
    connections: 16,
    limit: 'raw-files',
    async prepare(site) {
      let count = 0
      const run = Date.now()
      const path = '/api/v2/asset_file'
      const next = (): Target => {
        count += 1
        const page = { name: `new-${run}-${count}.html`, type: 'html', parent_category_id: 1 }
        return { path, body: json({ ...page, pageContent: text(10 * KIB, count) }) }
      }
      return { method: 'POST', path, headers: jsonHeaders(site), next }
    },
  },
  {
    name: 'publish',
    title: 'publish, durable',
    connections: 50,
    limit: 'none',
    async prepare(site) {
      const ids: number[] = []
      for (let index = 0; index < 64; index += 1)
        ids.push((await createPage(site, 1 * KIB)).asset_file_id)
      let count = 0
      const next = (): Target => {
        count += 1
        // To and fro, so that each of them changes something.
        const action = Math.floor(count / ids.length) % 2 === 0 ? 'unpublish' : 'publish'
        return { path: `/api/v2/asset_file/${ids[count % ids.length]}/${action}` }
      }
      return { method: 'POST', path: '/', headers: auth(site), next }
    },
  },
  {
    name: 'upload-100k',
    title: 'upload 100 KB as the next version, durable',
    connections: 8,
    limit: 'body-to-disk',
    async prepare(site) {
      const file = await upload(site, randomBytes(100 * KIB), 'upload.bin')
      const { contentType, body } = form(
        'asset_file_id',
        file.asset_file_id,
        randomBytes(100 * KIB),
        'upload.bin',
      )
      return {
        method: 'POST',
        path: '/upload',
        headers: { ...auth(site), 'content-type': contentType },
        body,
      }
    },
  },
]

export interface FileRecord {
  readonly asset_file_id: number
  readonly name: string
  readonly url: string
}

let pages = 0

async function createPage(site: Site, size: number): Promise<FileRecord> {
  pages += 1
  const page = { name: `page-${Date.now()}-${pages}.html`, type: 'html', parent_category_id: 1 }
  const body = json({ ...page, pageContent: text(size, pages), fileState: 'publish' })
  return post(site, '/api/v2/asset_file', jsonHeaders(site), body)
}

export async function upload(site: Site, bytes: Buffer, name: string): Promise<FileRecord> {
  const { contentType, body } = form('asset_category_id', 1, bytes, `${Date.now()}-${name}`)
  const file = await post(site, '/upload', { ...auth(site), 'content-type': contentType }, body)
  return post(site, `/api/v2/asset_file/${file.asset_file_id}/publish`, auth(site))
}

async function post(
  site: Site,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: Buffer,
): Promise<FileRecord> {
  const answer = await request(`${site.url}${path}`, {
    method: 'POST',
    headers,
    ...(body && { body }),
  })
  if (answer.statusCode >= 300)
    throw new Error(`${path} answered ${answer.statusCode}: ${await answer.body.text()}`)
  return (await answer.body.json()) as FileRecord
}

/** Some pages in turn, each time with another text. */
function saves(site: Site, ids: readonly number[]): Load {
  let count = 0
  const next = (): Target => {
    count += 1
    const body = json({ pageContent: text(10 * KIB, count) })
    return { path: `/api/v2/asset_file/${ids[count % ids.length]}`, body }
  }
  return { method: 'POST', path: '/', headers: jsonHeaders(site), next }
}

function get(site: Site, path: string): Load {
  return { method: 'GET', path, headers: auth(site) }
}

function text(size: number, seed: number): string {
  return `<p>${seed}</p>${'lorem ipsum dolor sit amet '.repeat(Math.ceil(size / 27))}`.slice(
    0,
    size,
  )
}

export function form(
  field: string,
  id: number,
  bytes: Buffer,
  name: string,
): { readonly contentType: string; readonly body: Buffer } {
  const boundary = 'bench-boundary'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${id}\r\n--${boundary}\r\nContent-Disposition: form-data; name="Filedata"; filename="${name}"\r\n\r\n`
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
  return { contentType: `multipart/form-data; boundary=${boundary}`, body }
}

export function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value))
}

export function auth({ key }: Site): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}

export function jsonHeaders(site: Site): Record<string, string> {
  return { ...auth(site), 'content-type': 'application/json' }
}
