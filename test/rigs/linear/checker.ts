// Is a concurrent history linearizable: is there an order of its operations, one at a time, that keeps to
// their real times and in which every answer is right? The search of Wing and Gong (1993) with the memory
// of Lowe (2017): a set of operations that are done, and a state they led to, are looked at only once.

export interface Operation {
  readonly client: number
  readonly input: any
  readonly output: any
  /** Places in one order of all events: an operation took effect between the two. */
  readonly calledAt: number
  readonly answeredAt: number
}

export interface Specification<S> {
  readonly initial: S
  /** The state after the operation; undefined when its answer cannot be, in this state. */
  readonly step: (state: S, operation: Operation) => S | undefined
}

/** An order in which all is right; undefined when there is none. */
export function linearize<S>(
  history: readonly Operation[],
  { initial, step }: Specification<S>,
): readonly Operation[] | undefined {
  const order: Operation[] = []
  const seen = new Set<string>()

  function search(rest: readonly Operation[], state: S): boolean {
    if (rest.length === 0) return true
    const place = JSON.stringify([rest.map((operation) => operation.calledAt), state])
    if (seen.has(place)) return false
    seen.add(place)

    const firstAnswer = Math.min(...rest.map(({ answeredAt }) => answeredAt))
    for (const operation of rest) {
      // What was called after another one was answered comes after it.
      if (operation.calledAt > firstAnswer) continue
      const next = step(state, operation)
      if (next === undefined) continue
      order.push(operation)
      const others = rest.filter((other) => other !== operation)
      if (search(others, next)) return true
      order.pop()
    }
    return false
  }

  return search(history, initial) ? order : undefined
}

/** For a message: who asked what, when, and what came of it. */
export function showHistory(history: readonly Operation[]): string {
  const lines = history.map(
    ({ client, input, output, calledAt, answeredAt }) =>
      `${calledAt}-${answeredAt} client ${client}: ${JSON.stringify(input)} → ${JSON.stringify(output)}`,
  )
  return lines.join('\n')
}
