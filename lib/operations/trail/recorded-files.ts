// Describes the change of a file: the version, the pointer that moved, and why a time could not be kept.

import { type AssetFile, assetFileVersion } from '../../schema/asset-file.ts'
import type { RecordedChange } from '../../schema/recorded-change.ts'
import type { Change } from '../../storage/port.ts'

interface ChangedFile extends Pick<Change, 'before' | 'stored'> {
  readonly id: number
}

const POINTERS = ['fileState', 'live_version', 'staged_version'] as const

/** The members of a recorded change that only files have. */
export function describeFile(
  { id, before, stored }: ChangedFile,
  changes: readonly Change[],
): Pick<RecordedChange, 'version' | 'fileState' | 'schedule_fault'> {
  if (stored === undefined) return {}
  const saved = changes.find(({ type, ids }) => type === assetFileVersion && ids[0] === id)

  const [now, old] = [stored.value as AssetFile, (before?.value ?? {}) as Partial<AssetFile>]
  const isMoved = POINTERS.some((name) => now[name] !== (old[name] ?? null))
  const fileState = isMoved ? now.fileState : null
  const pointed = fileState === 'publish' ? now.live_version : now.staged_version
  const fault = newFault(now, old)
  const version = saved === undefined ? fileState && pointed : Number(saved.ids[1])
  return {
    ...(typeof version === 'number' && { version }),
    ...(fileState !== null && { fileState }),
    ...(fault !== null && { schedule_fault: fault }),
  }
}

/** Null unless this change stored the fault. */
function newFault(
  { schedule_fault: fault, schedule_failed_at: at }: AssetFile,
  { schedule_failed_at: before }: Partial<AssetFile>,
): AssetFile['schedule_fault'] {
  return at === before ? null : (fault ?? null)
}
