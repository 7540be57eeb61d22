// Random updates, restores, changes of columns and restarts, compared with a model that keeps every state as a whole.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { historyOf, restore, update } from '../../helpers/history.ts'
import { changeSchema, makeEntry, makeTable } from '../../helpers/modules.ts'
import { fc } from '../../helpers/properties.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

after(removeDataDirectories)

type Step =
  | { readonly kind: 'update'; readonly at: number; readonly value: string | null }
  | { readonly kind: 'restore'; readonly at: number }
  | { readonly kind: 'rename' | 'drop'; readonly at: number }
  | { readonly kind: 'add' | 'restart' }

const number = fc.nat({ max: 99 })
const value = fc.option(fc.constantFrom('', 'a', 'b', 'ä\u2028"', 'x'.repeat(200)))
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('update'), at: number, value }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('restore'), at: number }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('rename', 'drop'), at: number }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('add', 'restart') }) },
) as fc.Arbitrary<Step>

/** A column by an identifier that a rename keeps, and its present name. */
type Columns = Map<number, string>
type State = Map<number, string | null>

interface Play {
  server: TestServer
  readonly path: string
  readonly entry: string
  readonly columns: Columns
  /** All states from the create on. */
  readonly states: State[]
  names: number
}

function last({ states }: Play): State {
  return states.at(-1) ?? new Map()
}

const columnAt = ({ columns }: Play, at: number): number =>
  [...columns.keys()][at % columns.size] ?? 0

function isSame(left: State, right: State): boolean {
  return [...left].every(([column, text]) => right.get(column) === text)
}

async function takeStep(play: Play, step: Step): Promise<void> {
  const { server, columns, states, entry } = play
  if (step.kind === 'update') {
    const column = columnAt(play, step.at)
    await update(server, entry, { [columns.get(column) ?? '']: step.value })
    addState(play, new Map([...last(play), [column, step.value]]))
  } else if (step.kind === 'restore') {
    const at = step.at % states.length
    const answer = await restore(server, entry, at + 1)
    assert.equal(answer.status, 200, answer.text)
    addState(play, new Map([...last(play), ...(states[at] ?? [])]))
  } else if (step.kind === 'restart') {
    await server.stop()
    play.server = await startTestServer({ dataDir: server.dataDir })
  } else await changeColumns(play, step)
}

/** A request that changes nothing makes no state. */
function addState(play: Play, next: State): void {
  if (!isSame(next, last(play))) play.states.push(next)
}

async function changeColumns(play: Play, step: Step): Promise<void> {
  const { columns, states, server, path } = play
  const name = `n${(play.names += 1)}`
  const renames: object[] = []
  if (step.kind === 'add') {
    columns.set(play.names, name)
    last(play).set(play.names, 'new')
  } else if ('at' in step) {
    const column = columnAt(play, step.at)
    if (step.kind === 'rename') {
      renames.push({ name, renamed_from: columns.get(column) })
      columns.set(column, name)
    } else if (columns.size > 1) {
      columns.delete(column)
      for (const state of states) state.delete(column)
    }
  }
  const added = (column: number): string => (column > 3 ? " DEFAULT 'new'" : '')
  const schema = [...columns].map(([column, own]) => `${own} C(255)${added(column)}`).join(', ')
  const json = { table_schema: schema, ...(renames.length > 0 && { columns: renames }) }
  const answer = await changeSchema(server, path, json, '?confirm=drop')
  assert.equal(answer.status, 200, answer.text)
}

async function compare(play: Play): Promise<void> {
  const { server, columns, states, entry } = play
  const { history } = await historyOf(server, entry, '?length=1000')
  assert.deepEqual(
    history.map((item) => item.number),
    states.map((_, at) => at + 1).toReversed(),
  )
  for (const item of history.slice(0, -1)) {
    const [before, now] = [states[item.number - 2], states[item.number - 1]]
    const expected = [...columns].flatMap(([column, name]) => {
      const [from, to] = [before?.get(column), now?.get(column)]
      return from === undefined || from === to ? [] : [[name, from, to]]
    })
    const told = item.changes.map(({ name, from, to }: any) => [name, from, to])
    assert.deepEqual(told.toSorted(), expected.toSorted(), `change ${item.number}`)
  }
  const { body } = await server.call('GET', `${entry}?fields=*`)
  for (const [column, name] of columns) assert.equal(body[name], last(play).get(column))
}

test('any sequence of changes and restores has the history of the model', async () => {
  let server = await startTestServer({ dataDir: newDataDirectory() })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const { path, url } = await makeTable(server, 'n1 C(255), n2 C(255), n3 C(255)')
      await makeEntry(server, url, { n1: 'first' })
      const columns = new Map([1, 2, 3].map((column) => [column, `n${column}`]))
      const first: State = new Map([
        [1, 'first'],
        [2, null],
        [3, null],
      ])
      const play: Play = { server, path, entry: `${url}/1`, columns, states: [first], names: 3 }
      try {
        for (const each of steps) await takeStep(play, each)
        await compare(play)
      } finally {
        server = play.server
      }
    }),
    { numRuns: 25 },
  )
  await server.close()
})
