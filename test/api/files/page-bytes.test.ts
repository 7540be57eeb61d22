// The limit of bytes in a page counts everything in the answer: stored bytes and calculated fields of each
// record.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { make, makeFile, makeFolder, newName, read } from '../../helpers/content.ts'
import { listAll, listEntries, makeEntries, makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const LIST_BYTES = 20_000
/** Bytes of a page around its records. */
const FRAME_BYTES = 500

let server: TestServer
before(async () => {
  server = await startTestServer({ limits: { listBytes: LIST_BYTES } })
})
after(() => server.close())

/** Reads all pages of a list by their cursors. No page exceeds the limit. */
async function readPages(path: string, member: string): Promise<readonly any[][]> {
  const pages: any[][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const answer = await server.call('GET', `${path}${cursor === '' ? '' : `&cursor=${cursor}`}`)
    assert.equal(answer.status, 200, answer.text)
    assert.ok(answer.bytes.length <= LIST_BYTES + FRAME_BYTES, `${answer.bytes.length}`)
    pages.push(answer.body[member])
    cursor = answer.body.page.next
  }
  return pages
}

test('the paths in lists of folders and files count towards the size of a page', async () => {
  let parent_category_id = 1
  for (let level = 0; level < 12; level++) {
    const folder = { name: `"${'ä'.repeat(120)}`, parent_category_id }
    parent_category_id = (await make(server, 'asset_category', folder)).asset_category_id
  }
  const folders: number[] = []
  const files: number[] = []
  for (let at = 0; at < 12; at++) {
    const name = newName()
    folders.push((await makeFolder(server, { parent_category_id })).asset_category_id)
    files.push((await makeFile(server, { name, parent_category_id })).asset_file_id)
  }

  const qry = `qry={"parent_category_id":${parent_category_id}}`
  for (const [object, ids] of [
    ['asset_category', folders] as const,
    ['asset_file', files] as const,
  ]) {
    for (const fields of ['*', 'path', `${object}_id,path`]) {
      const pages = await readPages(`/api/v2/${object}?${qry}&fields=${fields}`, object)
      assert.equal(pages.flat().length, ids.length)
      assert.ok(pages.length > 1)
    }
    // Without the paths all records fit in one page, also when the server has cached the page.
    for (let time = 0; time < 2; time += 1) {
      const own = await readPages(`/api/v2/${object}?${qry}&fields=${object}_id`, object)
      assert.deepEqual(
        own.map((page) => page.map((record) => record[`${object}_id`])),
        [ids],
      )
    }
  }
})

test('a page ends earlier after a parent folder got a longer name', async () => {
  const { asset_category_id: id } = await makeFolder(server, { name: 'short' })
  for (let at = 0; at < 20; at++) await makeFile(server, { parent_category_id: id })
  const path = `/api/v2/asset_file?qry={"parent_category_id":${id}}`
  assert.equal((await readPages(path, 'asset_file')).length, 1)

  const json = { name: 'x'.repeat(255) }
  assert.equal((await server.call('POST', `/api/v2/asset_category/${id}`, { json })).status, 200)
  const pages = await readPages(path, 'asset_file')
  assert.equal(pages.flat().length, 20)
  assert.ok(pages.length > 1)
})

test('the defaults of later columns count towards the size of a page', async () => {
  const table = await makeTable(server, 'a C(10)')
  await makeEntries(
    server,
    table.url,
    Array.from({ length: 20 }, (_, at) => ({ a: `${at}` })),
  )
  const text = 'd'.repeat(3_000)
  const json = { table_schema: `a C(10), b X DEFAULT '${text}'` }
  assert.equal((await server.call('POST', table.path, { json })).status, 200)

  const first = await listEntries(server, table.url)
  assert.ok(first.datatable_entry.length < 8, `${first.datatable_entry.length}`)
  const all = await listAll(server, table.url)
  assert.deepEqual(
    all.map(({ a, b }) => [a, b]),
    Array.from({ length: 20 }, (_, at) => [`${at}`, text]),
  )
})

test('a page of versions ends early and links to the next page', async () => {
  const { asset_file_id: id } = await makeFile(server)
  for (let at = 2; at <= 12; at++) {
    const json = { description: `${at} ${'x'.repeat(4_000)}` }
    assert.equal((await server.call('POST', `/api/v2/asset_file/${id}`, { json })).status, 200)
  }
  const path = `/api/v2/asset_file/${id}/versions?length=1000`
  const pages = await readPages(path, 'asset_file_version')
  assert.ok(pages.length > 2)
  assert.deepEqual(
    pages.flat().map(({ version }) => version),
    Array.from({ length: 12 }, (_, at) => 12 - at),
  )
  const { body } = await read(server, `/api/v2/asset_file/${id}/versions?length=2&cursor=3`)
  assert.deepEqual([body.asset_file_version.length, body.page.next], [2, null])
})
