// Determines who has access to a folder: users by the nearest role among the folder and its parents, keys by their
// user and limits. Sets and removes a user's role in the folder.

import { useState } from 'preact/hooks'
import { type Grant, GRANTS, grantsOfRole } from '../../../shared/grants.ts'
import { type Api, dataOf, recordOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useToast } from '../../ui/toast.tsx'
import type { Key } from '../keys/key.ts'
import { roleName } from './roles.ts'
import { isLastAdmin, roleOf, shownName, type User } from './user.ts'

/** A folder or parent folder. */
export interface Place {
  readonly asset_category_id: number
  readonly path: string
}

interface RoleAt {
  readonly role: string | null
  /** The folder that sets the role; undefined for the user's own role. */
  readonly at: Place | undefined
}

export interface UserHere extends RoleAt {
  readonly user: User
}

export interface KeyHere {
  readonly key: Key
  readonly userName: string
  readonly grants: readonly Grant[]
  /** The folder that limits the key. */
  readonly limit: Place | undefined
}

interface FolderAccess {
  readonly users: readonly UserHere[]
  readonly keys: readonly KeyHere[]
  /** Not all records were read. */
  readonly isCut: boolean
}

/** Maximum number of pages that are read. */
const MOST_PAGES = 10
const LENGTH = 200

/** The line begins with the topmost folder. */
export function roleAt(user: User, line: readonly Place[]): RoleAt {
  const roles = user.category_roles ?? []
  const roleIn = ({ asset_category_id: id }: Place) =>
    roles.find((each) => each.asset_category_id === id)
  const at = line.findLast((place) => roleIn(place) !== undefined)
  if (at === undefined) return { role: user.role, at }
  return { role: roleIn(at)?.role ?? null, at }
}

export async function readFolderAccess(
  api: Api,
  line: readonly Place[],
  signal: AbortSignal,
): Promise<FolderAccess> {
  const [users, keys] = await Promise.all([readUsers(api, signal), readKeys(api, signal)])
  const active = users.rows.filter(({ status }) => status === 'active')
  const here = active.map((user) => ({ user, ...roleAt(user, line) }))
  const known = new Map(here.map((each) => [each.user.user_id, each]))
  return {
    users: here.filter(({ role, at }) => role !== null || at === line.at(-1)),
    keys: keys.rows.flatMap((key) => keyHere(key, known.get(key.user_id ?? 0), line)),
    isCut: users.isCut || keys.isCut,
  }
}

function keyHere(
  key: Key,
  owner: UserHere | undefined,
  line: readonly Place[],
): readonly KeyHere[] {
  if (owner?.role === undefined || owner.role === null) return []
  const limit = line.find((place) => place.asset_category_id === key.asset_category_id)
  if (key.asset_category_id !== null && limit === undefined) return []
  const ofRole = grantsOfRole(owner.role, owner.user.role_grants)
  const grants = GRANTS.filter((grant) => ofRole.includes(grant) && isIn(key.grants, grant))
  return grants.length === 0 ? [] : [{ key, userName: owner.user.name, grants, limit }]
}

/** Null means all grants; `modify` includes `create`. */
function isIn(grants: Key['grants'], grant: Grant): boolean {
  if (grants === null || grants.includes(grant)) return true
  return grant === 'create' && grants.includes('modify')
}

interface Rows<R> {
  readonly rows: readonly R[]
  readonly isCut: boolean
}

interface Page<R> {
  readonly rows: readonly R[]
  readonly next: string | null
}

async function readPages<R>(read: (cursor?: string) => Promise<Page<R>>): Promise<Rows<R>> {
  const rows: R[] = []
  let cursor: string | undefined
  for (let count = 0; count < MOST_PAGES; count += 1) {
    const page = await read(cursor)
    rows.push(...page.rows)
    if (page.next === null) return { rows, isCut: false }
    cursor = page.next
  }
  return { rows, isCut: true }
}

function readUsers(api: Api, signal: AbortSignal): Promise<Rows<User>> {
  return readPages(async (cursor) => {
    const query = { orderStr: 'name', length: LENGTH, ...(cursor !== undefined && { cursor }) }
    const { user, page } = await dataOf(api.GET('/user', { signal, params: { query } }))
    // Without `fields`, the response has all fields.
    return { rows: user as readonly User[], next: page.next }
  })
}

function readKeys(api: Api, signal: AbortSignal): Promise<Rows<Key>> {
  const now = new Date().toISOString()
  const qry = JSON.stringify({
    date_signed_in: null,
    status: 'active',
    $or: [{ date_expires: null }, { date_expires: { $gt: now } }],
  })
  return readPages(async (cursor) => {
    const query = { qry, orderStr: 'name', length: LENGTH, ...(cursor !== undefined && { cursor }) }
    const { api_key: found, page } = await dataOf(
      api.GET('/api_key', { signal, params: { query } }),
    )
    return { rows: found as readonly Key[], next: page.next }
  })
}

/** No role of its own: the role of the parent folder applies. */
export const ABOVE = 'above'

export interface Given {
  readonly userId: number
  /** ABOVE, '' for none, or the name of a role. */
  readonly role: string
}

interface RoleHereOptions {
  readonly folder: Place | undefined
  readonly name: string
  readonly onChanged: () => void
}

export function useRoleHere({ folder, name: folderName, onChanged }: RoleHereOptions) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const [isBusy, setIsBusy] = useState(false)
  const folderId = folder?.asset_category_id ?? 0

  /** Returns the previous role and the shown name of the user. */
  async function put({ userId, role }: Given) {
    const path = { id: userId }
    const { record, etag } = await recordOf(api.GET('/user/{id}', { params: { path } }))
    const before = (record.category_roles ?? []) as NonNullable<User['category_roles']>
    const others = before.filter((each) => each.asset_category_id !== folderId)
    const own = before.find((each) => each.asset_category_id === folderId)
    const roles =
      role === ABOVE ? others : [...others, { asset_category_id: folderId, role: roleOf(role) }]
    const params = { path, header: { 'If-Match': etag } }
    await recordOf(api.PATCH('/user/{id}', { params, body: { category_roles: roles } }))
    const { name = '', display_name = null } = record
    return {
      before: own === undefined ? ABOVE : (own.role ?? ''),
      name: shownName({ name, display_name }),
    }
  }

  /** False if the request failed. */
  async function give(given: Given): Promise<boolean> {
    setIsBusy(true)
    try {
      const { before, name } = await put(given)
      const role = roleName(roleOf(given.role), t)
      toast({
        text:
          given.role === ABOVE
            ? fill(t.access.taken, { name, folder: folderName })
            : fill(t.access.given, { name, role, folder: folderName }),
        action: {
          text: t.general.undo,
          onPress: () => void give({ userId: given.userId, role: before }),
        },
      })
      return true
    } catch (error) {
      if (isLastAdmin(error)) toast({ text: t.users.lastAdmin, isFault: true })
      else toast.problem(error)
      return false
    } finally {
      setIsBusy(false)
      onChanged()
    }
  }

  return { give, isBusy }
}
