// Counts the existing entries that are in conflict with a change of columns.

import type { JsonObject } from '../../schema/values.ts'
import type { Context } from '../context.ts'
import { MAX_EXAMPLES } from './converted-values.ts'
import type { EntryTest } from './entry-tracker.ts'
import type { Module } from './module-cache.ts'

/** A column and the test that finds entries in conflict with its change. */
export interface Test {
  readonly name: string
  readonly isConflict: EntryTest
}

export interface Counted {
  readonly name: string
  readonly entries: number
}

export interface Found extends Counted {
  readonly examples: readonly number[]
}

/** Reads every entry once for all tests, in time slices, so that other requests can run. */
export async function countEach(
  { records }: Context,
  { entry }: Module,
  tests: readonly Test[],
): Promise<readonly Found[]> {
  const counts = tests.map(({ name }) => ({ name, entries: 0, examples: new Array<number>() }))
  if (tests.length === 0) return counts
  const isWanted = (record: JsonObject): boolean => {
    for (const [at, item] of counts.entries()) {
      if (tests[at]?.isConflict(record) !== true) continue
      item.entries += 1
      if (item.examples.length < MAX_EXAMPLES)
        item.examples.push(Number(record[entry.object.idField]))
    }
    return false
  }

  const { recordType, searchable } = entry.object
  let cursor: string | undefined
  do {
    const page = await records.search(recordType, searchable, { length: 1, isWanted, cursor })
    cursor = page.next
  } while (cursor !== undefined)
  return counts
}

export async function countOnly(
  context: Context,
  module: Module,
  tests: readonly Test[],
): Promise<readonly Counted[]> {
  const counts = await countEach(context, module, tests)
  return counts.map(({ name, entries }) => ({ name, entries }))
}
