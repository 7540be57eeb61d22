// How the schema editor reads and sets references, compared with the result of the server.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSchema, type SchemaColumn } from '../../lib/admin/pages/data/schema-columns.ts'
import { retypeColumn, setFlag } from '../../lib/admin/pages/data/schema-edit.ts'
import {
  type ColumnReference,
  referenceOf,
  setReference,
} from '../../lib/admin/pages/data/schema-references.ts'
import { parseTableSchema } from '../../lib/schema/columns/table-schema.ts'
import { RESERVED_NAMES } from '../../lib/schema/entry.ts'

function only(text: string): SchemaColumn {
  const [column] = readSchema(text).columns
  assert.ok(column, text)
  return column
}

const SOURCES = [
  'a I',
  'a I4 NOTNULL UNSIGNED MIN 1 DEFAULT 3',
  'a I8 UNIQUE NOTNULL',
  'a I REFERENCES datatable 3 MANY ON DELETE CASCADE INDEX b',
  'a I NULL references self on delete set null',
  "a FILE('image/*') NOTNULL ON DELETE CASCADE",
  'a FILES ON DELETE SET NULL',
]
const TARGETS = ['SELF', 'datatable 3', 'calendar 4', 'asset_file']

test('the server reads the reference that the editor sets', () => {
  for (const source of SOURCES)
    for (const target of TARGETS)
      for (const isMany of [false, true])
        for (const onDelete of ['restrict', 'cascade'] as const) {
          const wanted: ColumnReference = { target, isMany, onDelete }
          const text = setReference(source, only(source), wanted)
          const [column] = parseTableSchema(text, RESERVED_NAMES.datatable).columns
          const read = column?.references
          const { object, module_id: id } = read ?? {}
          const found = id === 0 ? 'SELF' : id === null ? object : `${object} ${id}`
          assert.deepEqual([found, read?.isMany, read?.onDelete], Object.values(wanted), text)
          assert.deepEqual(referenceOf(only(text)), wanted, text)
          assert.equal(column?.isRequired, only(source).isRequired, text)
        }
})

test('the accepted types of files stay while the column refers to files', () => {
  const source = "a FILE('image/*')"
  const wanted = { target: 'asset_file', isMany: true, onDelete: 'restrict' } as const
  assert.equal(setReference(source, only(source), wanted), "a FILES('image/*')")
})

test('another type removes the reference, and a required column does not clear it', () => {
  const source = 'a I REFERENCES SELF MANY ON DELETE SET NULL, b I'
  assert.equal(retypeColumn(source, only(source), 'D'), 'a D, b I')
  const required = setFlag(source, only(source), { flag: 'isRequired', isSet: true })
  assert.equal(required, 'a I NOTNULL REFERENCES SELF MANY, b I')
})
