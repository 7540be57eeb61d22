// What is counted so that nobody can guess, or ask too much: of one process or of several together.

/** What is counted, under a name of its kind. */
export interface Counted {
  /** A word of our own. */
  readonly kind: string
  readonly name: string
}

export interface AskedCount extends Counted {
  /** In a window of this length, which begins with the first. */
  readonly most: number
  readonly windowMs: number
}

export interface Counts {
  /** Counts all of them where none has had too many; gives the seconds to wait where one has. */
  take(asked: readonly AskedCount[]): Promise<number | undefined>
  /** What was counted last was none. */
  takeBack(counted: readonly Counted[]): void
}

/** Requests of a key or a user, and what one of them takes of its time. */
export interface Spent {
  readonly name: string
  readonly count: number
  readonly stepMs: number
}

/** Of several processes together. Throws unavailable while they cannot be asked. */
export interface SharedCounts extends Counts {
  /** Seconds to wait, as far as this process knows: of what others have counted it hears a second later. */
  waitOf(counted: Counted): number | undefined
  /** Adds what was spent here; gives for how many milliseconds each has spent by now, with what others did. */
  spend(spent: readonly Spent[]): Promise<ReadonlyMap<string, number>>
}
