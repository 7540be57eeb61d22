// The scenarios as data. A scenario names a request that is sent repeatedly; measure.ts sends it in each of
// the three forms. Requests that can have different addresses are measured with many addresses and with one.

import { randomBytes } from 'node:crypto'
import { TABLE } from './articles.ts'
import {
  type Fixture,
  FILES,
  fileNumber,
  FIRST_FOLDER,
  FOLDERS,
  LARGE_FILE,
  PAGES,
  PAGES_10K,
  pageName,
  PICTURE,
  PUBLIC_ARTICLES,
} from './fixtures.ts'
import type { Limit, Rows } from './limit.ts'
import type { Load, Site, Target } from './load.ts'
import type { Targets } from './measure.ts'
import { auth, changes, each, form, get, scattered, search, textOf, visits } from './requests.ts'
import { ADDRESSES, TABLE_SIZE } from './settings.ts'

export interface Scenario {
  readonly name: string
  readonly title: string
  readonly connections: number
  readonly limit: Limit
  /** Number of entries, for the limit lmdb. */
  readonly entries?: number
  /** The second limit, for scenarios that write entries. */
  readonly rows?: Rows
  readonly fixture: Fixture
  /** Either 1, or the number of addresses after which the requests repeat. */
  readonly addresses: readonly number[]
  readonly targets?: Targets
  readonly load: (site: Site, addresses: number) => Load
}

/** For reads. */
export const BOTH = [ADDRESSES, 1]

/** For changes: a single address would always change the same record. */
export const MANY = [ADDRESSES]

const KIB = 1024
const FILE = '/api/v2/asset_file'
const fileOf = (index: number): string => `${FILE}/${fileNumber(index)}`

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'read-record',
    title: 'read one asset category',
    connections: 50,
    limit: 'same-bytes',
    fixture: FOLDERS,
    addresses: BOTH,
    targets: { warm: 0.6, mixed: 0.75 },
    load: (site, addresses) =>
      each(site, addresses, (index) => `/api/v2/asset_category/${FIRST_FOLDER + index}`),
  },
  {
    name: 'read-page',
    title: 'read one asset file with a page of 1 KB',
    connections: 50,
    limit: 'same-bytes',
    fixture: PAGES,
    addresses: BOTH,
    targets: { warm: 0.6, mixed: 0.75 },
    load: (site, addresses) => each(site, addresses, fileOf),
  },
  {
    name: 'list-25',
    title: 'list 25 asset files',
    connections: 50,
    limit: 'same-bytes',
    fixture: PAGES,
    addresses: BOTH,
    targets: { mixed: 0.6 },
    load: (site, addresses) =>
      addresses === 1
        ? get(site, `${FILE}?length=25`)
        : each(site, addresses, (index) => search(FILE, { asset_file_id: { $gte: index } })),
  },
  {
    name: 'search-name',
    title: 'find one asset file by its exact name',
    connections: 50,
    limit: 'same-bytes',
    fixture: PAGES,
    addresses: BOTH,
    targets: { mixed: 0.7 },
    load: (site, addresses) =>
      each(site, addresses, (index) => search(FILE, { name: pageName(index) })),
  },
  {
    name: 'download-10k',
    title: 'download a live file of 10 KB',
    connections: 50,
    limit: 'same-bytes',
    fixture: PAGES_10K,
    addresses: BOTH,
    targets: { warm: 0.85 },
    load: (site, addresses) =>
      each(site, addresses, (index) => `/file/${fileNumber(index)}/${pageName(index)}`),
  },
  {
    name: 'site-10k',
    title: 'read a page of 10 KB on the public site by its path',
    connections: 50,
    limit: 'same-bytes',
    fixture: PAGES_10K,
    addresses: BOTH,
    targets: { warm: 0.85 },
    load: (_, addresses) => visits(addresses, (index) => `/${pageName(index)}`),
  },
  {
    name: 'site-1m',
    title: 'read a file of 1 MB on the public site by its path',
    connections: 10,
    limit: 'read-file',
    fixture: PICTURE,
    // Thousands of files of this size would fill the disk.
    addresses: [1],
    targets: { warm: 0.85 },
    load: () => visits(1, () => '/1-picture.jpg'),
  },
  {
    name: 'public-list',
    title: 'list 25 public entries without a key',
    connections: 50,
    limit: 'lmdb',
    entries: TABLE_SIZE,
    fixture: PUBLIC_ARTICLES,
    addresses: [1],
    targets: { mixed: 0.7 },
    load: () => ({
      method: 'GET',
      headers: {},
      addresses: 1,
      target: () => ({ path: `${TABLE}?length=25` }),
    }),
  },
  {
    name: 'download-64m',
    title: 'download a live file of 64 MB',
    connections: 8,
    limit: 'stream',
    fixture: LARGE_FILE,
    // Thousands of files of this size would fill the disk.
    addresses: [1],
    targets: { warm: 0.85 },
    load: (site) => get(site, `/file/${fileNumber(0)}/1-large.bin`),
  },
  {
    name: 'save-page',
    title: 'save a page of 10 KB, durable',
    connections: 16,
    limit: 'raw-files',
    fixture: PAGES,
    addresses: MANY,
    load: (site, addresses) =>
      changes(site, (count) => ({
        path: fileOf(scattered(count, addresses)),
        body: { pageContent: textOf(10 * KIB, count) },
      })),
  },
  {
    name: 'create-page',
    title: 'create a page of 10 KB, durable',
    connections: 16,
    limit: 'raw-files',
    fixture: PAGES,
    addresses: MANY,
    load: (site) => {
      const run = Date.now()
      return changes(site, (count) => ({
        path: FILE,
        body: {
          name: `new-${run}-${count}.html`,
          type: 'html',
          parent_category_id: 1,
          pageContent: textOf(10 * KIB, count),
        },
      }))
    },
  },
  {
    name: 'publish',
    title: 'publish, durable',
    connections: 50,
    limit: 'none',
    fixture: PAGES,
    addresses: MANY,
    load: (site, addresses) => {
      let count = 0
      const target = (): Target => {
        // Alternates, so that each request changes something.
        const action = Math.floor(count / addresses) % 2 === 0 ? 'unpublish' : 'publish'
        return { path: `${fileOf(scattered((count += 1), addresses))}/${action}` }
      }
      return { method: 'POST', headers: auth(site), addresses: undefined, target }
    },
  },
  {
    name: 'upload-100k',
    title: 'upload 100 KB as the next version, durable',
    connections: 8,
    limit: 'body-to-disk',
    fixture: FILES,
    addresses: BOTH,
    load: (site, addresses) => uploads(site, addresses),
  },
]

/** Bodies that differ only in the identifier of their file. */
function uploads(site: Site, addresses: number): Load {
  const bytes = randomBytes(100 * KIB)
  const formOf = (index: number) =>
    form({ field: 'asset_file_id', id: fileNumber(index), bytes, name: 'upload.bin' })
  return {
    method: 'POST',
    headers: { ...auth(site), 'content-type': formOf(0).contentType },
    addresses: undefined,
    target: (count) => ({ path: '/upload', body: formOf(scattered(count, addresses)).body }),
  }
}
