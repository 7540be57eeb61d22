// The values that each kind of field accepts, how they are stored, and the errors for all other values.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  boolean,
  choice,
  date,
  dateTime,
  integer,
  reference,
  references,
  string,
  structure,
  text,
} from '../../lib/schema/field.ts'
import { apiKey } from '../../lib/schema/api-key.ts'
import { assetFile } from '../../lib/schema/asset-file.ts'
import { calendar, datatable } from '../../lib/schema/module.ts'
import { user } from '../../lib/schema/user.ts'

const description = 'd'

const FIELDS = {
  string: string('required', { description }),
  short: string('optional', {
    description,
    maxLength: 3,
    pattern: /^[a-z😀]*$/u,
    check: (value) => (value === 'bad' ? 'must be good' : undefined),
  }),
  ruled: string('optional', { description, pattern: /^a/, rule: 'must begin with a' }),
  text: text('optional', { description }),
  choice: choice('optional', ['a', 'b'], { description, initial: 'a' }),
  integer: integer('assigned', { description }),
  reference: reference('optional', { description, isClearable: false }),
  references: references('optional', { description, initial: [] }),
  'date-time': dateTime('required', { description }),
  date: date('optional', { description, isNullable: false }),
  boolean: boolean('optional', { description, isStored: false }),
  structure: structure('required', { type: 'object' }, () => ({ ok: true, value: {} }), {
    description,
  }),
  grants: apiKey.fields.grants,
  type: assetFile.fields.type,
  pageContent: assetFile.fields.pageContent,
  roles: user.fields.category_roles,
  columns: datatable.fields.columns,
  zone: calendar.fields.time_zone,
}

type Name = keyof typeof FIELDS

const NOT_TEXT = 'contains half of a surrogate pair, which is not text'
const ONE_OF = 'must be one of "a", "b"'
const IDENTIFIER = 'must be an identifier: a whole number from 1'
const IDENTIFIERS = 'must contain only identifiers: whole numbers from 1'
const ROLES =
  'must contain only objects {"asset_category_id": 12, "role": "editor"}, or null for no role, without another member'
const COLUMNS =
  'must contain objects {"name": "new", "renamed_from": "old"}; table_schema defines the columns'
const TOKEN = 'must be a short token like html, stml or pdf: letters, digits and . + _ -'
const GRANTS = 'must be a list of grants: view, create, modify, delete, stage, publish, admin'

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at + 1)
const rolesFor = (count: number) =>
  upTo(count).map((id) => ({ asset_category_id: id, role: 'viewer' }))
const columnsFor = (count: number) => upTo(count).map((at) => ({ name: `c${at}` }))

/** Field, given value, and the stored value if it differs. */
const TAKEN: readonly (readonly [Name, unknown, unknown?])[] = [
  ['string', ''],
  ['string', 'a'.repeat(255)],
  ['string', '😀'.repeat(255)],
  ['short', '😀😀😀'],
  ['ruled', 'ab'],
  ['text', 'a\n'.repeat(10_000)],
  ['choice', 'b'],
  ['reference', 1],
  ['reference', Number.MAX_SAFE_INTEGER],
  ['references', []],
  ['references', upTo(1_000)],
  ['date-time', '2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['date', 1_769_860_800, '2026-01-31'],
  ['boolean', false],
  ['boolean', true],
  ['boolean', 0, false],
  ['boolean', 1, true],
  ['boolean', 'false', false],
  ['boolean', '1', true],
  ['grants', ['admin', 'view']],
  ['grants', []],
  ['type', `x${'.'.repeat(31)}`],
  ['type', '7z+_-'],
  ['pageContent', ''],
  ['roles', rolesFor(1_000)],
  ['roles', [{ asset_category_id: 1, role: null }]],
  ['columns', columnsFor(256)],
  ['columns', [{ name: 'a', renamed_from: 'b', type: 7 }]],
  ['zone', 'Europe/Berlin'],
]

/** Field, given value, error. */
const REFUSED: readonly (readonly [Name, unknown, string | RegExp])[] = [
  ['string', 5, 'must be a string'],
  ['string', null, 'must be a string'],
  ['string', '\ud800', NOT_TEXT],
  ['string', 'a'.repeat(256), 'may have at most 255 characters'],
  ['short', 'aaaa', 'may have at most 3 characters'],
  ['short', 'A', 'has the wrong form'],
  ['short', 'bad', 'must be good'],
  ['ruled', 'ba', 'must begin with a'],
  ['text', 5, 'must be a string'],
  ['text', 'a\udc00', NOT_TEXT],
  ['choice', 'c', ONE_OF],
  ['choice', 5, ONE_OF],
  ['integer', 5, 'is read-only'],
  ['reference', 0, IDENTIFIER],
  ['reference', 1.5, IDENTIFIER],
  ['reference', 2 ** 53, IDENTIFIER],
  ['reference', '5', `${IDENTIFIER}, without quotes`],
  ['reference', '5x', IDENTIFIER],
  ['reference', 'x5', IDENTIFIER],
  ['reference', '', IDENTIFIER],
  ['reference', [5], IDENTIFIER],
  ['references', '5', 'must be a list of identifiers'],
  ['references', upTo(1_001), 'may have at most 1,000 identifiers'],
  ['references', [1, 0], IDENTIFIERS],
  ['references', [0.5, 1], IDENTIFIERS],
  ['references', ['1'], IDENTIFIERS],
  ['references', [1, 2, 1], 'must not name a record twice'],
  ['date-time', 'x', /^must be a date: RFC 3339 \(2026-01-31T12:00:00Z\), .* 1970$/],
  ['date-time', '2026-01-31T12:00:00', /1970; this time has no offset/],
  ['date', 'x', /^must be a date: YYYY-MM-DD, RFC 3339, or seconds since 1970$/],
  ['date', 20_260_131, /1970; 20260131 may be a day/],
  ['boolean', 2, 'must be true or false, or 1 or 0'],
  ['boolean', 'yes', 'must be true or false, or 1 or 0'],
  ['boolean', ['true'], 'must be true or false, or 1 or 0'],
  ['grants', 'view', GRANTS],
  ['grants', ['view', 'views'], GRANTS],
  ['grants', [5], GRANTS],
  ['grants', ['view', 'view'], 'must not name a grant twice'],
  ['type', '', TOKEN],
  ['type', '.x', TOKEN],
  ['type', 'a b', TOKEN],
  ['type', 'x'.repeat(33), 'may have at most 32 characters'],
  ['pageContent', 5, 'must be a string'],
  [
    'pageContent',
    null,
    'must be a string: send "" for an empty text, or omit the field to keep the text',
  ],
  ['roles', {}, 'must be a list of at most 1,000 roles'],
  ['roles', rolesFor(1_001), 'must be a list of at most 1,000 roles'],
  ['roles', [5], ROLES],
  ['roles', [null], ROLES],
  ['roles', [{ asset_category_id: 1, rol: 'admin' }], ROLES],
  ['roles', [{ asset_category_id: 0, role: 'admin' }], ROLES],
  ['roles', [{ asset_category_id: 1.5, role: 'admin' }], ROLES],
  ['roles', [{ asset_category_id: 1, role: 'admin', note: 1 }], ROLES],
  ['roles', [...rolesFor(2), 5], ROLES],
  ['roles', [...rolesFor(1), ...rolesFor(1)], 'must not name a folder twice'],
  ['columns', {}, 'must be a list of at most 256 columns'],
  ['columns', columnsFor(257), 'must be a list of at most 256 columns'],
  ['columns', [5], COLUMNS],
  ['columns', [null], COLUMNS],
  ['columns', [{}], COLUMNS],
  ['columns', [{ name: 'a' }, { name: 5 }], COLUMNS],
  ['columns', [{ name: 'a', renamed_from: 5 }], COLUMNS],
  ['zone', 'Europe/Berlín', /./],
  ['zone', 'x'.repeat(65), 'may have at most 64 characters'],
]

const SAFE = Number.MAX_SAFE_INTEGER

/** The schema of each field in the documents. */
const SCHEMAS: Readonly<Partial<Record<Name, object>>> = {
  string: { type: 'string', maxLength: 255 },
  short: { type: ['string', 'null'], maxLength: 3, pattern: '^[a-z😀]*$' },
  text: { type: ['string', 'null'] },
  choice: { type: ['string', 'null'], enum: ['a', 'b', null] },
  integer: { type: ['integer', 'null'], minimum: 0, maximum: SAFE, readOnly: true },
  reference: { type: ['integer', 'null'], minimum: 1, maximum: SAFE },
  references: {
    type: ['array', 'null'],
    items: { type: 'integer', minimum: 1 },
    maxItems: 1_000,
    uniqueItems: true,
  },
  'date-time': { type: 'string', format: 'date-time' },
  date: { type: 'string', format: 'date' },
  boolean: { type: ['boolean', 'null'] },
  structure: { type: 'object' },
}

/** Kind in searches, and properties of the field: in an index, nullable, clearable, stored. */
const TRAITS: Readonly<Partial<Record<Name, string>>> = {
  string: 'string indexed stored',
  short: 'string indexed nullable clearable stored',
  text: 'string nullable clearable stored',
  choice: 'string indexed nullable clearable stored',
  integer: 'integer indexed nullable clearable stored',
  reference: 'integer indexed nullable stored',
  references: 'integers indexed nullable clearable stored',
  'date-time': 'date-time indexed stored',
  date: 'date indexed stored',
  boolean: 'nullable clearable',
  structure: 'stored',
}

describe('a field', () => {
  test('accepts valid values and returns their stored form', () => {
    for (const row of TAKEN) {
      const [name, given, stored = given] = row
      assert.deepEqual(FIELDS[name].check(given), { ok: true, value: stored }, show(name, given))
    }
  })

  test('rejects other values and says what is accepted', () => {
    for (const [name, given, detail] of REFUSED) {
      const checked = FIELDS[name].check(given)
      assert.ok(!checked.ok, show(name, given))
      if (typeof detail === 'string') assert.equal(checked.detail, detail, show(name, given))
      else assert.match(checked.detail, detail)
    }
  })

  test('describes its values for the documents', () => {
    for (const [name, schema] of Object.entries(SCHEMAS))
      assert.deepEqual(FIELDS[name as Name].schema, { ...schema, description })
  })

  test('of columns describes each column for the documents', () => {
    const { items } = FIELDS.columns.schema as { items: { properties: Record<string, object> } }
    const types = Object.entries(items.properties).map(([name, schema]) => [
      name,
      (schema as { type: unknown }).type,
    ])
    assert.deepEqual(Object.fromEntries(types), {
      name: 'string',
      renamed_from: 'string',
      type: 'string',
      size: ['integer', 'null'],
      scale: ['integer', 'null'],
      isRequired: 'boolean',
      isUnsigned: 'boolean',
      isUnique: 'boolean',
      isAuto: 'boolean',
      default: ['boolean', 'number', 'string', 'object', 'null'],
      values: ['array', 'null'],
      minimum: ['string', 'null'],
      maximum: ['string', 'null'],
      minLength: ['integer', 'null'],
      maxLength: ['integer', 'null'],
      pattern: ['string', 'null'],
      references: ['object', 'null'],
      computed: ['string', 'null'],
    })
  })

  test('is searched by its kind, and by null only if it is nullable', () => {
    for (const [name, traits] of Object.entries(TRAITS)) {
      const { search, isIndexed, isNullable, isClearable, isStored } = FIELDS[name as Name]
      const found = [
        ...(search === undefined ? [] : [search]),
        ...(isIndexed ? ['indexed'] : []),
        ...(isNullable ? ['nullable'] : []),
        ...(isClearable ? ['clearable'] : []),
        ...(isStored ? ['stored'] : []),
      ]
      assert.equal(found.join(' '), traits, name)
    }
  })
})

function show(name: string, value: unknown): string {
  return `${name} ${JSON.stringify(value)?.slice(0, 80)}`
}
