// An entry for an equivalent mutant, which no test can distinguish from the original: see equal.ts.

export interface Equal {
  readonly file: string
  /** The trimmed line where the mutation begins. */
  readonly line: string
  /** The change as the rig prints it: `=== → !==`. */
  readonly change: string
  readonly reason: string
}

/** The reason for a default that replaces a missing text. */
export const NO_FORM = 'any text that has not the form is read the same'

/** The reason for caches. */
export const KEPT = 'what is not kept is made again, and is the same'

/** The reason for time slices. */
export const TURNS =
  'how much is done at a stretch is for others who wait, and no part of the outcome'
