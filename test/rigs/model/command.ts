// Shared parts of all commands: random arguments, a condition, and a run that applies the command
// to the model and to the server and compares the results.

import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Answer, Call } from '../../helpers/server.ts'
import type { Model } from './state.ts'
import type { World } from './world.ts'

export type Command = fc.AsyncCommand<Model, World>

interface Definition<A> {
  readonly name: string
  readonly args: fc.Arbitrary<A>
  /** The kind of record that must exist. */
  readonly needs?: 'files' | 'groups' | 'tables' | 'keys'
  readonly run: (model: Model, world: World, args: A) => Promise<void>
}

export function command<A>({ name, args, needs, run }: Definition<A>): fc.Arbitrary<Command> {
  return args.map((given) => ({
    check: (model) => needs === undefined || model[needs].size > 0,
    run: (model, world) => run(model, world, given),
    toString: () => `${name}(${JSON.stringify(given)})`,
  }))
}

/** Picks a record by a number of any size. */
export function pick<T>(records: ReadonlyMap<number, T>, number: number): readonly [number, T] {
  const entry = [...records][number % records.size]
  assert.ok(entry, 'there is nothing to pick from')
  return entry
}

export const anyOne = fc.nat({ max: 1_000 })
export const anyText = fc.constantFrom('', '<p>one</p>', 'two\r\n', 'ü'.repeat(80_000), 'three')
export const anyTitle = fc.constantFrom(null, '', 'A title', 'Ü')
export const anyName = fc.constantFrom('a.html', 'A.HTML', 'straße', 'STRASSE', 'b.html', 'c')
export const anyState = fc.constantFrom(undefined, undefined, 'publish' as const, 'stage' as const)

/** Values of an entry. The second column is unique. */
export const anyEntry = fc.record({
  a: fc.integer({ min: -3, max: 3 }),
  b: fc.constantFrom('x', 'X', 'y', 'z', null),
})

/** The nodes that are ended, and for how long. */
export const anyOutage = {
  whom: fc.nat({ max: 5 }),
  requests: fc.constantFrom(0, 1, 3, 10),
  isLate: fc.boolean(),
}

/** Sometimes a precondition that fails. */
export const anyCondition = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom('"r0"', 'W/"r1"') },
)

export function conditional(json: object | undefined, ifMatch: string | undefined): Call {
  return {
    ...(json !== undefined && { json }),
    ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
  }
}

/** Asserts the status and the problem code. */
export function expectAnswer(answer: Answer, status: number, code?: string): any {
  const { status: found, body, text } = answer
  assert.deepEqual([found, body?.code], [status, code ?? body?.code], text)
  return body
}

/** Removes undefined members. */
export function defined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
