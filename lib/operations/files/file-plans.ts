// Plans the commits that create and save files. Create, update and upload use the same two plans, planCreate and
// planSave, which repeat every check in the newest state.

import { type Caller, recheck } from '../../auth/caller.ts'
import { grantsAt, requireGrant } from '../../auth/grants.ts'
import { CmsError } from '../../base/errors.ts'
import { type AssetFile, assetFile } from '../../schema/asset-file.ts'
import {
  checkCreate,
  checkUpdate,
  refuseField,
  requireObject,
  type Values,
} from '../../schema/check.ts'
import { buildRecord } from '../../schema/record.ts'
import { isStml } from '../../schema/stml.ts'
import { isTimeField, NO_SCHEDULE } from '../../schema/file-schedule.ts'
import type { JsonObject, Stored } from '../../schema/values.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import type { Context, Precondition } from '../context.ts'
import { emptyText } from './page-bytes.ts'
import { requireOwnNumber } from '../new-id.ts'
import { presentValue } from '../present.ts'
import {
  addVersion,
  bytesOf,
  type FileState,
  movePointer,
  putFile,
  requireVersion,
  requireWhole,
  type SharedBytes,
} from './versions.ts'
import { requireFileMatch, requireFolder, requireMove, requireRecord } from '../requirements.ts'
import { addressName, requireFreeName, requireLiveMove } from './addresses.ts'
import { readTimes, requireTimes, setTimes, type Times } from './schedules.ts'
import { withoutPins, withPins } from './version-pins.ts'
import { requireTextType } from './type-changes.ts'
import { fileVisibility } from './file-visibility.ts'
import { requireLayout } from './layouts.ts'
import { viewOf } from '../visibility.ts'

export interface NewFile {
  readonly id: number
  readonly fields: Values
  readonly bytes: SharedBytes
}

/** The fields of a body that creates a file, and its text; null stands for no text. */
export function checkNewFile(body: unknown): { readonly fields: Values; readonly text: string } {
  const { pageContent: told, ...rest } = requireObject(body)
  const given = told === undefined || told === null ? rest : { ...rest, pageContent: told }
  const { pageContent, ...fields } = checkCreate(assetFile, given)
  const type = String(fields['type'])
  const text = typeof pageContent === 'string' ? pageContent : emptyText(type)
  requireTextType(type, text)
  return { fields, text }
}

/** Throws if a new file would be refused: unknown folder, missing grant, taken name. */
export function requireCreatable(reader: Reader, caller: Caller, fields: Values): void {
  requireCreator(reader, caller, fields)
  requireNewName(reader, caller, fields)
}

function requireNewName(reader: Reader, caller: Caller, fields: Values): void {
  const categoryId = Number(fields['parent_category_id'])
  requireFreeName(reader, caller, assetFile, { categoryId, name: String(fields['name']) })
}

/** Like requireCreatable, without checking the name. */
export function requireCreator(reader: Reader, caller: Caller, fields: Values): void {
  const categoryId = Number(fields['parent_category_id'])
  requireFolder(reader, caller, categoryId)
  requireGrant(reader, caller, 'create', categoryId)
  const state = fields['fileState']
  if (state === 'publish' || state === 'stage') requireGrant(reader, caller, state, categoryId)
}

/** The times of a new file; throws if they cannot be kept. */
function requireNewTimes(reader: Reader, context: Context, caller: Caller, fields: Values): Times {
  const times = readTimes(fields)
  const { parent_category_id: folder, fileState } = fields
  const { now } = context
  requireTimes(reader, caller, { times, categoryId: Number(folder), fileState, now: now() })
  return times
}

/** `allowed`: the folders and states for which this commit has checked the rights already. */
export function planCreate(
  unit: Unit,
  context: Context,
  { id, fields, bytes }: NewFile,
  allowed = new Set<string>(),
): Stored<AssetFile> {
  const caller = recheck(unit, context.caller, context.now())
  const right = `${String(fields['parent_category_id'])} ${String(fields['fileState'])}`
  if (!allowed.has(right)) requireCreator(unit, caller, fields)
  allowed.add(right)
  const times = requireNewTimes(unit, context, caller, fields)
  requireNewName(unit, caller, fields)
  requireOwnNumber(unit, assetFile.recordType, id)

  const now = context.now().toISOString()
  const { fileState, ...values } = fields
  const saved = newFile(unit, { id, fields: values, bytes }, { owner: caller.user.name, now })
  const moved = isFileState(fileState) ? movePointer(saved, fileState, { now }) : saved
  const pinned = withPins(unit, moved, values)
  return putFile(unit, setTimes(unit, pinned, { times, caller }), bytes)
}

interface FileOrigin {
  readonly owner: string
  readonly now: string
}

/** A draft with its first version, without any check; the caller puts the record. */
export function newFile(
  unit: Unit,
  { id, fields, bytes }: NewFile,
  { owner, now }: FileOrigin,
): AssetFile {
  const values = { ...fields, ...NO_SCHEDULE, was_published: false }
  const file = buildRecord(assetFile, values, { id, owner, now })
  return addVersion(unit, { file, number: 1, bytes, owner, now })
}

interface Update {
  readonly id: number
  readonly fields: JsonObject
  /** True if more than the state was sent, even without a change: every save makes a version. */
  readonly isSave: boolean
  readonly precondition: Precondition | undefined
}

export interface Save extends Update {
  /** Undefined if the bytes of an existing version are shared. */
  readonly bytes?: SharedBytes
  /** The version whose bytes were sent again; undefined stands for the latest. */
  readonly sameAs?: number
  /** The type under which the sent bytes were checked. */
  readonly checkedType?: string
}

interface PlannedUpdate {
  readonly caller: Caller
  readonly stored: Stored<AssetFile>
  readonly record: AssetFile
  readonly values: Values
  readonly state: FileState | undefined
  readonly times: Times
}

/** Checks an update against the reader's state, and returns the changes. */
export function planUpdate(reader: Reader, context: Context, update: Update): PlannedUpdate {
  const caller = recheck(reader, context.caller, context.now())
  const { stored, record } = requireRecord(reader, assetFile, update.id)
  if (grantsAt(reader, caller, record.parent_category_id).size === 0) {
    requireGrant(reader, caller, 'view', record.parent_category_id)
  }

  const { fileState: _, ...values } = withoutTimes(
    checkFields(reader, context, { caller, stored, update }),
  )
  // Not taken from the values, which leave out unchanged fields: publishing again is a publish too.
  const state = readState(update.fields, record)
  const times = readTimes(update.fields, record)
  if (update.isSave || (state === undefined && Object.keys(times).length === 0))
    requireGrant(reader, caller, 'modify', record.parent_category_id)
  requireFileMatch(update.precondition, { stored, record })
  requirePlace(reader, caller, { record, values, state })
  requireLayout(reader, caller, values)
  const categoryId = Number(values['parent_category_id'] ?? record.parent_category_id)
  const asked = { times, record, categoryId, fileState: state, now: context.now() }
  requireTimes(reader, caller, asked)
  return { caller, stored, record, values, state, times }
}

function withoutTimes(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isTimeField(name)))
}

interface Checking {
  readonly caller: Caller
  readonly stored: Stored<AssetFile>
  readonly update: Update
}

/** An upload of bytes has no fields, and building the caller's view is expensive. */
function checkFields(
  reader: Reader,
  context: Context,
  { caller, stored, update }: Checking,
): Values {
  if (Object.keys(update.fields).length === 0) return {}
  const current = presentValue(viewOf(context, { reader, as: caller }), fileVisibility, stored)
  return checkUpdate(assetFile, update.fields, current)
}

/** Adds a version if more than the state was sent, then moves the pointers. */
export function planSave(unit: Unit, context: Context, save: Save): Stored<AssetFile> {
  const { caller, stored, record, values, state, times } = planUpdate(unit, context, save)
  requireChecked(save, record, String(values['type'] ?? record.type))
  const now = context.now().toISOString()

  const bytes = save.isSave ? findBytes(unit, save, record) : undefined
  // Nothing was written yet: a later error would roll back other requests of the same commit.
  if (state === 'publish' || typeof times.publish_at === 'string')
    requireWhole(shownBy(unit, record, bytes))

  const owner = caller.user.name
  const saved =
    bytes === undefined
      ? record
      : addVersion(unit, {
          // A note describes one save.
          file: { ...record, version_note: null, ...withoutPins(values) },
          number: record.version + 1,
          bytes,
          owner,
          now,
        })
  const moved = state === undefined ? saved : movePointer(saved, state, { now })
  const next = setTimes(unit, withPins(unit, moved, values), { times, caller })
  return next === record ? stored : putFile(unit, next, bytes)
}

/** The sent bytes, or those of an existing version. */
function findBytes(unit: Unit, { id, bytes, sameAs }: Save, { version }: AssetFile): SharedBytes {
  return bytes ?? bytesOf(requireVersion(unit, id, sameAs ?? version))
}

/** The version that a publish shows: the new one, or the latest if there are no new bytes. */
function shownBy(
  unit: Unit,
  { asset_file_id: id, version }: AssetFile,
  bytes: SharedBytes | undefined,
): Parameters<typeof requireWhole>[0] {
  if (bytes === undefined) return requireVersion(unit, id, version)
  return { version: version + 1, damaged: bytes.isDamaged === true }
}

/** Unchecked bytes never become a page of type stml. */
function requireChecked({ checkedType }: Save, record: AssetFile, type: string): void {
  if (!isStml(type)) return
  if (checkedType === undefined && !isStml(record.type)) {
    refuseField(
      'type',
      'can become stml only together with pageContent, so that the text is checked',
    )
  }
  if (checkedType !== undefined && !isStml(checkedType)) {
    throw new CmsError(
      'unavailable',
      'The type of the file was changed at the same time. Try again.',
    )
  }
}

function requirePlace(
  reader: Reader,
  caller: Caller,
  { record, values, state }: Pick<PlannedUpdate, 'record' | 'values' | 'state'>,
): void {
  const categoryId = Number(values['parent_category_id'] ?? record.parent_category_id)
  if (categoryId !== record.parent_category_id) {
    const move = { from: record.parent_category_id, to: categoryId }
    requireMove(reader, caller, move)
    if (record.live_version !== null) requireLiveMove(reader, caller, move)
  }
  if (state !== undefined) requireGrant(reader, caller, state, categoryId)
  if ('name' in values || 'parent_category_id' in values) {
    const name = String(values['name'] ?? record.name)
    const place = { categoryId, name, ownId: record.asset_file_id }
    requireFreeName(reader, caller, assetFile, place)
    // The live version keeps its own name in the other folder.
    if (record.live_version !== null)
      requireFreeName(reader, caller, assetFile, { ...place, name: addressName(reader, record) })
  }
}

/** A record that is posted back (it has live_version) repeats its state, and does not ask for a change. */
function readState(fields: JsonObject, record: AssetFile): FileState | undefined {
  const { fileState: value } = fields
  const isTold = value === record.fileState && (value === null || 'live_version' in fields)
  if (value === undefined || isTold) return undefined
  if (isFileState(value)) return value
  return refuseField(
    'fileState',
    'must be "publish" or "stage"; to take a file off the site, use …/unpublish',
  )
}

function isFileState(value: unknown): value is FileState {
  return value === 'publish' || value === 'stage'
}
