// Columns with the words that they may share with other columns.

import { indexNameOf, sharedKeys } from '../../shared/shared-keys.ts'
import type { ColumnOptions } from './column-options.ts'
import type { Column } from './column.ts'
import { type Report, show } from './tokens.ts'

export interface NamedColumn {
  readonly name: string
  readonly column: Column
  readonly options: ColumnOptions
  /** The key of an entry, which is not a column. */
  readonly isKey: boolean
  readonly report: Report
}

/** The groups of columns that ADOdb makes unique together. */
export function readSharedKeys(columns: readonly NamedColumn[]): readonly (readonly string[])[] {
  const [first, second] = columns.filter(({ options }) => options.keyWord !== undefined)
  if (first?.isKey === true && second !== undefined)
    second.report(
      `${second.options.keyWord} would make one key with ${show(first.name)}, which is unique alone; write NOTNULL instead`,
    )
  return sharedKeys(
    columns.map(({ name, options: { keyWord, isUnique, isIndexed, indexName } }) => ({
      name,
      isKey: keyWord !== undefined,
      isUnique,
      indexName: isIndexed ? indexNameOf(name, indexName) : undefined,
    })),
  )
}

/** The column without UNIQUE if the word applies to a group. An AUTO column stays unique. */
export function aloneIn(groups: readonly (readonly string[])[], column: Column): Column {
  const { isUnique, ...others } = column
  const isShared = groups.some((group) => group.includes(column.name))
  if (isUnique === undefined || !isShared || column.isAuto === true) return column
  return others
}
