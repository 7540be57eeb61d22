// The pages of the list of mentions, on a server whose pages have no time and therefore end after one comment.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, make, makeFile, makeFolder } from '../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../helpers/server.ts'

const MENTIONS = '/api/v2/me/mentions'

let server: TestServer
let key: string
let seen: string
let hidden: string

before(async () => {
  server = await startTestServer({ limits: { searchMs: 0, commentsPerTarget: 50 } })
  const folders = [await makeFolder(server), await makeFolder(server)]
  const [own, other] = folders.map(({ asset_category_id: id }) => id)
  const category_roles = [{ asset_category_id: own, role: 'editor' }]
  await make(server, 'user', { name: 'ada', role: null, category_roles })
  key = await server.makeKey({ name: 'ada', user: 'ada' })
  seen = await target(own)
  hidden = await target(other)
})
after(() => server.close())

async function target(parent_category_id: number): Promise<string> {
  return `asset_file/${(await makeFile(server, { parent_category_id })).asset_file_id}`
}

async function write(on: string): Promise<number> {
  return (await make(server, 'comment', { target: on, text: 'Look, @ada' })).comment_id
}

function read(cursor?: string, length = 100): Promise<Answer> {
  const from = cursor === undefined ? '' : `&cursor=${cursor}`
  return server.call('GET', `${MENTIONS}?length=${length}${from}`, { key })
}

/** Reads all pages. */
async function walk(length?: number): Promise<{ ids: number[]; pages: any[] }> {
  const ids: number[] = []
  const pages: any[] = []
  for (let cursor: string | undefined; ; ) {
    const { status, body, text } = await read(cursor, length)
    assert.equal(status, 200, text)
    ids.push(...body.comment.map((item: any) => item.comment_id))
    pages.push(body.page)
    if (body.page.next === null) return { ids, pages }
    cursor = body.page.next
  }
}

test('hidden comments cannot push an older mention out of the list', async () => {
  const first = await write(seen)
  for (let count = 0; count < 20; count += 1) await write(hidden)
  const second = await write(seen)

  const { ids, pages } = await walk()
  assert.deepEqual(ids, [second, first])
  assert.ok(pages.length > 1)
  for (const page of pages.slice(0, -1)) assert.equal(page.complete, false)
  assert.equal('complete' in pages.at(-1), false)
  assert.deepEqual((await walk(1)).ids, [second, first])
})

test('a cursor reveals no number, and belongs to the list of one user', async () => {
  const { body, headers } = await read()
  const cursor: string = body.page.next
  assert.ok(String(headers['link']).includes(`cursor=${cursor}`))
  assert.doesNotMatch(Buffer.from(cursor, 'base64url').toString('latin1'), /mentions/)

  assertProblem(await server.call('GET', `${MENTIONS}?cursor=${cursor}`), 'bad-qry')
  assertProblem(await read('17'), 'bad-qry')
  const files = await server.call('GET', '/api/v2/asset_file?length=1')
  assertProblem(await read(files.body.page.next), 'bad-qry')
  assertProblem(await server.call('GET', `/api/v2/asset_file?cursor=${cursor}`, { key }), 'bad-qry')
})
