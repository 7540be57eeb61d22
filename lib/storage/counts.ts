// Counters that limit guesses and requests, of one process or of several together.

/** A counted name of a kind. */
export interface Counted {
  /** A constant of this program. */
  readonly kind: string
  readonly name: string
}

export interface AskedCount extends Counted {
  /** Limit for a window of this length, which begins with the first count. */
  readonly most: number
  readonly windowMs: number
}

export interface Counts {
  /** Counts all names if none has reached its limit; otherwise returns the seconds to wait. */
  take(asked: readonly AskedCount[]): Promise<number | undefined>
  /** Undoes the last count of these names. */
  takeBack(counted: readonly Counted[]): void
}

/** Requests of a key or a user, and the time that one request costs. */
export interface Spent {
  readonly name: string
  readonly count: number
  readonly stepMs: number
}

/** Counters of several processes. Throws unavailable while the counters cannot be reached. */
export interface SharedCounts extends Counts {
  /** Seconds to wait as far as this process knows; counts of other processes arrive a second later. */
  waitOf(counted: Counted): number | undefined
  /** Adds the time spent here. Returns the milliseconds that each name has spent in all processes. */
  spend(spent: readonly Spent[]): Promise<ReadonlyMap<string, number>>
}
