// How the administration area reads and changes the text of a schema, compared with the result of the server.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { typeOf } from '../../lib/admin/pages/data/column-types.ts'
import { guessSchema, guessType } from '../../lib/admin/pages/data/guess-schema.ts'
import { renameColumn } from '../../lib/admin/pages/data/rename-column.ts'
import { readSchema, type SchemaColumn } from '../../lib/admin/pages/data/schema-columns.ts'
import { followText, takeIn } from '../../lib/admin/pages/data/schema-draft.ts'
import {
  addColumn,
  dropColumn,
  listOfValues,
  moveColumn,
  onLines,
  resizeColumn,
  retypeColumn,
  setDefault,
  setFlag,
  shownValues,
} from '../../lib/admin/pages/data/schema-edit.ts'
import { setRule } from '../../lib/admin/pages/data/schema-rules.ts'
import type { Column } from '../../lib/schema/columns/column.ts'
import { parseTableSchema } from '../../lib/schema/columns/table-schema.ts'
import { RESERVED_NAMES } from '../../lib/schema/entry.ts'
import { COLUMN_TYPES, type TypeCode } from '../../lib/shared/column-types.ts'
import { fc } from '../helpers/properties.ts'

const server = (text: string): readonly Column[] =>
  parseTableSchema(text, RESERVED_NAMES.datatable).columns

/** Returns undefined if the server rejects the text. */
function tryServer(text: string): readonly Column[] | undefined {
  try {
    return server(text)
  } catch {
    return undefined
  }
}

const WORDS = [
  'NOTNULL',
  'NULL',
  'notnull',
  'UNSIGNED',
  'UNIQUE',
  'KEY',
  'PRIMARY',
  'AUTO',
] as const
const MORE = [
  'DEFAULT 1',
  "DEF 'a b'",
  'DEFAULT NULL',
  'DEFDATE',
  'AUTOINCREMENT',
  'INDEX',
  'INDEX i',
  "'UNIQUE'",
  'MIN 0',
  'max 9',
  'LENGTH 1..5',
  "MATCH '^[a, ]+$'",
  'INDEX min',
]
const SIZES = ['', '(20)', ' 20', '(10.2)', '(10,2)', "('a','b)))', 'it''s')", '(Large)', '( 5 )']
const NATIVE = ['VARCHAR', 'SERIAL', 'bigint', 'Text']

const TYPE_CODES = Object.keys(COLUMN_TYPES) as readonly TypeCode[]

const columnText = fc
  .record({
    name: fc.stringMatching(/^[a-z_][a-z0-9_]{0,5}$/),
    type: fc.constantFrom(...TYPE_CODES, ...NATIVE),
    size: fc.constantFrom(...SIZES),
    words: fc.subarray([...WORDS, ...MORE], { maxLength: 3 }),
  })
  // Columns that share an index cannot be unique.
  .map(({ name, type, size, words }) =>
    [name, `${type}${size}`, ...words].join(' ').replace(/INDEX (?:i|min)\b/, `$&_${name}`),
  )

const schemaText = fc
  .tuple(
    fc.array(columnText, { minLength: 1, maxLength: 5 }),
    fc.constantFrom(', ', ',\n', ' ,\r\n\t', ','),
  )
  .map(([columns, between]) => columns.join(between))

function plain({ name, code, isRequired, isUnique, isUnsigned, isAuto }: SchemaColumn) {
  return { name, type: code, isRequired, isUnique, isUnsigned, isAuto }
}

function plainOf({ name, type, isRequired, isUnsigned, isUnique, isAuto }: Column) {
  return {
    name,
    type,
    isRequired,
    isUnique: isUnique === true,
    isUnsigned,
    isAuto: isAuto === true,
  }
}

describe('the text of a schema', () => {
  test('accepted schemas are read as the server reads them', () => {
    const corpus = readFileSync('test/rigs/corpus/schema', 'utf8').split('\n%%\n')
    let taken = 0
    const check = (text: string): void => {
      const columns = tryServer(text)
      if (columns === undefined) return
      taken += 1
      const read = readSchema(text)
      assert.deepEqual(read.faults, [], text)
      assert.deepEqual(read.columns.map(plain), columns.map(plainOf), text)
    }
    for (const text of [
      ...corpus,
      'datatable_entry_id I(11) NOTNULL PRIMARY, `a` "I" (11), b C 20,',
    ])
      check(text)
    fc.assert(fc.property(schemaText, check), { numRuns: 2_000 })
    assert.ok(taken > 50, `${taken} were taken`)
  })

  test('a change of one column leaves the others as written', () => {
    fc.assert(
      fc.property(schemaText, fc.nat(), fc.constantFrom(...TYPE_CODES), (text, number, code) => {
        const before = tryServer(text)
        const { columns } = readSchema(text)
        const at = number % Math.max(columns.length, 1)
        const column = columns[at]
        if (before === undefined || column === undefined) return
        // Columns with KEY are unique together, so a change of one changes the others.
        if ([...text.matchAll(/\b(?:KEY|PRIMARY)\b/g)].length > 1) return
        const others = (list: readonly Column[]): readonly Column[] => list.toSpliced(at, 1)
        const expect = (changed: string): Column | undefined => {
          const after = server(changed)
          assert.deepEqual(others(after), others(before), changed)
          return after[at]
        }

        assert.deepEqual(expect(renameColumn(text, column, 'other_1')), {
          ...before[at],
          name: 'other_1',
        })
        assert.equal(expect(retypeColumn(text, column, code))?.type, code)
        if (!column.isAuto) {
          assert.equal(
            expect(setFlag(text, column, { flag: 'isRequired', isSet: !column.isRequired }))
              ?.isRequired,
            !column.isRequired,
          )
          const isSet = !column.isUnique
          if (typeOf(column.code).isLong === false)
            assert.equal(
              expect(setFlag(text, column, { flag: 'isUnique', isSet }))?.isUnique === true,
              isSet,
            )
          assert.equal(expect(setDefault(text, column, undefined))?.default, undefined)
        }
        if (typeOf(column.code).kind === 'integer') {
          const isSet = !column.isAuto
          assert.equal(
            expect(setFlag(text, column, { flag: 'isAuto', isSet }))?.isAuto === true,
            isSet,
          )
        }
        if (typeOf(column.code).size === 'length')
          assert.equal(expect(resizeColumn(text, column, '77'))?.size, 77)
        assert.deepEqual(server(dropColumn(text, column)), others(before))
        assert.deepEqual(server(addColumn(text, 'more_1 D')).slice(0, -1), before)
        assert.deepEqual(server(onLines(text)), before)
        const to = columns.length - 1
        assert.deepEqual(server(moveColumn(text, columns, { from: at, to })).at(-1), before[at])
      }),
      { numRuns: 2_000 },
    )
  })

  test('the expression of a COMPUTED column is kept, and CHECK and UNIQUE are no columns', () => {
    const text = "a I, b I COMPUTED 'a * 2', CHECK(a IN (1, 2)), UNIQUE(a, c), c I"
    const { columns, faults } = readSchema(text)
    assert.deepEqual([columns.map(({ name }) => name), faults], [['a', 'b', 'c'], []])
    const [, computed] = columns
    assert.ok(computed)
    assert.equal(retypeColumn(text, computed, 'N'), text.replace('b I', 'b N(12.2)'))
    assert.deepEqual(server(onLines(text)), server(text))
  })

  test('a rule can be set, changed and removed, and is removed from types without such rules', () => {
    const edit = (text: string, change: (column: SchemaColumn) => string): Column | undefined => {
      const [column] = readSchema(text).columns
      assert.ok(column)
      return server(change(column))[0]
    }
    const set = (text: string, rule: 'MIN' | 'LENGTH' | 'MATCH', value: string) =>
      edit(text, (column) => setRule(text, column, { rule, value }))
    assert.equal(set('a I NOTNULL', 'MIN', '-5')?.minimum, '-5')
    assert.equal(set('a D MIN 2026-01-01', 'MIN', '2026-02-01')?.minimum, '2026-02-01')
    assert.equal(set('a I MIN 1 NOTNULL', 'MIN', '')?.minimum, undefined)
    assert.equal(set('a C(9)', 'LENGTH', '2..4')?.maxLength, 4)
    assert.equal(set('a C(9)', 'MATCH', "^it's$")?.pattern, "^it's$")
    const limited = 'a I MIN 1 MAX 9'
    assert.equal(edit(limited, (column) => retypeColumn(limited, column, 'N'))?.minimum, '1')
    assert.equal(edit(limited, (column) => retypeColumn(limited, column, 'C'))?.minimum, undefined)
    const auto = { flag: 'isAuto', isSet: true } as const
    assert.equal(edit(limited, (column) => setFlag(limited, column, auto))?.maximum, undefined)
  })

  test('a fault is reported with its kind and place', () => {
    const told = (text: string) =>
      readSchema(text).faults.map(({ kind, start, end }) => [kind, text.slice(start, end)])
    assert.deepEqual(told('a C(20) NOT NULL'), [['notNull', 'NOT']])
    assert.deepEqual(told('a C, b N(10.20), c ENUM'), [
      ['length', 'C'],
      ['digits', '(10.20)'],
      ['values', 'ENUM'],
    ])
    assert.deepEqual(told('a I, A I'), [['taken', 'A']])
    assert.deepEqual(told('a, b WORD, 12 I, c I DEFAULT'), [
      ['noType', 'a'],
      ['type', 'WORD'],
      ['name', '12'],
      ['noValue', 'DEFAULT'],
    ])
    assert.deepEqual(told('a C(20'), [['unclosed', '(20']])
  })

  test('values of a list are written plainly, and quoted only if necessary', () => {
    assert.equal(shownValues("'a','b c'"), 'a, b c')
    assert.equal(shownValues("'a,b','it''s'"), "'a,b','it''s'")
    assert.equal(listOfValues('a, b c, '), "'a','b c'")
    assert.equal(listOfValues("'a,b','it''s'"), "'a,b','it''s'")
    assert.equal(listOfValues('a, a'), undefined)
    assert.equal(listOfValues(' '), undefined)
    const [column] = readSchema("a ENUM('x')").columns
    assert.ok(column)
    const changed = resizeColumn("a ENUM('x')", column, listOfValues('(one), two)'))
    assert.deepEqual(server(changed)[0]?.values, ['(one)', 'two)'])
  })
})

describe('a changed schema', () => {
  const original = new Set(['title', 'body'])
  const base = 'title C(9), body X'

  function type(...texts: readonly string[]) {
    let [good, draft] = [base, { text: base, renames: {} }]
    for (const text of texts) {
      draft = followText({ good, draft: { ...draft, text }, original })
      if (readSchema(text).faults.length === 0) good = text
    }
    return draft.renames
  }

  test('a name that is retyped letter by letter is a rename', () => {
    assert.deepEqual(type('titl C(9), body X', 'head C(9), body X'), { head: 'title' })
    assert.deepEqual(type('head C(9), body X', 'title C(9), body X'), {})
    assert.deepEqual(type('C(9), body X', 'head C(9), body X'), { head: 'title' })
    assert.deepEqual(type('body X, head C(9)'), {})
    assert.deepEqual(type('head C(9), body X', 'body X'), {})
    assert.deepEqual(type('head C(9), body X', 'head C(9), body X, title I'), {})
  })

  test('changes of somebody else are merged', () => {
    const draft = { text: 'head C(9),\nbody X,\nmine I', renames: { head: 'title' } }
    const now = 'title C(9), body XL, theirs D'
    assert.deepEqual(takeIn({ before: base, now, draft }), {
      text: 'head C(9),\nbody XL,\nmine I,\ntheirs D',
      renames: { head: 'title' },
    })
    assert.deepEqual(takeIn({ before: base, now: 'title C(9)', draft }).text, 'head C(9),\nmine I')
    assert.deepEqual(takeIn({ before: base, now: 'body X', draft }).renames, {})
  })
})

describe('columns for a CSV', () => {
  test('are guessed from its values, and the server accepts them', () => {
    const heading = [
      'Name',
      'Größe (cm)',
      '',
      '2020',
      'name',
      'owner',
      'Price',
      'Day',
      'At',
      'Code',
    ]
    const rows = [
      ['Ada', '170', '', '1', 'x', 'me', '3.50', '2026-01-31', '2026-01-31T10:00:00Z', '007'],
      [
        'Bo',
        '5000000000',
        '',
        'true',
        'y',
        'me',
        '12',
        '2026-02-01',
        '2026-01-31T10:00:00+02:00',
        '8',
      ],
    ]
    const text = guessSchema({ heading, rows })
    assert.deepEqual(
      server(text).map(({ name, type, size, scale }) => [name, type, size, scale]),
      [
        ['Name', 'C', 255, undefined],
        ['Grosse_cm', 'I8', undefined, undefined],
        ['column_3', 'C', 255, undefined],
        ['c_2020', 'C', 255, undefined],
        ['name_2', 'C', 255, undefined],
        ['Price', 'N', 12, 2],
        ['Day', 'D', undefined, undefined],
        ['At', 'T', undefined, undefined],
        ['Code', 'C', 255, undefined],
      ],
    )
    assert.equal(guessType(['true', 'FALSE']), 'L')
    assert.equal(guessType(['a'.repeat(300)]), 'X')
    assert.equal(guessType(['9223372036854775808']), 'N(21.0)')
  })
})
