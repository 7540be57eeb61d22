// Mutants that no test can tell from the code itself, each with its reason. An entry is found by its line and change,
// wherever the line stands; the rig tells which one no longer fits.

export interface Equal {
  readonly file: string
  /** The line where the mutation begins, without the spaces around it. */
  readonly line: string
  /** As the rig shows it: `=== → !==`. */
  readonly change: string
  readonly reason: string
}

export const EQUAL: readonly Equal[] = []
