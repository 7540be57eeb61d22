// Clients request lists of a table under a few addresses while entries are written. After a newer
// list was returned or a change acknowledged, no older list may be returned.

import { makeEntry, makeTable } from '../../helpers/modules.ts'
import type { Answering } from '../../helpers/server.ts'
import type { Random } from '../random.ts'
import type { Operation } from './checker.ts'
import type { Action, SubjectKind } from './subjects.ts'

interface Entry {
  readonly id: number
  readonly kind: string
  readonly rank: number
}

type Table = readonly Entry[]

interface Given {
  readonly id: number
  readonly answeredAt: number
}

interface State {
  readonly table: Table
  /** All assigned identifiers, including those of deleted entries. */
  readonly given: readonly Given[]
}

const KINDS = ['red', 'blue'] as const

/** The content of each list for a table in the order of identifiers. */
const LISTS: Readonly<Record<string, (table: Table) => Table>> = {
  '?length=3': (table) => table.slice(0, 3),
  '?qry={"kind":"red"}': (table) => ofKind(table, 'red'),
  '?qry={"kind":"blue"}&length=1': (table) => ofKind(table, 'blue').slice(0, 1),
  '?qry={"kind":"red"}&orderStr=rank&orderDir=desc&length=2': (table) =>
    byRank(ofKind(table, 'red')).slice(0, 2),
  '?qry={"rank":{"$gte":4}}': (table) => table.filter(({ rank }) => rank >= 4),
  '?orderStr=rank&orderDir=desc&length=2': (table) => byRank(table).slice(0, 2),
}

function ofKind(table: Table, kind: string): Table {
  return table.filter((entry) => entry.kind === kind)
}

/** Descending by rank, and by descending identifier for equal ranks. */
function byRank(table: Table): Table {
  return table.toSorted((left, right) => right.rank - left.rank || right.id - left.id)
}

export const lists: SubjectKind = {
  name: 'lists of one table beside its changes',
  rows: 'C1',
  async make(server) {
    const { url } = await makeTable(server, 'kind C(10), rank I')
    const initial: Entry[] = []
    for (const [kind, rank] of [
      ['red', 1],
      ['blue', 5],
    ] as const) {
      const made = await makeEntry(server, url, { kind, rank })
      initial.push({ id: made.datatable_entry_id, kind, rank })
    }
    return {
      specification: {
        initial: { table: initial, given: initial.map(({ id }) => ({ id, answeredAt: 0 })) },
        step: stepTable,
      },
      next: (random) =>
        random.below(3) === 0 ? change(server, url, random) : read(server, url, random),
    }
  },
}

function read(server: Answering, url: string, random: Random): Action {
  const address = random.pick(Object.keys(LISTS))
  return {
    input: { what: 'list', address },
    async run() {
      const separator = address.includes('?') ? '&' : '?'
      const { status, body } = await server.call(
        'GET',
        `${url}${encodeURI(address)}${separator}fields=*`,
      )
      return { status, entries: body.datatable_entry?.map(entryOf) }
    },
  }
}

function entryOf({ datatable_entry_id: id, kind, rank }: any): Entry {
  return { id, kind, rank }
}

function change(server: Answering, url: string, random: Random): Action {
  const json = { kind: random.pick(KINDS), rank: random.below(9) }
  const id = 1 + random.below(3)
  const path = `${url}/${id}`
  switch (random.below(6)) {
    case 0:
      return {
        input: { what: 'create', json },
        async run() {
          const headers = { prefer: 'return=representation' }
          const { status, body } = await server.call('POST', url, { json, headers })
          return { status, id: body.datatable_entry?.datatable_entry_id }
        },
      }
    case 1:
      return {
        input: { what: 'delete', id },
        run: async () => ({ status: (await server.call('DELETE', path)).status }),
      }
    default: {
      const part = random.pick([{ kind: json.kind }, { rank: json.rank }])
      return {
        input: { what: 'update', id, json: part },
        run: async () => ({ status: (await server.call('POST', path, { json: part })).status }),
      }
    }
  }
}

function stepTable({ table, given }: State, operation: Operation): State | undefined {
  const { input, output } = operation
  if (input.what === 'list') {
    const expected = LISTS[input.address]?.(table)
    const isRight = JSON.stringify(output.entries) === JSON.stringify(expected)
    return output.status === 200 && isRight ? { table, given } : undefined
  }
  if (input.what === 'create') {
    if (output.status !== 201 || !isNew(given, operation)) return undefined
    const entry = { id: output.id, ...input.json }
    return {
      table: [...table, entry].toSorted((left, right) => left.id - right.id),
      given: [...given, { id: entry.id, answeredAt: operation.answeredAt }],
    }
  }
  const isThere = table.some(({ id }) => id === input.id)
  if (!isThere) return output.status === 404 ? { table, given } : undefined
  if (input.what === 'delete')
    return output.status === 204
      ? { table: table.filter(({ id }) => id !== input.id), given }
      : undefined
  const change = (entry: Entry): Entry =>
    entry.id === input.id ? { ...entry, ...input.json } : entry
  return output.status === 200 ? { table: table.map(change), given } : undefined
}

/**
 * The identifier is higher than all identifiers returned before the request began. Concurrent
 * requests may return in any order.
 */
function isNew(given: readonly Given[], { output: { id }, calledAt }: Operation): boolean {
  return given.every((other) => other.id !== id && (other.id < id || other.answeredAt > calledAt))
}
