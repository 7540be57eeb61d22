// Rules that are too small for a test file of their own: grants and roles, list sizes, message texts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assetCategory } from '../../lib/schema/asset-category.ts'
import {
  GRANTS,
  includesGrant,
  isGrant,
  isRole,
  ROLE_NAMES,
  ROLES,
} from '../../lib/shared/grants.ts'
import { maxListEntries } from '../../lib/shared/list-size.ts'
import { buildRecord, etagOf, withValues } from '../../lib/schema/record.ts'
import { counted, toSentence } from '../../lib/schema/message-text.ts'
import { fileGroup } from '../../lib/schema/file-group.ts'
import { isBlank, isLetter } from '../../lib/schema/stml-pieces.ts'
import { isStml } from '../../lib/schema/stml.ts'

test('modify includes create, and no other grant includes another', () => {
  for (const held of GRANTS)
    for (const wanted of GRANTS) {
      const isHeld = held === wanted || (held === 'modify' && wanted === 'create')
      assert.equal(includesGrant([held], wanted), isHeld, `${held} ${wanted}`)
    }
  assert.equal(includesGrant([], 'create'), false)
})

test('each role has the grants of the previous one and more', () => {
  assert.deepEqual(ROLES, {
    viewer: ['view'],
    stager: ['view', 'create', 'modify', 'stage'],
    editor: ['view', 'create', 'modify', 'stage', 'publish', 'delete'],
    admin: ['view', 'create', 'modify', 'delete', 'stage', 'publish', 'admin'],
  })
  assert.deepEqual(ROLE_NAMES, ['viewer', 'stager', 'editor', 'admin'])
  assert.deepEqual(['admin', 'toString', '', 5, null].map(isRole), [
    true,
    false,
    false,
    false,
    false,
  ])
  assert.deepEqual(['admin', 'views', 5, null].map(isGrant), [true, false, false, false])
})

test('a list of entries is limited by the number of entries and of values', () => {
  const limits = { maxBulk: 100, maxBulkValues: 1_000 }
  for (const [fields, unique, most] of [
    [1, 0, 100],
    [10, 0, 100],
    [11, 0, 90],
    [10, 10, 33],
  ] as const)
    assert.equal(maxListEntries({ fields, unique }, limits), most)
})

test('a message ends like a sentence', () => {
  for (const end of ['.', '?', '!']) assert.equal(toSentence(`a${end}`), `a${end}`)
  assert.deepEqual(['a', 'a. b', 'a)'].map(toSentence), ['a.', 'a. b.', 'a).'])
  assert.deepEqual(
    [counted(0, 'file'), counted(1, 'file'), counted(2, 'file')],
    ['0 files', '1 file', '2 files'],
  )
})

test('a record begins with its identifier and has all fields of its object in order', () => {
  const origin = { id: 5, owner: 'ada', now: '2026' }
  const values = { title: 'T', name: 'N', owner: 'eve', other: 1 }
  const record = buildRecord(fileGroup, values, origin)
  assert.equal(
    JSON.stringify(record),
    '{"file_group_id":5,"name":"N","title":"T","description":null,"parent_category_id":null,"asset_file_ids":null,"date_added":"2026","date_modified":"2026","owner":"ada"}',
  )
  assert.equal(withValues(record, { title: null }).title, null)
  assert.equal(withValues(record, { title: null }).name, 'N')
  const folder = buildRecord(assetCategory, { name: 'F', path: '/F' }, origin)
  assert.deepEqual([folder.name, Object.hasOwn(folder, 'path')], ['F', false])
  assert.equal(etagOf({ revision: 7 }), '"r7"')
})

test('letters and spaces of markup are those of HTML', () => {
  const codes = Array.from({ length: 300 }, (_, code) => code)
  const textOf = (found: readonly number[]): string => String.fromCharCode(...found)
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  assert.equal(textOf(codes.filter(isLetter)), letters.toUpperCase() + letters)
  assert.equal(textOf(codes.filter(isBlank)), '\t\n\f\r ')
  assert.deepEqual(['stml', 'STML', 'html', 'xstml'].map(isStml), [true, true, false, false])
})
