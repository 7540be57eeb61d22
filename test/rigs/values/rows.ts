// The rows of the rig: each has a single value, in the column of its type. Also the tables that are
// filled with the rows.

import assert from 'node:assert/strict'
import { queryOf } from '../../helpers/modules.ts'
import type { Answering, TestServer } from '../../helpers/server.ts'
import { KINDS, type Kind } from './literals.ts'

export interface Rig {
  readonly server: TestServer
  readonly directory: string
  readonly rows: readonly Row[]
  readonly faults: string[]
}

export interface Row {
  readonly k: number
  readonly kind: Kind
  /** JSON text. */
  readonly literal: string
}

/** Entries by the column k. */
export type Stored = ReadonlyMap<number, Readonly<Record<string, unknown>>>

export interface Filled {
  readonly url: string
  readonly stored: Stored
}

export const COLUMNS: readonly string[] = KINDS.map(({ column }) => column)
export const SCHEMA = ['k I NOTNULL', ...KINDS.map(({ column, type }) => `${column} ${type}`)].join(
  ', ',
)

/** The number of concurrent requests. */
export const AT_ONCE = { concurrency: 6 }

export const jsonOf = ({ k, kind, literal }: Row): string =>
  `{"k":${k},"${kind.column}":${literal}}`

/** The text that a person types for the value. */
export const textOf = ({ literal }: Pick<Row, 'literal'>): string =>
  literal.startsWith('"') ? String(JSON.parse(literal)) : literal

export function csvOf(rows: readonly Row[]): string {
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`
  const line = (row: Row): string =>
    [row.k, ...COLUMNS.map((name) => (name === row.kind.column ? cell(textOf(row)) : ''))].join(',')
  return [['k', ...COLUMNS].join(','), ...rows.map(line), ''].join('\n')
}

export async function readAll(server: Answering, url: string): Promise<Stored> {
  const all = new Map<number, Readonly<Record<string, unknown>>>()
  let cursor: string | undefined
  do {
    const query = queryOf({ length: 1000, ...(cursor !== undefined && { cursor }) })
    const { body, text } = await server.call('GET', `${url}?${query}`)
    const [, list] = Object.entries<any>(body).find(([name]) => name !== 'page') ?? []
    assert.ok(Array.isArray(list), text)
    for (const entry of list) all.set(entry.k, entry)
    cursor = body.page.next ?? undefined
  } while (cursor !== undefined)
  return all
}

/** Compares every accepted value with the sent value. */
export function judge({ rows, faults }: Rig, door: string, stored: Stored): void {
  for (const { k, kind, literal } of rows) {
    const entry = stored.get(k)
    const isSame = door === 'handling=strict' ? (kind.isExact ?? kind.isSame) : kind.isSame
    if (entry === undefined || isSame(literal, entry[kind.column])) continue
    faults.push(`${door}: ${kind.type} ${literal} became ${JSON.stringify(entry[kind.column])}`)
  }
}

export interface Compared {
  readonly stored: Stored
  readonly expected: Stored
}

export function compare({ rows, faults }: Rig, door: string, { stored, expected }: Compared): void {
  for (const { k, kind, literal } of rows) {
    const [one, other] = [stored.get(k), expected.get(k)].map((entry) =>
      entry === undefined ? 'refused' : JSON.stringify(entry[kind.column]),
    )
    if (one !== other)
      faults.push(`${door}: ${kind.type} ${literal} is ${one}, and ${other} by the door before`)
  }
}
