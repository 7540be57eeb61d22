// Lists and searches of a key that may only view, over files with drafts: all results depend only on live
// versions.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { make, makeFolder, newName } from '../../helpers/content.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
let folder: number
let secret: string
/** Each file as the key sees it in a single read. */
const shown: any[] = []

const ofServer = (path: string, key?: string) =>
  server.call('GET', path, key === undefined ? {} : { key })

before(async () => {
  server = await startTestServer()
  folder = (await makeFolder(server)).asset_category_id
  secret = await server.makeKey({ name: newName('key'), grants: 'view' })
  // The words of the drafts sort differently from the words of the live versions.
  for (const [at, live] of ['mango', 'apple', 'pear', 'fig', 'kiwi', 'plum', 'date'].entries()) {
    const draft = ['zebra', 'yak', 'ant', 'bee', 'cat', 'dog', 'emu'][at] ?? ''
    const file = await make(server, 'asset_file', {
      ...{ name: `${live}.html`, type: 'html', parent_category_id: folder, title: `t ${live}` },
      ...{ pageContent: live.repeat(at + 1), fileState: 'publish' },
    })
    const path = `/api/v2/asset_file/${file.asset_file_id}`
    if (at % 3 !== 2) {
      const json = { name: `${draft}.txt`, type: 'txt', title: draft, pageContent: draft }
      assert.equal((await server.call('POST', path, { json })).status, 200)
    }
    shown.push((await ofServer(`${path}?fields=asset_file_id,name,type,title,size`, secret)).body)
  }
  assert.deepEqual(
    shown.map(({ name }) => name),
    ['mango', 'apple', 'pear', 'fig', 'kiwi', 'plum', 'date'].map((word) => `${word}.html`),
  )
})
after(() => server.close())

const FIELDS = 'asset_file_id,name,type,title,size'

/** Returns all pages of a search as the key sees them. */
async function found(query: Readonly<Record<string, string>>): Promise<any[]> {
  const rows: any[] = []
  let cursor: string | undefined
  do {
    const all = { ...query, fields: FIELDS, ...(cursor !== undefined && { cursor }) }
    const { status, text, body } = await ofServer(
      `/api/v2/asset_file?${new URLSearchParams(all)}`,
      secret,
    )
    assert.equal(status, 200, text)
    rows.push(...body.asset_file)
    cursor = body.page.next ?? undefined
  } while (cursor !== undefined)
  return rows
}

const namesOf = (rows: readonly any[]) => rows.map(({ name }) => name)
const inFolder = (qry: object) => JSON.stringify({ parent_category_id: folder, ...qry })

test('a search compares live values', async () => {
  for (const [qry, wanted] of [
    [{ name: 'mango.html' }, ['mango.html']],
    [{ name: 'zebra.txt' }, []],
    [{ type: 'txt' }, []],
    [{ title: { $in: ['t apple', 't pear', 'yak'] } }, ['apple.html', 'pear.html']],
    [{ name: { $gte: 'm' } }, ['mango.html', 'pear.html', 'plum.html']],
    [{ name: { $startsWith: 'd' } }, ['date.html']],
    [{ size: { $lt: 6 } }, ['mango.html']],
    [{ $or: [{ name: 'kiwi.html' }, { title: 'bee' }] }, ['kiwi.html']],
  ] as const) {
    const rows = await found({ qry: inFolder(qry) })
    assert.deepEqual(namesOf(rows).toSorted(), [...wanted].toSorted(), JSON.stringify(qry))
    // The same page again, possibly from the cache of the server.
    assert.deepEqual(await found({ qry: inFolder(qry) }), rows)
  }
})

test('a cached page of another key is not returned', async () => {
  const path = `/api/v2/asset_file?qry=${encodeURIComponent(JSON.stringify({ name: 'zebra.txt' }))}`
  assert.equal((await ofServer(path)).body.asset_file.length, 1)
  assert.deepEqual((await ofServer(path, secret)).body.asset_file, [])
})

for (const orderStr of ['name', 'title', 'type', 'size'])
  for (const orderDir of ['ASC', 'DESC'])
    for (const length of ['2', '100'])
      test(`a list by ${orderStr}, ${orderDir}, ${length} per page, is ordered by live values`, async () => {
        const sign = orderDir === 'ASC' ? 1 : -1
        const wanted = shown.toSorted((one, other) => {
          const [left, right] = [one[orderStr], other[orderStr]]
          if (left === right) return (one.asset_file_id - other.asset_file_id) * sign
          return (left < right ? -1 : 1) * sign
        })
        const query = { qry: inFolder({}), orderStr, orderDir, length }
        assert.deepEqual(await found(query), wanted)
      })

test('a list by two fields and a list of the whole site are ordered by live values', async () => {
  const by = { orderStr: 'type,name', length: '3' }
  const sorted = namesOf(shown).toSorted()
  assert.deepEqual(namesOf(await found({ ...by, qry: inFolder({}) })), sorted)
  const whole = namesOf(await found({ orderStr: 'name', length: '2' }))
  assert.deepEqual(
    whole.filter((name) => sorted.includes(name)),
    sorted,
  )
  assert.equal(new Set(whole).size, whole.length)
})

test('the total counts live values', async () => {
  const qry = encodeURIComponent(inFolder({ name: { $gte: 'm' } }))
  const path = `/api/v2/asset_file?qry=${qry}&count=exact&length=1&orderStr=name`
  assert.equal((await ofServer(path, secret)).body.page.total, 3)
})

test('the key sees only the live version', async () => {
  const [{ asset_file_id: id }] = shown
  const path = `/api/v2/asset_file/${id}/versions`
  const { body } = await ofServer(path, secret)
  assert.deepEqual(
    body.asset_file_version.map(({ version, name }: any) => [version, name]),
    [[1, 'mango.html']],
  )
  assert.deepEqual(body.page, { ...body.page, total: 1, next: null })
  assert.equal((await ofServer(`${path}/1`, secret)).status, 200)
  assert.equal((await ofServer(`${path}/2`, secret)).status, 404)
  assert.equal((await ofServer(path)).body.asset_file_version.length, 2)
})
