// Checks UNIQUE(a, b) inside the commit that writes an entry.

import type { Fault } from '../../base/errors.ts'
import { MAX_FAULTS, pointer } from '../../schema/check.ts'
import type { EntryType } from '../../schema/entry.ts'
import type { EntryGroup } from '../../schema/unique-groups.ts'
import type { JsonObject } from '../../schema/values.ts'
import {
  type EntryReader,
  type UniqueInput,
  unfinishedIndex,
  type WrittenValues,
} from './unique.ts'

/**
 * All groups of values that a stored entry, or an earlier entry of the list, already has. Throws unavailable while the
 * index of a group with new values is being built.
 */
export function findSharedTogether(
  reader: EntryReader,
  entry: EntryType,
  { written, isViewer }: UniqueInput,
): readonly Fault[] {
  const faults: Fault[] = []
  for (const group of entry.uniqueGroups) {
    const places = new Map<string, string>()
    for (const item of written) {
      const { place, ownId, ending = '' } = item
      const digest = changedDigest(group, item)
      if (digest === undefined || faults.length >= MAX_FAULTS) continue
      if (!group.isIndexed) throw unfinishedIndex(`UNIQUE(${group.columns.join(', ')})`)
      const before = places.get(digest)
      if (before === undefined) places.set(digest, place)
      const holder =
        before === undefined ? findGroupHolder(reader, entry, { group, digest, ownId }) : 0
      if (holder === undefined) continue
      const isLeaving = (next: WrittenValues): boolean =>
        next.ownId === holder && isChanged(group, next) && changedDigest(group, next) !== digest
      if (before === undefined && written.some(isLeaving)) continue
      const { object } = entry
      const other = isViewer ? `${object.idField} ${holder}` : `another ${object.label}`
      const who = before === undefined ? other : `${before} of this list`
      const [first = '', ...others] = group.columns
      faults.push({
        pointer: `${place}${pointer(first)}`,
        detail: `must be unique together with ${others.join(', ')}, and ${who} has the same values${ending}`,
      })
    }
  }
  return faults
}

function isChanged({ columns }: EntryGroup, { values }: WrittenValues): boolean {
  return columns.some((name) => name in values)
}

/** Undefined if no value of the group changes, or if one is missing. */
function changedDigest(group: EntryGroup, item: WrittenValues): string | undefined {
  if (!isChanged(group, item)) return undefined
  const { values, before } = item
  const record: JsonObject = before === undefined ? values : { ...before, ...values }
  return group.digest(record)
}

interface Sought {
  readonly group: EntryGroup
  readonly digest: string
  readonly ownId?: number | undefined
}

/** Another entry with the same values. */
export function findGroupHolder(
  reader: EntryReader,
  { object }: EntryType,
  { group, digest, ownId }: Sought,
): number | undefined {
  const found = reader.lookup(object.recordType, group.key, [digest])
  const [holder] = found.flatMap(([id]) => (id === undefined || id === ownId ? [] : [Number(id)]))
  return holder
}
