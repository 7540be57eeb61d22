// Commands on a data directory: through the server that owns it, or else by opening it.

import { accessSync, constants } from 'node:fs'
import { resolve } from 'node:path'
import { LIMITS } from '../limits.ts'
import { runCommand } from '../operations/people/commands.ts'
import { prepareSite } from '../operations/people/first-start.ts'
import { dataPathsOf } from '../storage/embedded/data-paths.ts'
import { askOwner } from '../storage/embedded/lock.ts'
import { refusalOf } from '../storage/embedded/no-access.ts'
import { becomeOwner } from '../storage/embedded/owner.ts'
import { requireDirectory, requireSite } from '../storage/embedded/require-site.ts'
import { openStorage } from '../storage/open.ts'
import { openPool } from '../workers/pool.ts'

export async function askDirectory(data: string, request: object): Promise<unknown> {
  const dataDir = resolve(data)
  requireDirectory(dataDir)
  becomeOwner(dataDir, true)
  const answer = await askOwner(dataDir, request).catch((error: unknown) => {
    throw refusalOf(dataDir, error)
  })
  if (answer !== undefined) return answer.value
  requireSite(dataPathsOf(dataDir))

  // Where nothing can be written, what is there is shown all the same.
  const readOnly = isOnReadOnly(dataDir)
  const pool = openPool(1)
  try {
    const storage = await openStorage({
      config: { dataDir, readOnly },
      limits: LIMITS,
      pool,
      onFailure: () => undefined,
      onTrouble: () => undefined,
    })
    try {
      const services = { records: storage.records, now: () => new Date() }
      if (!readOnly) await prepareSite(services.records, services.now())
      return await runCommand(services, request)
    } finally {
      await storage.close()
    }
  } finally {
    await pool.close()
  }
}

function isOnReadOnly(dataDir: string): boolean {
  try {
    accessSync(dataDir, constants.W_OK)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS'
  }
}
