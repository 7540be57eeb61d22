// An entry of the mutants that no test can tell from the code itself: see equal.ts.

export interface Equal {
  readonly file: string
  /** The line where the mutation begins, without the spaces around it. */
  readonly line: string
  /** As the rig shows it: `=== → !==`. */
  readonly change: string
  readonly reason: string
}

/** Of a default that stands for a missing text. */
export const NO_FORM = 'any text that has not the form is read the same'

/** Of what is kept to save work. */
export const KEPT = 'what is not kept is made again, and is the same'

/** Of long work in parts. */
export const TURNS =
  'how much is done at a stretch is for others who wait, and no part of the outcome'
