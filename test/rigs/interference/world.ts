// The base site, from which both sites of a pair are copied:
//
//   Main
//     Modules
//     upper
//       scope             what the observers see, with files, a group, modules
//         inner
//           low           hidden where `closed` is
//           straying      also hidden there; it may be moved
//         closed          hidden from some observers
//       beside
//     elsewhere
//     withheld            hidden from all observers
//       withheldLow
//
// The base site is the same for all observers; each observer but nobody has a key.

import type { Random } from '../random.ts'
import { newDataDirectory } from '../../helpers/data-directory.ts'
import { buildForm } from '../../helpers/server.ts'
import { type FolderName, type Folders, type Observer, OBSERVERS } from './observers.ts'
import { makeRemarks, type Remarks } from './comments.ts'
import { type Links, makeLinks } from './references.ts'
import { openSite, type Site } from './site.ts'
import { newWord } from './words.ts'

export interface Key {
  readonly keyId: number
  readonly userId: number
  readonly secret: string
}

export interface World {
  readonly dataDir: string
  readonly folders: Folders
  readonly fileIds: readonly number[]
  /** Has been in a hidden folder for some versions. */
  readonly movedId: number
  readonly groupId: number
  readonly tableId: number
  readonly calendarId: number
  readonly links: Links
  readonly remarks: Remarks
  readonly keys: ReadonlyMap<string, Key>
}

const TREE: readonly (readonly [FolderName, FolderName])[] = [
  ['upper', 'main'],
  ['beside', 'upper'],
  ['elsewhere', 'main'],
  ['scope', 'upper'],
  ['inner', 'scope'],
  ['low', 'inner'],
  ['straying', 'inner'],
  ['closed', 'scope'],
  ['withheld', 'main'],
  ['withheldLow', 'withheld'],
]

/**
 * Together with as many hidden files, a search finds more files than it returns in the order of
 * identifiers.
 */
const LARGE = 600
const BATCH = 50

export async function buildWorld(random: Random, isLarge: boolean): Promise<World> {
  const site = await openSite({ dataDir: newDataDirectory() })
  try {
    const folders = await makeFolders(site)
    const content = await makeContent(site, folders)
    if (isLarge)
      await makeFiles(site, { folderId: folders.scope, name: 'seen', title: () => newWord(random) })
    const keys = new Map<string, Key>()
    for (const observer of OBSERVERS.filter(({ isNobody }) => isNobody !== true))
      keys.set(observer.name, await makeKey(site, observer, folders))
    const links = await makeLinks(site, folders, content.fileIds)
    const remarks = await makeRemarks(site, folders, { ...content, links })
    return { dataDir: site.server.dataDir, folders, keys, links, remarks, ...content }
  } finally {
    await site.close()
  }
}

interface Files {
  readonly folderId: number
  readonly name: string
  readonly title: () => string
}

/** Creates files with titles. Only the titles distinguish the hidden files. */
export async function makeFiles(site: Site, { folderId, name, title }: Files): Promise<void> {
  const file = { type: 'txt', parent_category_id: folderId }
  for (let at = 0; at < LARGE; at += BATCH) {
    const json = Array.from({ length: BATCH }, (_, index) => ({
      name: `${name}-${at + index}.txt`,
      title: title(),
      ...file,
    }))
    await site.admin('POST', '/api/v2/asset_file', { json })
  }
}

async function makeFolders(site: Site): Promise<Folders> {
  const folders: Partial<Record<FolderName, number>> = { main: 1, modules: 12 }
  for (const [name, parent] of TREE) {
    const json = { name, title: name, parent_category_id: folders[parent] }
    const made = await site.admin('POST', '/api/v2/asset_category', { json })
    folders[name] = made.asset_category_id
  }
  return folders as Folders
}

async function makeContent(site: Site, { scope, inner, closed }: Folders) {
  const page = async (name: string, parent_category_id: number): Promise<number> => {
    const json = { name, type: 'html', parent_category_id, fileState: 'publish', title: name }
    const pageContent = `<p>${name}</p>`
    const { asset_file_id: id } = await site.admin('POST', '/api/v2/asset_file', {
      json: { pageContent, ...json },
    })
    await site.admin('POST', `/api/v2/asset_file/${id}`, { json: { pageContent: '<p>2</p>' } })
    return id
  }
  const fileIds = [await page('first.html', scope), await page('second.html', scope)]
  fileIds.push(await page('inner.html', inner), await page('closed.html', closed))
  fileIds.push(await upload(site, scope))
  const movedId = await page('moved.html', scope)

  const group = { name: 'group', parent_category_id: scope, asset_file_ids: fileIds.slice(0, 2) }
  const { file_group_id: groupId } = await site.admin('POST', '/api/v2/file_group', { json: group })
  const tableId = await makeModule(site, 'datatable', {
    name: 'Table',
    parent_category_id: scope,
    table_schema: 'title C(40), price N(8.2)',
  })
  const calendarId = await makeModule(site, 'calendar', {
    name: 'Dates',
    parent_category_id: scope,
    table_schema: 'place C(40)',
  })
  return { fileIds, movedId, groupId, tableId, calendarId }
}

async function upload(site: Site, folderId: number): Promise<number> {
  const { contentType, body } = buildForm([
    { name: 'asset_category_id', value: String(folderId) },
    { name: 'fileState', value: 'publish' },
    { name: 'Filedata', fileName: 'bytes.bin', bytes: Buffer.from([0, 1, 2, 3]) },
  ])
  const headers = { 'content-type': contentType }
  return (await site.admin('POST', '/upload', { headers, body })).asset_file_id
}

async function makeModule(site: Site, kind: string, json: object): Promise<number> {
  const made = await site.admin('POST', `/api/v2/${kind}`, { json })
  const entry =
    kind === 'datatable'
      ? { title: 'One', price: '1.50' }
      : { event_title: 'One', start_time: '2026-03-02T09:00:00Z', rrule: 'FREQ=DAILY;COUNT=3' }
  await site.admin('POST', made.module_url, { json: [entry, entry] })
  return made[`${kind}_id`]
}

async function makeKey(site: Site, observer: Observer, folders: Folders): Promise<Key> {
  const { name, user, grants, scope, isNarrowedLater } = observer
  const made =
    user &&
    (await site.admin('POST', '/api/v2/user', {
      json: { name, role: user.role, category_roles: rolesOf(user.roles, folders) },
    }))
  const userId = made?.user_id ?? 1
  const limits =
    isNarrowedLater === true
      ? {}
      : { grants, asset_category_id: scope === undefined ? null : folders[scope] }
  const json = { name, user_id: userId, ...limits }
  const { api_key_id: keyId, secret } = await site.admin('POST', '/api/v2/api_key', { json })
  return { keyId, userId, secret }
}

function rolesOf(
  roles: Readonly<Partial<Record<FolderName, string | null>>>,
  folders: Folders,
): readonly object[] {
  return Object.entries(roles).map(([name, role]) => ({
    asset_category_id: folders[name as FolderName],
    role,
  }))
}
