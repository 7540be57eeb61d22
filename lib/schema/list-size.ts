// Number of entries of a module that one list may create: they are written in one commit.

export interface ListLimits {
  /** Entries of a list. */
  readonly maxBulk: number
  /** Values of all entries; values of unique fields are looked up first and count twice. */
  readonly maxBulkValues: number
}

/** Number of fields that a client may set, and how many of them are unique. */
export interface EntrySize {
  readonly fields: number
  readonly unique: number
}

export function maxListEntries(
  { fields, unique }: EntrySize,
  { maxBulk, maxBulkValues }: ListLimits,
): number {
  return Math.min(maxBulk, Math.floor(maxBulkValues / (fields + unique)))
}
