// Reads everything that a client can read of a sequence's folder and compares it with the model.

import assert from 'node:assert/strict'
import { liveName, type Model } from './state.ts'
import type { World as Whole } from './world.ts'

type World = Pick<Whole, 'call'>

export async function compareAll(model: Model, world: World): Promise<void> {
  await compareRecords(model, world)
  for (const id of model.files.keys()) await compareVersions(model, world, id)
  for (const id of model.tables.keys()) await compareEntries(model, world, id)
  await compareKeys(model, world)
}

async function compareRecords(model: Model, world: World): Promise<void> {
  const inside = [...model.folders.keys()]
  const folders = await list(world, 'asset_category', { parent_category_id: { $in: inside } })
  const expected = [...model.folders].filter(([id]) => id !== model.root)
  assert.deepEqual(
    folders.map((folder) => [folder.asset_category_id, folder.name, folder.parent_category_id]),
    sorted(expected.map(([id, { name, parent }]) => [id, name, parent])),
  )

  const files = await list(world, 'asset_file', { parent_category_id: { $in: inside } })
  assert.deepEqual(
    files.map((file) => [
      ...[file.asset_file_id, file.name, file.parent_category_id, file.title, file.version],
      ...[file.live_version, file.staged_version, file.fileState],
    ]),
    sorted(
      [...model.files].map(([id, { name, parent, versions, live, staged, state }]) => [
        ...[id, name, parent, versions.at(-1)?.title, versions.length, live, staged, state],
      ]),
    ),
  )

  const groups = await list(world, 'file_group', { parent_category_id: { $in: inside } })
  assert.deepEqual(
    groups.map((group) => [group.file_group_id, group.name, group.asset_file_ids]),
    sorted([...model.groups].map(([id, { name, files }]) => [id, name, files])),
  )
  const tables = await list(world, 'datatable', { parent_category_id: { $in: inside } })
  assert.deepEqual(
    tables.map((table) => [table.datatable_id, table.module_url, table.entry_count]),
    sorted([...model.tables].map(([id, { url, entries }]) => [id, url, entries.size])),
  )
}

/** Compares the bytes of every version, the live content and the staged content. */
async function compareVersions(model: Model, world: World, id: number): Promise<void> {
  const file = model.files.get(id)
  const path = `/api/v2/asset_file/${id}`
  const { body } = await world.call('GET', path)
  assert.equal(body.pageContent, file?.versions.at(-1)?.text)
  assert.equal(decodeURIComponent(body.url.split('/').at(-1)), file && liveName(file))
  const listed = await world.call('GET', `${path}/versions?length=1000`)
  assert.equal(listed.body.asset_file_version.length, file?.versions.length)

  const texts = await Promise.all(
    (file?.versions ?? []).map((_, index) =>
      world.call('GET', `${path}/versions/${index + 1}/content`),
    ),
  )
  assert.deepEqual(
    texts.map(({ text }) => text),
    file?.versions.map(({ text }) => text),
  )
  for (const [query, number] of [
    ['', file?.live],
    ['?state=stage', file?.staged],
  ] as const) {
    const { status, text } = await world.call('GET', `${body.url}${query}`)
    if (number === null || number === undefined) assert.equal(status, 404)
    else assert.deepEqual([status, text], [200, file?.versions[number - 1]?.text])
  }
}

async function compareEntries(model: Model, world: World, id: number): Promise<void> {
  const table = model.tables.get(id)
  const url = table?.url ?? ''
  const pages: any[] = []
  for (let next: string | null = ''; next !== null; ) {
    const cursor: string = next === '' ? '' : `&cursor=${next}`
    const { body } = await world.call('GET', `${url}?length=2${cursor}`)
    pages.push(...body.datatable_entry)
    next = body.page.next
  }
  const entries = [...(table?.entries ?? [])]
  assert.deepEqual(
    pages.map(({ datatable_entry_id: entryId, a, b }) => [entryId, a, b]),
    sorted(entries.map(([entryId, { a, b }]) => [entryId, a, b])),
  )
  // Searches also read the indexes.
  for (const [entryId, { a, b }] of entries) {
    const qry = encodeURIComponent(JSON.stringify({ a, b }))
    const { body } = await world.call('GET', `${url}?qry=${qry}`)
    assert.ok(body.datatable_entry.some((entry: any) => entry.datatable_entry_id === entryId))
  }
}

async function compareKeys(model: Model, world: World): Promise<void> {
  for (const { secret: key, isActive, grants } of model.keys.values()) {
    const { status } = await world.call('GET', '/api/v2/asset_category/1', { key })
    assert.equal(status, isActive ? (grants.includes('view') ? 200 : 403) : 401)
  }
}

async function list(world: World, object: string, match: object): Promise<readonly any[]> {
  const qry = encodeURIComponent(JSON.stringify(match))
  const { body, text } = await world.call(
    'GET',
    `/api/v2/${object}?qry=${qry}&length=1000&orderStr=${object}_id`,
  )
  assert.ok(Array.isArray(body[object]), text)
  return body[object]
}

/** Sorts rows by identifier, as lists return them. */
function sorted(rows: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] {
  return rows.toSorted(([left], [right]) => Number(left) - Number(right))
}
