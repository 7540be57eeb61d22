// Moves the site of a data directory to the cluster of a rig.

import type { ClusterSettings } from '../../lib/config/cluster-settings.ts'
import { moveSite } from '../../lib/cluster/open-cluster.ts'
import { openPool } from '../../lib/workers/pool.ts'
import type { Place } from './nodes.ts'

/** The directory stays unchanged. */
export async function placeSite({ cluster }: Place, dataDir: string): Promise<ClusterSettings> {
  const settings = await cluster.newSite()
  const pool = openPool(1)
  try {
    const { isWhole } = await moveSite({
      target: 'cluster',
      dataDir,
      cluster: settings,
      leaveDamaged: false,
      pool,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      onNote: () => undefined,
    })
    if (!isWhole) throw new Error(`${dataDir} was not moved as a whole.`)
    return settings
  } finally {
    await pool.close()
  }
}
