// Sets everything that decides what visitors and the stage show, as one change: the way back after a publish, a stage, an
// unpublish or an unstage. Publish and stage alone cannot always restore the state before: a publish also moves the stage and
// cancels a schedule.
//
// The dates of the pointers are those of this change, because clients compare them with the dates of their copies. The address of a version
// that was live in the meantime redirects, as after every change of the live name.

import { type Caller, recheck } from '../../auth/caller.ts'
import { requireGrant } from '../../auth/grants.ts'
import { type Fault } from '../../base/errors.ts'
import type { Action } from '../../shared/actions.ts'
import { type AssetFile, assetFile, type AssetFileVersion } from '../../schema/asset-file.ts'
import { isStml } from '../../schema/stml.ts'
import type { JsonObject, JsonValue, Stored } from '../../schema/values.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import type { Context, RecordInput } from '../context.ts'
import { requireFileMatch, requireRecord } from '../requirements.ts'
import { requireFreeName } from './addresses.ts'
import { readTimes, requireTimes, setTimes } from './schedules.ts'
import { requirePage } from './stml-pages.ts'
import { findVersion, putFile, requireWhole } from './versions.ts'
import { requireSeenVersion } from './visible-versions.ts'

/** The members of a file that the operation sets, as an answer has them. */
export type PublicationState = Pick<
  AssetFile,
  | 'live_version'
  | 'staged_version'
  | 'fileState'
  | 'publish_at'
  | 'publish_version'
  | 'unpublish_at'
  | 'stage_at'
  | 'stage_version'
>

const NUMBERS = ['live_version', 'staged_version', 'publish_version', 'stage_version'] as const

const STATE_MEMBERS = [
  ...NUMBERS,
  'fileState',
  'publish_at',
  'unpublish_at',
  'stage_at',
] as const satisfies readonly (keyof PublicationState)[]

/** The state that a body sends: a missing member is null. */
export function readState(sent: JsonObject): PublicationState {
  const members = STATE_MEMBERS.map((name) => [name, sent[name] ?? null] as const)
  return Object.fromEntries(members) as unknown as PublicationState
}

/** Undefined for a state in which a file can be. The pointers begin with a member of the state. */
export function stateFault(sent: JsonObject): Fault | undefined {
  const fault = (name: string, detail: string): Fault => ({ pointer: `/${name}`, detail })
  const names: readonly string[] = STATE_MEMBERS
  const unknown = Object.keys(sent).find((name) => !names.includes(name))
  if (unknown !== undefined)
    return fault(unknown, `is not known here; known are ${names.join(', ')}`)
  const state = readState(sent)
  const wrong = NUMBERS.find((name) => state[name] !== null && !isVersion(state[name]))
  if (wrong !== undefined) return fault(wrong, 'must be the number of a version')
  for (const [at, version] of [
    ['publish_at', 'publish_version'],
    ['stage_at', 'stage_version'],
  ] as const)
    if ((state[at] === null) !== (state[version] === null))
      return fault(version, `is required with ${at}, and only then`)
  return pointerFault(state, fault)
}

function isVersion(value: JsonValue | undefined): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1
}

function pointerFault(
  { live_version: live, staged_version: staged, fileState }: PublicationState,
  fault: (name: string, detail: string) => Fault,
): Fault | undefined {
  if (live !== null && (staged === null || staged < live))
    return fault('staged_version', 'must be at least live_version')
  const possible =
    live === null ? [staged === null ? null : ('stage' as const)] : (['publish', 'stage'] as const)
  if (possible.some((state) => state === fileState)) return undefined
  const rule = possible.map((state) => state ?? 'null').join(' or ')
  return fault('fileState', `must be ${rule} with these versions`)
}

export interface StateInput extends RecordInput {
  readonly state: PublicationState
}

export async function setState(context: Context, input: StateInput): Promise<Stored> {
  const { id, state } = input
  // Versions never change, so a page that was valid before the commit is valid in it.
  for (const number of new Set([state.live_version, state.staged_version])) {
    const version = number === null ? undefined : findVersion(context.records, id, number)
    if (version === undefined || !isStml(version.type)) continue
    const { record } = enter(context.records, context, input)
    if (number !== record.live_version && number !== record.staged_version)
      await requirePage(context, version)
  }
  return context.records.commit((unit) => planState(unit, context, input))
}

/** The action of the change, for the audit trail. */
export function actionOfState(reader: Reader, { id, state }: StateInput): Action {
  const file = reader.get(assetFile.recordType, id)?.value
  const { live_version: live, staged_version: staged } = state
  if (file?.live_version !== live) return live === null ? 'unpublish' : 'publish'
  if (file.staged_version !== staged) return staged === live ? 'unstage' : 'stage'
  return 'update'
}

function enter(reader: Reader, context: Context, { id, state, precondition }: StateInput) {
  const caller = recheck(reader, context.caller, context.now())
  const { stored, record } = requireRecord(reader, assetFile, id)
  const grant = grantFor(record, state)
  requireGrant(reader, caller, grant, record.parent_category_id)
  requireFileMatch(precondition, { stored, record })
  return { caller, stored, record, grant }
}

/** A publish moves the stage too, so its way back needs no other grant. */
function grantFor(
  file: AssetFile,
  { live_version: live, fileState }: PublicationState,
): 'publish' | 'stage' {
  const isPublish = file.live_version !== live
  const isMark = file.fileState !== fileState && fileState === 'publish'
  return isPublish || isMark ? 'publish' : 'stage'
}

function planState(unit: Unit, context: Context, input: StateInput): Stored {
  const { state } = input
  const { caller, stored, record, grant } = enter(unit, context, input)
  const now = context.now()
  const seen = (number: number): AssetFileVersion =>
    requireSeenVersion({ records: unit, caller }, record, { number, grant })
  const { live_version: live, staged_version: staged } = state
  if (live !== null && live !== record.live_version)
    requireLive(unit, caller, { file: record, version: seen(live) })
  if (staged !== null && staged !== record.staged_version) seen(staged)

  const times = readTimes(state, record)
  const asked = { times, record, categoryId: record.parent_category_id, now }
  requireTimes(unit, caller, { ...asked, fileState: undefined })
  const moved = movedFile(record, state, now.toISOString())
  const timed = setTimes(unit, moved, { times, caller })
  if (timed === record) return stored
  const next = { ...timed, ...scheduledVersions(state, times, seen) }
  return putFile(unit, next)
}

interface GoingLive {
  readonly file: AssetFile
  readonly version: AssetFileVersion
}

function requireLive(unit: Unit, caller: Caller, { file, version }: GoingLive): void {
  requireWhole(version)
  const { name } = version
  const { parent_category_id: categoryId, asset_file_id: ownId } = file
  if (name !== file.name) requireFreeName(unit, caller, assetFile, { categoryId, name, ownId })
}

/** The same object if nothing moves. */
function movedFile(file: AssetFile, state: PublicationState, now: string): AssetFile {
  const { live_version, staged_version, fileState } = state
  const isLiveMoved = live_version !== file.live_version
  const isStageMoved = staged_version !== file.staged_version
  if (!isLiveMoved && !isStageMoved && fileState === file.fileState) return file
  const dateOf = (version: number | null): string | null => (version === null ? null : now)
  return {
    ...file,
    live_version,
    staged_version,
    fileState,
    date_published: isLiveMoved ? dateOf(live_version) : file.date_published,
    date_staged: isStageMoved ? dateOf(staged_version) : file.date_staged,
    date_modified: now,
  }
}

/** The versions of the times that are set: those that the state names, and not the latest. */
function scheduledVersions(
  { publish_version, stage_version }: PublicationState,
  times: ReturnType<typeof readTimes>,
  seen: (number: number) => unknown,
): Partial<AssetFile> {
  const isPublish = typeof times.publish_at === 'string' && publish_version !== null
  const isStage = typeof times.stage_at === 'string' && stage_version !== null
  if (isPublish) seen(publish_version)
  if (isStage) seen(stage_version)
  return { ...(isPublish && { publish_version }), ...(isStage && { stage_version }) }
}
