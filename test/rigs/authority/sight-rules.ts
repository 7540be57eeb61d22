// The records that a search shows to each principal, and the changes that the change log shows.
// Present grants decide, also for changes that were made before.

import {
  bit,
  hasGlobalAdmin,
  isInside,
  isPart,
  type Key,
  keyMask,
  maskOf,
  type Model,
  type Principal,
  roleMask,
  seesKey,
  seesUser,
  userMask,
} from './state.ts'

/** The objects of a sequence that searches find. */
export const SEARCHED = [
  'asset_category',
  'asset_file',
  'file_group',
  'datatable',
  'calendar',
  'user',
  'api_key',
  'webhook',
] as const

export type Searched = (typeof SEARCHED)[number]

/** A change as the operator sees it, to whom all changes are visible. */
export interface Change {
  readonly sequence: number
  readonly object: string
  readonly object_id: number
  readonly action: string
  readonly date_added: string
  readonly asset_category_id: number | null
  readonly previous_category_id: number | null
  readonly changed_fields: readonly string[] | null
}

/** False if the search may be refused as a whole. */
export function maySearch(model: Model, key: Key, object: Searched): boolean {
  if (object === 'user' || object === 'api_key') return true
  return object === 'webhook' ? readsWebhooks(model, key) : viewsAnything(model, key)
}

export function finds(model: Model, own: Principal, object: Searched): readonly number[] {
  const key = model.keys.get(own.keyId)
  if (key === undefined) return []
  if (object === 'user') return idsOf(model.users, (id) => seesUser(model, key, id))
  if (object === 'api_key') return idsOf(model.keys, (id) => seesKey(model, own, id))
  if (object === 'webhook') return idsOf(model.webhooks, () => readsWebhooks(model, key))
  if (object === 'asset_category') return idsOf(model.folders, (id) => views(model, key, id))
  const probes = object === 'asset_file' ? [...model.folders.entries()] : []
  const things = [...model.things.values()].filter(({ kind }) => kind === object)
  return [
    ...probes.flatMap(([id, { probe }]) => (views(model, key, id) ? [probe] : [])),
    ...things.flatMap(({ id, parent }) => (views(model, key, parent) ? [id] : [])),
  ].sort((left, right) => left - right)
}

function idsOf(
  records: ReadonlyMap<number, unknown>,
  isFound: (id: number) => boolean,
): readonly number[] {
  return [...records.keys()].filter(isFound).sort((left, right) => left - right)
}

export function views(model: Model, key: Key, folder: number): boolean {
  return isPart(bit('view'), keyMask(model, key, folder))
}

export function viewsAnything(model: Model, key: Key): boolean {
  return [...model.folders.keys()].some((folder) => views(model, key, folder))
}

/** Whether the key has the grant admin on the whole site; a role in a deleted folder still counts. */
export function readsWebhooks(given: Model, key: Key): boolean {
  const model = withGone(given)
  const folders = [...model.folders.keys()]
  return (
    hasGlobalAdmin(model, key) &&
    folders.every((folder) => isPart(bit('admin'), keyMask(model, key, folder)))
  )
}

/** Whether the key sees the whole site, whatever there will be. */
export function seesAll(model: Model, { grants, scope, user }: Key): boolean {
  const { role, categoryRoles = [] } = model.users.get(user) ?? {}
  const roles = [role, ...categoryRoles.map((item) => item.role)]
  return grants === null && scope === null && roles.every((item) => item === 'admin')
}

/**
 * The action under which the principal sees the change; undefined if the change is hidden. A record
 * that became visible is reported as created, and a record that became hidden as deleted.
 */
export function actionFor(model: Model, own: Principal, change: Change): string | undefined {
  const key = model.keys.get(own.keyId)
  if (key === undefined) return undefined
  const {
    object,
    object_id: id,
    asset_category_id: folder,
    previous_category_id: previous,
  } = change
  if (folder === null) return seesPlaceless(model, own, { object, id }) ? change.action : undefined

  const present = withGone(model)
  const isNow = views(present, key, folder)
  const wasBefore =
    previous === null
      ? isNow
      : object === 'asset_category'
        ? viewsBelow(present, key, id, previous)
        : views(present, key, previous)
  if (isNow) return wasBefore ? change.action : 'create'
  return wasBefore ? 'delete' : undefined
}

/** Changes of webhooks, and of deleted users and keys, are visible only to keys of the whole site. */
function seesPlaceless(
  model: Model,
  own: Principal,
  { object, id }: { readonly object: string; readonly id: number },
): boolean {
  const key = model.keys.get(own.keyId)
  if (key === undefined) return false
  if (object === 'user' && model.users.has(id)) return seesUser(model, key, id)
  if (object === 'api_key' && model.keys.has(id)) return seesKey(model, own, id)
  return seesAll(model, key)
}

/** In the change log a deleted folder stays where it was. */
export function withGone(model: Model): Model {
  return { ...model, folders: new Map([...model.gone, ...model.folders]) }
}

/** Whether the key views the folder if it lies in this folder above, which may have moved since. */
function viewsBelow(model: Model, key: Key, folder: number, above: number): boolean {
  const user = model.users.get(key.user)
  if (user === undefined) return false
  const own = user.categoryRoles.find((item) => item.asset_category_id === folder)
  const held = own === undefined ? userMask(model, user, above) : roleMask(own.role)
  const isInScope = key.scope === null || key.scope === folder || isInside(model, above, key.scope)
  return isInScope && isPart(bit('view'), held & maskOf(key.grants))
}
