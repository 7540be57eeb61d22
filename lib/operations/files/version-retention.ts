// Removes old versions by the rules of their folders (keep_versions), in the background and in small commits. The live,
// staged, scheduled, pinned and latest versions stay, whatever the rule says.

import { chainOf, type FolderReader } from '../../auth/folders.ts'
import { type AssetCategory, assetCategory } from '../../schema/asset-category.ts'
import {
  type AssetFile,
  assetFile,
  type AssetFileVersion,
  assetFileVersion,
} from '../../schema/asset-file.ts'
import { openTimeSlice, type TimeSlice } from '../../schema/time-slicing.ts'
import { removedVersions, type VersionRule } from '../../schema/version-retention.ts'
import type { ContentName, Reader, Unit } from '../../storage/port.ts'
import { runRounds } from '../background/rounds.ts'
import type { Services } from '../context.ts'
import { idsInFolder } from '../folder-contents.ts'
import { newWorkId, putWork, runRemove } from '../pending-work.ts'
import { unnamedContents } from './versions.ts'
import { putRowOfVersions } from '../trail/audit.ts'

const EVERY_MS = 3_600_000
/** Versions per commit, about 10 ms. */
const AT_ONCE = 300
/** Versions that a report examines. */
const MOST_EXAMINED = 1_000_000
const DAY_MS = 86_400_000

type Rule = Exclude<VersionRule, { readonly all: true }>

type Retaining = Pick<Services, 'records' | 'retentionClock'>

/** The rule of the nearest folder that has one; undefined if all versions stay. */
function ruleIn(reader: FolderReader, categoryId: number): Rule | undefined {
  for (const folder of chainOf(reader, categoryId) ?? []) {
    const own = ownRule(folder)
    if (own !== null) return own === 'all' ? undefined : own
  }
  return undefined
}

function ownRule({ keep_versions: own }: AssetCategory): Rule | 'all' | null {
  // Folders of earlier builds lack the field.
  const rule = (own as VersionRule | null | undefined) ?? null
  if (rule === null) return null
  return 'all' in rule ? 'all' : rule
}

/** Removes versions now and every hour, until the signal aborts. */
export async function retainVersions(services: Services, signal: AbortSignal): Promise<void> {
  const rounds = { name: 'version-retention', everyMs: EVERY_MS, signal }
  await runRounds(services, rounds, () => removeVersions(services, signal))
}

async function removeVersions(services: Services, signal: AbortSignal): Promise<void> {
  const { records } = services
  const slice = openTimeSlice()
  for (const [id] of records.lookup(assetCategory.recordType, 'removes_versions', [true])) {
    const categoryId = Number(id)
    for await (const file of filesBelow(records, categoryId, slice))
      for (let isMore = true; isMore && !signal.aborted; )
        isMore = await removeSome(services, file.asset_file_id)
    if (signal.aborted) return
  }
}

/** The files in the folder, and in the folders below that have no rule of their own. */
async function* filesBelow(
  reader: Reader,
  categoryId: number,
  slice: TimeSlice,
): AsyncGenerator<AssetFile> {
  const folders = [categoryId]
  for (let id = folders.pop(); id !== undefined; id = folders.pop()) {
    for (const below of idsInFolder(reader, assetCategory, id)) {
      const folder = reader.get(assetCategory.recordType, below)?.value
      if (folder !== undefined && ownRule(folder) === null) folders.push(below)
    }
    for (const fileId of idsInFolder(reader, assetFile, id)) {
      const file = reader.get(assetFile.recordType, fileId)?.value
      if (file !== undefined) yield file
      if (slice.isOver(0)) await slice.next()
    }
  }
}

/** Removes some versions of a file in one commit; true if more may follow. */
async function removeSome(services: Services, fileId: number): Promise<boolean> {
  const workId = newWorkId()
  if (!hasRemovable(services, fileId)) return false
  const contents = await services.records.commit((unit) => planRemoval(unit, services, fileId))
  if (contents === undefined) return false
  await runRemove(services, workId, contents)
  return true

  function planRemoval(unit: Unit, own: Services, id: number): readonly ContentName[] | undefined {
    const file = unit.get(assetFile.recordType, id)?.value
    const removable = file === undefined ? [] : oldestRemovable({ ...own, records: unit }, file)
    if (file === undefined || removable.length === 0) return undefined
    for (const { version } of removable) unit.remove(assetFileVersion, id, version)
    const names = unnamedContents(unit, removable)
    putWork(unit, workId, { kind: 'remove', contents: names })
    const count = (unit.get(removedVersions, id)?.value.count ?? 0) + removable.length
    unit.put(removedVersions, [id], { count })
    putRowOfVersions(unit, own, file)
    return names
  }
}

/** A cheap look before the commit: most files have nothing to remove. */
function hasRemovable(services: Retaining, fileId: number): boolean {
  const file = services.records.get(assetFile.recordType, fileId)?.value
  return file !== undefined && oldestRemovable(services, file).length > 0
}

interface Removing extends Pick<Services, 'retentionClock'> {
  readonly records: Reader
}

function oldestRemovable(services: Removing, file: AssetFile): readonly AssetFileVersion[] {
  const { records, retentionClock } = services
  const rule = ruleIn(records, file.parent_category_id)
  if (rule === undefined || file.version <= rule.latest) return []
  const kept = keptVersions(file)
  const found: AssetFileVersion[] = []
  // The kept versions may be the oldest ones.
  const limit = AT_ONCE + kept.size
  for (const ids of records.list(assetFileVersion, [file.asset_file_id], limit)) {
    const version = records.get(assetFileVersion, ...ids)?.value
    const isOld = version !== undefined && isRemovable(version, { file, rule, kept })
    if (isOld && retentionClock.since(version.date_added) >= rule.days * DAY_MS) found.push(version)
  }
  return found.slice(0, AT_ONCE)
}

/** Versions that every rule keeps. */
function keptVersions(file: AssetFile): ReadonlySet<number | null | undefined> {
  const { live_version, staged_version, publish_version, stage_version, pinned_versions } = file
  const pinned = (pinned_versions as readonly number[] | null | undefined) ?? []
  return new Set([live_version, staged_version, publish_version, stage_version, ...pinned])
}

interface Judging {
  readonly file: AssetFile
  readonly rule: Rule
  readonly kept: ReadonlySet<number | null | undefined>
}

function isRemovable({ version }: AssetFileVersion, { file, rule, kept }: Judging): boolean {
  return version <= file.version - rule.latest && !kept.has(version)
}

/** Enough rows to meet a copy of the file, unless very many versions have the same bytes. */
const MOST_ROWS = 1_000

/** Whether a version of another file has the same content. */
function isCopied(reader: Pick<Reader, 'lookup'>, uid: string, fileId: number): boolean {
  const rows = reader.lookup(assetFileVersion, 'uid', [uid], MOST_ROWS)
  return rows.some(([id]) => id !== fileId)
}

/** The answer to a dry run: see Planned. */
export interface RetentionReport {
  readonly files: number
  readonly versions: number
  /** Bytes that would be freed. */
  readonly size: number
  /** False if the folder has too many versions to examine all. */
  readonly is_complete: boolean
}

/** Counts the versions that a rule would remove in the folder and below. Runs in time slices. */
export async function reportRetention(
  services: Retaining,
  categoryId: number,
  rule: Rule,
): Promise<RetentionReport> {
  const { records, retentionClock } = services
  const slice = openTimeSlice()
  let [files, versions, size, examined] = [0, 0, 0, 0]
  for await (const file of filesBelow(records, categoryId, slice)) {
    if (file.version <= rule.latest) continue
    const removed = new Map<string, number>()
    const shared = new Set<string>()
    const kept = keptVersions(file)
    let count = 0
    for (let number = 1; number <= file.version; number += 1) {
      examined += 1
      if (examined > MOST_EXAMINED) return { files, versions, size, is_complete: false }
      if (slice.isOver(0)) await slice.next()
      const version = records.get(assetFileVersion, file.asset_file_id, number)?.value
      if (version === undefined) continue
      const isOld =
        isRemovable(version, { file, rule, kept }) &&
        retentionClock.since(version.date_added) >= rule.days * DAY_MS
      if (isOld) {
        count += 1
        removed.set(version.uid, version.size)
      } else shared.add(version.uid)
    }
    if (count === 0) continue
    files += 1
    versions += count
    for (const [uid, bytes] of removed)
      if (!shared.has(uid) && !isCopied(records, uid, file.asset_file_id)) size += bytes
  }
  return { files, versions, size, is_complete: true }
}
