// Checks that every change makes, in the newest state and inside the commit.

import { chainOf } from '../auth/folders.ts'
import { grantsAt, missingGrant, noSuchRecord, requireGrant } from '../auth/grants.ts'
import { categoryRoles, UNLIMITED } from '../auth/key-role.ts'
import { openVisibleFolders } from '../auth/visible-folders.ts'
import type { Caller } from '../auth/caller.ts'
import { CmsError } from '../base/errors.ts'
import { type AssetCategory, assetCategory } from '../schema/asset-category.ts'
import type { AssetFile } from '../schema/asset-file.ts'
import { refuseField } from '../schema/check.ts'
import type { Grant } from '../shared/grants.ts'
import { foldName } from '../schema/names.ts'
import type { ObjectType } from '../schema/object.ts'
import { etagOf } from '../schema/record.ts'
import { role } from '../schema/role.ts'
import { user } from '../schema/user.ts'
import type { JsonObject, Stored } from '../schema/values.ts'
import type { Reader } from '../storage/port.ts'
import type { Precondition } from './context.ts'
import { isFolderMarked } from './removal-marks.ts'

export interface Loaded<T extends JsonObject> {
  readonly stored: Stored<T>
  readonly record: T
}

export function requireRecord<T extends JsonObject>(
  reader: Pick<Reader, 'get'>,
  object: ObjectType<T>,
  id: number,
): Loaded<T> {
  const stored = reader.get(object.recordType, id)
  if (stored === undefined) throw noSuchRecord()
  return { stored, record: stored.value }
}

/** Compares with the ETag of the stored record, or with the one that the caller knows: tagOf of present.ts. */
export function requireMatch(
  precondition: Precondition | undefined,
  stored: Pick<Stored, 'revision'>,
  etag = etagOf(stored),
): void {
  if (precondition === undefined || precondition.matches(etag)) return
  throw recordChanged({ etag: precondition.shown(etag) })
}

/** For files: the error also names the current version. Callers without the right to see drafts need the tag of tagOf. */
export function requireFileMatch(
  precondition: Precondition | undefined,
  { stored, record }: Loaded<AssetFile>,
  etag = etagOf(stored),
): void {
  if (precondition === undefined || precondition.matches(etag)) return
  throw recordChanged({ etag: precondition.shown(etag), version: record.version })
}

interface Current {
  readonly etag: string
  readonly version?: number
}

/** Names the current state, so that the client can continue from it. */
export function recordChanged({ etag, version }: Current): CmsError {
  const now = version === undefined ? '' : `it is at version ${version}, and `
  return new CmsError(
    'precondition-failed',
    `The record has changed since it was read: ${now}its ETag is now ${etag}.`,
    {
      members: { current_etag: etag, ...(version !== undefined && { current_version: version }) },
      headers: { etag },
    },
  )
}

/** Checks the folder that a body names: it must exist, and the caller must hold a grant in it. */
export function requireFolder(reader: Reader, caller: Caller, categoryId: number): void {
  if (grantsAt(reader, caller, categoryId).size > 0) {
    if (!isFolderMarked(reader, categoryId)) return
    refuseField('parent_category_id', `is the folder ${categoryId}, which is being deleted`)
  }
  refuseField(
    'parent_category_id',
    `must be the identifier of an asset category; there is no ${categoryId}`,
  )
}

export function findByName(
  reader: Reader,
  object: ObjectType,
  categoryId: number,
  name: string,
): number | undefined {
  const [ids] = reader.lookup(object.recordType, 'by_name', [categoryId, foldName(name)], 1)
  return ids === undefined ? undefined : Number(ids[0])
}

/** Omit the identifier if the caller may not see the record. */
export function nameTaken(object: ObjectType, name: string, id: number | undefined): CmsError {
  const quoted = JSON.stringify(name)
  // Names of users and roles are unique across the site.
  const place = object.name === user.name || object.name === role.name ? '' : ' in this folder'
  const detail =
    id === undefined
      ? `The name ${quoted} is taken${place}. Choose another name.`
      : `The name ${quoted} is taken${place} by ${object.idField} ${id}. Update that record, or choose another name.`
  return new CmsError('name-taken', detail, {
    ...(id !== undefined && { members: { [object.idField]: id } }),
    errors: [{ pointer: '/name', detail: 'is taken' }],
  })
}

/**
 * Moving a record must not increase the caller's authority: callers who may not publish or delete a record in its
 * folder cannot move it to a folder where they may. Checks the user's grants, because the user has other keys.
 */
export function requireMove(
  reader: Reader,
  caller: Caller,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  requireFolder(reader, caller, to)
  requireGrant(reader, caller, 'create', to)
  const holder = { user: caller.user, key: UNLIMITED }
  const held = grantsAt(reader, holder, from)
  for (const grant of grantsAt(reader, holder, to)) {
    if (grant === 'create' || held.has(grant)) continue
    throw missingGrant(grant, 'in the current folder of the record, and would gain it by the move')
  }
}

/** Throws grant-missing if a role of the user withholds the grant in a folder below. */
export function requireSubtreeGrant(
  reader: Reader,
  caller: Caller,
  grant: Grant,
  categoryId: number,
): void {
  if (!isHeldBelow(reader, caller, grant, categoryId))
    throw missingGrant(grant, 'in all folders below this one')
}

/** Whether no role of the user withholds the grant in a folder below. */
export function isHeldBelow(
  reader: Reader,
  caller: Caller,
  grant: Grant,
  categoryId: number,
): boolean {
  const visible = openVisibleFolders(reader, caller)
  const isBelow = insideOf(reader, categoryId)
  return categoryRoles(caller).every(
    ({ asset_category_id: id }) => !isBelow(id) || visible.grantsAt(id).has(grant),
  )
}

/** Like isInside, for many folders: each is looked up once. */
function insideOf(reader: Reader, ancestorId: number): (categoryId: number) => boolean {
  const known = new Map<number | null, boolean>([
    [null, false],
    [ancestorId, true],
  ])
  return (categoryId) => {
    const path: number[] = []
    let id: number | null = categoryId
    while (id !== null && !known.has(id)) {
      path.push(id)
      const stored: Stored<AssetCategory> | undefined = reader.get(assetCategory.recordType, id)
      id = stored?.value.parent_category_id ?? null
    }
    const isBelow = known.get(id) === true
    for (const item of path) known.set(item, isBelow)
    return isBelow
  }
}

/** True if `categoryId` is `ancestorId` or lies below it. */
export function isInside(reader: Reader, categoryId: number, ancestorId: number): boolean {
  return (
    chainOf(reader, categoryId)?.some((folder) => folder.asset_category_id === ancestorId) ?? false
  )
}
