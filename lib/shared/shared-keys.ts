// Keys and indexes over several columns. ADOdb builds one key of all columns with KEY, and one index of columns with the same
// index name. UNIQUE then applies to the combination of their values, while values of a single column may repeat.

export interface KeyWords {
  readonly name: string
  /** KEY or PRIMARY. */
  readonly isKey: boolean
  /** The word UNIQUE. */
  readonly isUnique: boolean
  /** Undefined without INDEX. */
  readonly indexName: string | undefined
}

/** The name of an index as ADOdb chooses it; case is ignored. */
export function indexNameOf(column: string, written: string | undefined): string {
  return (written ?? `idx_${column}`).toLowerCase()
}

/** The names of columns that are unique together. */
export function sharedKeys(columns: readonly KeyWords[]): readonly (readonly string[])[] {
  const keys = columns.filter(({ isKey }) => isKey)
  const indexes = new Map<string, KeyWords[]>()
  for (const column of columns) {
    if (column.indexName === undefined) continue
    indexes.set(column.indexName, [...(indexes.get(column.indexName) ?? []), column])
  }
  const unique = [...indexes.values()].filter((group) => group.some(({ isUnique }) => isUnique))
  return [keys, ...unique]
    .filter((group) => group.length > 1)
    .map((group) => group.map(({ name }) => name))
}
