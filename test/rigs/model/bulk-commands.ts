// Commands that change many entries of a datatable in one request: upserts, bulk updates and bulk deletes.

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { anyEntry, anyOne, type Command, command, expectAnswer, pick } from './command.ts'
import type { Entry } from './state.ts'

/** Creates entries, or updates those that have the same value in the unique column. */
const upsertEntries = command({
  name: 'upsertEntries',
  needs: 'tables',
  args: fc.record({ table: anyOne, list: fc.array(anyEntry, { minLength: 1, maxLength: 3 }) }),
  async run(model, world, { table, list }) {
    const [, { url, entries }] = pick(model.tables, table)
    const headers = { prefer: 'return=representation' }
    const answer = await world.call('POST', `${url}?on_conflict=b`, { json: list, headers })
    if (list.some(({ b }) => b === null)) return void expectAnswer(answer, 422)
    if (new Set(list.map(({ b }) => b)).size < list.length) return void expectAnswer(answer, 409)

    const known = new Map([...entries].map(([id, { b }]) => [b, id]))
    const { datatable_entry: saved, created } = expectAnswer(answer, 200)
    for (const [at, { datatable_entry_id: id, a, b }] of saved.entries()) {
      assert.equal(created[at], !known.has(b))
      assert.equal(known.get(b) ?? id, id)
      entries.set(id, { a, b })
    }
  },
})

const anyValues = fc.oneof(
  anyEntry.map(({ a }) => ({ a })),
  anyEntry.map(({ b }) => ({ b })),
)

/** Updates or deletes the entries from a value on. */
const changeMatching = command({
  name: 'changeMatching',
  needs: 'tables',
  args: fc.record({
    table: anyOne,
    from: fc.integer({ min: -3, max: 3 }),
    values: anyValues,
    isRemoved: fc.boolean(),
    isDryRun: fc.boolean(),
    isExpected: fc.boolean(),
  }),
  async run(model, world, { table, from, values, isRemoved, isDryRun, isExpected }) {
    const [, { url, entries }] = pick(model.tables, table)
    const matching = [...entries].filter(([, { a }]) => a >= from)
    const { length: matched } = matching
    const expect = isExpected ? matched : matched + 1
    const selection = { qry: { a: { $gte: from } }, dry_run: isDryRun, expect }
    const answer = isRemoved
      ? await world.call('POST', `${url}/bulk_delete`, { json: selection })
      : await world.call('POST', `${url}/bulk_update`, { json: { ...selection, values } })
    if (!isExpected) {
      assert.equal(expectAnswer(answer, 409, 'count-differs').matched, matched)
      return
    }
    const next = matching.map(([id, entry]): [number, Entry] => [id, { ...entry, ...values }])
    if (!isRemoved && isShared(new Map([...entries, ...next])))
      return void expectAnswer(answer, 409, 'not-unique')
    const isChanged = ([id, { a, b }]: [number, Entry]): boolean =>
      a !== entries.get(id)?.a || b !== entries.get(id)?.b
    const changed = isRemoved ? matched : next.filter(isChanged).length
    assert.deepEqual(expectAnswer(answer, 200), { matched, changed, dry_run: isDryRun })
    if (isDryRun) return
    for (const [id, entry] of next) {
      if (isRemoved) entries.delete(id)
      else entries.set(id, entry)
    }
  },
})

function isShared(entries: ReadonlyMap<number, Entry>): boolean {
  const values = [...entries.values()].map(({ b }) => b).filter((b) => b !== null)
  return new Set(values).size < values.length
}

export const bulkCommands: readonly fc.WeightedArbitrary<Command>[] = [
  { weight: 3, arbitrary: upsertEntries },
  { weight: 3, arbitrary: changeMatching },
]
