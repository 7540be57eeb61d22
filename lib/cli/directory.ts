// Commands on a data directory: through the server that owns it, or else by opening it.

import { resolve } from 'node:path'
import { LIMITS } from '../limits.ts'
import { runCommand } from '../operations/commands.ts'
import { prepareSite } from '../operations/first-start.ts'
import { layoutOf } from '../storage/embedded/layout.ts'
import { askOwner } from '../storage/embedded/lock.ts'
import { refusalOf } from '../storage/embedded/no-access.ts'
import { becomeOwner } from '../storage/embedded/owner.ts'
import { requireDirectory, requireSite } from '../storage/embedded/require-site.ts'
import { openStorage } from '../storage/open.ts'
import { openPool } from '../workers/pool.ts'

export async function askDirectory(data: string, request: object): Promise<unknown> {
  const dataDir = resolve(data)
  requireDirectory(dataDir)
  becomeOwner(dataDir)
  const answer = await askOwner(dataDir, request).catch((error: unknown) => {
    throw refusalOf(dataDir, error)
  })
  if (answer !== undefined) return answer.value
  requireSite(layoutOf(dataDir))

  const pool = openPool(1)
  try {
    const storage = await openStorage({
      config: { dataDir },
      limits: LIMITS,
      pool,
      onFailure: () => undefined,
      onTrouble: () => undefined,
    })
    try {
      const services = { records: storage.records, now: () => new Date() }
      await prepareSite(services.records, services.now())
      return await runCommand(services, request)
    } finally {
      await storage.close()
    }
  } finally {
    await pool.close()
  }
}
