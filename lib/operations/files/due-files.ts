// Finds the files whose time has come.

import { type AssetFile, assetFile } from '../../schema/asset-file.ts'
import {
  type FileSchedule,
  fileSchedule,
  SCHEDULED_ACTIONS,
  type ScheduledAction,
  TIME_FIELDS,
} from '../../schema/file-schedule.ts'
import type { Reader } from '../../storage/port.ts'

/** Longest time between two looks at the clock. */
const LOOK_MS = 250
/** Files per commit, about 10 ms. */
const AT_ONCE = 50

/** An action whose time has come. */
export interface Due {
  readonly id: number
  readonly action: ScheduledAction
  readonly at: string
  readonly version: number | null
  readonly setter: FileSchedule[ScheduledAction]
}

interface Found {
  /** In the order of their times; at most one action of a file. */
  readonly items: readonly Due[]
  /** Time until the next look if there are no items. */
  readonly nextMs: number
}

export function findDue(reader: Reader, nowMs: number): Found {
  const items = new Map<number, Due>()
  for (const [id] of reader.lookup(assetFile.recordType, 'due', [], AT_ONCE)) {
    const fileId = Number(id)
    const file = reader.get(assetFile.recordType, fileId)?.value
    const due = file && !items.has(fileId) ? nextOf(reader, file) : undefined
    if (due === undefined) continue
    const leftMs = Date.parse(due.at) - nowMs
    if (leftMs > 0)
      return { items: [...items.values()], nextMs: Math.min(LOOK_MS, Math.ceil(leftMs)) }
    items.set(fileId, due)
  }
  return { items: [...items.values()], nextMs: LOOK_MS }
}

/** The action of the file with the earliest time. */
function nextOf(reader: Reader, file: AssetFile): Due | undefined {
  let next: Due | undefined
  for (const action of SCHEDULED_ACTIONS) {
    const at = file[TIME_FIELDS[action]] ?? null
    if (at === null || (next !== undefined && next.at <= at)) continue
    const setter = reader.get(fileSchedule, file.asset_file_id)?.value[action]
    next = { id: file.asset_file_id, action, at, version: versionOf(file, action), setter }
  }
  return next
}

function versionOf(file: AssetFile, action: ScheduledAction): number | null {
  if (action === 'unpublish') return null
  return action === 'publish' ? file.publish_version : file.stage_version
}

/** Neighbors with the same action and author, because a commit has one row in the audit trail. */
export function groupsOf(items: readonly Due[]): readonly (readonly Due[])[] {
  const groups: Due[][] = []
  for (const due of items) {
    const group = groups.at(-1)
    const first = group?.[0]
    const isAlike =
      first?.action === due.action && JSON.stringify(first.setter) === JSON.stringify(due.setter)
    if (group !== undefined && isAlike) group.push(due)
    else groups.push([due])
  }
  return groups
}

/** The file, if it still has the same time for the same version. */
export function findStillDue(
  reader: Reader,
  { id, action, at, version }: Due,
): AssetFile | undefined {
  const file = reader.get(assetFile.recordType, id)?.value
  const isSame = file?.[TIME_FIELDS[action]] === at && versionOf(file, action) === version
  return isSame ? file : undefined
}
