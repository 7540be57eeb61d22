// Keys and indexes over several columns. ADOdb builds one key of all columns with KEY, and one index of columns
// with the same index name. UNIQUE then applies to the combination of their values, while values of a single
// column may repeat. Combinations are not supported, so such schemas are rejected: any other interpretation
// would reject valid entries.

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
    `${second.options.keyWord} would make one key of ${namesOf(keys)}, which is not supported; keep it at one of them, and write UNIQUE or NOTNULL at the others`,
  )

  for (const [indexName, shared] of groupByIndex(columns)) {
    if (shared.length === 1) continue
    const unique = shared.find(({ options }) => options.isUnique)
    unique?.report(
      `the index ${show(indexName)} covers ${namesOf(shared)}, and UNIQUE would apply to their combination, which is not supported; remove INDEX if the values of one column are unique`,
    )
  }
}

/** Index names in lower case. */
function groupByIndex(
  columns: readonly NamedOptions[],
): ReadonlyMap<string, readonly NamedOptions[]> {
  const groups = new Map<string, NamedOptions[]>()
  for (const column of columns) {
    if (!column.options.isIndexed) continue
    // ADOdb gives an unnamed index this name.
    const name = (column.options.indexName ?? `idx_${column.name}`).toLowerCase()
    groups.set(name, [...(groups.get(name) ?? []), column])
  }
  return groups
}

function namesOf([first, second, ...more]: readonly NamedOptions[]): string {
  const others = more.length === 0 ? '' : ` and ${more.length} more`
  return `${show(first?.name ?? '')} and ${show(second?.name ?? '')}${others}`
}
