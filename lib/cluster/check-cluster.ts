// `cms-server check cluster`: every record and every content of a site that lies in a database and a store, while its
// nodes go on. The rows are copied into a directory of their own, as a node has them, and walked there; then each object is
// read and hashed. What was wrong is looked at again in the newest state.
//
// Repair marks versions, which is a change like any other. What is wrong in rows is not mended while others may change
// them: it is the work of a check of a directory, to which a site can be moved, and back.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClusterSettings } from '../config/cluster-settings.ts'
import type { Pool } from '../workers/pool.ts'
import { tellDatabase } from './database-fault.ts'
import { lookAtTables } from './move-tables.ts'
import { type OpenCluster, openCluster } from './open-cluster.ts'
import { openSharedRecords } from './open-records.ts'
import { requireMarked } from './site-mark.ts'
import { contentKey } from './content-key.ts'
import { RefusedError } from '../storage/embedded/refusal.ts'
import type { CheckReport } from '../storage/integrity/check.ts'
import {
  checkContents,
  type ContentsCheck,
  mendContents,
  notesOf,
} from '../storage/integrity/check-contents.ts'
import { checkedObjects } from './check-objects.ts'
import { verifyRecords } from '../storage/integrity/verify-records.ts'
import { sharedNumbers } from '../storage/integrity/verify-references.ts'

export interface ClusterCheckOptions extends Omit<ContentsCheck, 'isAlone'> {
  readonly cluster: ClusterSettings
  readonly pool: Pool
  /** Ends it, by a throw. */
  readonly signal: AbortSignal
}

const TRY_AGAIN = 'Nothing was changed. Run the check again when it answers.'
const ADVICE =
  'Marks of contents are mended with --repair. For the rest restore a backup, or move the site into a directory ("cms-server migrate"), mend it there, and move it back.'

export async function checkDistributed(options: ClusterCheckOptions): Promise<CheckReport> {
  const { cluster: settings, pool } = options
  const cluster = await openCluster(settings, { pool, advice: TRY_AGAIN })
  // Of the records alone; contents are not kept.
  const directory = mkdtempSync(join(tmpdir(), 'cms-check-'))
  try {
    await requireWholeSite(cluster)
    return await checkSite(cluster, directory, options)
  } finally {
    cluster.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Before anything is opened that would make what is missing. */
async function requireWholeSite({ openLane, store, prefix }: OpenCluster): Promise<void> {
  const { moving, site } = await lookAtTables(openLane())
  if (moving !== undefined)
    throw new RefusedError(
      'A site is being moved into the database, or that was cut off: finish it with the same "cms-server migrate".',
    )
  if (site === undefined) throw new RefusedError('There is no site in the database.')
  await requireMarked({ store, prefix }, site)
}

async function checkSite(
  { store, prefix }: OpenCluster,
  directory: string,
  { cluster, isRepair, onProgress, signal }: ClusterCheckOptions,
): Promise<CheckReport> {
  const onFailure = (): void => undefined
  const shared = await openSharedRecords({
    databaseUrl: cluster.databaseUrl,
    directory,
    onFailure,
  }).catch(tellDatabase)
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
