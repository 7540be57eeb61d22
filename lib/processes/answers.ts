// What one process waits for from the other.

/** By number; each is given once. */
export interface Answers<T> {
  /** How many are waited for. */
  waiting(): number
  /** Gives the number; `take` gets the answer, or undefined where none will come. */
  ask(take: (answer: T | undefined) => void): number
  give(id: number, answer: T | undefined): void
  /** It is not waited for any more. */
  forget(id: number): void
  /** None will come any more. */
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
