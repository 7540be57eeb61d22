// A module whose columns change twice, with entries of all three layouts: their current values as text, as
// bytes and as JSON.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Column } from '../../lib/schema/columns/column.ts'
import { parseTableSchema } from '../../lib/schema/columns/table-schema.ts'
import {
  buildEntryType,
  entryBytes,
  entryPart,
  entryText,
  entryTypeName,
  entryValue,
  hasIndex,
  parseEntryTypeName,
  RESERVED_NAMES,
  sizeOf,
  withLayout,
} from '../../lib/schema/entry.ts'
import { EMPTY_LAYOUT, type Layout, nextLayout } from '../../lib/schema/layout.ts'
import { fillOf } from '../../lib/schema/older-entries.ts'
import type { JsonObject, Stored } from '../../lib/schema/values.ts'

interface Change {
  readonly schema: string
  readonly renames?: readonly (readonly [to: string, from: string])[]
  readonly lossy?: readonly string[]
  readonly isEmpty?: boolean
}

const columnsOf = (schema: string): readonly Column[] => parseTableSchema(schema, new Set()).columns

function change(layout: Layout, { schema, renames = [], lossy = [], isEmpty }: Change): Layout {
  return nextLayout(layout, {
    checks: [],
    uniques: [],
    columns: columnsOf(schema),
    renames: new Map(renames),
    isEmpty: isEmpty ?? false,
    hasIndex,
    lossy: new Set(lossy),
  })
}

const FIRST = change(EMPTY_LAYOUT, { schema: 'a I, b C(5), x X, gone I', isEmpty: true })
const SECOND = change(FIRST, {
  schema: 'a C(9), bb C(5), x X, n N(5.2) DEFAULT 1.5, t TS DEFTIMESTAMP',
  renames: [['bb', 'b']],
})
const THIRD = change(SECOND, {
  schema: 'a C(9), b3 C(3) NOTNULL, x C(9), n F, t D, gone I',
  renames: [['b3', 'bb']],
  lossy: ['b3'],
})

const LAYOUTS = [FIRST, SECOND, THIRD]

/** Column, key, since, names, fill, layouts that converted the values, and the state of the index. */
const COLUMNS: readonly (readonly string[])[] = [
  [
    'a c1 2 2:a null - indexed',
    'b c2 2 2:b null - indexed',
    'x c3 2 2:x null - indexed',
    'gone c4 2 2:gone null - indexed',
  ],
  [
    'a c5 2 2:a null 2,3 building',
    'bb c2 2 2:b,3:bb null - indexed',
    'x c3 2 2:x null - indexed',
    'n c6 3 3:n "1.5" - building',
    't c7 3 3:t {"now":true} - building',
  ],
  [
    'a c5 2 2:a null 2,3 building',
    'b3 c8 2 2:b,3:bb,4:b3 null 2,4 building',
    'x c9 2 2:x null - building',
    'n c6 3 3:n "1.5" 3,4 building',
    't c10 3 3:t {"now":true} 3,4 building',
    'gone c11 4 4:gone null - building',
  ],
]

const ADDED = '2026-01-31T12:00:00.000Z'
const ENDS = { date_added: ADDED, date_modified: ADDED, owner: 'ada' }

const STORED: readonly Stored[] = [
  store({ a: 5, b: 'abcd', x: 'long', gone: 7 }, FIRST),
  store({ a: 'five', bb: 'abc', x: null, n: '2.50', t: ADDED }, SECOND),
  store({ a: '5', b3: 'ab', x: 'y', n: 3, t: '2026-02-01', gone: 8 }, THIRD),
]

/** The values of each stored entry in the third layout. */
const NOW: readonly JsonObject[] = [
  { a: '5', b3: null, x: 'long', n: 1.5, t: '2026-01-31', gone: null },
  { a: 'five', b3: 'abc', x: null, n: 2.5, t: '2026-01-31', gone: null },
  { a: '5', b3: 'ab', x: 'y', n: 3, t: '2026-02-01', gone: 8 },
]

const entry = buildEntryType('datatable', 7, THIRD)

describe('a layout', () => {
  test('keeps the keys of existing columns and issues new keys for rebuilt indexes', () => {
    const found = LAYOUTS.map(({ columns }) =>
      columns.map(({ column, key, since, names, fill, forms, isIndexed }) =>
        [
          column.name,
          key,
          since,
          names.map((name) => name.join(':')).join(','),
          JSON.stringify(fill),
          forms?.map(([number]) => number).join(',') ?? '-',
          isIndexed ? 'indexed' : 'building',
        ].join(' '),
      ),
    )
    assert.deepEqual(found, COLUMNS)
    assert.deepEqual(
      LAYOUTS.map(({ number, nextKey, decimals }) => [number, nextKey, decimals]),
      [
        [2, 5, 'text'],
        [3, 8, 'text'],
        [4, 12, 'text'],
      ],
    )
  })

  test('of a module without entries has no conversions', () => {
    const next = change(FIRST, { schema: 'a C(9)', lossy: ['a'], isEmpty: true })
    assert.equal(next.columns[0]?.forms, undefined)
    assert.equal(next.columns[0]?.isIndexed, true)
  })
})

describe('an entry', () => {
  test('of any layout is returned in the present layout', () => {
    for (const [at, stored] of STORED.entries()) {
      const value = { datatable_entry_id: 9, ...NOW[at], ...ENDS }
      const text = JSON.stringify(value)
      assert.deepEqual(entryValue(entry, stored), value)
      assert.equal(entryText(entry, stored), text)
      assert.equal(Buffer.from(entryBytes(entry, stored)).toString(), text)
      const part = { n: NOW[at]?.['n'], none: null }
      assert.equal(entryPart(entry, stored, new Set(['n', 'none'])), JSON.stringify(part))
    }
  })

  test('keeps the number of the layout under which it was stored', () => {
    const layouts = STORED.map(({ value }) => entry.object.recordType.upgrade?.(value)['$layout'])
    assert.deepEqual(layouts, [2, 3, 4])
  })

  test('of the present layout is returned as stored, without parsing', () => {
    const [, , present] = STORED
    assert.ok(present !== undefined)
    const unread = { ...present, value: null as unknown as JsonObject }
    assert.equal(entryText(entry, unread), Buffer.from(entryBytes(entry, unread)).toString())
    assert.equal(entry.tail, ',"$layout":4}')
    assert.equal(entry.fillBytes?.(unread), 0)
  })

  test('has the first default of a later column, converted to its present type', () => {
    const fills = THIRD.columns.map((column) => fillOf(column)({ date_added: ADDED }))
    assert.deepEqual(fills, [null, null, null, 1.5, '2026-01-31', null])
  })

  test('of an older layout has an estimated size of at least its returned size', () => {
    const bytesOf = entry.fillBytes
    assert.ok(bytesOf !== undefined)
    for (const stored of STORED) {
      for (let time = 0; time < 2; time++)
        assert.ok(
          stored.bytes.length + bytesOf(stored) >=
            entryBytes(entry, stored).length + (stored === STORED[2] ? 0 : 1),
        )
    }
    assert.deepEqual(STORED.map(bytesOf), [385, 258, 0])
    assert.equal(buildEntryType('datatable', 7, EMPTY_LAYOUT).fillBytes, undefined)
  })
})

const EVENT =
  'event_title start_time end_time all_day location description rrule exdates rdates recurrence_of recurrence_id uid'

describe('the type of entries', () => {
  test('has the fields, keys and names of its module', () => {
    const { object, baseNames, givenNames } = entry
    const { recordType, searchable } = object
    assert.deepEqual(
      [object.name, object.label, object.description, recordType.name],
      ['datatable_entry', 'datatable entry', 'An entry of the datatable.', 'datatable_entry.7'],
    )
    assert.deepEqual(
      recordType.indexes.map(({ name }) => name),
      ['c5', 'c8', 'c9', 'c6', 'c10', 'c11', 'date_added', 'date_modified', 'owner'],
    )
    assert.deepEqual([...givenNames], ['a', 'b3', 'x', 'n', 't', 'gone'])
    assert.deepEqual([...baseNames], ['datatable_entry_id', ...Object.keys(ENDS)])
    assert.deepEqual(sizeOf(entry), { fields: 6, unique: 0 })
    assert.equal(searchable.get('a')?.isIndexed, false)
    assert.equal(searchable.get('owner')?.isIndexed, true)
    assert.equal(searchable.get('datatable_entry.datatable_entry_id')?.isId, true)
    assert.deepEqual(withLayout({ a: 1 }, entry), { a: 1, $layout: 4 })
  })

  test('of a calendar has those of its events before the columns, and the number of the calendar', () => {
    const layout = change(EMPTY_LAYOUT, {
      schema: 'k I KEY, s R AUTO, d TS DEFTIMESTAMP',
      isEmpty: true,
    })
    const type = buildEntryType('calendar', 5, layout)
    assert.deepEqual([...type.givenNames], [...EVENT.split(' '), 'k', 's', 'd'])
    const namesOf = (columns: typeof layout.columns) => columns.map(({ column }) => column.name)
    assert.deepEqual([type.uniqueColumns, type.autoColumns, type.nowColumns].map(namesOf), [
      ['k', 's', 'uid'],
      ['s'],
      ['d'],
    ])
    assert.deepEqual(sizeOf(type), { fields: 15, unique: 2 })
    assert.equal(type.object.searchable.get('calendar_entry_id')?.isId, true)
    assert.deepEqual(type.object.searchable.get('calendar_id'), {
      name: 'calendar_id',
      kind: 'integer',
      isIndexed: false,
    })
    assert.equal(entry.object.searchable.get('calendar_id'), undefined)
    assert.equal(type.object.recordType.upgrade?.({ $layout: 2 })['calendar_id'], 5)
    assert.equal(entry.object.recordType.upgrade?.({ $layout: 4 })['calendar_id'], undefined)
  })

  test('is parsed from the name of its key space', () => {
    assert.equal(entryTypeName('calendar', 12), 'calendar_entry.12')
    assert.deepEqual(parseEntryTypeName('datatable_entry.7'), { kind: 'datatable', moduleId: 7 })
    for (const name of ['user', 'user_entry.7', 'datatable_entry.', 'datatable_entry.7x', '.7'])
      assert.equal(parseEntryTypeName(name), undefined, name)
    assert.equal(parseEntryTypeName('x.datatable_entry.7'), undefined)
  })

  test('reserves the names of its own members', () => {
    const ids = 'datatable_entry_id calendar_entry_id datatable_id calendar_id'
    const base = `${ids} date_added date_modified owner`
    assert.equal([...RESERVED_NAMES.datatable].join(' '), base)
    assert.equal([...RESERVED_NAMES.calendar].join(' '), `${base} ${EVENT}`)
  })
})

function store(values: JsonObject, layout: Layout): Stored {
  const value = { datatable_entry_id: 9, ...values, ...ENDS, $layout: layout.number }
  const text = JSON.stringify(value)
  const bytes = Buffer.from(text)
  return { bytes, sizeBytes: bytes.length, text, value, revision: 1 }
}
