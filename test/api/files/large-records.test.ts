// Files with records of nearly a mebibyte: work on many of them takes several commits, or is refused as one commit.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, make, makeFile, makeFolder, newName } from '../../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { remove, restore, trashItem, untilGone } from '../../helpers/trash.ts'

const FILE = '/api/v2/asset_file'
const FOLDER = '/api/v2/asset_category'
const COUNT = 6
const description = 'A description may fill the body of a request. '
  .repeat(20_000)
  .slice(0, 900_000)

let server: TestServer
let folder: number
let ids: readonly number[]
before(async () => {
  server = await startTestServer()
  folder = (await makeFolder(server, { parent_category_id: 1 })).asset_category_id
  const made: number[] = []
  for (let at = 0; at < COUNT; at += 1)
    made.push((await makeFile(server, { parent_category_id: folder, description })).asset_file_id)
  ids = made
})
after(() => server.close())

async function filesIn(folderId: number): Promise<readonly any[]> {
  const qry = encodeURIComponent(JSON.stringify({ parent_category_id: folderId }))
  const fields = 'asset_file_id,title,state'
  const answer = await server.call('GET', `${FILE}?length=100&fields=${fields}&qry=${qry}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.asset_file
}

const statesIn = async (folderId: number): Promise<readonly string[]> =>
  (await filesIn(folderId)).map(({ state }) => state)

const all = (state: string): readonly string[] => Array<string>(COUNT).fill(state)

test('a batch of mode all with too many bytes of rows is refused, and changes nothing', async () => {
  const operations = ids.map((id) => ({
    op: 'update',
    asset_file_id: id,
    fields: { title: 'new' },
  }))
  const refused = await server.call('POST', '/api/v2/batch', { json: { mode: 'all', operations } })
  assertProblem(refused, 'too-large')
  assert.ok((await filesIn(folder)).every(({ title }) => title !== 'new'))
  const each = await server.call('POST', '/api/v2/batch', { json: { mode: 'each', operations } })
  assert.equal(each.body.succeeded, COUNT)
})

test('a folder is published, copied, deleted and restored in several commits', async () => {
  const published = await server.call('POST', `${FOLDER}/${folder}/publish`)
  assert.deepEqual(
    [published.body.changed, published.body.failed_count],
    [COUNT, 0],
    published.text,
  )
  assert.deepEqual(await statesIn(folder), all('published'))

  const copy = await make(server, 'asset_category', { name: newName() })
  const copied = await server.call('POST', `${FOLDER}/${folder}/copy`, {
    json: { parent_category_id: copy.asset_category_id, name: 'copy' },
  })
  assert.equal(copied.body.copied.files, COUNT, copied.text)
  assert.equal((await filesIn(copied.body.asset_category_id)).length, COUNT)

  await remove(server, `${FOLDER}/${folder}?recursive=true`)
  const item = await trashItem(server, 'asset_category', folder)
  assert.equal(item.count, COUNT + 1)
  assert.equal((await restore(server, item)).status, 200)
  await untilGone(server, item)
  assert.deepEqual(await statesIn(folder), all('published'))
})

test('all records of a folder leave the trash for good', async () => {
  await remove(server, `${FOLDER}/${folder}?recursive=true`)
  const item = await trashItem(server, 'asset_category', folder)
  await remove(server, `/api/v2/trash/${item.trash_id}`)
  for (const id of ids)
    assertProblem(await server.call('GET', `${FILE}/${id}/versions`), 'not-found')
})

test('the fields beside pageContent are bounded, also in a request that may have a long text', async () => {
  const file = { type: 'html', parent_category_id: 1, pageContent: 'x' }
  const long = { ...file, description: description.repeat(2) }
  const create = (json: object): Promise<Answer> => server.call('POST', FILE, { json })
  assertProblem(await create({ ...long, name: newName() }), 'too-large')
  const list = Array.from({ length: 3 }, () => ({ ...file, name: newName(), description }))
  assertProblem(await create(list), 'too-large')
  assert.equal((await create(list.slice(1))).status, 201)
  const { asset_file_id: id } = await makeFile(server)
  const { description: text } = long
  const update = { pageContent: 'y', description: text }
  assertProblem(await server.call('POST', `${FILE}/${id}`, { json: update }), 'too-large')
})
