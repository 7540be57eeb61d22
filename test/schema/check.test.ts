// Bodies against the fields of an object: the resulting values, and all faults reported at once.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CmsError, type Fault } from '../../lib/base/errors.ts'
import { checkCreate, checkUpdate, MAX_FAULTS } from '../../lib/schema/check.ts'
import { boolean, references, string } from '../../lib/schema/field.ts'
import { defineObject } from '../../lib/schema/object.ts'
import type { JsonObject } from '../../lib/schema/values.ts'

const description = 'd'

const book = defineObject({
  name: 'book',
  label: 'book',
  description,
  baseFields: {},
  fields: {
    title: string('required', { description }),
    'a/b~c': string('optional', { description, initial: 'x', maxLength: 2 }),
    pages: references('optional', { description, initial: [] }),
    isGood: boolean('optional', { description, initial: true, isClearable: false }),
    kept: { ...string('optional', { description, initial: 'k' }), keepsNull: true },
    mark: string('assigned', { description }),
    derived: string('optional', { description, initial: 'd', isStored: false }),
  },
})

const CURRENT = { book_id: 5, title: 'T', 'a/b~c': 'y', pages: [1, 2], mark: 'm' }
const NEW = { book_id: null, 'a/b~c': 'x', pages: [], isGood: true, kept: 'k', mark: null }

const KNOWN = 'known fields: title, a/b~c, pages, isGood, kept, derived'

type Errors = Readonly<Record<string, string>>

/** Body, and either the resulting values or the faults by member. */
const CREATES: readonly (readonly [body: unknown, values: JsonObject | undefined, Errors?])[] = [
  [{ title: 'T' }, { ...NEW, title: 'T' }],
  [
    { title: 'T', 'a/b~c': null, kept: null },
    { ...NEW, title: 'T', kept: null },
  ],
  [
    { title: 'T', derived: 'e', isGood: 0 },
    { ...NEW, title: 'T', derived: 'e', isGood: false },
  ],
  [{}, undefined, { '/title': 'is required' }],
  [
    { title: null },
    undefined,
    {
      '/title':
        'must not be null: send a value, or omit the field in an update; it must be a string',
    },
  ],
  [
    { title: 5, 'a/b~c': 'xyz', isGood: null },
    undefined,
    {
      '/title': 'must be a string',
      '/a~1b~0c': 'may have at most 2 characters',
      '/isGood':
        'must not be null: send a value, or omit the field in an update; it must be true or false, or 1 or 0',
    },
  ],
  [{ title: 'T', mark: 'm' }, undefined, { '/mark': 'is read-only' }],
  [
    { title: 'T', titel: 1 },
    undefined,
    { '/titel': 'is not a field of book; did you mean "title"?' },
  ],
  [{ title: 'T', marc: 1 }, undefined, { '/marc': `is not a field of book; ${KNOWN}` }],
  [
    JSON.parse('{"title":"T","__proto__":1,"toString":1}'),
    undefined,
    {
      '/__proto__': `is not a field of book; ${KNOWN}`,
      '/toString': `is not a field of book; ${KNOWN}`,
    },
  ],
  ...[[], null, 'title', 5].map((body) => [body, undefined, { '': 'must be an object' }] as const),
]

const UPDATES: typeof CREATES = [
  [{}, {}],
  [CURRENT, {}],
  [{ title: 'U', mark: 'm', book_id: 5 }, { title: 'U' }],
  [{ pages: [1, 2] }, {}],
  [{ pages: [2, 1] }, { pages: [2, 1] }],
  [{ pages: null }, { pages: [] }],
  [{ 'a/b~c': null }, { 'a/b~c': 'x' }],
  [{ title: '5' }, { title: '5' }],
  [{ book_id: 6 }, undefined, { '/book_id': 'is read-only' }],
  [{ mark: null }, undefined, { '/mark': 'is read-only' }],
  [{ title: 5 }, undefined, { '/title': 'must be a string' }],
  [[], undefined, { '': 'must be an object' }],
]

describe('a body', () => {
  test('of a create returns its values with the initial values, or every fault', () => {
    for (const [body, values, errors] of CREATES)
      judge(() => checkCreate(book, body), { body, values, errors })
  })

  test('of an update returns its changes, or every fault', () => {
    for (const [body, values, errors] of UPDATES)
      judge(() => checkUpdate(book, body, CURRENT), { body, values, errors })
  })

  test('with faults gets the first one and the number of further ones', () => {
    assert.equal(faultOf({ title: 5 }).message, '/title must be a string.')
    assert.equal(
      faultOf({ title: 5, mark: 1 }).message,
      '/title must be a string; and 1 more fault.',
    )
    assert.equal(
      faultOf({ title: 5, mark: 1, titel: 1 }).message,
      '/title must be a string; and 2 more faults.',
    )
    assert.equal(faultOf({ title: 'T', titel: 1 }).message.at(-1), '?')
    assert.equal(faultOf([]).message, 'The body must be a JSON object with the fields to set.')
  })

  test('with unknown members gets suggestions for five of them', () => {
    const members = Object.fromEntries(['1', '2', '3', '4', '5', '6'].map((at) => [`n${at}`, 1]))
    const details = errorsOf(() => checkCreate(book, members)).map(({ detail }) => detail)
    assert.equal(details[4], `is not a field of book; ${KNOWN}`)
    assert.equal(details[5], 'is not a field of book')
  })

  test('with faults everywhere is read up to its thousandth fault', () => {
    const wrong = (count: number): JsonObject => ({
      title: 'T',
      ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, 1])),
    })
    for (const count of [MAX_FAULTS - 1, MAX_FAULTS, MAX_FAULTS + 5]) {
      const most = Math.min(count, MAX_FAULTS)
      for (const run of [
        () => checkCreate(book, wrong(count)),
        () => checkUpdate(book, wrong(count), CURRENT),
      ])
        assert.equal(errorsOf(run).length, most)
    }
    assert.equal(MAX_FAULTS, 1_000)
  })
})

interface Expected {
  readonly body: unknown
  readonly values: JsonObject | undefined
  readonly errors: Errors | undefined
}

function judge(run: () => unknown, { body, values, errors }: Expected): void {
  const what = JSON.stringify(body)
  if (values !== undefined) return assert.deepEqual(run(), values, what)
  assert.equal(thrownBy(run).code, 'invalid-content', what)
  const found = errorsOf(run).map(({ pointer, detail }) => [pointer, detail])
  assert.deepEqual(Object.fromEntries(found), errors, what)
}

function errorsOf(run: () => unknown): readonly Fault[] {
  return thrownBy(run).facts.errors ?? []
}

function faultOf(body: unknown): CmsError {
  return thrownBy(() => checkCreate(book, body))
}

function thrownBy(run: () => unknown): CmsError {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof CmsError)
    return error
  }
  return assert.fail('nothing was thrown')
}
