// The limits of folder depth and path length. Changes within the limits are accepted, and a new folder, a
// move or a rename of a parent folder cannot exceed them.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { LIMITS } from '../../../lib/config/limits.ts'
import { assertProblem, make, newName, pointersOf, read } from '../../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

const FOLDER = '/api/v2/asset_category'
const ROOT_PATH_BYTES = '/Main'.length

let server: TestServer
before(async () => {
  server = await startTestServer({ dataDir: newDataDirectory() })
})
after(async () => {
  await server.stop()
  removeDataDirectories()
})

const post = (id: number, json: object): Promise<Answer> =>
  server.call('POST', `${FOLDER}/${id}`, { json })

async function refused(answer: Promise<Answer>, pointer: string): Promise<void> {
  const given = await answer
  assertProblem(given, 'invalid-content')
  assert.deepEqual(pointersOf(given), [pointer])
}

/** Makes nested folders and returns their identifiers from the top. */
async function chain(levels: number, parentId: number, name = newName('d')): Promise<number[]> {
  const ids: number[] = []
  for (let level = 0; level < levels; level++) {
    const parent_category_id = ids.at(-1) ?? parentId
    const folder = await make(server, 'asset_category', {
      name: ids.length === 0 ? name : 'n',
      parent_category_id,
    })
    ids.push(folder.asset_category_id)
  }
  return ids
}

const create = (parent_category_id: number, name = 'one more'): Promise<Answer> =>
  server.call('POST', FOLDER, { json: { name, parent_category_id } })

const last = (ids: readonly number[]): number => ids.at(-1) ?? 0

test('folders can be nested 64 levels deep, and no deeper', async () => {
  const ids = await chain(LIMITS.maxFolderDepth - 1, 1)
  await refused(create(last(ids)), '/parent_category_id')
  assert.equal((await create(ids.at(-2) ?? 0)).status, 201)
  const { body } = await read(server, `${FOLDER}/${last(ids)}?fields=path`)
  assert.equal(body.path.split('/').length, LIMITS.maxFolderDepth + 1)
})

test('a move includes the subtree and is refused if the subtree would be too deep', async () => {
  const ids = await chain(40, 1)
  const moved = await chain(24, 1)
  await refused(post(moved[0] ?? 0, { parent_category_id: last(ids) }), '/parent_category_id')
  assert.equal((await post(moved[0] ?? 0, { parent_category_id: ids.at(-2) })).status, 200)
  await refused(create(last(moved)), '/parent_category_id')

  // The limit is the same for a move of one level. A move upwards makes room again.
  await refused(post(moved[0] ?? 0, { parent_category_id: last(ids) }), '/parent_category_id')
  assert.equal((await post(moved[0] ?? 0, { parent_category_id: 1 })).status, 200)
  assert.equal((await create(last(moved))).status, 201)
})

test('the path of a folder has at most 4,096 bytes in UTF-8, not counting the names of files', async () => {
  const name = 'ä'.repeat(200)
  const ids = await chain(1, 1, name)
  const perLevel = 1 + Buffer.byteLength(name)
  const levels = Math.floor((LIMITS.maxPathBytes - ROOT_PATH_BYTES) / perLevel)
  for (let level = 1; level < levels; level++)
    ids.push((await create(last(ids), name)).body.asset_category_id)

  await refused(create(last(ids), name), '/name')
  const room = LIMITS.maxPathBytes - ROOT_PATH_BYTES - levels * perLevel
  await refused(create(last(ids), 'x'.repeat(room)), '/name')
  const { body, status } = await create(last(ids), 'x'.repeat(room - 1))
  assert.equal(status, 201)
  assert.equal(Buffer.byteLength(body.path), LIMITS.maxPathBytes)

  const file = { name: newName(), type: 'html', parent_category_id: body.asset_category_id }
  await make(server, 'asset_file', file)
})

test('a longer name is refused if a path below would be too long; a shorter name is accepted', async () => {
  const ids = await chain(1, 1)
  const [top = 0] = ids
  const { name } = (await read(server, `${FOLDER}/${top}`)).body
  const below = 15 * 256
  for (let level = 0; level < 15; level++)
    ids.push((await create(last(ids), 'x'.repeat(255))).body.asset_category_id)
  const room = LIMITS.maxPathBytes - ROOT_PATH_BYTES - 1 - name.length - below
  assert.ok(room > 0 && room < 250, `${room}`)

  assert.equal((await post(top, { name: name + 'z'.repeat(room) })).status, 200)
  await refused(post(top, { name: name + 'z'.repeat(room + 1) }), '/name')
  assert.equal((await post(top, { name })).status, 200)
  // The test above leaves a path of the maximum length.
  await refused(post(1, { name: 'Main 2' }), '/name')
  assert.equal((await post(1, { name: 'Site' })).status, 200)
})

test('folders that are created or moved below a moving folder obey the limit of depth', async () => {
  const [target = 0] = (await chain(39, 1)).slice(-1)
  const ids = await chain(24, 1)
  const [top = 0] = ids
  // Many folders, so that measuring takes a while and the server handles other requests in between.
  for (let at = 0; at < 1_500; at += 50)
    await Promise.all(Array.from({ length: 50 }, () => create(top, newName())))

  for (let round = 0; round < 10; round++) {
    const [other = 0] = await chain(2, 1)
    const answers = await Promise.all([
      post(top, { parent_category_id: target }),
      ...Array.from({ length: 8 }, async (_, at) => {
        await wait(3 * at)
        return at === 4
          ? post(other, { parent_category_id: last(ids) })
          : create(last(ids), newName())
      }),
    ])
    for (const { status, text } of answers) assert.ok([200, 201, 422, 503].includes(status), text)
    for await (const { path } of everyFolder())
      assert.ok(path.split('/').length - 1 <= LIMITS.maxFolderDepth, path)

    // Restores the initial state for the next round.
    await post(top, { parent_category_id: 1 })
    const { body } = await read(server, `${FOLDER}?qry={"parent_category_id":${last(ids)}}`)
    for (const { asset_category_id: id } of body.asset_category)
      await server.call('DELETE', `${FOLDER}/${id}?recursive=true`)
  }
})

async function* everyFolder(): AsyncGenerator<{ readonly path: string }> {
  let query = '?length=1000&fields=path'
  while (query !== '') {
    const { body } = await read(server, `${FOLDER}${query}`)
    yield* body.asset_category
    const { next } = body.page
    query = next === null ? '' : `?length=1000&fields=path&cursor=${next}`
  }
}

test('deeper folders from an earlier limit can be read, moved up and deleted', async () => {
  const dataDir = newDataDirectory()
  const earlier = await startTestServer({ dataDir, limits: { maxFolderDepth: 300 } })
  const ids: number[] = []
  for (let level = 0; level < 100; level++) {
    const folder = { name: `old ${level}`, parent_category_id: ids.at(-1) ?? 1 }
    ids.push((await make(earlier, 'asset_category', folder)).asset_category_id)
  }
  await earlier.stop()

  const later = await startTestServer({ dataDir })
  const { key } = later
  const change = (id: number, json: object): Promise<Answer> =>
    later.call('POST', `${FOLDER}/${id}`, { json, key })
  try {
    const { body } = await read(later, `${FOLDER}?length=1000&orderStr=asset_category_id`)
    const deepest = body.asset_category.at(-1)
    assert.equal(deepest.path, `/Main/${ids.map((_, level) => `old ${level}`).join('/')}`)
    await refused(
      later.call('POST', FOLDER, { json: { name: 'x', parent_category_id: last(ids) } }),
      '/parent_category_id',
    )
    assert.equal((await change(ids[90] ?? 0, { parent_category_id: ids[80] })).status, 200, 'up')
    assert.equal((await change(ids[90] ?? 0, { title: 'Still there', name: 'o' })).status, 200)
    assert.equal((await change(ids[10] ?? 0, { name: 'renamed' })).status, 200, 'no deeper by it')
    const removed = await later.call('DELETE', `${FOLDER}/${ids[0]}?recursive=true`)
    assert.equal(removed.status, 204)
  } finally {
    await later.stop()
  }
})
