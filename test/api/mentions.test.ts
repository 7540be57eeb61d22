// The pages of the list of mentions, on a server whose searches have no time: hidden comments end no page.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, make, makeFile, makeFolder } from '../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../helpers/server.ts'

const MENTIONS = '/api/v2/me/mentions'

let server: TestServer
let key: string
let seen: string
let hidden: string
let roles: readonly object[]

before(async () => {
  server = await startTestServer({ limits: { searchMs: 0, commentsPerTarget: 100 } })
  const folders = [await makeFolder(server), await makeFolder(server)]
  const [own, other] = folders.map(({ asset_category_id: id }) => id)
  roles = [{ asset_category_id: own, role: 'editor' }]
  await make(server, 'user', { name: 'ada', role: null, category_roles: roles })
  key = await server.makeKey({ name: 'ada', user: 'ada' })
  seen = await target(own)
  hidden = await target(other)
})
after(() => server.close())

async function target(parent_category_id: number): Promise<string> {
  return `asset_file/${(await makeFile(server, { parent_category_id })).asset_file_id}`
}

async function write(on: string, name = '@ada'): Promise<number> {
  return (await make(server, 'comment', { target: on, text: `Look, ${name}` })).comment_id
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
  assert.equal(pages.length, 1)
  const short = await walk(1)
  assert.deepEqual(short.ids, [second, first])
  assert.equal(short.pages.length, 2)
})

test('hidden comments change no byte of a page', async () => {
  await make(server, 'user', { name: 'ben', role: null, category_roles: roles })
  const own = await server.makeKey({ name: 'ben', user: 'ben' })
  await write(seen, '@ben')
  const ask = async () => (await server.call('GET', `${MENTIONS}?length=1`, { key: own })).text
  const alone = await ask()
  for (let count = 0; count < 20; count += 1) await write(hidden, '@ben')
  assert.equal(await ask(), alone)
})

test('a cursor reveals no number, and belongs to the list of one user', async () => {
  const { body, headers } = await read(undefined, 1)
  const cursor: string = body.page.next
  assert.ok(String(headers['link']).includes(`cursor=${cursor}`))
  assert.doesNotMatch(Buffer.from(cursor, 'base64url').toString('latin1'), /mentions/)

  assertProblem(await server.call('GET', `${MENTIONS}?cursor=${cursor}`), 'bad-qry')
  assertProblem(await read('17'), 'bad-qry')
  const files = await server.call('GET', '/api/v2/asset_file?length=1')
  assertProblem(await read(files.body.page.next), 'bad-qry')
  assertProblem(await server.call('GET', `/api/v2/asset_file?cursor=${cursor}`, { key }), 'bad-qry')
})
