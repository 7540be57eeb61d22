// The initial site of the disk rigs, and an operation for every kind of write.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { newDataDirectory } from '../helpers/data-directory.ts'
import {
  type Answer,
  buildForm,
  send,
  startTestServer,
  type TestServer,
} from '../helpers/server.ts'
import { makeEntries, makeTable } from '../helpers/modules.ts'
import { BYTES, metadataOf, UPLOADS } from '../helpers/tus.ts'
import type { Site } from './site-state.ts'

export interface Operation {
  readonly name: string
  run(site: Site): Promise<Answer>
}

const FILE = '/api/v2/asset_file'
/**
 * Identifiers of objects that `makeOperationSite` creates. A new site has the folders 1 and 12, and
 * no file gets the number of a folder.
 */
const FOLDER = 13
export const MADE = { page: 2, large: 3, binary: 4, authors: 2 }
const TABLE_URL = '/api/v2/module/datatable/1/books'
/** An entry to which so many others refer that its deletion takes several commits. */
export const AUTHOR_URL = `/api/v2/module/datatable/${MADE.authors}/authors/1`
const DEPENDENTS = 300

/**
 * Small contents are stored inline in the commit, middle ones are written by a worker at once, and large
 * ones are received as a file.
 */
const SMALL = Buffer.alloc(2_000, 's')
const MIDDLE = Buffer.alloc(200_000, 'm')
const LARGE = Buffer.alloc(2_000_000, 'l')

export const OPERATIONS: readonly Operation[] = [
  {
    name: 'create',
    run: post(FILE, { name: 'new.html', type: 'html', parent_category_id: 1, pageContent: '<p>' }),
  },
  {
    name: 'create several',
    run: post(FILE, [
      { name: 'new.html', type: 'html', parent_category_id: 1, pageContent: '<p>' },
      {
        name: 'new-large.html',
        type: 'html',
        parent_category_id: FOLDER,
        pageContent: 'x'.repeat(180_000),
        fileState: 'publish',
      },
    ]),
  },
  { name: 'save', run: post(`${FILE}/${MADE.page}`, { pageContent: 'x'.repeat(3_000) }) },
  {
    name: 'save large and publish',
    run: post(`${FILE}/${MADE.page}`, { pageContent: 'x'.repeat(180_000), fileState: 'publish' }),
  },
  { name: 'publish', run: get(`${FILE}/${MADE.page}/publish`) },
  { name: 'stage', run: get(`${FILE}/${MADE.page}/stage`) },
  { name: 'delete', run: ({ url, key }) => send(url, 'DELETE', `${FILE}/${MADE.page}`, { key }) },
  {
    name: 'delete folder',
    run: ({ url, key }) =>
      send(url, 'DELETE', `/api/v2/asset_category/${FOLDER}?recursive=true`, { key }),
  },
  { name: 'copy folder', run: post(`/api/v2/asset_category/${FOLDER}/copy`, {}) },
  { name: 'upload small', run: upload('asset_category_id', 1, SMALL) },
  { name: 'upload middle', run: upload('asset_category_id', 1, MIDDLE) },
  { name: 'upload large', run: upload('asset_file_id', MADE.binary, LARGE) },
  { name: 'upload in parts', run: resumable },
  {
    name: 'create module',
    run: post('/api/v2/datatable', { name: 'Films', table_schema: 'title C(80) NOTNULL' }),
  },
  { name: 'create entry', run: post(TABLE_URL, { title: 'second' }) },
]

/** Operations of a site that keeps a trash. */
export const TRASH_OPERATIONS: readonly Operation[] = [
  ...OPERATIONS.filter(({ name }) => name.startsWith('delete')).map(({ name, run }) => ({
    name: `${name} into the trash`,
    run,
  })),
  {
    name: 'restore from the trash',
    async run(site) {
      const { body } = await send(site.url, 'GET', '/api/v2/trash', { key: site.key })
      return post(`/api/v2/trash/${body.trash[0].trash_id}/restore`, {})(site)
    },
  },
  { name: 'empty the trash', run: post('/api/v2/trash/bulk_delete', {}) },
]

/** Further changes of files, each of them one commit. */
export const FILE_OPERATIONS: readonly Operation[] = [
  {
    name: 'batch',
    run: post('/api/v2/batch', {
      mode: 'all',
      operations: [MADE.page, MADE.large].map((id) => ({ op: 'unpublish', asset_file_id: id })),
    }),
  },
  {
    name: 'schedule',
    run: post(`${FILE}/${MADE.page}`, { publish_at: '2100-01-01T09:00:00Z' }),
  },
  { name: 'copy', run: post(`${FILE}/${MADE.page}/copy`, {}) },
]

/** Makes a stopped site with an object for each operation. */
export async function makeOperationSite({ hasTrash = false, hasReferences = false } = {}): Promise<{
  dataDir: string
  key: string
}> {
  const server = await startTestServer({ dataDir: newDataDirectory() })
  try {
    await makeObjects(server)
    if (hasTrash) await fillTrash(server)
    if (hasReferences) await makeReferences(server)
  } finally {
    // A server that keeps running would block the test until its timeout.
    await server.stop()
  }
  return { dataDir: server.dataDir, key: server.key }
}

async function makeObjects(server: TestServer): Promise<void> {
  const make = async (path: string, json: object) => {
    const answer = await server.call('POST', path, { json })
    assert.ok(answer.status < 300, answer.text)
  }
  const page = { type: 'html', fileState: 'publish' }

  await make('/api/v2/asset_category', { name: 'News' })
  await make(FILE, { ...page, name: 'page.html', parent_category_id: 1, pageContent: '<p>1' })
  await make(`${FILE}/${MADE.page}`, { pageContent: 'y'.repeat(150_000) })
  const large = { name: 'large.html', parent_category_id: FOLDER, pageContent: 'z'.repeat(160_000) }
  await make(FILE, { ...page, ...large })
  const form = [
    { name: 'asset_category_id', value: String(FOLDER) },
    { name: 'Filedata', fileName: 'binary.bin', bytes: randomBytes(140_000) },
  ]
  const { status, body } = await server.upload(form)
  assert.deepEqual([status, body.asset_file_id], [201, MADE.binary])
  await make('/api/v2/datatable', { name: 'Books', table_schema: 'title C(80) NOTNULL' })
  await make(TABLE_URL, { title: 'first' })
  // Reads the links of all pages. Otherwise a server on a copy reads them while the calls of an operation are counted.
  assert.equal((await server.call('GET', `${FILE}/${MADE.page}/used_on`)).status, 200)
}

/** Entries that are deleted with the author, and entries that lose their reference. */
async function makeReferences(server: TestServer): Promise<void> {
  const authors = await makeTable(server, 'name C(9)', { name: 'authors' })
  assert.equal(authors.id, MADE.authors)
  await makeEntries(server, authors.url, [{ name: 'Ada' }, { name: 'Bob' }])
  const posts = await makeTable(
    server,
    `author I REFERENCES datatable ${authors.id} ON DELETE CASCADE, ` +
      `also I REFERENCES datatable ${authors.id} MANY ON DELETE SET NULL, ` +
      'up I REFERENCES SELF ON DELETE SET NULL',
  )
  const numbers = Array.from({ length: DEPENDENTS }, (_, at) => at)
  const list = numbers.map((at) => (at % 2 === 0 ? { author: 1 } : { also: [2, 1], up: 1 }))
  await makeEntries(server, posts.url, list.slice(0, 1))
  await makeEntries(server, posts.url, list.slice(1))
}

/** The deleted file shares its bytes with the page, so the number of contents depends on no item. */
async function fillTrash(server: TestServer): Promise<void> {
  const copy = await server.call('POST', `${FILE}/${MADE.page}/copy`, { json: {} })
  assert.equal(copy.status, 201, copy.text)
  const { status } = await server.call('DELETE', `${FILE}/${copy.body.asset_file_id}`)
  assert.equal(status, 204)
}

function post(path: string, json: object): Operation['run'] {
  return ({ url, key }) => send(url, 'POST', path, { key, json })
}

function get(path: string): Operation['run'] {
  return ({ url, key }) => send(url, 'GET', path, { key })
}

/** All bytes in the first request of a resumable upload. */
function resumable({ url, key }: Site): Promise<Answer> {
  const named = metadataOf({ asset_file_id: MADE.binary, filename: 'new.bin' })
  const headers = { ...BYTES, 'upload-length': String(LARGE.length), 'upload-metadata': named }
  return send(url, 'POST', UPLOADS, { key, body: LARGE, headers })
}

function upload(place: string, id: number, bytes: Uint8Array): Operation['run'] {
  const parts = [
    { name: place, value: String(id) },
    { name: 'Filedata', fileName: 'new.bin', bytes },
  ]
  const { contentType, body } = buildForm(parts)
  const headers = { 'content-type': contentType }
  return ({ url, key }) => send(url, 'POST', '/upload', { key, body, headers })
}
