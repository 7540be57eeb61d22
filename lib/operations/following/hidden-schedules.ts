// Hides schedules, notes and the retention of versions from callers who do not see drafts, and the faults of schedules from callers who may
// neither publish nor stage.

import { assetFile } from '../../schema/asset-file.ts'
import { isScheduleField } from '../../schema/file-schedule.ts'
import { VERSIONS } from '../../schema/version-retention.ts'
import type { ChangeEvent } from '../trail/changes.ts'

const OF_EDITORS: ReadonlySet<string> = new Set(['pinned_versions', 'version_note', VERSIONS])

function isHidden(name: string): boolean {
  return isScheduleField(name) || OF_EDITORS.has(name)
}

/** The rights of the caller in a folder. */
interface FolderSight {
  readonly seesDrafts: (categoryId: number) => boolean
  readonly seesFaults: (categoryId: number) => boolean
}

type FileChange = Pick<
  ChangeEvent,
  'object' | 'asset_category_id' | 'changed_fields' | 'schedule_fault'
>

/**
 * The change without the fields that the caller does not see; the same change if there are none. Undefined if nothing but
 * the schedule changed.
 */
export function withoutSchedule<T extends FileChange>(
  shown: T | undefined,
  sight: FolderSight,
): T | undefined {
  if (shown === undefined) return undefined
  const { object, asset_category_id: folder, changed_fields: fields, schedule_fault } = shown
  if (object !== assetFile.name) return shown
  const isTold = folder !== null && sight.seesDrafts(folder)
  const left = isTold ? fields : (fields?.filter((name) => !isHidden(name)) ?? null)
  if (left?.length === 0 && fields?.length !== 0) return undefined
  const isFaultTold = schedule_fault === null || (folder !== null && sight.seesFaults(folder))
  if (isFaultTold && left?.length === fields?.length) return shown
  return { ...shown, changed_fields: left, ...(!isFaultTold && { schedule_fault: null }) }
}
