// Each row of the fault table has a test that names the row, or a reason.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { FAULT_ROWS } from './fault-rows.ts'

const TESTS = join(findRoot(import.meta.dirname), 'test')

/** Matches a title that begins with rows, or the rows of a computed title. `S7-S11` is a range. */
const TITLE = /(?:['"`](?=[^'"`]*: )|rows: ')((?:[A-Z]\d+(?:-[A-Z]\d+)?(?:, |(?=:|')))+)/g

const named = new Set(
  readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('fault-rows.ts'))
    .flatMap((path) => [...readFileSync(join(TESTS, path), 'utf8').matchAll(TITLE)])
    .flatMap(([, rows = '']) => rows.split(', ').flatMap(expand)),
)

test('each of the 122 rows of the fault table has a test that names it, or a reason', () => {
  assert.equal(new Set(FAULT_ROWS.map(({ id }) => id)).size, 122)
  const missing = FAULT_ROWS.filter(({ id, reason }) => !named.has(id) && reason === undefined)
  assert.deepEqual(
    missing.map(({ id, fault }) => `${id}: ${fault}`),
    [],
  )
})

test('every row that a test names is in the fault table', () => {
  const known = new Set(FAULT_ROWS.map(({ id }) => id))
  assert.deepEqual(
    [...named].filter((id) => !known.has(id)),
    [],
  )
})

function expand(rows: string): readonly string[] {
  const [, letter = '', first, last = first] = /^([A-Z])(\d+)(?:-[A-Z](\d+))?$/.exec(rows) ?? []
  const count = Number(last) - Number(first) + 1
  return Array.from({ length: count }, (_, at) => `${letter}${Number(first) + at}`)
}

/** Finds the root of the project from the directory of the compiled file. */
function findRoot(start: string): string {
  if (existsSync(join(start, 'lib/base/errors.ts'))) return start
  assert.notEqual(start, dirname(start), 'the sources are not above this file')
  return findRoot(dirname(start))
}
