// Record types that are created at run time: the entries of each module, by its layout, and their history.
//
// While pending work on a module is unfinished (an index is being built or dropped, or a deleted module is being cleared),
// the module has rows that do not follow from its records; the pending work brings them in order.

import { pendingWork, type Work } from '../../schema/pending-work.ts'
import { buildEntryType, type EntryType, entryTypeName } from '../../schema/entry.ts'
import { isModuleKind, moduleLayout } from '../../schema/module.ts'
import { historyOfEntries } from '../../schema/past-values.ts'
import type { KvReader } from '../records/kv.ts'
import type { Id, RecordType } from '../../schema/values.ts'
import { findRecord, parseRecord, recordIds, recordRange } from '../records/format.ts'

export interface EntryTypes {
  readonly entries: readonly EntryType[]
  readonly types: readonly RecordType[]
  /** Names of types with unfinished work on their index rows. */
  readonly unfinished: ReadonlySet<string>
  /** Types of deleted modules, whose entries are being removed. */
  readonly dropped: readonly RecordType[]
  /** All pending work. */
  readonly works: readonly Work[]
}

export function findEntryTypes(kv: KvReader): EntryTypes {
  const entries = [...readAll(kv, moduleLayout)].flatMap(([[kind, id], record]) =>
    isModuleKind(kind) && typeof id === 'number' ? [buildEntryType(kind, id, record)] : [],
  )
  const types = entries.flatMap(({ object: { recordType } }): RecordType[] => {
    const history = historyOfEntries(recordType)
    return history === undefined ? [recordType] : [recordType, history]
  })
  const names = new Set(types.map(({ name }) => name))
  const works = [...readAll(kv, pendingWork)].map(([, work]) => work)
  const dropped = works
    .filter((work) => work.kind === 'drop-type' && !names.has(typeOf(work)))
    .map((work): RecordType => ({ name: typeOf(work), indexes: [] }))
  return { entries, types, unfinished: new Set(works.map(typeOf)), dropped, works }
}

/** Skips damaged records, which the walk over all records reports. */
function* readAll<T extends object>(
  kv: KvReader,
  type: RecordType<T>,
): Generator<[readonly Id[], T]> {
  for (const key of kv.keys(recordRange(kv, type))) {
    const record = readWhole(kv, type, key)
    if (record !== undefined) yield [recordIds(key), record]
  }
}

function readWhole<T extends object>(
  kv: KvReader,
  type: RecordType<T>,
  key: Buffer,
): T | undefined {
  try {
    const stored = findRecord<T>(kv, key)
    return stored && parseRecord(type, stored)
  } catch {
    return undefined
  }
}

/** The record type that a piece of work concerns; empty for other work. */
function typeOf(work: Work): string {
  if ('type' in work) return work.type
  return 'module' in work ? entryTypeName(work.module, work.id) : ''
}
