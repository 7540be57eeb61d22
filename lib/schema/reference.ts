// Records that make references between entries and other records checkable: which modules have columns that refer to an
// object, and which records are about to be deleted.

import type { References } from './columns/column.ts'
import type { ModuleKind } from './module.ts'
import type { Id, RecordType } from './values.ts'

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
