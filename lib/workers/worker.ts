// The module that piscina loads in each thread: one function that runs a task by its name.

import { type Outcome, type Tasks, tasks, toOutcome } from './tasks.ts'

export interface TaskCall {
  readonly name: keyof Tasks
  readonly input: never
  /** Shared: a number other than 0 ends the task if the task checks it. */
  readonly stop: Int32Array | undefined
}

export default async function runTask({ name, input, stop }: TaskCall): Promise<Outcome<unknown>> {
  try {
    return { ok: true, value: await tasks[name](input, stop) }
  } catch (error) {
    return toOutcome(error)
  }
}
