// The hidden differences between two sites. Both sites run the same steps with the same number of
// new records of each kind, because identifiers are assigned in sequence. All other values of a
// step may differ on the second site. Each difference has a name and can be left out.

import type { Random } from '../random.ts'
import { openRandom } from '../random.ts'
import type { FolderName, Folders, Hidden, Observer } from './observers.ts'
import { hideRemarks } from './comments.ts'
import { hideLinks } from './references.ts'
import { BEGIN_MS, type Site } from './site.ts'
import { hidePublic, type OpenParts } from './public-world.ts'
import { newWord, openWords } from './words.ts'
import { type Key, makeFiles, type World } from './world.ts'

/** Returns the first value on the first site and the second value on the second site. */
export type Vary = <T>(name: string, first: T, second: T) => T

export interface Hiding {
  readonly world: World
  readonly observer: Observer
  readonly seed: number
  readonly isSecond: boolean
  readonly isLarge: boolean
  /** The names of the differences to apply; all if undefined. */
  readonly kept: ReadonlySet<string> | undefined
}

export interface HiddenParts {
  /** The names of all differences. */
  readonly names: ReadonlySet<string>
  /** Texts of both sites that the observer must not learn. */
  readonly secrets: ReadonlySet<string>
  /** The secrets in the public parts. */
  readonly guesses: readonly string[]
  /** The addresses of modules. */
  readonly addresses: ReadonlySet<string>
  /**
   * Identifiers of records that exist on only one site, or are in another folder on the other site,
   * by object.
   */
  readonly odd: ReadonlyMap<string, readonly number[]>
  /** The public parts, if the observer has no key. */
  readonly open: OpenParts | undefined
}

export interface Step {
  readonly site: Site
  readonly world: World
  readonly vary: Vary
  /** Returns one of two words, depending on the site. */
  readonly word: (name: string) => string
  readonly random: Random
  readonly addresses: Set<string>
  readonly odd: Map<string, number[]>
}

const SPOTS: Readonly<Record<Hidden, readonly FolderName[]>> = {
  outside: ['main', 'beside'],
  closed: ['closed', 'low'],
  withheld: ['withheldLow'],
  people: [],
}

export async function hide(site: Site, hiding: Hiding): Promise<HiddenParts> {
  const { world, observer, seed, isSecond, kept } = hiding
  const names = new Set<string>()
  const secrets = new Set<string>()
  const vary: Vary = (name, first, second) => {
    names.add(name)
    for (const value of [first, second]) if (typeof value === 'string') secrets.add(value)
    return isSecond && kept?.has(name) !== false ? second : first
  }
  const random = openRandom(seed)
  const nextWord = openWords(random)
  const word = (name: string): string => vary(name, nextWord(), nextWord())
  const step: Step = { site, world, vary, word, random, addresses: new Set(), odd: new Map() }

  const spots = observer.hidden.flatMap((hidden) => SPOTS[hidden])
  for (const spot of spots) await hideIn(step, spot, otherOf(spots, spot))
  // Visible records have equal dates on both sites.
  site.clock.ms = BEGIN_MS + 3_600_000
  await hideLinks(step)
  await hideVersions(step)
  await hideMembers(step)
  await hideRemarks(step, observer)
  if (observer.hidden.includes('people')) await hidePeople(step)
  if (observer.hidden.includes('closed')) await stray(step)
  if (observer.hidden.includes('outside')) await hideAbove(step, observer)
  if (hiding.isLarge) await hideMany(step)
  const before = new Set(secrets)
  const open = observer.isNobody === true ? await hidePublic(step, hiding.isLarge) : undefined
  const guesses = [...secrets].filter((text) => !before.has(text))
  site.clock.ms = BEGIN_MS + 7_200_000
  const { addresses, odd } = step
  return { names, secrets, guesses, addresses, odd, open }
}

function noteOdd({ odd }: Pick<Step, 'odd'>, object: string, ...ids: readonly number[]): void {
  odd.set(object, [...(odd.get(object) ?? []), ...ids])
}

function otherOf(spots: readonly FolderName[], spot: FolderName): FolderName {
  return spots.find((other) => other !== spot) ?? spot
}

/** Creates records of every kind in a hidden folder. */
async function hideIn(step: Step, spot: FolderName, other: FolderName): Promise<void> {
  const { site, vary, world } = step
  site.clock.ms = BEGIN_MS + vary(`times in ${spot}`, 1_000, 600_000)
  const fileIds = await hideFiles(step, spot, other)
  await hideFolders(step, spot)
  const { word } = step
  await site.admin('POST', '/api/v2/file_group', {
    json: {
      name: word(`name of a group in ${spot}`),
      title: word(`title of a group in ${spot}`),
      parent_category_id: world.folders[spot],
      asset_file_ids: vary(`members of a group in ${spot}`, fileIds, fileIds.slice(1)),
    },
  })
  await hideTable(step, spot, other)
  await hideCalendar(step, spot)
}

async function hideFiles(
  step: Step,
  spot: FolderName,
  other: FolderName,
): Promise<readonly number[]> {
  const { site, vary, word } = step
  const { folders } = step.world
  const place = { parent_category_id: folders[spot] }
  const file = async (json: object): Promise<number> =>
    (await site.admin('POST', '/api/v2/asset_file', { json })).asset_file_id
  const change = (id: number, json: object) =>
    site.admin('POST', `/api/v2/asset_file/${id}`, { json })

  const first = await file({
    name: `${word(`name of a file in ${spot}`)}.html`,
    title: word(`title of a file in ${spot}`),
    type: vary(`type of a file in ${spot}`, 'html', 'css'),
    pageContent: vary(`content of a file in ${spot}`, 'one', 'another text'),
    ...vary(`state of a file in ${spot}`, { fileState: 'publish' }, {}),
    ...place,
  })
  if (vary(`versions of a file in ${spot}`, true, false)) await change(first, { pageContent: '2' })

  const second = await file({
    name: `${word(`name of a second file in ${spot}`)}.txt`,
    type: 'txt',
    ...place,
  })
  if (vary(`place of a file in ${spot}`, false, true))
    await change(second, { parent_category_id: folders[other] })
  const third = await file({
    name: `${word(`name of a third file in ${spot}`)}.txt`,
    type: 'txt',
    ...place,
  })
  const isGone = vary(`a deleted file in ${spot}`, false, true)
  await deleteOrRestore(step, `/api/v2/asset_file/${third}`, isGone)
  noteOdd(step, 'asset_file', second, third)
  return [first, second]
}

/** Deletes the record on both sites, because items of the trash are numbered, and restores it where it is not deleted. */
async function deleteOrRestore({ site }: Step, path: string, isDeleted: boolean): Promise<void> {
  await site.admin('DELETE', path)
  if (isDeleted) return
  const { trash } = await site.admin(
    'GET',
    '/api/v2/trash?orderStr=trash_id&orderDir=DESC&length=1',
  )
  await site.admin('POST', `/api/v2/trash/${trash[0].trash_id}/restore`)
}

async function hideFolders(step: Step, spot: FolderName): Promise<void> {
  const { site, vary, word } = step
  const { folders } = step.world
  const folder = async (json: object): Promise<number> =>
    (await site.admin('POST', '/api/v2/asset_category', { json })).asset_category_id
  const place = { parent_category_id: folders[spot] }
  const first = await folder({
    name: word(`name of a folder in ${spot}`),
    title: word(`title of a folder in ${spot}`),
    ...place,
  })
  const second = await folder({
    name: word(`name of a second folder in ${spot}`),
    parent_category_id: vary(`place of a folder in ${spot}`, folders[spot], first),
  })
  const isGone = vary(`a deleted folder in ${spot}`, false, true)
  await deleteOrRestore(step, `/api/v2/asset_category/${second}`, isGone)
  noteOdd(step, 'asset_category', second)
}

async function hideTable(step: Step, spot: FolderName, other: FolderName): Promise<void> {
  const { site, vary, word, addresses } = step
  const { folders } = step.world
  const columns = ['title C(40), price N(8.2)', 'Kept C(9), Amount I'] as const
  const table = await site.admin('POST', '/api/v2/datatable', {
    json: {
      name: word(`name of a table in ${spot}`),
      parent_category_id: vary(`place of a table in ${spot}`, folders[spot], folders[other]),
      table_schema: vary(`columns of a table in ${spot}`, ...columns),
      datatable_type: vary(`type of a table in ${spot}`, 'Data', 'Form'),
    },
  })
  addresses.add(table.module_url)
  const entry = table.table_schema === columns[0] ? { title: 'One' } : { Kept: 'One' }
  const count = vary(`entries of a table in ${spot}`, 1, 3)
  await site.admin('POST', table.module_url, { json: Array.from({ length: count }, () => entry) })
  const gone = await site.admin('POST', '/api/v2/datatable', {
    json: { name: `Gone ${spot}`, table_schema: 'a I', parent_category_id: folders[spot] },
  })
  addresses.add(gone.module_url)
  const isGone = vary(`a deleted table in ${spot}`, false, true)
  await deleteOrRestore(step, `/api/v2/datatable/${gone.datatable_id}`, isGone)
  noteOdd(step, 'datatable', gone.datatable_id, table.datatable_id)
}

async function hideCalendar(
  { site, vary, word, addresses, world: { folders } }: Step,
  spot: FolderName,
): Promise<void> {
  const calendar = await site.admin('POST', '/api/v2/calendar', {
    json: {
      name: word(`name of a calendar in ${spot}`),
      time_zone: vary(`time zone of a calendar in ${spot}`, 'UTC', 'Europe/Berlin'),
      parent_category_id: folders[spot],
    },
  })
  addresses.add(calendar.module_url)
  const event_title = word(`entry of a calendar in ${spot}`)
  await site.admin('POST', calendar.module_url, {
    json: {
      event_title,
      start_time: '2026-03-03T10:00:00Z',
      uid: word(`uid of an event of a calendar in ${spot}`),
      ...vary(`rule of an event of a calendar in ${spot}`, {}, { rrule: 'FREQ=DAILY' }),
    },
  })
}

/** A visible file was in a hidden folder once, with other content. */
async function hideVersions({
  site,
  vary,
  word,
  world: { folders, movedId },
}: Step): Promise<void> {
  const change = (json: object) => site.admin('POST', `/api/v2/asset_file/${movedId}`, { json })
  const named = await site.admin('GET', `/api/v2/asset_file/${movedId}`)
  await change({ parent_category_id: folders.withheld })
  await change({
    name: `${word('name of a version in a hidden folder')}.html`,
    title: word('title of a version in a hidden folder'),
    pageContent: `<p>${vary('content of a version in a hidden folder', 'Kerosene', 'Lamps and oil')}</p>`,
  })
  const { name, title, parent_category_id } = named
  await change({
    name,
    title,
    parent_category_id,
    pageContent: '<p>back</p>',
    fileState: 'publish',
  })
}

async function hideMembers(step: Step): Promise<void> {
  const { site, vary, word, world } = step
  const { folders, groupId, fileIds } = world
  const made: number[] = []
  for (let count = 0; count < 3; count += 1) {
    const name = `${word(`name of member ${count} that is hidden`)}.txt`
    const json = { name, type: 'txt', parent_category_id: folders.withheld }
    made.push((await site.admin('POST', '/api/v2/asset_file', { json })).asset_file_id)
  }
  noteOdd(step, 'asset_file', ...made)
  const [first = 0, second = 0, third = 0] = made
  const [seen = 0, other = 0] = fileIds
  const asset_file_ids = vary(
    'hidden members of a group',
    [first, seen, other, third],
    [seen, second, third, other],
  )
  await site.admin('POST', `/api/v2/file_group/${groupId}`, { json: { asset_file_ids } })
}

/** Creates another user with keys, and requests of another key under an Idempotency-Key. */
async function hidePeople(step: Step): Promise<void> {
  const { site, vary, word } = step
  const { folders } = step.world
  const person = await site.admin('POST', '/api/v2/user', {
    json: {
      name: word('name of a user'),
      role: vary('role of a user', 'editor', 'viewer'),
      email: `${word('address of a user')}@example.org`,
      category_roles: vary(
        'roles of a user in folders',
        [{ asset_category_id: folders.withheld, role: 'viewer' }],
        [{ asset_category_id: folders.beside, role: null }],
      ),
    },
  })
  const key = await site.admin('POST', '/api/v2/api_key', {
    json: {
      name: word('name of a key'),
      user_id: person.user_id,
      grants: vary('grants of a key', ['view'], null),
      asset_category_id: vary('folder of a key', folders.withheld, null),
      date_expires: vary('end of a key', '2027-01-01', null),
    },
  })
  await site.send({ method: 'GET', path: '/api/v2/user' }, key.secret)
  const gone = await site.admin('POST', '/api/v2/user', { json: { name: 'Gone' } })
  if (vary('a deleted user', false, true))
    await site.admin('DELETE', `/api/v2/user/${gone.user_id}`)
  const lost = await site.admin('POST', '/api/v2/api_key', {
    json: { name: 'Lost', user_id: person.user_id },
  })
  if (vary('a deleted key', false, true))
    await site.admin('DELETE', `/api/v2/api_key/${lost.api_key_id}`)
  noteOdd(step, 'user', gone.user_id, person.user_id)
  noteOdd(step, 'api_key', lost.api_key_id, key.api_key_id)
  const once = { 'idempotency-key': vary('Idempotency-Key of another key', 'shared-1', 'shared-2') }
  const json = {
    name: word('folder made under an Idempotency-Key'),
    parent_category_id: folders.withheld,
  }
  await site.admin('POST', '/api/v2/asset_category', { headers: once, json })
}

/**
 * A visible folder contains one hidden folder or two. That it is not empty is visible; the number
 * is hidden.
 */
async function stray({ site, vary, world: { folders } }: Step): Promise<void> {
  const target = vary('number of hidden folders in a folder', folders.inner, folders.closed)
  await site.admin('POST', `/api/v2/asset_category/${folders.straying}`, {
    json: { parent_category_id: target },
  })
}

/** Varies the position of the scope, and the folders above and beside it. */
async function hideAbove({ site, vary, word, world }: Step, observer: Observer): Promise<void> {
  const { folders, keys } = world
  const change = (id: number, json: object) =>
    site.admin('POST', `/api/v2/asset_category/${id}`, { json })
  await change(folders.upper, {
    name: word('name of a folder above'),
    title: word('title of a folder above'),
  })
  await change(folders.elsewhere, { name: word('name of another folder above') })
  const parent = vary('place of the scope', folders.elsewhere, folders.withheld)
  await change(folders.scope, { parent_category_id: parent })
  await site.admin('POST', '/api/v2/asset_category', {
    json: { name: word('name beside the scope'), parent_category_id: parent },
  })
  await hideOwnRoles({ site, vary, folders, observer, key: keys.get(observer.name) })
}

interface OwnRoles {
  readonly site: Site
  readonly vary: Vary
  readonly folders: Folders
  readonly observer: Observer
  readonly key: Key | undefined
}

/** A key for a single folder need not show the roles of its user in other folders. */
async function hideOwnRoles({ site, vary, folders, observer, key }: OwnRoles): Promise<void> {
  if (observer.scope === undefined || observer.user === undefined || key === undefined) return
  const { category_roles: roles } = await site.admin('GET', `/api/v2/user/${key.userId}`)
  const name = 'own roles in other folders'
  const own = vary(
    name,
    [{ asset_category_id: folders.beside, role: 'viewer' }],
    [{ asset_category_id: folders.withheldLow, role: 'stager' }],
  )
  const json = { category_roles: [...roles, ...own] }
  await site.admin('POST', `/api/v2/user/${key.userId}`, { json })
}

/** Creates so many hidden files that a search might choose another access path. */
async function hideMany({ site, vary, random, world: { folders } }: Step): Promise<void> {
  const title = vary(
    'titles of many files',
    () => `A${newWord(random)}`,
    () => `Z${newWord(random)}`,
  )
  await makeFiles(site, { folderId: folders.withheld, name: 'hidden', title })
}
