// Pages with as many links as are stored: their rows cost much to write, so they are written in parts and stay in the trash.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ALL_INDEXED, hashOfKey, linkRow } from '../../../lib/schema/link-index.ts'
import { LIMITS } from '../../../lib/config/limits.ts'
import { MAX_STORED_LINKS } from '../../../lib/shared/limits.ts'
import { makeFile, makeFolder } from '../../helpers/content.ts'
import { newDataDirectory } from '../../helpers/data-directory.ts'
import { eventually } from '../../helpers/raw.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { tamper } from '../../helpers/site.ts'
import { remove, trashItem } from '../../helpers/trash.ts'

let server: TestServer
before(async () => {
  server = await startTestServer({ dataDir: newDataDirectory() })
})
after(() => server.close())

const linksTo = (addresses: readonly string[]): string =>
  addresses.map((address) => `<a href="${address}">x</a>`).join('')
const numbered = (name: (at: number) => string): readonly string[] =>
  Array.from({ length: MAX_STORED_LINKS - 1 }, (_, at) => name(at))

async function makeTarget(name: string): Promise<{ readonly folder: number; readonly id: number }> {
  const { asset_category_id: folder } = await makeFolder(server, { parent_category_id: 1 })
  const file = await makeFile(server, { name, type: 'txt', parent_category_id: folder })
  return { folder, id: file.asset_file_id }
}

async function usesOf(id: number, query = ''): Promise<any> {
  const answer = await server.call('GET', `/api/v2/asset_file/${id}/used_on${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

test('a link is found behind all links to other files of the same name', async () => {
  const { folder, id } = await makeTarget('same.png')
  const elsewhere = numbered((at) => `no-${at}/same.png`)
  const page = { type: 'html', parent_category_id: folder }
  const used = linksTo([...elsewhere, 'same.png'])
  const list = [used, linksTo(elsewhere), used].map((pageContent, at) => ({
    ...page,
    name: `same-${at}.html`,
    pageContent,
  }))
  for (const json of list) await makeFile(server, json)
  const first = await usesOf(id, '?length=1')
  const rest = await usesOf(id, `?length=5&cursor=${encodeURIComponent(first.next)}`)
  const names = [first, rest].map(({ pages }) => pages.map(({ name }: any) => name))
  assert.deepEqual(names, [['same-0.html'], ['same-2.html']])
  assert.deepEqual([rest.next, rest.is_complete], [null, true])
})

test('all links of a long list of pages become known', async () => {
  const { folder, id } = await makeTarget('listed.png')
  const json = Array.from({ length: 4 }, (_, page) => ({
    name: `listed-${page}.html`,
    type: 'html',
    parent_category_id: folder,
    pageContent: linksTo([...numbered((at) => `listed-${page}-${at}.png`), 'listed.png']),
  }))
  const made = await server.call('POST', '/api/v2/asset_file', { json })
  assert.equal(made.status, 201, made.text)
  await eventually(async () => (await usesOf(id)).is_complete)
  const { pages } = await usesOf(id)
  assert.deepEqual(
    pages.map(({ name }: any) => name),
    json.map(({ name }) => name),
  )
})

test('texts that a key does not see, and that are unread, change nothing', async () => {
  const { folder, id } = await makeTarget('own.png')
  const { folder: elsewhere } = await makeTarget('other.png')
  const key = await server.makeKey({ name: 'own', category: folder })
  // A text of this length is read after its commit.
  const long = ' '.repeat(LIMITS.inlineContentBytes)
  const json = [elsewhere, elsewhere, folder, elsewhere, elsewhere].map((parent, page) => ({
    name: `long-${page}.html`,
    type: 'html',
    parent_category_id: parent,
    pageContent: linksTo([...numbered((at) => `${page}-${at}.png`), 'own.png']) + long,
  }))
  const made = await server.call('POST', '/api/v2/asset_file', { json })
  assert.equal(made.status, 201, made.text)
  const { body } = await server.call('GET', `/api/v2/asset_file/${id}/used_on`, { key })
  assert.deepEqual(
    [body.pages.map(({ name }: any) => name), body.is_complete],
    [['long-2.html'], true],
  )
})

test('a site of an earlier version gets the rows of all pages again', async () => {
  const { folder, id } = await makeTarget('again.png')
  const names: readonly string[] = ['again-0.html', 'again-1.html', 'again-2.html', 'again-3.html']
  for (const name of names) {
    const pageContent = linksTo([...numbered((at) => `${name}-${at}.png`), 'again.png'])
    await makeFile(server, { name, type: 'html', parent_category_id: folder, pageContent })
  }
  const { dataDir } = server
  await server.stop()
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      for (const [key] of unit.list(linkRow, [])) {
        const row = unit.get(linkRow, Number(key))?.value
        const wrong =
          row?.asset_file_id === ALL_INDEXED ? { format: 1 } : { keys: row?.keys.slice(1) ?? [] }
        if (row !== undefined) unit.put(linkRow, [Number(key)], { ...row, ...wrong })
      }
    }),
  )
  server = await startTestServer({ dataDir })
  await eventually(async () => (await usesOf(id)).is_complete)
  const { pages } = await usesOf(id)
  assert.deepEqual(
    pages.map(({ name }: any) => name),
    names,
  )
  for (const name of names) assert.equal((await rowsOf(`${name}-0.png`)).length, 1)
})

test('the row of the links stays in the trash until the page is removed', async () => {
  const { folder } = await makeTarget('kept.png')
  const page = { type: 'html', parent_category_id: folder, pageContent: linksTo(['kept.png']) }
  const { asset_file_id: id } = await makeFile(server, page)
  await remove(server, `/api/v2/asset_file/${id}`)
  assert.deepEqual(await rowsOf('kept.png'), [id])
  const { trash_id: trashId } = await trashItem(server, 'asset_file', id)
  await remove(server, `/api/v2/trash/${trashId}`)
  assert.deepEqual(await rowsOf('kept.png'), [])
})

async function rowsOf(name: string): Promise<readonly number[]> {
  const { dataDir } = server
  await server.stop()
  let found: readonly number[] = []
  await tamper(dataDir, async (_, records) => {
    found = records.lookup(linkRow, 'keys', [hashOfKey(name)]).map(([id]) => Number(id))
  })
  server = await startTestServer({ dataDir })
  return found
}
