// Warnings about a valid table_schema: rows that MySQL could not store, and indexes without effect.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseTableSchema } from '../../../lib/schema/columns/table-schema.ts'

const MOST = 65_535

/** Column, and the bytes that the column takes in a row of MySQL. */
const SIZES: readonly (readonly [type: string, bytes: number])[] = [
  ['C(10)', 42],
  ['C2(10)', 42],
  ['X', 12],
  ['XL', 12],
  ['B', 12],
  ['I1', 1],
  ['I2', 2],
  ['I4', 4],
  ['I', 4],
  ['I8', 8],
  ['L', 1],
  ['D', 3],
  ['T', 8],
  ['TS', 8],
  ['F', 8],
  ["ENUM('a')", 2],
  ["SET('a','b')", 8],
  ['JSON', 12],
  ['POINT', 25],
  ['MD', 12],
  ['HTML', 12],
  ['EMAIL', 1_018],
  ['URL', 8_194],
  ['COLOR', 38],
  ['UUID', 16],
  ['N(9)', 4],
  ['N(10)', 8],
  ['N(18)', 8],
  ['N(19)', 12],
  ['N', 8],
]

const warningsOf = (schema: string): readonly string[] =>
  parseTableSchema(schema, new Set()).warnings

describe('a warning', () => {
  test('reports the bytes of a row that is too large for MySQL', () => {
    // The column takes 65,534 bytes. The warning counts the bytes that further columns add.
    const full = 'a C(16383)'
    assert.deepEqual(warningsOf(full), [])
    assert.deepEqual(warningsOf(`${full}, b I1`), [])
    for (const [type, bytes] of SIZES) {
      const [warning] = warningsOf(`${full}, l L, b ${type}`)
      assert.match(String(warning), new RegExp(`^A row takes up to ${MOST + bytes} bytes`), type)
    }
  })

  test('names the first five columns whose index is ignored', () => {
    const columns = (count: number): string =>
      Array.from({ length: count }, (_, at) => `x${at} X INDEX`).join(', ')
    const first = '"x0", "x1", "x2", "x3", "x4"'
    for (const [count, names] of [
      [1, '"x0"'],
      [5, first],
      [6, `${first} and 1 more`],
      [8, `${first} and 3 more`],
    ] as const)
      assert.deepEqual(warningsOf(`${columns(count)}, c C(9) INDEX, y X`), [
        `INDEX is ignored for ${names}: columns of these types have no index, and a search in them reads every entry.`,
      ])
    assert.deepEqual(warningsOf('a X, b C(9) INDEX'), [])
  })
})
