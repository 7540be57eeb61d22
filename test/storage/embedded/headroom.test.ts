// Requests that are refused when the disk has too little room. The limits are above and below the
// free space of the real disk.

import assert from 'node:assert/strict'
import { mkdirSync, statfsSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { dataPathsOf } from '../../../lib/storage/embedded/data-paths.ts'
import { type Headroom, openHeadroom } from '../../../lib/storage/storage-monitor.ts'
import type { Need } from '../../../lib/storage/port.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { eventually } from '../../helpers/raw.ts'

const dataPaths = dataPathsOf(newDataDirectory())
/** Other processes write to the same disk, so all limits are far from the measured value. */
let free: number
before(() => {
  mkdirSync(dataPaths.records, { recursive: true })
  const { bavail, bsize } = statfsSync(dataPaths.records)
  free = bavail * bsize
})
after(() => removeDataDirectories())

type Told = (Need | undefined)[]

async function open(minFreeBytes: number, minFreeRatio: number, told: Told): Promise<Headroom> {
  const limits = { minFreeBytes, minFreeRatio }
  return openHeadroom({ dataPaths, limits, onChange: (refused) => told.push(refused) })
}

function refusals(headroom: Headroom, sizeBytes?: number): readonly string[] {
  return (['content', 'record'] as const).filter((need) => {
    try {
      headroom.require(need, sizeBytes)
      return false
    } catch (error) {
      assert.equal((error as { code?: unknown }).code, 'disk-full')
      const says =
        need === 'content' ? /too little disk space .*new content/ : /Only reads and deletes/
      assert.match((error as Error).message, says)
      return true
    }
  })
}

test('content is refused below the minimum of free space, all but deletes far below it, and nothing without a minimum', async () => {
  const cases: readonly (readonly [bytes: number, ratio: number, refused: Need | undefined])[] = [
    [0, 1, undefined],
    [1, 0, undefined],
    [free / 2, 0, undefined],
    [free * 2, 0, 'content'],
    [free * 3, 0, 'content'],
    [free * 8, 0, 'record'],
    [1, 2, 'content'],
  ]
  for (const [bytes, ratio, refused] of cases) {
    const told: Told = []
    const headroom = await open(bytes, ratio, told)
    headroom.close()
    assert.equal(headroom.refused(), refused, `${bytes / free} of what is free`)
    assert.deepEqual(told, refused === undefined ? [] : [refused])
    const all = ['content', 'record']
    const expected = refused === 'record' ? all : refused === 'content' ? ['content'] : []
    assert.deepEqual(refusals(headroom), expected)
  }
})

test('content that would use the last free space is refused, and a record is accepted', async () => {
  const headroom = await open(free / 2, 0, [])
  headroom.close()
  assert.deepEqual(refusals(headroom, free / 10), [])
  assert.deepEqual(refusals(headroom, free * 0.9), ['content'])
  const { disks } = headroom
  assert.deepEqual(
    disks().map(({ name }) => name),
    ['contents', 'records'],
  )
  for (const { sizeBytes, freeBytes } of disks()) assert.ok(sizeBytes >= freeBytes && freeBytes > 0)
})

test('the disk is checked repeatedly: rejections follow the free space', async () => {
  const limits = { minFreeBytes: 1, minFreeRatio: 0 }
  const told: Told = []
  const headroom = await openHeadroom({
    dataPaths,
    limits,
    onChange: (refused) => told.push(refused),
  })
  try {
    for (const [minFreeBytes, refused] of [
      [free * 8, 'record'],
      [free * 2, 'content'],
      [1, undefined],
    ] as const) {
      limits.minFreeBytes = minFreeBytes
      assert.ok(await eventually(() => told.length > 0, 20_000))
      assert.deepEqual(told.splice(0), [refused])
      assert.equal(headroom.refused(), refused)
    }
  } finally {
    headroom.close()
  }
})
