// Several clients use the same object concurrently, and the checker decides whether a sequential
// order explains their answers.

import type { Answering } from '../../helpers/server.ts'
import { openRandom } from '../random.ts'
import { linearize, type Operation, showHistory } from './checker.ts'
import type { SubjectKind } from './subjects.ts'

export interface LinearOptions {
  readonly seed: number
  readonly clients: number
  readonly operations: number
}

/** Returns the number of operations. Throws with the history if no order explains it. */
export async function runHistory(
  server: Answering,
  kind: SubjectKind,
  options: LinearOptions,
): Promise<number> {
  const { specification, next } = await kind.make(server)
  const history: Operation[] = []
  let events = 0

  const client = async (number: number): Promise<void> => {
    const random = openRandom(options.seed * 1_000 + number)
    const known = new Map<string, any>()
    for (let count = 0; count < options.operations; count += 1) {
      const { input, run } = next(random, known)
      events += 1
      const calledAt = events
      const output = await run()
      events += 1
      history.push({ client: number, input, output, calledAt, answeredAt: events })
    }
  }
  await Promise.all(Array.from({ length: options.clients }, (_, number) => client(number)))

  if (linearize(history, specification) !== undefined) return history.length
  throw new Error(`No order explains this, seed ${options.seed}:\n${showHistory(history)}`)
}
