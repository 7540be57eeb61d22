// Several keys save, rename, move, publish and delete files in public folders. After each command, a
// key with only the view grant and a visitor without a key request every address, and the key lists
// every folder. The answers must match the model: a draft changes nothing, and no address suddenly
// belongs to another file.

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { fileOf, make, makeFolder, newName, partsOf } from '../../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import {
  type Action,
  anyAction,
  type File,
  latestOf,
  NAMES,
  putFile,
  removeFile,
  saved,
  seenAt,
  shownOf,
  type Site,
} from './model.ts'

export interface PublishedOptions {
  readonly seed: number
  readonly sequences: number
  readonly maxCommands: number
  /** Called with each failing sequence before shrinking, which takes a while. */
  readonly onFailure?: (error: unknown) => void
}

export interface PublishedOutcome {
  readonly commands: number
  readonly acknowledged: number
  readonly looks: number
}

interface World {
  readonly server: TestServer
  readonly viewer: string
  readonly folders: readonly number[]
  readonly actors: Readonly<Record<string, string>>
  readonly site: Site
  readonly counts: { commands: number; acknowledged: number; looks: number }
}

/** Rejects with the shortest failing sequence. */
export async function runPublished(options: PublishedOptions): Promise<PublishedOutcome> {
  const server = await startTestServer()
  const counts = { commands: 0, acknowledged: 0, looks: 0 }
  try {
    const viewer = await server.makeKey({ name: newName('viewer'), grants: 'view' })
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyAction, { minLength: 1, maxLength: options.maxCommands, size: 'max' }),
        async (actions) => {
          const world = await openWorld({ server, viewer, counts })
          try {
            for (const action of actions) {
              await act(world, action)
              await look(world, JSON.stringify(action))
            }
          } catch (error) {
            options.onFailure?.(error)
            throw error
          }
        },
      ),
      { seed: options.seed, numRuns: options.sequences },
    )
    return counts
  } finally {
    await server.close()
  }
}

async function openWorld(given: Pick<World, 'server' | 'viewer' | 'counts'>): Promise<World> {
  const { server } = given
  const folder = async () =>
    (await makeFolder(server, { public: true })).asset_category_id as number
  const folders = [await folder(), await folder()]
  const actorOf = async (role: string, ids: readonly number[]) => {
    const category_roles = ids.map((asset_category_id) => ({ asset_category_id, role }))
    const user = await make(server, 'user', { name: newName('user'), category_roles })
    const key = await make(server, 'api_key', { name: newName('key'), user_id: user.user_id })
    return key.secret as string
  }
  const actors = {
    editor: await actorOf('editor', folders),
    stager: await actorOf('stager', folders),
    'editor of one': await actorOf('editor', folders.slice(0, 1)),
  }
  return { ...given, folders, actors, site: { files: new Map(), former: new Map() } }
}

/**
 * Sends the command. An acknowledged command changes the model; a refused command must have changed
 * nothing.
 */
async function act(world: World, action: Action): Promise<void> {
  const { server, actors, folders, site, counts } = world
  const key = actors[action.actor] ?? ''
  const ask = async (method: string, path: string, json?: object) =>
    acknowledged(await server.call(method, path, { key, ...(json && { json }) }))
  const folder = folders[action.folder] ?? 0
  counts.commands += 1

  const ids = [...site.files.keys()]
  const file = site.files.get(ids[action.file % (ids.length || 1)] ?? 0)
  const text = `text ${counts.commands}`
  const { name, state } = action
  if (action.what === 'create' || file === undefined) {
    const fields = { name, type: 'html', title: text, pageContent: text }
    const json = { ...fields, parent_category_id: folder, ...(state && { fileState: state }) }
    const body = await ask('POST', '/api/v2/asset_file', json)
    if (body === undefined) return
    counts.acknowledged += 1
    const versions = [{ name, title: text, text }]
    const live = state === 'publish' ? 0 : undefined
    return putFile(site, { id: body.asset_file_id, folder, versions, live })
  }
  const next = await change(world, file, { action, ask, folder, text, key })
  if (next === undefined) return
  counts.acknowledged += 1
  if (next === 'gone') removeFile(site, file.id)
  else putFile(site, next)
}

interface Changing {
  readonly action: Action
  readonly ask: (method: string, path: string, json?: object) => Promise<any>
  readonly folder: number
  readonly text: string
  readonly key: string
}

/** Returns the file after the command; undefined if the command was refused. */
async function change(
  { server }: World,
  file: File,
  { action, ask, folder, text, key }: Changing,
): Promise<File | 'gone' | undefined> {
  const { what, name, state } = action
  const path = `/api/v2/asset_file/${file.id}`
  const latest = latestOf(file)
  const number = action.version % file.versions.length
  const older = file.versions[number] ?? latest
  const fileState = state && { fileState: state }
  const post = async (to: string, next: File | 'gone', json: object = {}) =>
    (await ask('POST', path + to, json)) === undefined ? undefined : next
  switch (what) {
    case 'save': {
      const version = { ...latest, title: text, text }
      return post('', saved(file, version, state), { title: text, pageContent: text, ...fileState })
    }
    case 'rename':
      return post('', saved(file, { ...latest, name }, state), { name, ...fileState })
    case 'move':
      return post(
        '',
        { ...saved(file, latest, state), folder },
        {
          parent_category_id: folder,
          ...fileState,
        },
      )
    case 'upload': {
      const parts = partsOf({ asset_file_id: String(file.id), name, ...fileState })
      const answer = await server.upload([...parts, fileOf(text, name)], { key })
      const version = { ...latest, name, text }
      return acknowledged(answer) === undefined ? undefined : saved(file, version, state)
    }
    case 'publish':
      return post('/publish', { ...file, live: file.versions.length - 1 })
    case 'rollback':
      return post(`/publish?version=${number + 1}`, { ...file, live: number })
    case 'stage':
      return post(`/stage?version=${number + 1}`, file)
    case 'unstage':
      return post('/unstage', file)
    case 'unpublish':
      return post('/unpublish', { ...file, live: undefined })
    case 'restore':
      return post(
        `/versions/${number + 1}/restore`,
        saved(file, { ...older, name: latest.name }, undefined),
      )
    case 'delete':
      return (await ask('DELETE', path)) === undefined ? undefined : 'gone'
    case 'folder rename':
      await ask('POST', `/api/v2/asset_category/${folder}`, { name: newName('folder') })
      return undefined
    default:
      await ask('POST', `/api/v2/asset_category/${folder}`, { parent_category_id: 1 })
      return undefined
  }
}

/** Returns the body of a 2xx answer; undefined for a refusal. */
function acknowledged({ status, body, text }: Answer): any {
  assert.ok(status < 500, text)
  return status < 300 ? (body ?? {}) : undefined
}

async function look({ server, viewer: key, folders, site, counts }: World, after: string) {
  counts.looks += 1
  for (const number of [...folders, ...site.files.keys()])
    for (const name of NAMES) {
      const seen = seenAt(site, number, name)
      for (const reader of [key, null]) {
        const answer = await server.call('GET', `/file/${number}/${name}`, { key: reader })
        const told = toldTo(reader, answer)
        assert.equal(told, seen, `${number}/${name} ${reader ?? 'by a visitor'} after ${after}`)
      }
    }
  for (const folder of folders) {
    const query = new URLSearchParams({
      qry: JSON.stringify({ parent_category_id: folder, live_version: { $exists: true } }),
      fields: 'asset_file_id,name,title,live_version,url',
      orderStr: 'name',
    })
    const { body } = await server.call('GET', `/api/v2/asset_file?${query}`, { key })
    const files = [...site.files.values()].filter((file) => file.folder === folder)
    const wanted = files.flatMap((file) => shownOf(file) ?? []) as any[]
    wanted.sort((one, other) => (one.name < other.name ? -1 : 1))
    assert.deepEqual(body.asset_file, wanted, `folder ${folder} after ${after}`)
  }
}

function toldTo(key: string | null, { status, text, headers }: Answer): string | undefined {
  if (status === 200) return text
  if (status === 308) return `to ${headers.location}`
  // A visitor gets 401 for the number of a deleted file.
  assert.ok(status === 404 || (status === 401 && key === null), text)
  return undefined
}
