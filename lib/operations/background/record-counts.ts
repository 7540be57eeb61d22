// Number of records of each type, from counters that every commit maintains, so reading them is cheap.

import { pendingMail } from '../../schema/comment.ts'
import { assetFileVersion } from '../../schema/asset-file.ts'
import { OBJECTS } from '../../schema/catalog.ts'
import { partialUpload } from '../../schema/partial-upload.ts'
import { pendingWork } from '../../schema/pending-work.ts'
import { entryTypeName } from '../../schema/entry.ts'
import { MODULE_KINDS, MODULE_OBJECTS, type ModuleKind } from '../../schema/module.ts'
import type { Reader } from '../../storage/port.ts'

/** Counts records by type; the entries of all modules of a kind are added up. */
export function countRecords(records: Reader): Readonly<Record<string, number>> {
  const further = [assetFileVersion, partialUpload, pendingWork, pendingMail]
  const types = [...OBJECTS.map(({ recordType }) => recordType), ...further]
  const counts = types.map((type): [string, number] => [type.name, records.count(type)])
  const entries = MODULE_KINDS.map((kind): [string, number] => [
    `${kind}_entry`,
    countEntries(records, kind),
  ])
  return Object.fromEntries([...counts, ...entries])
}

function countEntries(records: Reader, kind: ModuleKind): number {
  const ids = records.list(MODULE_OBJECTS[kind].recordType, [])
  return ids.reduce(
    (sum, [id]) => sum + records.count({ name: entryTypeName(kind, Number(id)), indexes: [] }),
    0,
  )
}
