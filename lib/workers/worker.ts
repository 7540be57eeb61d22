// What piscina loads in each thread: one entry that runs a task by its name.

import { type Outcome, type Tasks, tasks, toOutcome } from './tasks.ts'

export interface TaskCall {
  readonly name: keyof Tasks
  readonly input: never
}

export default async function runTask({ name, input }: TaskCall): Promise<Outcome<unknown>> {
  try {
    return { ok: true, value: await tasks[name](input) }
  } catch (error) {
    return toOutcome(error)
  }
}
