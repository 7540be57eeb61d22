// The pending answers that one process expects from another.

/** Answers by number; each answer is delivered once. */
export interface Answers<T> {
  /** Number of pending answers. */
  waiting(): number
  /** Returns the number; `take` gets the answer, or undefined if no answer will come. */
  ask(take: (answer: T | undefined) => void): number
  give(id: number, answer: T | undefined): void
  /** Drops a pending answer without calling `take`. */
  forget(id: number): void
  /** Ends all pending answers, because no answer will come. */
  giveUp(): void
}

export function openAnswers<T>(): Answers<T> {
  const waiting = new Map<number, (answer: T | undefined) => void>()
  let lastId = 0

  function give(id: number, answer: T | undefined): void {
    const take = waiting.get(id)
    waiting.delete(id)
    take?.(answer)
  }

  return {
    waiting: () => waiting.size,
    ask(take: (answer: T | undefined) => void): number {
      lastId += 1
      waiting.set(lastId, take)
      return lastId
    },
    give,
    forget: (id) => void waiting.delete(id),
    giveUp(): void {
      for (const id of waiting.keys()) give(id, undefined)
    },
  }
}
