// Checks existing values when a column becomes a reference, or refers to another object: each must be a record that exists
// and that the caller may see, as in a write.

import { type Column, type References, valueKind } from '../../schema/columns/column.ts'
import { converterTo } from '../../schema/columns/converted-value.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { entryTypeName } from '../../schema/entry.ts'
import { idsOf } from '../../schema/reference.ts'
import { trashPart } from '../../schema/trash.ts'
import type { JsonValue, RecordType } from '../../schema/values.ts'
import type { Reader } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { openLookup } from '../references/required-references.ts'
import type { WriteTest } from './entry-tracker.ts'
import type { Module } from './module-cache.ts'

export interface ReferenceTest {
  readonly name: string
  readonly references: References
  /** The entry refers to a record that does not exist, or that the caller may not see. */
  readonly isConflict: WriteTest
}

interface Change {
  readonly columns: readonly Column[]
  readonly renames: ReadonlyMap<string, string>
}

/** One test for each column with a new target, or with fewer accepted types of files. */
export function testReferences(
  context: Context,
  { entry }: Module,
  { columns, renames }: Change,
): readonly ReferenceTest[] {
  return columns.flatMap((to) => {
    const { references } = to
    const oldName = renames.get(to.name) ?? to.name
    const from = entry.layout.columns.find(({ column }) => column.name === oldName)?.column
    if (references === undefined || from === undefined) return []
    if (isCovered(from.references, references)) return []
    const isConverted = valueKind(from) !== valueKind(to)
    const convert = isConverted ? converterTo({ from, to }) : (value: JsonValue) => value
    const isConflict: WriteTest = (record, reader) => {
      const look = openLookup(context, reader, context.caller)
      return idsOf(convert(record[oldName] ?? null)).some(
        (id) => look(references, id) !== undefined,
      )
    }
    return [{ name: to.name, references, isConflict }]
  })
}

function isCovered(from: References | undefined, to: References): boolean {
  if (from?.object !== to.object || from.module_id !== to.module_id) return false
  const { accept } = to
  return accept === null || from.accept?.every((type) => accept.includes(type)) === true
}

/** Returns true if no record of the targets was deleted since. */
type StillThere = (reader: Reader) => boolean

/**
 * Remembers the records of the targets of these tests. Every record gets a higher number than earlier records, and counts
 * are exact. If the count has risen by as much as the highest number, nothing was deleted.
 */
export function noteTargets(
  reader: Reader,
  tests: readonly Pick<ReferenceTest, 'references'>[],
): StillThere {
  const types = tests.map(
    ({ references: { object, module_id: id } }): RecordType =>
      object === 'asset_file'
        ? assetFile.recordType
        : { name: entryTypeName(object, id ?? 0), indexes: [] },
  )
  // A record that returns from the trash would hide a deletion, but it takes its part away.
  const spare = (now: Reader): readonly number[] => [
    ...types.map((type) => now.highestId(type) - now.count(type)),
    now.highestId(trashPart),
    now.count(trashPart),
  ]
  const before = spare(reader)
  return (now) => spare(now).every((count, at) => count === before[at])
}
