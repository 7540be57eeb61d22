// File groups: create, update, delete.

import { type Caller, recheck } from '../../auth/caller.ts'
import { holdsEverywhere, requireGrant } from '../../auth/grants.ts'
import { openSight, type Sight } from '../../auth/sight.ts'
import { type AssetFile, assetFile } from '../../schema/asset-file.ts'
import { checkCreate, checkUpdate, refuseFaults } from '../../schema/check.ts'
import { type FileGroup, fileGroup } from '../../schema/file-group.ts'
import { buildRecord, valueOf } from '../../schema/record.ts'
import type { JsonObject, JsonValue, Stored } from '../../schema/values.ts'
import type { Reader } from '../../storage/port.ts'
import type { Context, Precondition } from '../context.ts'
import { IN_FOLDERS, type ObjectRules } from '../object-rules.ts'
import { presentValue, tagOf } from '../present.ts'
import { requireFolder, requireMatch, requireMove, requireRecord } from '../require.ts'
import { seenInFolder, type Showing } from '../showing.ts'
import { clearGroups } from './file-removal.ts'

const groupShowing: Showing = {
  object: fileGroup,
  seen: seenInFolder(fileGroup),
  mask: ({ reader, caller }, sight) =>
    holdsEverywhere(caller, 'view') ? undefined : (record) => maskFiles(reader, sight, record),
}

export const groupRules: ObjectRules = {
  ...groupShowing,
  ...IN_FOLDERS,
  body: 'json',
  needsRoom: 'record',
  create: createGroup,
  update: updateGroup,
  remove: removeGroup,
  clear: clearGroups,
}

async function createGroup(context: Context, body: unknown): Promise<Stored> {
  const values = checkCreate(fileGroup, body)
  const id = context.records.nextId(fileGroup.recordType)

  return context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const categoryId = Number(values['parent_category_id'])
    requireFolder(unit, caller, categoryId)
    requireGrant(unit, caller, 'create', categoryId)
    requireFiles(unit, caller, values['asset_file_ids'])

    const now = context.now().toISOString()
    unit.put(
      fileGroup.recordType,
      [id],
      buildRecord(fileGroup, values, { id, owner: caller.user.name, now }),
    )
    return requireRecord(unit, fileGroup, id).stored
  })
}

async function updateGroup(
  context: Context,
  input: {
    readonly id: number
    readonly body: unknown
    readonly precondition: Precondition | undefined
  },
): Promise<Stored> {
  return context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const { stored, record } = requireRecord<FileGroup>(unit, fileGroup, input.id)
    requireGrant(unit, caller, 'modify', Number(record.parent_category_id))
    const view = { reader: unit, caller, basePath: context.basePath }
    requireMatch(input.precondition, stored, tagOf(view, groupShowing, stored))

    const current = presentValue(view, groupShowing, stored)
    const values = checkUpdate(fileGroup, input.body, current)
    if (Object.keys(values).length === 0) return stored
    if ('parent_category_id' in values) {
      const to = Number(values['parent_category_id'])
      requireMove(unit, caller, { from: Number(record.parent_category_id), to })
    }
    const present = (current['asset_file_ids'] ?? []) as readonly number[]
    const files = changedFiles(record, present, values['asset_file_ids'])
    requireFiles(unit, caller, values['asset_file_ids'], present)

    unit.put(fileGroup.recordType, [input.id], {
      ...record,
      ...values,
      ...files,
      date_modified: context.now().toISOString(),
    })
    return requireRecord(unit, fileGroup, input.id).stored
  })
}

async function removeGroup(
  context: Context,
  { id, precondition }: { readonly id: number; readonly precondition: Precondition | undefined },
): Promise<void> {
  await context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const { stored, record } = requireRecord<FileGroup>(unit, fileGroup, id)
    requireGrant(unit, caller, 'delete', Number(record.parent_category_id))
    requireMatch(
      precondition,
      stored,
      tagOf({ reader: unit, caller, basePath: context.basePath }, groupShowing, stored),
    )
    unit.remove(fileGroup.recordType, id)
  })
}

/**
 * The new list, with the files that the caller does not see where they were: each behind the one that it
 * followed, or first.
 */
function changedFiles(
  { asset_file_ids: before }: FileGroup,
  present: readonly number[],
  wanted: JsonValue | undefined,
): { readonly asset_file_ids?: readonly number[] } {
  if (wanted === undefined) return {}
  const seen = new Set(present)
  const next = [...((wanted ?? []) as readonly number[])]
  if (seen.size === before?.length) return { asset_file_ids: next }

  const kept = new Set(next)
  const behind = new Map<number | undefined, number[]>()
  let last: number | undefined
  for (const id of before ?? []) {
    if (seen.has(id)) {
      if (kept.has(id)) last = id
      continue
    }
    const others = behind.get(last) ?? []
    others.push(id)
    behind.set(last, others)
  }
  const withHidden = next.flatMap((id) => [id, ...(behind.get(id) ?? [])])
  return { asset_file_ids: [...(behind.get(undefined) ?? []), ...withHidden] }
}

/** A file that the caller has no business with is as good as none, but what is in the group may stay. */
function requireFiles(
  reader: Reader,
  caller: Caller,
  ids: JsonValue | undefined,
  present: readonly number[] = [],
): void {
  if (!Array.isArray(ids)) return
  const inGroup = new Set(present)
  const sight = openSight(reader, caller)
  const faults = (ids as readonly number[]).flatMap((id, index) => {
    if (inGroup.has(id) || seesFile(reader, sight, id)) return []
    const detail = `must be the identifier of an asset file; there is no ${id}`
    return [{ pointer: `/asset_file_ids/${index}`, detail }]
  })
  refuseFaults(faults)
}

function maskFiles(reader: Reader, sight: Sight, record: JsonObject): JsonObject | undefined {
  const { asset_file_ids: ids } = record as unknown as FileGroup
  const seen = (ids ?? []).filter((id) => seesFile(reader, sight, id))
  return seen.length === ids?.length ? undefined : { asset_file_ids: seen }
}

/** True where the caller has some business in the folder of the file. */
function seesFile(reader: Pick<Reader, 'get'>, sight: Sight, fileId: number): boolean {
  const stored = reader.get(assetFile.recordType, fileId)
  return stored !== undefined && sight.sees(valueOf<AssetFile>(stored).parent_category_id)
}
