// Checks contents that are objects of a store, also while nodes are running.

import { basename } from 'node:path'
import pMap from 'p-map'
import type { Hashed } from '../workers/tasks.ts'
import type { ObjectStore } from './object-store.ts'
import { sumObject } from './object-hash.ts'
import { isNamed } from './orphan-sweep.ts'
import { parseContentName, SHARDS } from '../storage/embedded/data-paths.ts'
import { openReusedMemory } from '../storage/embedded/buffer-pool.ts'
import type { ContentName, Records } from '../storage/port.ts'
import type { CheckPlace } from '../storage/integrity/check-contents.ts'

export interface CheckedObjects {
  readonly store: Pick<ObjectStore, 'read' | 'list'>
  readonly prefix: string
  readonly keyOf: (name: ContentName) => string
  readonly records: Pick<Records, 'renew' | 'lookup' | 'list' | 'get'>
  /** Ends the check with an error. */
  readonly signal: AbortSignal
}

const BLOCK_BYTES = 1024 * 1024
const IN_FLIGHT = 4
/** Orphans reported in one run. A store with more orphans belongs to something else. */
const MOST_ORPHANS = 100_000

/** Paths are keys without the prefix. */
export function checkedObjects({
  store,
  prefix,
  keyOf,
  records,
  signal,
}: CheckedObjects): CheckPlace {
  const blocks = openReusedMemory({ sizeBytes: BLOCK_BYTES, maxIdle: IN_FLIGHT })

  async function sum(name: ContentName): Promise<Hashed | undefined> {
    signal.throwIfAborted()
    const memory = blocks.take()
    const found = await sumObject(store, { key: keyOf(name), memory })
    blocks.give(memory)
    return found
  }

  return {
    sum: (names) => pMap(names, sum, { concurrency: IN_FLIGHT }),
    async findOrphans() {
      const orphans: string[] = []
      for (const shard of SHARDS) {
        for await (const page of store.list(`${prefix}${shard}/`)) {
          signal.throwIfAborted()
          // Renewed after the listing, so that contents saved in between are known.
          await records.renew()
          const paths = page.map(({ key }) => key.slice(prefix.length))
          orphans.push(...paths.filter((path) => isOrphan(records, path)))
        }
        if (orphans.length > MOST_ORPHANS) break
      }
      return orphans
    },
    isOfCutSave: (path) => parseContentName(basename(path)) !== undefined,
    cutSaves: 'a node removes them when they are a day old',
  }
}

function isOrphan(records: CheckedObjects['records'], path: string): boolean {
  const name = parseContentName(basename(path))
  return name === undefined || !isNamed(records, name)
}
