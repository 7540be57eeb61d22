// The questions that every change asks, of the newest state and inside the commit.

import { chainOf } from '../auth/folders.ts'
import { grantsAt, noSuchRecord } from '../auth/grants.ts'
import type { Caller } from '../auth/caller.ts'
import { CmsError } from '../errors.ts'
import type { AssetFile } from '../schema/asset-file.ts'
import { refuseField } from '../schema/check.ts'
import { foldName } from '../schema/names.ts'
import type { ObjectType } from '../schema/object.ts'
import { etagOf, valueOf } from '../schema/record.ts'
import type { Reader, Stored } from '../storage/port.ts'
import type { Precondition } from './context.ts'

export interface Loaded<T> {
  readonly stored: Stored
  readonly record: T
}

export function requireRecord<T>(
  reader: Pick<Reader, 'get'>,
  object: ObjectType,
  id: number,
): Loaded<T> {
  const stored = reader.get(object.recordType, id)
  if (stored === undefined) throw noSuchRecord()
  return { stored, record: valueOf<T>(stored) }
}

export function requireMatch(precondition: Precondition | undefined, stored: Stored): void {
  const etag = etagOf(stored)
  if (precondition === undefined || precondition(etag)) return
  throw recordChanged({ etag })
}

/** Of a file, whose version is what a client wants to compare with. */
export function requireFileMatch(
  precondition: Precondition | undefined,
  { stored, record }: Loaded<AssetFile>,
): void {
  const etag = etagOf(stored)
  if (precondition === undefined || precondition(etag)) return
  throw recordChanged({ etag, version: record.version })
}

interface Current {
  readonly etag: string
  readonly version?: number
}

/** Tells what is there instead, so that the client can go on with it. */
export function recordChanged({ etag, version }: Current): CmsError {
  const now = version === undefined ? '' : `it is at version ${version}, and `
  return new CmsError(
    'precondition-failed',
    `The record has changed since it was read; ${now}its ETag is now ${etag}.`,
    {
      members: { current_etag: etag, ...(version !== undefined && { current_version: version }) },
      headers: { etag },
    },
  )
}

/** The folder that a body names: it must be there, and the caller must have some business in it. */
export function requireFolder(reader: Reader, caller: Caller, categoryId: number): void {
  if (grantsAt(reader, caller, categoryId).size > 0) return
  refuseField(
    'parent_category_id',
    `must be the identifier of an asset category; there is no ${categoryId}`,
  )
}

/** Names are unique in their folder. `ownId` is the record that may have the name already. */
export function requireFreeName(
  reader: Reader,
  object: ObjectType,
  place: { readonly categoryId: number; readonly name: string; readonly ownId?: number },
): void {
  const taken = findByName(reader, object, place.categoryId, place.name)
  if (taken === undefined || taken === place.ownId) return
  throw nameTaken(object, place.name, taken)
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

export function nameTaken(object: ObjectType, name: string, id: number): CmsError {
  const detail = `The name ${JSON.stringify(name)} is taken in this folder by ${object.idField} ${id}. Update that one, or choose another name.`
  return new CmsError('name-taken', detail, {
    members: { [object.idField]: id },
    errors: [{ pointer: '/name', detail: 'is taken' }],
  })
}

/** True when `categoryId` is `ancestorId` or lies below it. */
export function isInside(reader: Reader, categoryId: number, ancestorId: number): boolean {
  return (
    chainOf(reader, categoryId)?.some((folder) => folder.asset_category_id === ancestorId) ?? false
  )
}
