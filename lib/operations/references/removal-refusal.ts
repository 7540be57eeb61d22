// Refuses a deletion because of references with ON DELETE RESTRICT. The error names the referring records that the
// caller may see. A caller who sees none of them learns only that referring records exist.

import type { Caller } from '../../auth/caller.ts'
import { openVisibleFolders } from '../../auth/visible-folders.ts'
import { CmsError } from '../../base/errors.ts'
import { counted } from '../../schema/message-text.ts'
import type { Reader } from '../../storage/port.ts'
import type { RemovalPlan } from './removal-plan.ts'

/** Referring records that a refusal names. */
const MOST_NAMED = 20

/** Throws in-use if there are blockers. `what` names the records that were to be deleted. */
export function requireUnblocked(
  reader: Reader,
  caller: Caller,
  { blockers, hasMore }: Pick<RemovalPlan, 'blockers' | 'hasMore'>,
  what = 'the record',
): void {
  if (blockers.length === 0) return
  const folders = openVisibleFolders(reader, caller)
  const seen = blockers.filter(({ module }) =>
    folders.grantsAt(module.record.parent_category_id).has('view'),
  )
  if (seen.length === 0) {
    throw new CmsError(
      'in-use',
      `Records that the key may not see refer to ${what}. Nothing was deleted.`,
    )
  }
  const named = seen.slice(0, MOST_NAMED)
  const texts = named.map(
    ({ module, column, id }) =>
      `${column.column.name} of entry ${id} of ${module.kind} ${module.id}`,
  )
  const more = seen.length - named.length
  const rest =
    more === 0 ? '' : `, and ${hasMore ? 'at least ' : ''}${counted(more, 'more reference')}`
  throw new CmsError(
    'in-use',
    `These references prevent the deletion of ${what}: ${texts.join(', ')}${rest}. Change them first; nothing was deleted.`,
    {
      members: {
        references: named.map(({ module, column, id }) => ({
          object: module.kind,
          module_id: module.id,
          entry_id: id,
          column: column.column.name,
        })),
        count: seen.length,
      },
    },
  )
}
