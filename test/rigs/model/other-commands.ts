// Commands on folders, groups, datatables with their entries, and keys; and restarts of the server.

import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  anyCondition,
  anyEntry,
  anyName,
  anyOne,
  anyOutage,
  type Command,
  command,
  conditional,
  expectAnswer,
  pick,
} from './command.ts'
import {
  changeFile,
  countIn,
  findName,
  isInside,
  type Key,
  placesOf,
  removeFolder,
} from './state.ts'

const FOLDER = '/api/v2/asset_category'
const GROUP = '/api/v2/file_group'
const KEY = '/api/v2/api_key'

const createFolder = command({
  name: 'createFolder',
  args: fc.record({ folder: anyOne, name: anyName }),
  async run(model, world, { folder, name }) {
    const [parent] = pick(model.folders, folder)
    const answer = await world.call('POST', FOLDER, { json: { name, parent_category_id: parent } })
    const taken = findName(model.folders, { name, parent })
    if (taken !== undefined)
      return assert.equal(expectAnswer(answer, 409, 'name-taken').asset_category_id, taken)
    if (findName(placesOf(model.files), { name, parent }) !== undefined)
      return void expectAnswer(answer, 409, 'name-taken')
    model.folders.set(expectAnswer(answer, 201).asset_category_id, { name, parent })
  },
})

const moveFolder = command({
  name: 'moveFolder',
  args: fc.record({ folder: anyOne, target: anyOne, name: anyName, ifMatch: anyCondition }),
  async run(model, world, { folder: number, target, name, ifMatch }) {
    const [id] = pick(model.folders, number)
    if (id === model.root) return
    const [parent] = pick(model.folders, target)
    const json = { name, parent_category_id: parent }
    const answer = await world.call('POST', `${FOLDER}/${id}`, conditional(json, ifMatch))

    if (ifMatch !== undefined) return void expectAnswer(answer, 412)
    if (isInside(model, parent, id)) return void expectAnswer(answer, 422)
    const place = { name, parent }
    if (
      (findName(model.folders, place, id) ?? findName(placesOf(model.files), place)) !== undefined
    )
      return void expectAnswer(answer, 409, 'name-taken')
    expectAnswer(answer, 200)
    model.folders.set(id, { name, parent })
  },
})

const deleteFolder = command({
  name: 'deleteFolder',
  args: fc.record({ folder: anyOne, isRecursive: fc.boolean() }),
  async run(model, world, { folder: number, isRecursive }) {
    const [id] = pick(model.folders, number)
    if (id === model.root) return
    const answer = await world.call(
      'DELETE',
      `${FOLDER}/${id}${isRecursive ? '?recursive=true' : ''}`,
    )
    if (!isRecursive && countIn(model, id) > 0) return void expectAnswer(answer, 409, 'not-empty')
    expectAnswer(answer, 204)
    removeFolder(model, id)
  },
})

const saveGroup = command({
  name: 'saveGroup',
  args: fc.record({
    folder: anyOne,
    group: anyOne,
    name: anyName,
    picks: fc.array(anyOne, { maxLength: 4 }),
  }),
  async run(model, world, { folder, group, name, picks }) {
    const [parent] = pick(model.folders, folder)
    const files = [
      ...new Set(model.files.size === 0 ? [] : picks.map((number) => pick(model.files, number)[0])),
    ]
    // Every third group names a missing file.
    const isWrong = group % 3 === 0
    const json = { name, asset_file_ids: isWrong ? [...files, 999_999] : files }
    const old = model.groups.size > 0 && group % 2 === 0 ? pick(model.groups, group) : undefined
    const answer =
      old === undefined
        ? await world.call('POST', GROUP, { json: { ...json, parent_category_id: parent } })
        : await world.call('POST', `${GROUP}/${old[0]}`, { json })

    if (isWrong) return void expectAnswer(answer, 422)
    const { file_group_id: id } = expectAnswer(answer, old === undefined ? 201 : 200)
    model.groups.set(id, { name, files, parent: old?.[1].parent ?? parent })
  },
})

const createTable = command({
  name: 'createTable',
  args: fc.record({ folder: anyOne }),
  async run(model, world, { folder }) {
    const [parent] = pick(model.folders, folder)
    const table_schema = 'a I NOTNULL, b C(20) UNIQUE'
    const json = { name: 'Table', parent_category_id: parent, table_schema }
    const answer = await world.call('POST', '/api/v2/datatable', { json })
    const { datatable_id: id, module_url: url } = expectAnswer(answer, 201)
    model.tables.set(id, { parent, url, entries: new Map() })
  },
})

const deleteTable = command({
  name: 'deleteTable',
  needs: 'tables',
  args: fc.record({ table: anyOne }),
  async run(model, world, { table }) {
    const [id, { url }] = pick(model.tables, table)
    expectAnswer(await world.call('DELETE', `/api/v2/datatable/${id}`), 204)
    model.tables.delete(id)
    expectAnswer(await world.call('GET', url), 404)
  },
})

/** A list of entries is created completely or not at all. */
const createEntries = command({
  name: 'createEntries',
  needs: 'tables',
  args: fc.record({ table: anyOne, list: fc.array(anyEntry, { minLength: 1, maxLength: 4 }) }),
  async run(model, world, { table, list }) {
    const [, { url, entries }] = pick(model.tables, table)
    const headers = { prefer: 'return=representation' }
    const answer = await world.call('POST', url, { json: list, headers })

    const values = [...entries.values(), ...list].map(({ b }) => b).filter((b) => b !== null)
    if (new Set(values).size < values.length) return void expectAnswer(answer, 409)
    for (const { datatable_entry_id: id, a, b } of expectAnswer(answer, 201).datatable_entry)
      entries.set(id, { a, b })
  },
})

const changeEntry = command({
  name: 'changeEntry',
  needs: 'tables',
  args: fc.record({
    table: anyOne,
    entry: anyOne,
    change: anyEntry,
    isRemoved: fc.boolean(),
    ifMatch: anyCondition,
  }),
  async run(model, world, { table, entry, change, isRemoved, ifMatch }) {
    const [, { url, entries }] = pick(model.tables, table)
    if (entries.size === 0) return
    const [id] = pick(entries, entry)
    const path = `${url}/${id}`
    const answer = isRemoved
      ? await world.call('DELETE', path, conditional(undefined, ifMatch))
      : await world.call('POST', path, conditional(change, ifMatch))

    if (ifMatch !== undefined) return void expectAnswer(answer, 412)
    const isTaken = [...entries].some(
      ([other, { b }]) => other !== id && b !== null && b === change.b,
    )
    if (!isRemoved && isTaken) return void expectAnswer(answer, 409)
    expectAnswer(answer, isRemoved ? 204 : 200)
    if (isRemoved) entries.delete(id)
    else entries.set(id, change)
  },
})

const createKey = command({
  name: 'createKey',
  args: fc.record({
    grants: fc.subarray(['view', 'create', 'modify', 'publish'], { minLength: 1 }),
  }),
  async run(model, world, { grants }) {
    const answer = await world.call('POST', KEY, { json: { name: 'Key', grants } })
    const { api_key_id: id, secret } = expectAnswer(answer, 201)
    model.keys.set(id, { secret, grants, isActive: true })
  },
})

/** Changes of a key (off, on, other grants, deleted) take effect at once. */
const changeKey = command({
  name: 'changeKey',
  needs: 'keys',
  args: fc.record({ key: anyOne, change: fc.constantFrom('off', 'on', 'view only', 'deleted') }),
  async run(model, world, { key, change }) {
    const [id, old] = pick(model.keys, key)
    if (change === 'deleted') {
      expectAnswer(await world.call('DELETE', `${KEY}/${id}`), 204)
      model.keys.delete(id)
      return void expectAnswer(await world.call('GET', FOLDER, { key: old.secret }), 401)
    }
    const json =
      change === 'view only'
        ? { grants: ['view'] }
        : { status: change === 'on' ? 'active' : 'inactive' }
    expectAnswer(await world.call('POST', `${KEY}/${id}`, { json }), 200)
    const next: Key =
      change === 'view only' ? { ...old, grants: ['view'] } : { ...old, isActive: change === 'on' }
    model.keys.set(id, next)
  },
})

const saveWithKey = command({
  name: 'saveWithKey',
  needs: 'keys',
  args: fc.record({ key: anyOne, file: anyOne }),
  async run(model, world, { key: number, file: fileNumber }) {
    if (model.files.size === 0) return
    const [, { secret: key, grants, isActive }] = pick(model.keys, number)
    const [id, file] = pick(model.files, fileNumber)
    const text = `by a key, after ${file.versions.length}`
    const answer = await world.call('POST', `/api/v2/asset_file/${id}`, {
      key,
      json: { pageContent: text },
    })
    if (!isActive) return void expectAnswer(answer, 401)
    if (!grants.includes('modify')) return void expectAnswer(answer, 403)
    expectAnswer(answer, 200)
    model.files.set(id, changeFile(file, { text }))
  },
})

/** No other command uses the name, so only the key can be the reason for a refusal. */
const createWithKey = command({
  name: 'createWithKey',
  needs: 'keys',
  args: fc.record({ key: anyOne, folder: anyOne }),
  async run(model, world, { key: number, folder }) {
    const [, { secret: key, grants, isActive }] = pick(model.keys, number)
    const [parent] = pick(model.folders, folder)
    const name = `by a key ${Math.max(0, ...model.files.keys())}`
    const json = { name, type: 'html', parent_category_id: parent, pageContent: name }
    const answer = await world.call('POST', '/api/v2/asset_file', { key, json })
    if (!isActive) return void expectAnswer(answer, 401)
    const mayCreate = grants.includes('create') || grants.includes('modify')
    if (!mayCreate) return void expectAnswer(answer, 403)
    const file = { name, parent, versions: [{ name, text: name, title: null }] }
    const { asset_file_id: id } = expectAnswer(answer, 201)
    model.files.set(id, { ...file, live: null, staged: null, state: null })
  },
})

const restart = command({
  name: 'restart',
  args: fc.record({
    signal: fc.constantFrom('SIGKILL' as const, 'SIGKILL' as const, 'SIGTERM' as const),
    ...anyOutage,
  }),
  run: async (_, world, outage) => void (await world.restart(outage)),
})

/** Each sequence begins with records to work on. */
export const firstOtherCommands: readonly fc.Arbitrary<Command>[] = [
  createFolder,
  createTable,
  createEntries,
  createKey,
]

export const otherCommands: readonly fc.WeightedArbitrary<Command>[] = [
  { weight: 3, arbitrary: createFolder },
  { weight: 2, arbitrary: moveFolder },
  { weight: 2, arbitrary: deleteFolder },
  { weight: 3, arbitrary: saveGroup },
  { weight: 2, arbitrary: createTable },
  { weight: 1, arbitrary: deleteTable },
  { weight: 4, arbitrary: createEntries },
  { weight: 4, arbitrary: changeEntry },
  { weight: 2, arbitrary: createKey },
  { weight: 2, arbitrary: changeKey },
  { weight: 3, arbitrary: saveWithKey },
  { weight: 2, arbitrary: createWithKey },
  { weight: 3, arbitrary: restart },
]
