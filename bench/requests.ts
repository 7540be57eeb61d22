// Requests of the documented interface, from which the scenarios are built.

import { request } from 'undici'
import type { Load, Site, Target } from './load.ts'

export function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

export function auth({ key }: Pick<Site, 'key'>): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}

export function jsonHeaders(site: Pick<Site, 'key'>): Record<string, string> {
  return { ...auth(site), 'content-type': 'application/json' }
}

/** Repeats the same address. */
export function get(site: Site, path: string): Load {
  return each(site, 1, () => path)
}

/** Cycles through this number of addresses. */
export function each(site: Site, addresses: number, pathOf: (index: number) => string): Load {
  const target = (count: number): Target => ({ path: pathOf(scattered(count, addresses)) })
  return { method: 'GET', headers: auth(site), addresses, target }
}

/** Changes that are all different. */
export function changes(
  site: Site,
  changeOf: (count: number) => { readonly path: string; readonly body?: object },
): Load {
  const target = (count: number): Target => {
    const { path, body } = changeOf(count)
    return { path, ...(body && { body: json(body) }) }
  }
  return { method: 'POST', headers: jsonHeaders(site), addresses: undefined, target }
}

/** The host of the public site, which shows the root folder. */
export const SITE_HOST = 'www.example.org'

/** Reads pages of the public site by their paths, without a key. wrk compares the case of the header. */
export function visits(addresses: number, pathOf: (index: number) => string): Load {
  const target = (count: number): Target => ({ path: pathOf(scattered(count, addresses)) })
  return { method: 'GET', headers: { Host: SITE_HOST }, addresses, target }
}

const STEP = 7_919

/**
 * An index from 0 to below `size`, in long steps, so that successive requests are not neighbors.
 */
export function scattered(count: number, size: number): number {
  return (count * STEP) % size
}

export function search(path: string, qry: object): string {
  return `${path}?length=25&qry=${encodeURIComponent(JSON.stringify(qry))}`
}

/** Text of this length that differs by seed. */
export function textOf(size: number, seed: number): string {
  return `<p>${seed}</p>`.padEnd(size, 'lorem ipsum dolor sit amet ')
}

/** Sends a POST and returns the parsed answer; throws on an error status. */
export async function post(site: Site, path: string, body?: unknown): Promise<unknown> {
  const sent = body === undefined ? undefined : json(body)
  return send(site, path, jsonHeaders(site), sent)
}

export interface FileRecord {
  readonly asset_file_id: number
  readonly name: string
  readonly url: string
}

let uploads = 0

/** Uploads a new file and publishes it. */
export async function upload(site: Site, bytes: Buffer, name: string): Promise<FileRecord> {
  const newName = `${(uploads += 1)}-${name}`
  const { contentType, body } = form({ field: 'asset_category_id', id: 1, bytes, name: newName })
  const headers = { ...auth(site), 'content-type': contentType }
  const file = (await send(site, '/upload', headers, body)) as FileRecord
  return (await post(site, `/api/v2/asset_file/${file.asset_file_id}/publish`)) as FileRecord
}

async function send(
  { url }: Site,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: Buffer,
): Promise<unknown> {
  const answer = await request(url + path, { method: 'POST', headers, ...(body && { body }) })
  const told = await answer.body.text()
  if (answer.statusCode >= 300)
    throw new Error(`${path} answered ${answer.statusCode}: ${told.slice(0, 500)}`)
  return told === '' ? undefined : JSON.parse(told)
}

export interface Form {
  readonly field: string
  readonly id: number | undefined
  readonly bytes: Buffer
  readonly name: string
  /** Options of the part with the bytes. */
  readonly part?: string
}

export function form({ field, id, bytes, name, part = 'Filedata' }: Form): {
  readonly contentType: string
  readonly body: Buffer
} {
  const boundary = 'bench-boundary'
  const head = (rest: string): string => `--${boundary}\r\nContent-Disposition: form-data; ${rest}`
  const fieldPart = id === undefined ? '' : `${head(`name="${field}"`)}\r\n\r\n${id}\r\n`
  const file = `${head(`name="${part}"; filename="${name}"`)}\r\n\r\n`
  const body = Buffer.concat([
    Buffer.from(fieldPart + file),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  return { contentType: `multipart/form-data; boundary=${boundary}`, body }
}
