// The audit trail: one row in each commit that a request or a command asks for. The row follows from what
// the commit has put and removed, so no operation has to think of it.

import type { Caller } from '../../auth/caller.ts'
import { apiKey } from '../../schema/api-key.ts'
import { type AssetFile, assetFile, assetFileVersion } from '../../schema/asset-file.ts'
import {
  type Action,
  type Audit,
  audit,
  AUDIT_SLACK_MS,
  auditTurn,
  type Doer,
  turnsBack,
} from '../../schema/audit.ts'
import { OBJECTS } from '../../schema/catalog.ts'
import { isSame } from '../../schema/check.ts'
import { parseEntryTypeName } from '../../schema/entry.ts'
import { LAYOUT_MEMBER } from '../../schema/layout.ts'
import { type SecondFactor, secondFactor } from '../../schema/second-factor.ts'
import { user, userPassword } from '../../schema/user.ts'
import type { JsonObject, RecordType, Stored } from '../../schema/values.ts'
import type { Change, Records, Unit } from '../../storage/port.ts'
import type { Addition } from './additions.ts'

/** Who asks for a change, and from where. */
export interface Origin {
  readonly action: Action
  /** Undefined for the command line: who has the data directory is the operator. */
  readonly caller: Pick<Caller, 'user' | 'key'> | undefined
  readonly address: string | undefined
  readonly requestId: string | undefined
}

export function doerOf({ action, caller, address, requestId }: Origin): Doer {
  return {
    user_name: caller?.user.name ?? null,
    user_id: caller?.user.user_id ?? null,
    api_key_id: caller?.key.api_key_id ?? null,
    address: address ?? null,
    request_id: requestId ?? null,
    action,
  }
}

/** Puts the row of a commit; none where only what the interface does not show has changed. */
export function auditAddition(services: Recorder, origin: Origin): Addition {
  return (unit, changes) => {
    const subject = findSubject(changes)
    if (subject === undefined) return
    putRow(unit, services, {
      ...doerOf(origin),
      ...describeRecords(subject),
      ...describeFile(subject, changes),
      changed_fields: changedFields(subject),
    })
  }
}

/** Puts the row of a key that goes after the one that was asked for. */
export function putRowOfKey(unit: Unit, services: Recorder, doer: Doer, keyId: number): void {
  putRow(unit, services, {
    ...doer,
    object: apiKey.name,
    object_id: keyId,
    last_object_id: keyId,
    count: 1,
    module_id: null,
    version: null,
    fileState: null,
    changed_fields: null,
  })
}

interface Recorder {
  readonly records: Records
  readonly now: () => Date
}

function putRow(
  unit: Unit,
  { records, now }: Recorder,
  row: Omit<Audit, 'audit_id' | 'date_added'>,
): void {
  const id = records.nextId(audit.recordType)
  const date_added = now().toISOString()
  if (isTurn(unit, { records, id, date_added })) unit.put(auditTurn, [id], { date_added })
  unit.put(audit.recordType, [id], { audit_id: id, ...row, date_added })
}

interface New {
  readonly records: Records
  readonly id: number
  readonly date_added: string
}

interface Last {
  readonly id: number
  /** The latest date since the last turn, or a later one. */
  readonly latest: string
  /** The row of the last turn that was put. */
  readonly turn: number | undefined
}

/** The row that was put last by way of these records; it may have been rolled back. */
const LAST = new WeakMap<Records, Last>()

/**
 * Whether the row is dated long before one in front of it, or nobody knows. Rows are searched for by their time as they
 * follow each other, which the clock may not. A row that is rolled back stands in LAST all the same: a later one
 * that is below it has a turn more than it need have. A turn that is rolled back is missed: then nobody knows.
 */
function isTurn(unit: Unit, row: New): boolean {
  const { records, id, date_added } = row
  const last = LAST.get(records)
  const latest = last?.id === id - 1 ? latestOf(unit, last) : latestBefore(unit, id)
  const isSo = id > 1 && (latest === undefined || turnsBack(latest, date_added))
  const stays = !isSo && latest !== undefined && latest > date_added
  LAST.set(records, {
    id,
    latest: stays ? latest : date_added,
    turn: isSo ? id : last?.turn,
  })
  return isSo
}

function latestOf(unit: Unit, { latest, turn }: Last): string | undefined {
  return turn === undefined || unit.get(auditTurn, turn) !== undefined ? latest : undefined
}

/** By what is stored. Rows in front of the last one are later by so much at most. */
function latestBefore(unit: Unit, id: number): string | undefined {
  const before = unit.get(audit.recordType, id - 1)?.value.date_added
  return before && new Date(Date.parse(before) + AUDIT_SLACK_MS).toISOString()
}

interface Kind {
  /** As the interface names it. */
  readonly object: string
  readonly moduleId: number | undefined
}

/** The record that a commit is about, or the records where it creates several of one kind. */
interface Subject extends Kind {
  readonly last: Change
  readonly changes: readonly Change[]
}

/** Kinds of record that the interface shows; what a user signs in with is kept apart from him. */
const OBJECT_NAMES: ReadonlyMap<string, string> = new Map([
  ...OBJECTS.map(({ name, recordType }) => [recordType.name, name] as const),
  [userPassword.name, user.name],
  [secondFactor.name, user.name],
])

/** Of each type of record that was changed lately; the same value stands for a type while it is used. */
const KINDS = new WeakMap<RecordType, Kind | 'hidden'>()

function findKind(type: RecordType): Kind | undefined {
  const kind = KINDS.get(type) ?? readKind(type) ?? 'hidden'
  KINDS.set(type, kind)
  return kind === 'hidden' ? undefined : kind
}

function readKind({ name }: RecordType): Kind | undefined {
  const object = OBJECT_NAMES.get(name)
  if (object !== undefined) return { object, moduleId: undefined }
  const module = parseEntryTypeName(name)
  return module && { object: `${module.kind}_entry`, moduleId: module.moduleId }
}

/** Every operation puts or removes last what it was asked for, after what follows from that. */
function findSubject(changes: readonly Change[]): Subject | undefined {
  const last = changes.findLast(({ type }) => findKind(type) !== undefined)
  const kind = last && findKind(last.type)
  if (last === undefined || kind === undefined) return undefined
  return { last, changes: changes.filter(({ type }) => type.name === last.type.name), ...kind }
}

function describeRecords({
  object,
  moduleId,
  last,
  changes,
}: Subject): Pick<Audit, 'object' | 'object_id' | 'last_object_id' | 'count' | 'module_id'> {
  return {
    object,
    object_id: Number(changes[0]?.ids[0]),
    last_object_id: Number(last.ids[0]),
    count: changes.length,
    module_id: moduleId ?? null,
  }
}

const POINTERS = ['fileState', 'live_version', 'staged_version'] as const

function describeFile(
  { object, last: { before, stored } }: Subject,
  changes: readonly Change[],
): Pick<Audit, 'version' | 'fileState'> {
  const saved = changes.find(({ type }) => type === assetFileVersion)
  if (object !== assetFile.name || stored === undefined) return { version: null, fileState: null }

  const [now, old] = [stored.value as AssetFile, (before?.value ?? {}) as Partial<AssetFile>]
  const isMoved = POINTERS.some((name) => now[name] !== (old[name] ?? null))
  const fileState = isMoved ? now.fileState : null
  const pointed = fileState === 'publish' ? now.live_version : now.staged_version
  const version = saved?.ids[1] ?? (fileState === null ? null : pointed)
  return { version: version as Audit['version'], fileState }
}

/** Says when, and not what; the row has the time itself. The other is not shown. */
const UNTOLD = new Set<string>(['date_modified', LAYOUT_MEMBER])

function changedFields({ last }: Subject): readonly string[] | null {
  const { type, before, stored } = last
  if (type === userPassword) return Object.keys(stored?.value ?? {})
  if (type === secondFactor) return changesOfFactor(last)
  if (before === undefined || stored === undefined) return null
  const [old, now] = [valueIn(type, before), valueIn(type, stored)]
  return Object.keys(now).filter((name) => !UNTOLD.has(name) && !isSame(now[name], old[name]))
}

/** By the names that clients know. */
function changesOfFactor({ before, stored }: Change): readonly string[] {
  const [old, now] = [before?.value, stored?.value] as readonly (SecondFactor | undefined)[]
  return [
    ...(old?.secret === now?.secret ? [] : ['second_factor']),
    ...(isSame(old?.recovery_codes, now?.recovery_codes) ? [] : ['recovery_codes']),
  ]
}

/** In the present form of its type: an older entry may have other names for its columns. */
function valueIn({ upgrade }: RecordType, { value }: Stored<object>): JsonObject {
  const record = value as JsonObject
  return upgrade === undefined ? record : (upgrade(record) as JsonObject)
}
