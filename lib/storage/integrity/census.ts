// Counts contents, their bytes and damaged versions by walking all versions once an hour in small steps, so that saves and
// deletes need not maintain these sums.

import { setTimeout as sleep } from 'node:timers/promises'
import { type AssetFileVersion, assetFileVersion } from '../../schema/asset-file.ts'
import { trash, type TrashItem } from '../../schema/trash.ts'
import type { Kv, KvReader } from '../records/kv.ts'
import type { Range } from '../records/keys.ts'
import type { Id } from '../../schema/values.ts'
import type { ContentsCount } from '../status.ts'
import { recordKey, recordRange, rowParts, rowRange } from '../records/format.ts'
import { decodeRecord } from '../records/record-bytes.ts'
import { keyChunks } from '../records/slices.ts'
import { readVersion } from './verify-contents.ts'

export interface Census {
  /** The last count; undefined before the first count. */
  latest(): ContentsCount | undefined
  close(): Promise<void>
}

const EVERY_MS = 3_600_000
/** Pause between two chunks; a chunk takes a few milliseconds. */
const PAUSE_MS = 50

export function openCensus(kv: Kv): Census {
  const closing = new AbortController()
  let latest: ContentsCount | undefined

  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
  }

  async function count(): Promise<void> {
    const sums = { contents: 0, bytes: 0, damaged: 0, trashBytes: 0 }
    let lastUid: string | undefined

    for (const keys of keyChunks(kv, uidRows(kv))) {
      for (const version of versionsOf(kv, keys)) {
        if (version.damaged) sums.damaged += 1
        // Versions with the same bytes are adjacent.
        if (version.uid === lastUid) continue
        lastUid = version.uid
        sums.contents += 1
        sums.bytes += version.size
      }
      await pause(PAUSE_MS)
      if (closing.signal.aborted) return
    }
    for (const keys of keyChunks(kv, recordRange(kv, trash.recordType))) {
      for (const key of keys) sums.trashBytes += trashBytesOf(kv, key)
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

function trashBytesOf(kv: KvReader, key: Buffer): number {
  const value = kv.get(key)
  try {
    return value === undefined ? 0 : decodeRecord<TrashItem>(value).value.size
  } catch {
    // The walk over all records reports damaged records.
    return 0
  }
}

/** The uid index: versions in the order of their content names. */
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
