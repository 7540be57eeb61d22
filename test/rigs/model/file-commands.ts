// Commands on files: create, upload, change, move pointers, restore, delete, and kill the server
// during a save.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import {
  anyCondition,
  anyName,
  anyOne,
  anyOutage,
  anyState,
  anyText,
  anyTitle,
  type Command,
  command,
  conditional,
  defined,
  expectAnswer,
  pick,
} from './command.ts'
import {
  changeFile,
  type File,
  type FileChange,
  findName,
  isTaken,
  liveName,
  movePointer,
  placesOf,
  removeFile,
  restore,
  unpublish,
  unstage,
} from './state.ts'
import type { Answer } from '../../helpers/server.ts'
import type { World } from './world.ts'

const PATH = '/api/v2/asset_file'

const create = command({
  name: 'createFile',
  args: fc.record({
    folder: anyOne,
    name: anyName,
    text: anyText,
    title: anyTitle,
    state: anyState,
  }),
  async run(model, world, { folder, name, text, title, state }) {
    const [parent] = pick(model.folders, folder)
    const fields = { name, type: 'html', parent_category_id: parent, pageContent: text, title }
    const answer = await world.call('POST', PATH, {
      json: defined({ ...fields, fileState: state }),
    })

    const taken = findName(placesOf(model.files), { name, parent })
    if (taken !== undefined)
      return assert.equal(expectAnswer(answer, 409, 'name-taken').asset_file_id, taken)
    const folderOfName = findName(model.folders, { name, parent })
    if (folderOfName !== undefined)
      return assert.equal(expectAnswer(answer, 409, 'name-taken').asset_category_id, folderOfName)
    const { asset_file_id: id } = expectAnswer(answer, 201)
    assert.ok(![...model.files.keys()].some((other) => other >= id), 'identifiers grow')
    model.files.set(id, newFile({ name, parent, text, title, state }))
  },
})

function newFile({
  name,
  parent,
  text,
  title,
  state,
}: FileChange & Pick<File, 'name' | 'parent'>): File {
  const versions = [{ name, text: text ?? '', title: title ?? null }]
  const file = { name, parent, versions, live: null, staged: null, state: null }
  return state === undefined ? file : movePointer(file, state, 1)
}

const uploadNew = command({
  name: 'uploadFile',
  args: fc.record({ folder: anyOne, name: anyName, text: anyText, state: anyState }),
  async run(model, world, { folder, name, text, state }) {
    const [parent] = pick(model.folders, folder)
    const answer = await world.upload([
      { name: 'Filedata', fileName: name, bytes: Buffer.from(text) },
      { name: 'asset_category_id', value: String(parent) },
      ...(state === undefined ? [] : [{ name: 'fileState', value: state }]),
    ])
    if (isTaken(model, { name, parent })) return void expectAnswer(answer, 409, 'name-taken')
    const { asset_file_id: id } = expectAnswer(answer, 201)
    model.files.set(id, newFile({ name, parent, text, title: null, state }))
  },
})

const uploadOver = command({
  name: 'replaceFile',
  needs: 'files',
  args: fc.record({ file: anyOne, text: anyText }),
  async run(model, world, { file: number, text }) {
    const [id, file] = pick(model.files, number)
    const answer = await world.upload([
      { name: 'asset_file_id', value: String(id) },
      { name: 'Filedata', fileName: 'other.bin', bytes: Buffer.from(text) },
    ])
    expectAnswer(answer, 200)
    // An upload saves a version even if the bytes are unchanged.
    const title = file.versions.at(-1)?.title ?? null
    model.files.set(id, { ...file, versions: [...file.versions, { name: file.name, text, title }] })
  },
})

const anyChange = fc.record(
  { text: anyText, title: anyTitle, name: anyName, folder: anyOne, state: anyState },
  { requiredKeys: [] },
)

const update = command({
  name: 'updateFile',
  needs: 'files',
  args: fc.record({ file: anyOne, change: anyChange, ifMatch: anyCondition }),
  async run(model, world, { file: number, change, ifMatch }) {
    const [id, file] = pick(model.files, number)
    const { folder, ...rest } = change
    const parent = folder === undefined ? undefined : pick(model.folders, folder)[0]
    const { text, title, name, state } = rest
    const json = defined({
      pageContent: text,
      title,
      name,
      parent_category_id: parent,
      fileState: state,
    })
    const answer = await world.call('POST', `${PATH}/${id}`, conditional(json, ifMatch))

    if (ifMatch !== undefined) return void expectAnswer(answer, 412, 'precondition-failed')
    const place = { name: name ?? file.name, parent: parent ?? file.parent }
    const places = [place, { name: liveName(file), parent: place.parent }]
    if (places.some((wanted) => isTaken(model, wanted, id)))
      return void expectAnswer(answer, 409, 'name-taken')
    const next = changeFile(file, { ...rest, parent })
    assert.equal(expectAnswer(answer, 200).version, next.versions.length)
    model.files.set(id, next)
  },
})

/** Publishes, stages, unpublishes, unstages or restores a version, which may not exist. */
const move = command({
  name: 'moveFile',
  needs: 'files',
  args: fc.record({
    file: anyOne,
    action: fc.constantFrom(
      ...[
        'publish',
        'publish?version',
        'stage',
        'stage?version',
        'unpublish',
        'unstage',
        'restore',
      ],
    ),
    version: fc.integer({ min: 1, max: 6 }),
    ifMatch: anyCondition,
  }),
  async run(model, world, { file: number, action, version, ifMatch }) {
    const [id, file] = pick(model.files, number)
    const query = action.endsWith('?version') ? `${action}=${version}` : action
    const path = action === 'restore' ? `versions/${version}/restore` : query
    const answer = await world.call(
      'POST',
      `${PATH}/${id}/${path}`,
      conditional(undefined, ifMatch),
    )

    if (ifMatch !== undefined) return void expectAnswer(answer, 412)
    const isNumbered = action.endsWith('?version') || action === 'restore'
    if (isNumbered && version > file.versions.length) return void expectAnswer(answer, 404)
    // The staged version is never older than the live version.
    if (action === 'stage?version' && version < (file.live ?? 0))
      return void expectAnswer(answer, 422)
    const next = moved(file, action, version)
    // The name of the older version may belong to another file by now.
    const wanted = { name: liveName(next), parent: file.parent }
    if (isTaken(model, wanted, id)) return void expectAnswer(answer, 409, 'name-taken')
    const { live_version: live, staged_version: staged } = expectAnswer(answer, 200)
    assert.deepEqual([live, staged], [next.live, next.staged])
    model.files.set(id, next)
  },
})

function moved(file: File, action: string, version: number): File {
  if (action === 'restore') return restore(file, version)
  if (action === 'unpublish') return unpublish(file)
  if (action === 'unstage') return unstage(file)
  if (action === 'publish?version') return movePointer(file, 'publish', version)
  if (action === 'stage?version') return movePointer(file, 'stage', version)
  return movePointer(file, action === 'stage' ? 'stage' : 'publish', file.versions.length)
}

const remove = command({
  name: 'deleteFile',
  needs: 'files',
  args: fc.record({ file: anyOne, ifMatch: anyCondition }),
  async run(model, world, { file: number, ifMatch }) {
    const [id] = pick(model.files, number)
    const answer = await world.call('DELETE', `${PATH}/${id}`, conditional(undefined, ifMatch))
    if (ifMatch !== undefined) return void expectAnswer(answer, 412)
    expectAnswer(answer, 204)
    removeFile(model, id)
    expectAnswer(await world.call('GET', `${PATH}/${id}`), 404, 'not-found')
  },
})

/**
 * The save is complete or absent; an acknowledged save is there. A retry creates no second version.
 */
const killInSave = command({
  name: 'killInSave',
  needs: 'files',
  args: fc.record({
    file: anyOne,
    waitMs: fc.integer({ min: 0, max: 12 }),
    isSentAgain: fc.boolean(),
    ...anyOutage,
  }),
  async run(model, world, { file: number, waitMs, isSentAgain, ...outage }) {
    const [id, file] = pick(model.files, number)
    const text = `saved when it was killed, after ${file.versions.length}`
    const json = { pageContent: text, fileState: 'publish' }
    saves += 1
    const headers = { 'idempotency-key': `save-${saves}` }
    const send = (): Promise<Answer> => world.call('POST', `${PATH}/${id}`, { json, headers })
    const saving = send().then(
      ({ status }) => status,
      () => 0,
    )
    await sleep(waitMs)
    const isAskedEnded = await world.restart({ signal: 'SIGKILL', ...outage })
    const status = await saving
    if (!isAskedEnded) assert.equal(status, 200, 'another node was killed')

    if (isSentAgain) expectAnswer(await send(), 200)
    else await world.settle()
    const next = changeFile(file, { text, state: 'publish' })
    model.files.set(id, (await isThere(world, id, file)) ? next : file)
    if (status === 200 || isSentAgain)
      assert.equal(model.files.get(id), next, 'an answered save is lost')
  },
})

let saves = 0

async function isThere(world: World, id: number, before: File): Promise<boolean> {
  const { version } = expectAnswer(await world.call('GET', `${PATH}/${id}`), 200)
  const added = version - before.versions.length
  assert.ok(added === 0 || added === 1, `version ${version}`)
  return added === 1
}

/** Each sequence begins with files to work on and contains a kill. */
export const firstFileCommands: readonly fc.Arbitrary<Command>[] = [
  create,
  create,
  update,
  move,
  killInSave,
]

export const fileCommands: readonly fc.WeightedArbitrary<Command>[] = [
  { weight: 5, arbitrary: create },
  { weight: 2, arbitrary: uploadNew },
  { weight: 2, arbitrary: uploadOver },
  { weight: 6, arbitrary: update },
  { weight: 5, arbitrary: move },
  { weight: 1, arbitrary: remove },
  { weight: 2, arbitrary: killInSave },
]
