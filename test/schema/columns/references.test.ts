// The words of references: REFERENCES, MANY, ON DELETE, and the types FILE and FILES.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CmsError } from '../../../lib/base/errors.ts'
import type { References } from '../../../lib/schema/columns/column.ts'
import { columnField } from '../../../lib/schema/columns/column-field.ts'
import { parseTableSchema } from '../../../lib/schema/columns/table-schema.ts'
import { readSchema } from '../../../lib/admin/pages/data/schema-columns.ts'
import { column } from './column.ts'

const NONE: ReadonlySet<string> = new Set()

const to = (given: Partial<References>): { readonly references: References } => ({
  references: {
    object: 'datatable',
    module_id: 3,
    isMany: false,
    onDelete: 'restrict',
    accept: null,
    ...given,
  },
})
const FILE = { object: 'asset_file', module_id: null } as const

const ACCEPTED = [
  ['a I REFERENCES datatable 3', column('a', 'I', to({}))],
  ['a I4 references DataTable 3 many', column('a', 'I4', to({ isMany: true }))],
  ['a I8 REFERENCES calendar 4', column('a', 'I8', to({ object: 'calendar', module_id: 4 }))],
  ['a I REFERENCES asset_file', column('a', 'I', to(FILE))],
  ['a I REFERENCES SELF', column('a', 'I', to({ module_id: 0 }))],
  ['a I NOTNULL REFERENCES datatable 3', column('a', 'I', { ...to({}), isRequired: true })],
  [
    'a I REFERENCES datatable 3 ON DELETE CASCADE UNIQUE',
    column('a', 'I', { ...to({ onDelete: 'cascade' }), isUnique: true }),
  ],
  [
    'a I INDEX REFERENCES datatable 3 NULL ON DELETE SET NULL',
    column('a', 'I', to({ onDelete: 'set null' })),
  ],
  ['a I REFERENCES datatable 3 ON DELETE RESTRICT', column('a', 'I', to({}))],
  ['a I REFERENCES datatable 3 DEFAULT NULL', column('a', 'I', to({}))],
  ['a FILE', column('a', 'I', to(FILE))],
  [
    "a FILE('image/*', 'Application/PDF')",
    column('a', 'I', to({ ...FILE, accept: ['image/*', 'application/pdf'] })),
  ],
  ['a files NOTNULL', column('a', 'I', { ...to({ ...FILE, isMany: true }), isRequired: true })],
  [
    'a FILES ON DELETE SET NULL',
    column('a', 'I', to({ ...FILE, isMany: true, onDelete: 'set null' })),
  ],
  // Words that had another meaning before there were references keep it.
  ['a C(20) DEFAULT references', column('a', 'C', { size: 20, default: 'references' })],
  ['a C(20) DEFAULT many INDEX on', column('a', 'C', { size: 20, default: 'many' })],
  ['a C(20) INDEX references', column('a', 'C', { size: 20 })],
] as const

for (const [text, expected] of ACCEPTED) {
  test(`${text} is parsed by the server and kept by the editor`, () => {
    assert.deepEqual(parseTableSchema(text, NONE).columns, [expected])
    const { columns, faults } = readSchema(text)
    assert.deepEqual(faults, [])
    const flags = columns.map(({ code, isRequired, isUnique }) => [code, isRequired, isUnique])
    assert.deepEqual(flags, [[expected.type, expected.isRequired, expected.isUnique === true]])
  })
}

const REFUSED = [
  [
    'C(9) REFERENCES datatable 3',
    'REFERENCES is only for whole numbers, and C is not one; use it with I or I8',
  ],
  ['I REFERENCES', /^REFERENCES needs a target; write REFERENCES datatable 3/],
  ['I REFERENCES datatable', /^REFERENCES needs a target/],
  ['I REFERENCES datatable 0', /^REFERENCES needs a target/],
  ['I REFERENCES books(id)', /^REFERENCES needs a target/],
  ['I REFERENCES SELF REFERENCES SELF', 'there are two REFERENCES; remove one'],
  ['I MANY', 'MANY needs a reference; write REFERENCES and its target before it'],
  ['I ON DELETE CASCADE', 'ON DELETE needs a reference; write REFERENCES and its target before it'],
  ['I REFERENCES SELF ON DELETE', /^ON is incomplete; write ON DELETE RESTRICT/],
  ['I REFERENCES SELF ON UPDATE CASCADE', /^ON is incomplete/],
  ['I REFERENCES SELF ON DELETE CASCADE ON DELETE RESTRICT', 'there are two ON DELETE; remove one'],
  ['I REFERENCES SELF MANY UNIQUE', 'UNIQUE does not apply to a list of references; remove UNIQUE'],
  ['I REFERENCES SELF MANY KEY', 'KEY does not apply to a list of references; remove KEY'],
  ['I AUTO REFERENCES SELF', 'AUTO and REFERENCES contradict each other; remove one'],
  [
    'I REFERENCES SELF DEFAULT 1',
    'DEFAULT and REFERENCES contradict each other, because the record may be deleted; remove one',
  ],
  [
    'I REFERENCES SELF NOTNULL ON DELETE SET NULL',
    'ON DELETE SET NULL and NOTNULL contradict each other; remove one',
  ],
  ['FILE MANY', 'MANY does not follow FILE; write FILES'],
  [
    'FILE REFERENCES SELF',
    'FILE refers to files already; remove REFERENCES, or write I instead of FILE',
  ],
  [
    "FILE('image')",
    "\"image\" is not a media type; write 'image/png', or 'image/*' for all images",
  ],
  ['FILE(9)', '"(9)" is not a list of media types; write FILE(\'image/*\')'],
] as const

for (const [text, expected] of REFUSED) {
  test(`a ${text} is refused with the correction`, () => {
    const [detail = ''] = faultsOf(`a ${text}`)
    const own = detail.replace('column 1 "a": ', '')
    if (typeof expected === 'string') assert.equal(own, expected)
    else assert.match(own, expected)
    assert.equal(faultsOf(`a ${text}`).length, 1)
  })
}

function faultsOf(text: string): readonly string[] {
  try {
    parseTableSchema(text, NONE)
  } catch (error) {
    assert.ok(error instanceof CmsError)
    return (error.facts.errors ?? []).map(({ detail }) => detail)
  }
  return assert.fail('the text was accepted')
}

test('a value is one identifier or a list of identifiers in the given order', () => {
  const [one, many, small] = parseTableSchema(
    'a I REFERENCES SELF, b I REFERENCES SELF MANY, c I1 REFERENCES SELF MANY NOTNULL',
    NONE,
  ).columns.map(columnField)
  assert.ok(one && many && small)
  const accepts = [
    [one, 7, 7],
    [one, '7', 7],
    [many, [3, 1, 2], [3, 1, 2]],
    [many, ['3', 1], [3, 1]],
    [many, '3, 1 2', [3, 1, 2]],
    [many, '', []],
    [many, [], []],
  ] as const
  for (const [field, given, value] of accepts)
    assert.deepEqual(field.check(given), { ok: true, value })
  const refuses = [
    [one, 0, 'must be a whole number from 1 to 2147483647'],
    [one, [1], 'must be a whole number from 1 to 2147483647'],
    [many, 3, 'must be a list of identifiers: [1, 2]'],
    [many, [1, 1], 'must not name a record twice'],
    [many, [1, null], 'has an element that must be a whole number from 1 to 2147483647'],
    [many, Array.from({ length: 1_001 }, (_, at) => at + 1), 'may have at most 1,000 identifiers'],
    [small, [], 'must have at least one identifier'],
    [small, [128], 'has an element that must be a whole number from 1 to 127'],
  ] as const
  for (const [field, given, detail] of refuses)
    assert.deepEqual(field.check(given), { ok: false, detail })
  assert.deepEqual(
    [one.initial, many.initial, many.isClearable, small.isClearable],
    [null, [], true, false],
  )
})
