// Checks whether a concurrent history is linearizable: whether a sequential order of its operations
// respects their real times and explains every answer. The search is that of Wing and Gong (1993)
// with the memory of Lowe (2017): a set of completed operations with its resulting state is visited
// only once.

export interface Operation {
  readonly client: number
  readonly input: any
  readonly output: any
  /** Positions in the global order of events; the operation took effect between both positions. */
  readonly calledAt: number
  readonly answeredAt: number
}

export interface Specification<S> {
  readonly initial: S
  /** The state after the operation; undefined if its answer is impossible in this state. */
  readonly step: (state: S, operation: Operation) => S | undefined
}

/** Returns an order that explains all answers, or undefined. */
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
      // An operation that was called after another was answered comes later in the order.
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

/** Formats the history for a failure message: client, operation, times and answer. */
export function showHistory(history: readonly Operation[]): string {
  const lines = history.map(
    ({ client, input, output, calledAt, answeredAt }) =>
      `${calledAt}-${answeredAt} client ${client}: ${JSON.stringify(input)} → ${JSON.stringify(output)}`,
  )
  return lines.join('\n')
}
