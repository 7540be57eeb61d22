// Invariants of the records after the load: no work is pending, no record lies in a deleted folder,
// and check finds no fault.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ClusterSettings } from '../../../lib/config/cluster-settings.ts'
import { assetCategory } from '../../../lib/schema/asset-category.ts'
import { pendingWork } from '../../../lib/schema/pending-work.ts'
import { openSharedRecords } from '../../../lib/cluster/replicated-kv.ts'
import { runCli } from '../../helpers/child-server.ts'
import { variablesOf } from '../../helpers/cluster.ts'
import { eventually } from '../../helpers/raw.ts'

const WITHIN_MS = 30_000

/** Checks for pending work while the nodes run, because the nodes must finish it. */
export async function workLeft(home: string, { databaseUrl }: ClusterSettings): Promise<string[]> {
  const directory = join(home, 'looking')
  const faults: string[] = []
  const onFailure = (cause: unknown): void => void faults.push(`who looks on: ${String(cause)}`)
  const { records, close } = await openSharedRecords({ databaseUrl, directory, onFailure })
  try {
    const works = async (): Promise<readonly unknown[]> => {
      await records.renew()
      return records.list(pendingWork, [])
    }
    await eventually(async () => (await works()).length === 0, WITHIN_MS)
    faults.push(...(await works()).map((key) => `work is left: ${JSON.stringify(key)}`))
    for (const id of records.list(assetCategory.recordType, [])) {
      const name = records.get(assetCategory.recordType, Number(id))?.value['name']
      if (String(name).startsWith('leaf-')) faults.push(`folder ${String(id)} is left: ${name}`)
    }
    return faults
  } finally {
    await close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Runs check after all nodes have ended. */
export async function checkFaults(site: ClusterSettings): Promise<readonly string[]> {
  const { code, stdout, stderr } = await runCli(['check', 'cluster'], { env: variablesOf(site) })
  const isWell = code === 0 && stdout.includes('No faults found.')
  return isWell ? [] : [`check ended with ${code}: ${stdout} ${stderr}`]
}
