// At start: goes on with the work that a stop interrupted.

import { pendingWork } from '../schema/catalog.ts'
import { valueOf } from '../schema/record.ts'
import type { Services } from './context.ts'
import { type NewWork, startModuleWorks } from './module-work.ts'
import { runRemove, type Work } from './pending-work.ts'
import { runForget, runPurge } from './purge.ts'
import { runRevoke } from './revoking.ts'

/** Finishes what a stop interrupted: deletions before the server listens, work on indexes beside it. */
export async function resumeWork(services: Services): Promise<number> {
  const ids = services.records.list(pendingWork, [])
  const ofModules: NewWork[] = []
  for (const [id] of ids) {
    const stored = services.records.get(pendingWork, String(id))
    if (stored === undefined) continue
    const workId = String(id)
    const work = valueOf<Work>(stored)
    if (work.kind === 'remove') await runRemove(services, workId, work.contents)
    else if (work.kind === 'purge') await runPurge(services, workId, work.asset_category_id)
    else if (work.kind === 'revoke') await runRevoke(services, workId, work)
    else if (work.kind === 'forget') await runForget(services, workId, work.asset_file_id)
    else ofModules.push({ id: workId, work })
  }
  void startModuleWorks(services, ofModules)
  return ids.length
}
