// Removes the comments on files and entries that are gone for good, in small commits. The audit trail records them, so
// that followers of changes see them end.

import { NOBODY } from '../../schema/audit.ts'
import { comment, commentMentions, orphanedComments, partsOf } from '../../schema/comment.ts'
import type { Unit } from '../../storage/port.ts'
import { runRounds } from '../background/rounds.ts'
import type { Services } from '../context.ts'
import { commitAudited } from '../trail/audit.ts'

const EVERY_MS = 60_000
/** Comments of one commit, about 10 ms. */
const AT_ONCE = 200

type Sweeping = Pick<Services, 'records' | 'background' | 'now'>

/** Now and every minute, until the signal aborts. */
export async function removeOrphanedComments(
  services: Sweeping,
  signal: AbortSignal,
): Promise<void> {
  const rounds = { name: 'orphaned-comments', everyMs: EVERY_MS, signal }
  await runRounds(services, rounds, () => sweep(services, signal))
}

async function sweep(services: Sweeping, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const [[target] = []] = services.records.list(orphanedComments, [], 1)
    if (target === undefined) return
    const plan = (unit: Unit): void => removeSome(unit, String(target))
    await commitAudited(services, { doer: { ...NOBODY, action: 'delete' }, plan })
  }
}

function removeSome(unit: Unit, target: string): void {
  const found = unit.lookup(comment.recordType, 'of', partsOf(target), AT_ONCE)
  if (found.length < AT_ONCE) unit.remove(orphanedComments, target)
  for (const ids of found) {
    unit.remove(commentMentions, ...ids)
    unit.remove(comment.recordType, ...ids)
  }
}
