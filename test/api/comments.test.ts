// Comments on files and entries: who sees and changes them, mentions, and what becomes of them with their target.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  assertProblem,
  make,
  makeFile,
  makeFolder,
  newName,
  pointersOf,
} from '../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { makeEntry, makeTable } from '../helpers/modules.ts'
import { type Answer, startTestServer, type TestServer } from '../helpers/server.ts'
import { remove, restore, trashItem } from '../helpers/trash.ts'

const LIST = '/api/v2/comment'
const MENTIONS = '/api/v2/me/mentions'
const CHANGES = '/api/v2/change?since=2000-01-01&length=1000'
const dataDir = newDataDirectory()

let server: TestServer
/** The folder in which ada is an editor and bob a viewer; cy is an editor elsewhere. */
let folder: number
let elsewhere: number
const keys: Record<string, string> = {}
const ids: Record<string, number> = {}

before(async () => {
  server = await startTestServer({ dataDir, limits: { commentsPerTarget: 4 } })
  folder = (await makeFolder(server)).asset_category_id
  elsewhere = (await makeFolder(server)).asset_category_id
  const roles: readonly (readonly [string, number, string])[] = [
    ['ada', folder, 'editor'],
    ['bob', folder, 'viewer'],
    ['cy', elsewhere, 'editor'],
  ]
  for (const [name, asset_category_id, role] of roles) {
    const category_roles = [{ asset_category_id, role }]
    ids[name] = (await make(server, 'user', { name, role: null, category_roles })).user_id
    keys[name] = await server.makeKey({ name, user: name })
  }
})
after(async () => {
  await server.stop()
  removeDataDirectories()
})

function as(name: string): { readonly key: string } {
  return { key: keys[name] ?? assert.fail(name) }
}

async function page(fields: object = {}): Promise<string> {
  const file = await makeFile(server, { parent_category_id: folder, ...fields })
  return `asset_file/${file.asset_file_id}`
}

async function on(target: string, call: object = {}): Promise<readonly any[]> {
  const qry = encodeURIComponent(JSON.stringify({ target }))
  const { status, body, text } = await server.call('GET', `${LIST}?qry=${qry}`, call)
  assert.equal(status, 200, text)
  return body.comment
}

async function mentions(name: string): Promise<readonly number[]> {
  const { body } = await server.call('GET', MENTIONS, as(name))
  return body.comment.map((item: any) => item.comment_id)
}

test('an editor writes, resolves, edits and deletes a comment, and each change is recorded', async () => {
  const target = await page()
  const made = await server.call('POST', LIST, { ...as('ada'), json: { target, text: 'Why?' } })
  assert.equal(made.status, 201, made.text)
  const { comment_id: id, date_added, date_modified, ...rest } = made.body
  const first = {
    target,
    text: 'Why?',
    reply_to: null,
    resolved: false,
    mentions: [],
    owner: 'ada',
  }
  assert.deepEqual(rest, { ...first, user_id: ids['ada'] })
  assert.deepEqual(await on(target, as('ada')), [made.body])

  const path = `${LIST}/${id}`
  const etag = String(made.headers.etag)
  const edited = await server.call('POST', path, { ...as('ada'), json: { text: 'Who?' } })
  assert.deepEqual([edited.status, edited.body.text], [200, 'Who?'])
  const stale = { ...as('ada'), headers: { 'if-match': etag } }
  assertProblem(await server.call('DELETE', path, stale), 'precondition-failed')
  const resolved = await server.call('PATCH', path, { json: { resolved: true } })
  assert.deepEqual([resolved.body.resolved, resolved.body.owner], [true, 'ada'])
  const moved = await server.call('POST', path, { json: { target: await page() } })
  assert.deepEqual(pointersOf(moved), ['/target'])
  const forged = await server.call('POST', path, { json: { user_id: 1 } })
  assert.deepEqual(pointersOf(forged), ['/user_id'])
  assert.equal((await server.call('DELETE', path, as('ada'))).status, 204)
  assert.deepEqual(await on(target), [])

  const qry = encodeURIComponent(JSON.stringify({ object: 'comment', object_id: id }))
  const { body } = await server.call('GET', `/api/v2/audit?qry=${qry}`)
  const told = body.audit.map((row: any) => [row.action, row.changed_fields, row.asset_category_id])
  assert.deepEqual(told.toReversed(), [
    ['delete', null, folder],
    ['update', ['resolved'], folder],
    ['update', ['text'], folder],
    ['create', null, folder],
  ])
})

test('only the author and administrators change the text and delete', async () => {
  const target = await page()
  const { comment_id: id } = await make(server, 'comment', { target, text: 'by admin' })
  const path = `${LIST}/${id}`
  const edit = { ...as('ada'), json: { text: 'x' } }
  assert.equal(assertProblem(await server.call('POST', path, edit), 'grant-missing').grant, 'admin')
  assertProblem(await server.call('DELETE', path, as('ada')), 'grant-missing')
  const settled = await server.call('POST', path, { ...as('ada'), json: { resolved: true } })
  assert.equal(settled.status, 200)

  const own = await server.call('POST', LIST, { ...as('ada'), json: { target, text: 'by ada' } })
  assert.equal((await server.call('DELETE', `${LIST}/${own.body.comment_id}`)).status, 204)
})

test('a caller who does not see drafts of the target learns nothing of its comments', async () => {
  const target = await page({ fileState: 'publish' })
  const before = await Promise.all(['bob', 'cy'].map((name) => seenBy(name, target)))
  const made = await make(server, 'comment', { target, text: 'Look, @bob and @cy' })
  const path = `${LIST}/${made.comment_id}`
  assert.deepEqual(await Promise.all(['bob', 'cy'].map((name) => seenBy(name, target))), before)

  for (const name of ['bob', 'cy'])
    for (const [method, json] of [
      ['GET', undefined],
      ['POST', { resolved: true }],
      ['DELETE', undefined],
    ] as const) {
      const call = { ...as(name), ...(json && { json }) }
      const hidden = assertProblem(await server.call(method, path, call), 'not-found')
      const missing = assertProblem(await server.call(method, `${LIST}/999`, call), 'not-found')
      assert.deepEqual({ ...hidden, request_id: '' }, { ...missing, request_id: '' })
    }
  assertProblem(await server.call('GET', path, { key: null }), 'key-required')

  const write = async (name: string, to: string): Promise<Answer> =>
    server.call('POST', LIST, { ...as(name), json: { target: to, text: 'x' } })
  assertProblem(await write('bob', target), 'grant-missing')
  const [hidden, missing] = [await write('cy', target), await write('cy', 'asset_file/99999')]
  assert.deepEqual([pointersOf(hidden), pointersOf(missing)], [['/target'], ['/target']])
  assert.equal(hidden.body.detail.replace(target, 'asset_file/99999'), missing.body.detail)
})

/** Everything that a caller reads about a file and about comments, except for the time of the answers. */
async function seenBy(name: string, target: string): Promise<readonly unknown[]> {
  const paths = [`/api/v2/${target}`, '/api/v2/asset_file', LIST, MENTIONS]
  const answers = await Promise.all(paths.map((path) => server.call('GET', path, as(name))))
  const seen = answers.map(({ status, body, headers }) => [
    status,
    { ...body, request_id: '' },
    headers.etag,
  ])
  const { body } = await server.call('GET', CHANGES, as(name))
  assert.ok(body.change.length > 0 || name === 'cy')
  return [...seen, body.change]
}

test('followers who see the drafts get the changes of comments', async () => {
  const target = await page()
  const { body: start } = await server.call('GET', '/api/v2/change', as('ada'))
  const { comment_id: id } = await make(server, 'comment', { target, text: 'x' })
  const { body } = await server.call('GET', `/api/v2/change?since=${start.page.next}`, as('ada'))
  const told = body.change.map((item: any) => [item.object, item.object_id, item.action])
  assert.deepEqual(told, [['comment', id, 'create']])
})

test('a mention reaches the user, and tells nobody else who is a user', async () => {
  const target = await page()
  const text = 'Can @Ada, or "@bob", translate? Mail x@ada, @nobody.'
  const { comment_id: id, mentions: found } = await make(server, 'comment', { target, text })
  assert.deepEqual(found, [ids['ada'], ids['bob']])
  assert.deepEqual(await mentions('ada'), [id])
  assert.deepEqual(await mentions('bob'), [])

  const write = async (words: string): Promise<any> =>
    (await server.call('POST', LIST, { ...as('ada'), json: { target, text: words } })).body
  const real = await write('@cy')
  const free = await write('@xy')
  const { comment_id: _, date_added: __, date_modified: ___, ...same } = real
  assert.deepEqual({ ...free, ...same, text: '' }, { ...free, text: '' })
  assert.deepEqual(await mentions('cy'), [])
  const self = await server.call('POST', `${LIST}/${real.comment_id}`, {
    ...as('ada'),
    json: { text: '@ada' },
  })
  assert.deepEqual(self.body.mentions, [ids['ada']])
  assert.deepEqual(await mentions('ada'), [real.comment_id, id])

  const next = await server.call('GET', `${MENTIONS}?length=1`, as('ada'))
  assert.deepEqual([next.body.comment.length, typeof next.body.page.next], [1, 'string'])
  const resolve = { json: { resolved: true } }
  await server.call('POST', `${LIST}/${real.comment_id}`, resolve)
  assert.deepEqual(await mentions('ada'), [id])
  await server.call('POST', `${LIST}/${real.comment_id}`, { json: { resolved: false } })
  await server.call('POST', `${LIST}/${id}`, { json: { text: 'Never mind.' } })
  assert.deepEqual(await mentions('ada'), [real.comment_id])
})

test('a thread is a comment and its replies, and is resolved and deleted with its first comment', async () => {
  const target = await page()
  const { comment_id: id, reply_to: none } = await make(server, 'comment', { target, text: 'Why?' })
  const say = (json: object, call: object = {}): Promise<Answer> =>
    server.call('POST', LIST, { ...call, json: { target, text: 'Because.', ...json } })
  const made = await say({ reply_to: id }, as('ada'))
  const { comment_id: reply } = made.body
  assert.deepEqual([made.status, made.body.reply_to, none], [201, id, null])

  const other = await make(server, 'comment', { target: await page(), text: 'x' })
  for (const reply_to of [reply, other.comment_id, 99_999])
    assert.deepEqual(pointersOf(await say({ reply_to })), ['/reply_to'])
  assert.deepEqual(pointersOf(await say({ reply_to: id, resolved: true })), ['/resolved'])
  const change = async (json: object): Promise<readonly string[]> =>
    pointersOf(await server.call('POST', `${LIST}/${reply}`, { json }))
  assert.deepEqual(await change({ resolved: true }), ['/resolved'])
  assert.deepEqual(await change({ reply_to: null }), ['/reply_to'])

  const settle = async (resolved: boolean): Promise<void> => {
    const answer = await server.call('POST', `${LIST}/${id}`, { json: { resolved } })
    assert.equal(answer.status, 200, answer.text)
  }
  const again = await say({ reply_to: id, text: 'Look, @bob' })
  assert.equal((await mentions('ada'))[0], again.body.comment_id)
  await settle(true)
  assert.equal((await mentions('ada')).includes(again.body.comment_id), false)
  await settle(false)
  assert.equal((await mentions('ada')).includes(again.body.comment_id), true)

  for (const each of [reply, again.body.comment_id]) await server.call('DELETE', `${LIST}/${each}`)
  const mine = await say({ text: 'mine' }, as('ada'))
  const path = `${LIST}/${mine.body.comment_id}`
  const theirs = await say({ reply_to: mine.body.comment_id })
  const refused = assertProblem(await server.call('DELETE', path, as('ada')), 'grant-missing')
  assert.equal(refused.grant, 'admin')
  assert.equal((await server.call('DELETE', path)).status, 204)
  assertProblem(await server.call('GET', `${LIST}/${theirs.body.comment_id}`), 'not-found')
  const { body } = await server.call('GET', CHANGES)
  const ends = body.change.filter((row: any) => row.object === 'comment' && row.action === 'delete')
  assert.deepEqual(
    ends
      .slice(-2)
      .map((row: any) => row.object_id)
      .toSorted(),
    [mine.body.comment_id, theirs.body.comment_id],
  )
})

test('the newest reply concerns the others in its thread, until they reply or it is hidden', async () => {
  const target = await page()
  const { comment_id: id } = await make(server, 'comment', { target, text: 'Why?' })
  const say = async (name?: string): Promise<number> => {
    const call = name === undefined ? {} : as(name)
    const json = { target, text: 'So.', reply_to: id }
    return (await server.call('POST', LIST, { ...call, json })).body.comment_id
  }
  const isFor = async (name: string, each: number): Promise<boolean> =>
    (await mentions(name)).includes(each)
  const admins = async (each: number): Promise<boolean> =>
    (await server.call('GET', MENTIONS)).body.comment.some((one: any) => one.comment_id === each)

  const one = await say('ada')
  assert.deepEqual([await isFor('ada', one), await admins(one)], [false, true])
  const two = await say()
  assert.equal(await isFor('ada', two), true)
  for (const each of [one, two]) assert.equal(await admins(each), false)
  const gone = await say()
  await server.call('DELETE', `${LIST}/${gone}`)
  assert.equal(await isFor('ada', two), true)
  const three = await say()
  for (const parent_category_id of [folder, elsewhere]) {
    await server.call('POST', `/api/v2/${target}`, { json: { parent_category_id } })
    assert.equal(await isFor('ada', three), parent_category_id === folder)
  }
})

test('open threads are counted for callers who see them, up to a limit', async () => {
  const [one, two, none] = [await page(), await page(), await page()]
  const counts = async (call: object = {}): Promise<unknown> => {
    const path = `${LIST}/counts?targets=${[one, two, none, 'asset_file/99999', one].join()}`
    const { status, body, text } = await server.call('GET', path, call)
    assert.equal(status, 200, text)
    return body.counts
  }
  const { comment_id: reply_to } = await make(server, 'comment', { target: one, text: 'a' })
  await make(server, 'comment', { target: one, text: 'b', reply_to })
  await make(server, 'comment', { target: one, text: 'c' })
  await make(server, 'comment', { target: two, text: 'd', resolved: true })
  assert.deepEqual(await counts(as('ada')), [{ target: one, open: 2 }])
  assert.deepEqual([await counts(as('bob')), await counts(as('cy'))], [[], []])
  await server.call('POST', `${LIST}/${reply_to}`, { json: { resolved: true } })
  assert.deepEqual(await counts(), [{ target: one, open: 1 }])

  const many = Array.from({ length: 101 }, (_, at) => `asset_file/${at + 1}`).join()
  for (const wrong of ['', 'asset_file', many])
    assertProblem(await server.call('GET', `${LIST}/counts?targets=${wrong}`), 'bad-request')
})

test('a target has a bounded number of comments, and a text of mentions', async () => {
  const target = await page()
  const post = (text: string): Promise<Answer> =>
    server.call('POST', LIST, { json: { target, text } })
  assert.deepEqual(pointersOf(await post(' \n')), ['/text'])
  assert.deepEqual(pointersOf(await post('@x '.repeat(21))), ['/text'])
  for (const text of ['@x '.repeat(20), '2', '3', '4']) assert.equal((await post(text)).status, 201)
  assertProblem(await post('5'), 'in-use')
  for (const wrong of ['asset_file/0', 'asset_category/1', 'asset_file/1/1', 'datatable/1'])
    assert.deepEqual(
      pointersOf(await server.call('POST', LIST, { json: { target: wrong, text: 'x' } })),
      ['/target'],
    )
})

test('comments follow a file into the trash and back, and not to its copy', async () => {
  const target = await page()
  const path = `/api/v2/${target}`
  const [, number = ''] = target.split('/')
  const made = await make(server, 'comment', { target, text: '@ada' })
  const copy = await server.call('POST', `${path}/copy`, { json: { name: newName() } })
  assert.equal(copy.status, 201, copy.text)
  assert.deepEqual(await on(`asset_file/${copy.body.asset_file_id}`), [])

  await remove(server, path)
  assert.deepEqual(
    [await on(target), (await server.call('GET', LIST)).body.comment.includes(made)],
    [[], false],
  )
  assert.equal((await mentions('ada')).includes(made.comment_id), false)
  await restore(server, await trashItem(server, 'asset_file', Number(number)))
  assert.deepEqual(await on(target), [made])

  const move = { json: { parent_category_id: elsewhere } }
  assert.equal((await server.call('POST', path, move)).status, 200)
  assert.deepEqual([await on(target, as('ada')), await on(target, as('cy'))].map(lengthOf), [0, 1])
})

function lengthOf(list: readonly unknown[]): number {
  return list.length
}

test('comments on an entry belong to its table, and are removed for good with both', async () => {
  const table = await makeTable(server, 'a C(9)', { parent_category_id: folder })
  const one = (await makeEntry(server, table.url, { a: '1' })).datatable_entry_id
  const two = (await makeEntry(server, table.url, { a: '2' })).datatable_entry_id
  const file = await page()
  const targets = [`datatable/${table.id}/${one}`, `datatable/${table.id}/${two}`, file]
  const texts = ['one', 'two', 'three']
  for (const [at, target] of targets.entries())
    await make(server, 'comment', { target, text: `${texts[at]} @ada` })
  const [first = '', second = ''] = targets
  assert.deepEqual([await on(first, as('ada')), await on(first, as('cy'))].map(lengthOf), [1, 0])

  await remove(server, `${table.url}/${one}`)
  assert.deepEqual([await on(first), await on(second)].map(lengthOf), [0, 1])
  const item = await trashItem(server, 'datatable_entry', one)
  await restore(server, item)
  assert.equal((await on(first)).length, 1)
  await remove(server, `${table.url}/${one}`)
  await discard('datatable_entry', one)
  await remove(server, table.path)
  assert.deepEqual(await on(second), [])
  await discard('datatable', table.id)
  await remove(server, `/api/v2/${file}`)
  await discard('asset_file', Number(file.split('/')[1]))

  // A start removes the comments that were left.
  await server.stop()
  server = await startTestServer({ dataDir })
  for (;;) {
    const { body } = await server.call('GET', CHANGES)
    const ends = body.change.filter(
      (item: any) => item.object === 'comment' && item.user_name === null,
    )
    if (ends.length === 3) break
    await sleep(20)
  }
})

async function discard(object: string, id: number): Promise<void> {
  const { trash_id: trashId } = await trashItem(server, object, id)
  await remove(server, `/api/v2/trash/${trashId}`)
}

test('the comments of a deleted user stay', async () => {
  const target = await page()
  const call = { ...as('ada'), json: { target, text: 'I was here.' } }
  const { body: made } = await server.call('POST', LIST, call)
  await remove(server, `/api/v2/user/${ids['ada']}`)
  assert.deepEqual(await on(target), [made])
})
