// Keys and indexes over several columns. ADOdb makes one key of all columns that say KEY, and one index
// of those that name the same one; UNIQUE is then for the combination of their values, while the values
// of each column alone may come again. Combinations are not compared here, so that is refused: to take it
// for something else would refuse entries that are good.

import type { ColumnOptions } from './column-options.ts'
import { show, type Report } from './tokens.ts'

export interface NamedOptions {
  readonly name: string
  readonly options: ColumnOptions
  readonly report: Report
}

export function refuseSharedKeys(columns: readonly NamedOptions[]): void {
  const keys = columns.filter(({ options }) => options.keyWord !== undefined)
  const second = keys[1]
  second?.report(
    `${second.options.keyWord} would make one key of ${namesOf(keys)}, which is not possible; leave it at one of them, and write UNIQUE or NOTNULL at the others`,
  )

  for (const [indexName, shared] of groupByIndex(columns)) {
    if (shared.length === 1) continue
    const unique = shared.find(({ options }) => options.isUnique)
    unique?.report(
      `the index ${show(indexName)} is over ${namesOf(shared)}, and UNIQUE would be for their combination, which is not possible; leave INDEX out where the values of one column are unique`,
    )
  }
}

/** By their names, in lower case. */
function groupByIndex(
  columns: readonly NamedOptions[],
): ReadonlyMap<string, readonly NamedOptions[]> {
  const groups = new Map<string, NamedOptions[]>()
  for (const column of columns) {
    if (!column.options.isIndexed) continue
    // An index without a name is called so by ADOdb.
    const name = (column.options.indexName ?? `idx_${column.name}`).toLowerCase()
    groups.set(name, [...(groups.get(name) ?? []), column])
  }
  return groups
}

function namesOf([first, second, ...more]: readonly NamedOptions[]): string {
  const others = more.length === 0 ? '' : ` and ${more.length} more`
  return `${show(first?.name ?? '')} and ${show(second?.name ?? '')}${others}`
}
