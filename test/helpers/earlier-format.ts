// A synthetic earlier format and its upgrade step: a site as format 1 differs from a site of format 2 only in its index
// rows, whose keys begin with 06.

import { writeFileSync } from 'node:fs'
import { dataPathsOf } from '../../lib/storage/embedded/data-paths.ts'
import { FORMAT, type UpgradeStep } from '../../lib/storage/embedded/upgrade-steps.ts'
import { openLmdb } from '../../lib/storage/embedded/lmdb-kv.ts'
import { type Range, rangeOf } from '../../lib/storage/records/keys.ts'
import type { Kv } from '../../lib/storage/records/kv.ts'
import { markCrashed } from './site.ts'

const EARLIER = Buffer.of(0x06)
export const EARLIER_ROWS: Range = rangeOf(EARLIER)
const INDEX_ROWS = rangeOf(Buffer.from('i'))

/** Rows in one commit of the step. */
const MAX_ROWS = 8

export const EARLIER_FORMAT = FORMAT - 1

/** The upgrade step. `afterCommit` is called with the number of commits so far. */
export function stepWith(afterCommit: (commits: number) => Promise<void>): UpgradeStep {
  return {
    from: EARLIER_FORMAT,
    to: FORMAT,
    async run(kv, report) {
      const total = kv.count(EARLIER_ROWS)
      await report(0, total)
      for (let commits = 1; kv.count({ ...EARLIER_ROWS, limit: 1 }) > 0; commits += 1) {
        await moveRows(kv, {
          range: EARLIER_ROWS,
          rename: (key) => key.subarray(1),
          limit: MAX_ROWS,
        })
        await afterCommit(commits)
        await report(total - kv.count(EARLIER_ROWS), total)
      }
    },
  }
}

export const STEP = stepWith(async () => undefined)

/** Converts a site of this version to the earlier format. */
export async function makeEarlier(dataDir: string): Promise<void> {
  const kv = openLmdb({ path: dataPathsOf(dataDir).records, onFailure: () => undefined })
  const rename = (key: Buffer) => Buffer.concat([EARLIER, key])
  await moveRows(kv, { range: INDEX_ROWS, rename, limit: undefined })
  await kv.close()
  markCrashed(dataDir)
}

interface Move {
  readonly range: Range
  readonly rename: (key: Buffer) => Buffer
  readonly limit: number | undefined
}

async function moveRows(kv: Kv, { range, rename, limit }: Move): Promise<void> {
  await kv.commit((writer) => {
    const rows = [...writer.pairs({ ...range, limit })]
    for (const { key, value } of rows) {
      writer.put(rename(key), value)
      writer.remove(key)
    }
  })
}

/** Changes instance.json. */
export function writeInstance(dataDir: string, instance: object): void {
  writeFileSync(dataPathsOf(dataDir).instance, JSON.stringify(instance))
}
