// Merging two changes of one text.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mergeTexts } from '../../lib/admin/pages/editor/merge-texts.ts'

const lines = (...all: readonly string[]): string => all.map((line) => `${line}\n`).join('')

const BASE = lines('a', 'b', 'c', 'd', 'e')

for (const [what, mine, theirs, expected] of [
  [
    'in separate lines',
    lines('A', 'b', 'c', 'd', 'e'),
    lines('a', 'b', 'c', 'd', 'E'),
    lines('A', 'b', 'c', 'd', 'E'),
  ],
  ['on only one side', lines('a', 'c', 'd', 'e'), BASE, lines('a', 'c', 'd', 'e')],
  [
    'that are equal on both sides',
    lines('a', 'x', 'c', 'd', 'e'),
    lines('a', 'x', 'c', 'd', 'e'),
    lines('a', 'x', 'c', 'd', 'e'),
  ],
  [
    'before and after each other',
    lines('0', 'a', 'b', 'c', 'd', 'e'),
    lines('a', 'b', 'c', 'd', 'e', 'f'),
    lines('0', 'a', 'b', 'c', 'd', 'e', 'f'),
  ],
  ['at an end without a line break', 'x\nb\nc', 'a\nb\nc', undefined],
] as const) {
  test(`changes ${what} are merged`, () => {
    const base = expected === undefined ? 'a\nb\nc' : BASE
    const merged = mergeTexts({ base, mine, theirs })
    assert.deepEqual(merged, {
      mine: expected ?? mine,
      theirs: expected ?? mine,
      hasConflict: false,
    })
  })
}

for (const [what, mine, theirs] of [
  ['to the same line', lines('a', 'b', 'X', 'd', 'e'), lines('a', 'b', 'Y', 'd', 'e')],
  ['to adjacent lines', lines('a', 'X', 'c', 'd', 'e'), lines('a', 'b', 'Y', 'd', 'e')],
  [
    'that insert lines at the same place',
    lines('a', 'X', 'b', 'c', 'd', 'e'),
    lines('a', 'Y', 'b', 'c', 'd', 'e'),
  ],
  ['to a line that was deleted', lines('a', 'b', 'X', 'd', 'e'), lines('a', 'd', 'e')],
] as const) {
  test(`changes ${what} are a conflict with both texts`, () => {
    assert.deepEqual(mergeTexts({ base: BASE, mine, theirs }), { mine, theirs, hasConflict: true })
  })
}

test('in a conflict the other changes are merged', () => {
  const merged = mergeTexts({
    base: BASE,
    mine: lines('A', 'b', 'X', 'd', 'e'),
    theirs: lines('a', 'b', 'Y', 'd', 'E'),
  })
  assert.deepEqual(merged, {
    mine: lines('A', 'b', 'X', 'd', 'E'),
    theirs: lines('A', 'b', 'Y', 'd', 'E'),
    hasConflict: true,
  })
})

test('no typed line is lost, and a change on only one side is applied completely', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 8 })
    .map((all) => lines(...all))
  fc.assert(
    fc.property(text, text, text, (base, mine, theirs) => {
      const merged = mergeTexts({ base, mine, theirs })
      assert.equal(mergeTexts({ base, mine, theirs: base }).mine, mine)
      assert.equal(mergeTexts({ base, mine: base, theirs }).mine, theirs)
      assert.equal(merged.hasConflict, merged.mine !== merged.theirs)
      const turned = mergeTexts({ base, mine: theirs, theirs: mine })
      assert.deepEqual([turned.mine, turned.theirs], [merged.theirs, merged.mine])
    }),
  )
})
