// Records that make references between entries and other records checkable: which modules have columns that refer to an
// object, and which records are about to be deleted.

import type { References } from './columns/column.ts'
import type { ModuleKind } from './module.ts'
import type { Id, JsonObject, JsonValue, RecordType } from './values.ts'

/** The table, calendar or kind of record to which columns refer. */
export type TargetObject = Pick<References, 'object' | 'module_id'>

/**
 * Key: [object, module id or 0, kind, module id]. The module of the second pair has columns that refer to the object.
 * Put and removed in the commit that changes the columns.
 */
export const referrer: RecordType<{ readonly kind: ModuleKind; readonly id: number }> = {
  name: 'module_referrer',
  idCount: 4,
  indexes: [],
}

/** The first two identifiers of `referrer` and of a record that is being deleted. */
export function targetKey({ object, module_id: id }: TargetObject): readonly [Id, Id] {
  return [object, id ?? 0]
}

/** A record to which other records may refer, or a folder of such records. */
export interface RemovedRecord extends JsonObject {
  readonly object: References['object'] | 'asset_category'
  readonly module_id: number | null
  readonly id: number
}

/**
 * Key: [object, module id or 0, id]. The record is being deleted in many commits. It can be read until the last of
 * them, but nothing new may refer to it or to the records that are deleted with it.
 */
export const removalMark: RecordType<{ readonly work: string }> = {
  name: 'removal_mark',
  idCount: 3,
  indexes: [],
}

export function removalKey({
  object,
  module_id: moduleId,
  id,
}: RemovedRecord): readonly [Id, Id, Id] {
  return [object, moduleId ?? 0, id]
}

/** The identifiers in a value of a column with references. */
export function idsOf(value: JsonValue | undefined): readonly number[] {
  if (typeof value === 'number') return [value]
  return Array.isArray(value) ? (value as readonly number[]) : []
}
