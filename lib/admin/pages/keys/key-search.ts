// The search of the key list, and its request.

import { type Api, dataOf } from '../../client/api.ts'
import { pageQuery } from '../../ui/pagination.tsx'
import type { Sort } from '../../ui/table.tsx'
import type { Key } from './key.ts'

/** Expiry is compared with the browser's clock. */
export type KeyFilter = 'active' | 'inactive' | 'expired'

export interface KeySearch {
  readonly text: string
  /** Identifier; '' for any user. */
  readonly userId: string
  readonly state: KeyFilter | ''
  readonly sort: Sort
}

export const FIRST_SEARCH: KeySearch = {
  text: '',
  userId: '',
  state: '',
  sort: { by: 'date_added', isDown: true },
}

export interface FoundKeys {
  readonly keys: readonly Key[]
  readonly total: number
  readonly next: string | null
  /** Names of the users and paths of the folders in the result. */
  readonly users: ReadonlyMap<number, string>
  readonly folders: ReadonlyMap<number, string>
}

interface Asked extends KeySearch {
  readonly cursor: string | undefined
  readonly signal: AbortSignal
}

export async function searchKeys(api: Api, asked: Asked): Promise<FoundKeys> {
  const { text, sort, cursor, signal } = asked
  const query = {
    qry: JSON.stringify(filterOf(asked)),
    ...pageQuery({ sort, cursor }),
    ...(text !== '' && { table_filter: text }),
  }
  const { api_key: found, page } = await dataOf(api.GET('/api_key', { signal, params: { query } }))
  // Without `fields`, the response has all fields.
  const keys = found as readonly Key[]
  const [users, folders] = await Promise.all([
    namesOfUsers(
      api,
      keys.map((key) => key.user_id),
      signal,
    ),
    pathsOfFolders(
      api,
      keys.map((key) => key.asset_category_id),
      signal,
    ),
  ])
  return { keys, total: page.total ?? keys.length, next: page.next, users, folders }
}

/** Sessions are excluded; the profile page lists them. */
function filterOf({ userId, state }: KeySearch): object {
  const now = new Date().toISOString()
  return {
    date_signed_in: null,
    ...(userId !== '' && { user_id: Number(userId) }),
    ...(state === 'inactive' && { status: 'inactive' }),
    ...(state === 'expired' && { status: 'active', date_expires: { $lte: now } }),
    ...(state === 'active' && {
      status: 'active',
      $or: [{ date_expires: null }, { date_expires: { $gt: now } }],
    }),
  }
}

export async function namesOfUsers(
  api: Api,
  ids: readonly (number | null)[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, string>> {
  const wanted = known(ids)
  if (wanted.length === 0) return new Map()
  const qry = JSON.stringify({ user_id: { $in: wanted } })
  const query = { qry, fields: 'user_id,name,display_name', length: wanted.length }
  const { user } = await dataOf(api.GET('/user', { signal, params: { query } }))
  return new Map(
    user.map(({ user_id: id, name, display_name: shown }) => [id ?? 0, shown ?? name ?? '']),
  )
}

/** Undefined if the key no longer exists or is not visible. */
export async function nameOfKey(
  api: Api,
  id: number | null,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (id === null) return undefined
  const qry = JSON.stringify({ api_key_id: id })
  const query = { qry, fields: 'name', length: 1 }
  const { api_key: found } = await dataOf(api.GET('/api_key', { signal, params: { query } }))
  return found[0]?.name
}

export async function pathsOfFolders(
  api: Api,
  ids: readonly (number | null)[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, string>> {
  const wanted = known(ids)
  if (wanted.length === 0) return new Map()
  const qry = JSON.stringify({ asset_category_id: { $in: wanted } })
  const query = { qry, fields: 'asset_category_id,path', length: wanted.length }
  const found = await dataOf(api.GET('/asset_category', { signal, params: { query } }))
  return new Map(found.asset_category.map((each) => [each.asset_category_id ?? 0, each.path ?? '']))
}

function known(ids: readonly (number | null)[]): readonly number[] {
  return [...new Set(ids)].filter((id) => id !== null)
}
