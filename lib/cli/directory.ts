// Commands on a data directory: they ask the server that owns the directory, or open the directory themselves.

import { accessSync, constants } from 'node:fs'
import { resolve } from 'node:path'
import { LIMITS } from '../config/limits.ts'
import { runCommand } from '../operations/people/commands.ts'
import { prepareSite } from '../operations/people/first-start.ts'
import { askServer, openStorage } from '../server/open-storage.ts'
import { openPool } from '../workers/pool.ts'

export async function askDirectory(data: string, request: object): Promise<unknown> {
  const dataDir = resolve(data)
  const answer = await askServer(dataDir, request)
  if (answer !== undefined) return answer.value

  // A directory on a read-only mount can still be read.
  const readOnly = isOnReadOnly(dataDir)
  const pool = openPool(1)
  try {
    const storage = await openStorage({
      config: { dataDir, readOnly },
      limits: LIMITS,
      pool,
      onFailure: () => undefined,
      onTrouble: () => undefined,
      onWait: ({ pid, maxSeconds }) =>
        console.error(
          `Waiting up to ${maxSeconds} s: the last server on ${dataDir} (process ${pid} of another container) may still be running.`,
        ),
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
