// A follower that reads each reported record again ends with the same records as the lists, for any key and
// any sequence of changes.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { make, makeFolder } from '../../helpers/content.ts'
import { CHANGES, idsIn } from '../../helpers/follow.ts'
import { openRandom, type Random } from '../../rigs/random.ts'
import { SEED } from '../../helpers/seed.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

const IN_FOLDERS = ['asset_category', 'asset_file', 'file_group', 'datatable', 'calendar'] as const
const ALL = [...IN_FOLDERS, 'user', 'api_key'] as const
const STEPS = 250

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

interface Replica {
  readonly key: string
  readonly objects: readonly string[]
  readonly ids: Set<string>
  next: string
}

const asker =
  (key: string) =>
  (path: string): Promise<Answer> =>
    server.call('GET', path, { key })

async function openReplica(key: string, objects: readonly string[]): Promise<Replica> {
  const { body } = await asker(key)(CHANGES)
  const ids = new Set(await idsIn(asker(key), objects))
  return { key, objects, ids, next: body.page.next }
}

/** Follows in pages of any length, so that pages end in the middle of commits. */
async function follow(replica: Replica, length: number): Promise<void> {
  const { key, objects, ids } = replica
  for (;;) {
    const path = `${CHANGES}?length=${length}&since=${replica.next}&object=${objects.join(',')}`
    const { status, body, text } = await asker(key)(path)
    assert.equal(status, 200, text)
    for (const { object, object_id: id } of body.change) {
      const found = await asker(key)(`/api/v2/${object}/${id}`)
      if (found.status === 200) ids.add(`${object} ${id}`)
      else ids.delete(`${object} ${id}`)
      // When a folder becomes visible or disappears, the log does not report its contents individually.
      if (object === 'asset_category' && key !== server.key) await readAll(replica)
    }
    replica.next = body.page.next
    if (body.change.length < length) return
  }
}

async function readAll({ key, objects, ids }: Replica): Promise<void> {
  const now = await idsIn(asker(key), objects)
  ids.clear()
  for (const id of now) ids.add(id)
}

interface World {
  readonly folders: number[]
  readonly files: number[]
  readonly groups: number[]
}

test('a replica from the change feed equals the lists, for a full key and for a key of a folder', async () => {
  const random = openRandom(SEED)
  const top = (await makeFolder(server)).asset_category_id
  const other = (await makeFolder(server)).asset_category_id
  const world: World = { folders: [top, other], files: [], groups: [] }
  const narrow = await server.makeKey({ name: 'narrow', grants: 'view', category: top })
  const replicas = [
    await openReplica(server.key, ALL),
    await openReplica(narrow, IN_FOLDERS),
    await openReplica(server.key, ['file_group', 'asset_file']),
  ]
  for (let step = 0; step < STEPS; step += 1) {
    await doSomething(world, random, step)
    if (step % 50 === 49)
      for (const replica of replicas) await follow(replica, 1 + random.below(30))
  }
  for (const replica of replicas) {
    await follow(replica, 1 + random.below(30))
    const wanted = await idsIn(asker(replica.key), replica.objects)
    assert.deepEqual([...replica.ids].toSorted(), [...wanted].toSorted())
  }
})

function pick(random: Random, from: readonly number[]): number {
  return from[random.below(from.length)] ?? 1
}

async function doSomething({ folders, files, groups }: World, random: Random, step: number) {
  const post = (path: string, json: object): Promise<Answer> => server.call('POST', path, { json })
  const parent_category_id = pick(random, folders)
  const file = `/api/v2/asset_file/${pick(random, files)}`
  // The folder may have been deleted.
  const create = async (object: string, json: object, ids: number[]): Promise<void> => {
    const { status, body } = await post(`/api/v2/${object}`, { parent_category_id, ...json })
    if (status === 201) ids.push(body[`${object}_id`])
  }
  const page = { name: `page-${step}.html`, type: 'html' }
  const deeds: readonly (() => Promise<unknown>)[] = [
    () => create('asset_file', page, files),
    () => create('asset_file', { ...page, fileState: 'publish' }, files),
    async () => {
      const list = [1, 2, 3].map((at) => ({
        name: `list-${step}-${at}.html`,
        type: 'html',
        parent_category_id,
      }))
      const { body } = await post('/api/v2/asset_file', list)
      for (const one of body.asset_file ?? []) files.push(one.asset_file_id)
    },
    () => create('asset_category', { name: `folder-${step}` }, folders),
    () => {
      const asset_file_ids = [...new Set([pick(random, files), pick(random, files)])]
      return create('file_group', { name: 'g', asset_file_ids }, groups)
    },
    () => create('datatable', { name: `t${step}`, table_schema: 'a I' }, []),
    () => create('calendar', { name: `c${step}` }, []),
    () => make(server, 'user', { name: `user-${step}`, role: 'viewer' }),
    () => make(server, 'api_key', { name: 'key', grants: [] }),
    () => post(file, { parent_category_id }),
    () => post(file, { title: 'changed' }),
    () => post(`${file}/publish`, {}),
    () => server.call('DELETE', file),
    () => post(`/api/v2/file_group/${pick(random, groups)}`, { parent_category_id }),
    () => server.call('DELETE', `/api/v2/file_group/${pick(random, groups)}`),
    () => server.call('DELETE', `/api/v2/user/${2 + random.below(20)}`),
    // The first two folders are excluded because the keys depend on them.
    () => removeFolder(folders.slice(2)),
    () => post(`/api/v2/asset_category/${pick(random, folders.slice(2))}`, { parent_category_id }),
  ]
  await deeds[random.below(deeds.length)]?.()

  async function removeFolder(others: readonly number[]): Promise<void> {
    if (others.length === 0) return
    await server.call('DELETE', `/api/v2/asset_category/${pick(random, others)}?recursive=true`)
  }
}
