// Clients create, change and delete entries with references, and read them expanded and through a reference. The expected
// effects of deletions are those of the model in ../references/model.ts.

import { makeEntry, makeTable, queryOf } from '../../helpers/modules.ts'
import type { Answering } from '../../helpers/server.ts'
import type { Random } from '../random.ts'
import { COLUMNS, isValid, type Part, remove, type Rules } from '../references/model.ts'
import type { Operation } from './checker.ts'
import type { Action, SubjectKind } from './subjects.ts'

/** Plain data, because the checker compares states as JSON. */
interface State {
  readonly tops: readonly (readonly [id: number, rank: number])[]
  readonly parts: readonly (readonly [id: number, part: Part])[]
  /** Identifiers of all parts, including those of deleted parts. */
  readonly given: readonly number[]
}

type Table = 'top' | 'part'

/** The address of each table. */
type Urls = Readonly<Record<Table, string>>

const ALL_RULES: readonly Rules[] = [
  { top: 'RESTRICT', next: 'SET NULL', all: 'CASCADE' },
  { top: 'CASCADE', next: 'RESTRICT', all: 'SET NULL' },
  { top: 'SET NULL', next: 'CASCADE', all: 'RESTRICT' },
]
const IDS: Readonly<Record<Table, readonly number[]>> = { top: [1, 2], part: [1, 2, 3] }
const RANK = 7
const OTHER_RANK = 8
/** Stands for a list of all parts. */
const EVERY = 0

let histories = 0

export const references: SubjectKind = {
  name: 'entries with references to each other',
  rows: 'C5',
  async make(server) {
    // Each history has other rules than the one before.
    const rules = ALL_RULES[(histories += 1) % ALL_RULES.length] as Rules
    const urls = await makeTables(server, rules)
    const initial: State = { tops: IDS.top.map((id) => [id, RANK]), parts: [], given: [] }
    return {
      specification: { initial, step: (state, operation) => step(rules, state, operation) },
      next: (random) => nextAction(server, urls, random),
    }
  },
}

async function makeTables(server: Answering, rules: Rules): Promise<Urls> {
  const { id, url: top } = await makeTable(server, 'rank I')
  const columns = [
    `top I REFERENCES datatable ${id} ON DELETE ${rules.top}`,
    `next I REFERENCES SELF ON DELETE ${rules.next}`,
    `all I REFERENCES datatable ${id} MANY ON DELETE ${rules.all}`,
  ]
  const { url: part } = await makeTable(server, columns.join(', '))
  for (const rank of IDS.top.map(() => RANK)) await makeEntry(server, top, { rank })
  return { top, part }
}

function nextAction(server: Answering, urls: Urls, random: Random): Action {
  const choice = random.below(20)
  if (choice < 6) return create(server, urls.part, partOf(random))
  if (choice < 10) {
    const table: Table = choice < 9 ? 'part' : 'top'
    return change(server, urls, { table, id: random.pick(IDS[table]), json: jsonOf(table, random) })
  }
  if (choice < 14) {
    const table: Table = choice < 11 ? 'part' : 'top'
    return change(server, urls, { table, id: random.pick(IDS[table]), json: undefined })
  }
  return read(server, urls.part, random.pick([EVERY, RANK, OTHER_RANK]))
}

function partOf(random: Random): Part {
  const { top, part } = IDS
  return {
    top: random.below(4) === 0 ? null : random.pick(top),
    next: random.below(2) === 0 ? null : random.pick(part),
    all: top.filter(() => random.below(3) === 0),
  }
}

function jsonOf(table: Table, random: Random): object {
  if (table === 'top') return { rank: random.pick([RANK, OTHER_RANK]) }
  const column = random.pick(COLUMNS)
  return { [column]: partOf(random)[column] }
}

function create(server: Answering, url: string, json: Part): Action {
  return {
    input: { what: 'create', json },
    async run() {
      const headers = { prefer: 'return=representation' }
      const { status, body } = await server.call('POST', url, { json, headers })
      return { status, id: body.datatable_entry?.datatable_entry_id }
    },
  }
}

interface Changed {
  readonly table: Table
  readonly id: number
  /** Undefined for a deletion. */
  readonly json: object | undefined
}

function change(server: Answering, urls: Urls, { table, id, json }: Changed): Action {
  const [method, call] = json === undefined ? ['DELETE', {}] : ['POST', { json }]
  return {
    input: { what: json === undefined ? 'delete' : 'update', table, id, json },
    run: async () => ({ status: (await server.call(method, `${urls[table]}/${id}`, call)).status }),
  }
}

/** Lists the parts, or those whose reference `top` leads to an entry with this rank. */
function read(server: Answering, url: string, rank: number): Action {
  const query = queryOf({
    fields: '*',
    length: 100,
    expand: 'top,next,all',
    ...(rank !== EVERY && { qry: { 'top.rank': rank } }),
  })
  return {
    input: { what: 'list', rank },
    async run() {
      const { status, body } = await server.call('GET', `${url}?${query}`)
      return { status, parts: body.datatable_entry?.map(shownPart) }
    },
  }
}

/** Each reference as the identifier in the column, and as what `expand` adds. */
function shownPart({ datatable_entry_id: id, top, next, all, expanded }: any): object {
  const idOf = (entry: any): unknown => entry?.datatable_entry_id ?? null
  const ids = { top: idOf(expanded.top), next: idOf(expanded.next), all: expanded.all.map(idOf) }
  return { id, top, next, all, expanded: ids, rank: expanded.top?.rank ?? null }
}

function listed({ tops, parts }: State, rank: number): readonly object[] {
  const ranks = new Map(tops)
  return parts
    .map(([id, part]) => ({ id, ...part, expanded: part, rank: ranks.get(part.top ?? 0) ?? null }))
    .filter((part) => rank === EVERY || part.rank === rank)
}

function step(rules: Rules, state: State, { input, output }: Operation): State | undefined {
  const { status } = output
  if (input.what === 'list') {
    const isRight = JSON.stringify(output.parts) === JSON.stringify(listed(state, input.rank))
    return status === 200 && isRight ? state : undefined
  }

  const tops = new Map(state.tops)
  const parts = new Map(state.parts.map(([id, part]) => [id, { ...part }]))
  const model = { tops: new Set(tops.keys()), parts }
  const result = (): State => ({
    tops: [...tops].filter(([id]) => model.tops.has(id)),
    parts: [...parts].toSorted(([left], [right]) => left - right),
    given: state.given,
  })
  if (input.what === 'create') {
    if (!isValid(model, input.json)) return status === 422 ? state : undefined
    if (status !== 201 || state.given.includes(output.id)) return undefined
    parts.set(output.id, input.json)
    return {
      ...result(),
      given: [...state.given, output.id].toSorted((left, right) => left - right),
    }
  }
  const { table, id, json } = input
  const isThere = table === 'top' ? tops.has(id) : parts.has(id)
  if (!isThere) return status === 404 ? state : undefined
  if (input.what === 'delete') {
    const isDone = remove(model, rules, { table, id })
    return status === (isDone ? 204 : 409) ? result() : undefined
  }
  const changed = { ...parts.get(id), ...json }
  if (table === 'part' && !isValid(model, changed)) return status === 422 ? state : undefined
  if (table === 'part') parts.set(id, changed)
  else tops.set(id, json.rank)
  return status === 200 ? result() : undefined
}
