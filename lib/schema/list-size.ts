// How many entries of a module one list may create: they are written in one commit.

export interface ListLimits {
  /** Entries of a list. */
  readonly maxBulk: number
  /** Their values together; those of unique fields, which are looked up before, count twice. */
  readonly maxBulkValues: number
}

/** Fields of an entry that a client may give, and how many of them are unique. */
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
