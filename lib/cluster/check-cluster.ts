// `cms-server check cluster`: checks every record and every content of a cluster's database and object store while the
// nodes keep running. The rows are copied into a temporary directory and verified there; then each object is read and
// hashed. Each fault is checked again against the newest state.
//
// Repair only marks versions, which is a change like any other. Faulty rows are not repaired while nodes may write: the
// operator moves the site into a data directory, repairs it there and moves it back.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, basename } from 'node:path'
import pMap from 'p-map'
import type { ClusterSettings } from '../config/cluster-settings.ts'
import type { Pool } from '../workers/pool.ts'
import { rethrowDatabaseFault } from './database-fault.ts'
import { readTargetTables } from './move-tables.ts'
import { type ClusterConnection, connectCluster } from './cluster-connection.ts'
import { openSharedRecords } from './replicated-kv.ts'
import { requireMarked } from './site-mark.ts'
import { contentKey, type ObjectStore, sumObject } from './object-store.ts'
import { RefusedError } from '../storage/embedded/refusal.ts'
import type { CheckReport } from '../storage/integrity/check.ts'
import {
  checkContents,
  type ContentsCheck,
  mendContents,
  notesOf,
  type CheckPlace,
} from '../storage/integrity/check-contents.ts'
import { verifyRecords } from '../storage/integrity/verify-records.ts'
import { sharedNumbers } from '../storage/integrity/verify-references.ts'
import type { Hashed } from '../workers/tasks.ts'
import { isNamed } from './orphan-sweep.ts'
import { parseContentName } from '../storage/embedded/data-paths.ts'
import { openReusedMemory } from '../storage/embedded/buffer-pool.ts'
import type { ContentName, Records } from '../storage/port.ts'

export interface ClusterCheckOptions extends Omit<ContentsCheck, 'isAlone'> {
  readonly cluster: ClusterSettings
  readonly pool: Pool
  /** Ends the check with an error. */
  readonly signal: AbortSignal
}

const TRY_AGAIN = 'Nothing was changed. Run the check again when the server answers.'
const ADVICE =
  'Repair damage marks with --repair. For other faults restore a backup, or move the site into a directory ("cms-server migrate"), repair it there and move it back.'

export async function checkDistributed(options: ClusterCheckOptions): Promise<CheckReport> {
  const { cluster: settings, pool } = options
  const cluster = await connectCluster(settings, { pool, advice: TRY_AGAIN })
  // Holds records only, no contents.
  const directory = mkdtempSync(join(tmpdir(), 'cms-check-'))
  try {
    await requireWholeSite(cluster)
    return await checkSite(cluster, directory, options)
  } finally {
    cluster.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Runs first, because opening the records would create what is missing. */
async function requireWholeSite({ openLane, store, prefix }: ClusterConnection): Promise<void> {
  const { moving, site } = await readTargetTables(openLane())
  if (moving !== undefined)
    throw new RefusedError(
      'A move of a site into the database is running or was interrupted. Finish it with the same "cms-server migrate" command.',
    )
  if (site === undefined) throw new RefusedError('The database holds no site. Check DATABASE_URL.')
  await requireMarked({ store, prefix }, site)
}

async function checkSite(
  { store, prefix }: ClusterConnection,
  directory: string,
  { cluster, isRepair, onProgress, signal }: ClusterCheckOptions,
): Promise<CheckReport> {
  const onFailure = (): void => undefined
  const shared = await openSharedRecords({
    databaseUrl: cluster.databaseUrl,
    directory,
    onFailure,
  }).catch(rethrowDatabaseFault)
  const { kv, records } = shared
  try {
    signal.throwIfAborted()
    const walked = verifyRecords(kv)
    const told = walked.faults.map(({ kind, detail }) => ({ kind, detail, isMended: false }))
    const place = checkedObjects({ store, prefix, keyOf: contentKey(prefix), records, signal })
    const contents = await checkContents(place, kv, { isRepair, isAlone: false, onProgress })
    const faults = [...told, ...(await mendContents(place, records, contents, isRepair))]
    return {
      records: walked.records,
      versions: contents.versions,
      contents: contents.count,
      bytes: contents.bytes,
      faults,
      notes: [...sharedNumbers(records), ...notesOf(place, contents, isRepair)],
      advice: ADVICE,
    }
  } finally {
    await shared.close()
  }
}

// Checks contents that are objects of a store, also while nodes are running.

interface CheckedObjects {
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
/**
 * Objects are listed by the first digit of their shard. A list for each of the 256 shards would take 256 requests for
 * few objects, and a list of the prefix would contain all other objects of a bucket without a prefix.
 */
const FIRST_DIGITS = '0123456789abcdef'
const IN_SHARD = /^[0-9a-f]{2}\//

/** Paths are keys without the prefix. */
function checkedObjects({ store, prefix, keyOf, records, signal }: CheckedObjects): CheckPlace {
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
      for (const digit of FIRST_DIGITS) {
        for await (const page of store.list(`${prefix}${digit}`)) {
          signal.throwIfAborted()
          // Renewed after the listing, so that contents saved in between are known.
          await records.renew()
          const paths = page.map(({ key }) => key.slice(prefix.length))
          orphans.push(...paths.filter((path) => IN_SHARD.test(path) && isOrphan(records, path)))
          if (orphans.length > MOST_ORPHANS) return orphans
        }
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
