// The two version pointers of a file: their values after each move, and which dates a move sets.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FileState, movePointer } from '../../../lib/operations/files/versions.ts'
import { type AssetFile, assetFile } from '../../../lib/schema/asset-file.ts'
import { buildRecord } from '../../../lib/schema/record.ts'

const BEFORE = '2026-01-01T00:00:00.000Z'
const NOW = '2026-01-02T03:04:05.000Z'

/** live_version, staged_version, fileState. */
type State = readonly [live: number | null, staged: number | null, state: FileState | null]

/** A file with three versions. */
function fileOf([live_version, staged_version, fileState]: State): AssetFile {
  const values = { name: 'a.html', type: 'html', parent_category_id: 1 }
  return {
    ...buildRecord(assetFile, values, { id: 1, owner: 'x', now: BEFORE }),
    version: 3,
    fileState,
    live_version,
    staged_version,
    date_published: live_version === null ? null : BEFORE,
    date_staged: staged_version === null ? null : BEFORE,
    date_modified: BEFORE,
  }
}

/**
 * The state before, the move to the latest or another version, the state after, and the dates that
 * are set.
 */
const MOVES: readonly (readonly [
  from: State,
  move: readonly [state: FileState, version?: number],
  to: State,
  dates: readonly string[],
])[] = [
  [[null, null, null], ['publish'], [3, 3, 'publish'], ['date_published', 'date_staged']],
  [
    [null, null, null],
    ['publish', 1],
    [1, 1, 'publish'],
    ['date_published', 'date_staged'],
  ],
  [[null, null, null], ['stage'], [null, 3, 'stage'], ['date_staged']],
  [[1, 1, 'publish'], ['stage'], [1, 3, 'stage'], ['date_staged']],
  [[1, 3, 'stage'], ['publish'], [3, 3, 'publish'], ['date_published']],
  [[3, 3, 'publish'], ['publish', 1], [1, 3, 'publish'], ['date_published']],
  [[1, 3, 'stage'], ['stage', 2], [1, 2, 'stage'], ['date_staged']],
  [[3, 3, 'publish'], ['stage'], [3, 3, 'stage'], []],
  [[3, 3, 'stage'], ['publish'], [3, 3, 'publish'], []],
]

for (const [from, [state, version], [live_version, staged_version, fileState], dates] of MOVES) {
  test(`${state} ${version ?? 'the latest'} of ${JSON.stringify(from)}`, () => {
    const file = fileOf(from)
    const moved = movePointer(file, state, { now: NOW, version })
    const changed = Object.fromEntries([...dates, 'date_modified'].map((name) => [name, NOW]))
    assert.deepEqual(moved, { ...file, live_version, staged_version, fileState, ...changed })
  })
}

test('a move to the current position returns the same record', () => {
  for (const [from, state, version] of [
    [[3, 3, 'publish'], 'publish', undefined],
    [[1, 3, 'publish'], 'publish', 1],
    [[1, 3, 'stage'], 'stage', undefined],
  ] as const) {
    const file = fileOf(from)
    assert.equal(movePointer(file, state, { now: NOW, version }), file)
  }
})
