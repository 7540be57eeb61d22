// Sets, clears and supersedes the times at which the server publishes, unpublishes or stages a file.
// schedule-runs.ts carries them out. docs/internals/schedules.md has the state machine.

import type { Caller } from '../../auth/caller.ts'
import { requireGrant } from '../../auth/grants.ts'
import { isSession } from '../../schema/api-key.ts'
import { type AssetFile, assetFile } from '../../schema/asset-file.ts'
import { refuseField } from '../../schema/check.ts'
import {
  type FileSchedule,
  fileSchedule,
  NO_FAULT,
  SCHEDULED_ACTIONS,
  TIME_FIELDS,
  type TimeField,
  withSchedule,
} from '../../schema/file-schedule.ts'
import type { JsonObject, JsonValue } from '../../schema/values.ts'
import type { Reader, Unit } from '../../storage/port.ts'

/** The times that a body sets, and null for each time that it clears. */
export type Times = Readonly<Partial<Record<TimeField, string | null>>>

const FIELDS = Object.values(TIME_FIELDS)

/** The times of a body whose fields were checked; `record` is undefined in a create. */
export function readTimes(fields: JsonObject, record?: AssetFile): Times {
  const times: Partial<Record<TimeField, string | null>> = {}
  for (const name of FIELDS) {
    const sent = fields[name]
    if (sent === undefined) continue
    const value = sent === null ? null : timeOf(name, sent)
    const current = record?.[name] ?? null
    // A record that is posted back (it has live_version) repeats its times, and does not ask for a change.
    const isRepeated = value === current && 'live_version' in fields
    const isNothing = value === null && current === null && !hasFault(record)
    if (!isRepeated && !isNothing) times[name] = value
  }
  return times
}

function timeOf(name: TimeField, sent: JsonValue): string {
  const checked = assetFile.fields[name].check(sent)
  return checked.ok ? checked.value : refuseField(name, checked.detail)
}

function hasFault(record: AssetFile | undefined): boolean {
  return (record?.schedule_failed_at ?? null) !== null
}

interface Asked {
  readonly times: Times
  /** Undefined in a create. */
  readonly record?: AssetFile | undefined
  /** The folder after the change. */
  readonly categoryId: number
  readonly fileState: JsonValue | undefined
  readonly now: Date
}

/** Throws if the caller may not set these times, or a time cannot be kept. */
export function requireTimes(reader: Reader, caller: Caller, asked: Asked): void {
  const { times, record, categoryId, fileState, now } = asked
  for (const action of SCHEDULED_ACTIONS) {
    const name = TIME_FIELDS[action]
    const time = times[name]
    if (time === undefined) continue
    requireGrant(reader, caller, action === 'stage' ? 'stage' : 'publish', categoryId)
    if (time !== null) requireFuture(name, time, now)
  }
  const { publish_at: publishAt = record?.publish_at ?? null } = times
  const { unpublish_at: unpublishAt = record?.unpublish_at ?? null } = times
  const isTold = times.publish_at !== undefined || times.unpublish_at !== undefined
  if (isTold && publishAt !== null && unpublishAt !== null && unpublishAt <= publishAt)
    refuseField('unpublish_at', `must be later than publish_at, which is ${publishAt}`)
  requireOneWish(times, fileState)
}

function requireFuture(name: TimeField, time: string, now: Date): void {
  if (Date.parse(time) > now.getTime()) return
  const instead = 'send a later time, or null and do it now with …/publish, …/unpublish or …/stage'
  refuseField(
    name,
    `is in the past: the clock of the server shows ${now.toISOString()}; ${instead}`,
  )
}

/** A pointer that moves now supersedes a time for the same version. */
function requireOneWish(times: Times, fileState: JsonValue | undefined): void {
  if (typeof fileState !== 'string') return
  const isPublishing = fileState === 'publish'
  for (const name of isPublishing ? (['publish_at', 'stage_at'] as const) : (['stage_at'] as const))
    if (typeof times[name] === 'string')
      refuseField(name, `is not allowed with fileState ${fileState}: send one of the two`)
}

/** Stores who set the times, and returns the file with them; the same file if there are none. */
export function setTimes(
  unit: Unit,
  file: AssetFile,
  { times, caller }: { readonly times: Times; readonly caller: Caller },
): AssetFile {
  const set = SCHEDULED_ACTIONS.filter((action) => times[TIME_FIELDS[action]] !== undefined)
  if (set.length === 0) return file
  const { asset_file_id: id, version } = file
  const before = unit.get(fileSchedule, id)?.value
  const setter = setterOf(caller)
  const setters: FileSchedule = {
    ...before,
    ...Object.fromEntries(set.map((one) => [one, setter])),
  }
  unit.put(fileSchedule, [id], setters)
  return {
    ...withSchedule(file),
    ...NO_FAULT,
    ...times,
    ...(times.publish_at !== undefined && { publish_version: times.publish_at && version }),
    ...(times.stage_at !== undefined && { stage_version: times.stage_at && version }),
  } as AssetFile
}

function setterOf({ user, key }: Caller): FileSchedule['publish'] {
  return {
    user_name: user.name,
    user_id: user.user_id,
    api_key_id: key.api_key_id,
    api_key_name: key.name,
    is_session: isSession(key),
  }
}

/**
 * The file without the times that a move of a pointer to `version` supersedes: it shows the scheduled version or a
 * later one already. Otherwise the schedule would take visitors back to an older version.
 */
export function withoutSuperseded(
  file: AssetFile,
  state: 'publish' | 'stage',
  version: number,
): AssetFile {
  const isPublish = state === 'publish'
  const isPublished = isPublish && isReached(file.publish_version, version)
  const isStaged = isReached(file.stage_version, version)
  const isMended = isPublish && hasFault(file)
  if (!isPublished && !isStaged && !isMended) return file
  return {
    ...file,
    ...(isPublished && { publish_at: null, publish_version: null }),
    ...(isStaged && { stage_at: null, stage_version: null }),
    ...(isMended && NO_FAULT),
  }
}

function isReached(scheduled: number | null | undefined, version: number): boolean {
  return (scheduled ?? null) !== null && Number(scheduled) <= version
}

/** A restored file: times that passed in the trash are not made up for, and the fault says so. */
export function withoutOverdue(file: AssetFile, now: Date): AssetFile {
  const date = now.toISOString()
  const overdue = SCHEDULED_ACTIONS.filter((action) => (file[TIME_FIELDS[action]] ?? date) < date)
  const [action] = overdue
  const at = action === undefined ? null : file[TIME_FIELDS[action]]
  if (action === undefined || at === null) return file
  const { publish_version, stage_version } = file
  const version = action === 'publish' ? publish_version : action === 'stage' ? stage_version : null
  const detail = 'The file was in the trash at this time. Set another time.'
  return {
    ...file,
    ...Object.fromEntries(overdue.map((one) => [TIME_FIELDS[one], null])),
    ...(overdue.includes('publish') && { publish_version: null }),
    ...(overdue.includes('stage') && { stage_version: null }),
    schedule_failed_at: date,
    schedule_fault: { action, at, version, code: 'not-found', detail },
  }
}

/** After an unpublish by hand there is nothing left to unpublish, unless a version goes live before. */
export function withoutUnpublish(file: AssetFile): AssetFile {
  const isDone = (file.unpublish_at ?? null) !== null && (file.publish_at ?? null) === null
  return isDone ? { ...file, unpublish_at: null } : file
}
