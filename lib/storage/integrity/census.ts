// Counts contents, their bytes and the damaged versions: walks all versions once an hour, a little at
// a time, so that saves and deletes need not keep such sums.

import { setTimeout as sleep } from 'node:timers/promises'
import { type AssetFileVersion, assetFileVersion } from '../../schema/asset-file.ts'
import type { Kv, KvReader } from '../records/kv.ts'
import type { Range } from '../records/keys.ts'
import type { Id } from '../../schema/values.ts'
import type { ContentsCount } from '../status.ts'
import { recordKey, rowParts, rowRange } from '../records/format.ts'
import { keyChunks } from '../records/slices.ts'
import { readVersion } from './verify-contents.ts'

export interface Census {
  /** The last count; undefined before the first. */
  latest(): ContentsCount | undefined
  close(): Promise<void>
}

const EVERY_MS = 3_600_000
/** Between two chunks, each of a few milliseconds. */
const PAUSE_MS = 50

export function openCensus(kv: Kv): Census {
  const closing = new AbortController()
  let latest: ContentsCount | undefined

  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
  }

  async function count(): Promise<void> {
    const sums = { contents: 0, bytes: 0, damaged: 0 }
    let lastUid: string | undefined

    for (const keys of keyChunks(kv, uidRows(kv))) {
      for (const version of versionsOf(kv, keys)) {
        if (version.damaged) sums.damaged += 1
        // Versions with the same bytes stand together.
        if (version.uid === lastUid) continue
        lastUid = version.uid
        sums.contents += 1
        sums.bytes += version.size
      }
      await pause(PAUSE_MS)
      if (closing.signal.aborted) return
    }
    latest = sums
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await count()
      await pause(EVERY_MS)
    }
  }

  const running = run()
  return {
    latest: () => latest,
    async close() {
      closing.abort()
      await running
    },
  }
}

/** The index of contents: versions in the order of the names of their bytes. */
export function uidRows(kv: KvReader): Range {
  return rowRange(kv, assetFileVersion, { index: 'uid' })
}

export function versionsOf(kv: KvReader, rows: readonly Buffer[]): readonly AssetFileVersion[] {
  return rows.flatMap((row) => {
    const version = readVersion(
      kv,
      recordKey(kv, assetFileVersion, rowParts(row).slice(-2) as Id[]),
    )
    return version === undefined ? [] : [version]
  })
}
