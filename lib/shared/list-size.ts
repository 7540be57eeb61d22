// Number of entries of a module that one list may create: they are written in one commit.

export interface ListLimits {
  /** Entries of a list. */
  readonly maxBulk: number
  /** Values of all entries; a value of a unique field counts UNIQUE_WEIGHT times. */
  readonly maxBulkValues: number
}

/** A value of a unique field is looked up first, by a separate key. */
export const UNIQUE_WEIGHT = 3

/** Number of fields that a client may set or that are computed, and how many of them are unique. */
export interface EntrySize {
  readonly fields: number
  readonly unique: number
}

export function maxListEntries(
  { fields, unique }: EntrySize,
  { maxBulk, maxBulkValues }: ListLimits,
): number {
  return Math.min(maxBulk, Math.floor(maxBulkValues / (fields + unique * (UNIQUE_WEIGHT - 1))))
}
