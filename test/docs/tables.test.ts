// The tables in docs/ match the code: operators of qry, options of the server, types of columns.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Command, type Option } from 'commander'
import { addServerOptions } from '../../lib/config/config.ts'
import { listParameters } from '../../lib/docs/parameters.ts'
import { assetCategory } from '../../lib/schema/asset-category.ts'
import { COLUMN_TYPES, type TypeCode } from '../../lib/shared/column-types.ts'
import { columnField } from '../../lib/schema/columns/column-field.ts'
import { parseTableSchema } from '../../lib/schema/columns/table-schema.ts'
import { QRY_GROUPS, QRY_OPERATORS } from '../../lib/schema/qry.ts'

type Row = readonly string[]

/** Returns the cells of all table rows of a document whose first cell is code. */
function rowsOf(name: string): readonly Row[] {
  const text = readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8')
  const lines = text.split('\n').filter((line) => line.startsWith('| `'))
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

const OPERATORS = [...new Set([...QRY_GROUPS, ...QRY_OPERATORS])].toSorted()
const operatorsIn = (text: string): Row => [...new Set(text.match(/\$\w+/g))].toSorted()

test('docs/api.md names the operators of qry', () => {
  const [, text = ''] = rowsOf('api').find(([name]) => name === '`qry`') ?? []
  assert.deepEqual(operatorsIn(text), OPERATORS)
})

test('the documents of every list name the operators of qry', () => {
  const [qry] = listParameters(assetCategory)
  assert.deepEqual(operatorsIn(qry?.description ?? ''), OPERATORS)
})

/** The text in the table for defaults that are calculated at startup or derived from requests. */
const RECKONED: Readonly<Record<string, string>> = {
  CMS_DATA: '`content/` of a clone, else `~/.local/state/cms-server`',
  CMS_BASE_URL: 'from the request',
  CMS_WORKERS: 'processors, 3 to 4',
  CMS_PROCESSES: 'processors less one, 1 to 8',
  CMS_TRASH_DAYS: '`30`',
}

function rowOf({ long, flags, required, envVar = '', ...option }: Option): Row {
  const value = /<(\w+)>/.exec(flags)?.[1]?.toUpperCase()
  const told = option.defaultValueDescription ?? option.defaultValue
  const isNone = told === undefined || told === 'none'
  return [
    `\`${long}${required ? ` ${value}` : ''}\``,
    `\`${envVar}\``,
    RECKONED[envVar] ?? (isNone ? 'none' : `\`${String(told)}\``),
  ]
}

test('docs/configuration.md has the flags of a start, with their variables and defaults', () => {
  const written = rowsOf('configuration').filter(([flag]) => flag?.startsWith('`--'))
  // Text in parentheses after a default explains the default.
  const cells = written.map((row) => row.slice(0, 3).map((cell) => cell.replace(/ \(.+\)$/, '')))
  assert.deepEqual(cells, addServerOptions(new Command('start')).options.map(rowOf))
})

/** Returns the code spans of a cell. */
const codesIn = (cell: string): Row => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

const TYPE_ROWS = rowsOf('datatables').flatMap(([types = '', , size = '', example = '']) =>
  codesIn(types)
    .filter((code) => Object.hasOwn(COLUMN_TYPES, code))
    .map((code) => ({ type: code as TypeCode, size, example: codesIn(example)[0] ?? '' })),
)

test('docs/datatables.md has every type of column', () => {
  const written = TYPE_ROWS.map(({ type }) => type)
  assert.deepEqual(written.toSorted(), Object.keys(COLUMN_TYPES).toSorted())
})

for (const { type, size, example } of TYPE_ROWS) {
  test(`docs/datatables.md shows what ${type} accepts: ${size}`, () => {
    const [shown = ''] = codesIn(size)
    const [column] = parseTableSchema(`a ${type}${shown}`, new Set()).columns
    const field = column && columnField(column)
    assert.deepEqual(field?.check(JSON.parse(example)), { ok: true, value: JSON.parse(example) })
    const rule = COLUMN_TYPES[type].size
    assert.equal(shown === '', rule === 'none')
    assert.equal(size.startsWith('none'), ['none', 'width', 'label'].includes(rule))
  })
}
