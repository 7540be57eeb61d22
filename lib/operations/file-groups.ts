// File groups: create, update, delete.

import { type Caller, recheck } from '../auth/caller.ts'
import { grantsAt, requireGrant } from '../auth/grants.ts'
import { type AssetFile, assetFile } from '../schema/asset-file.ts'
import { checkCreate, checkUpdate, refuseFaults } from '../schema/check.ts'
import { type FileGroup, fileGroup } from '../schema/file-group.ts'
import { buildRecord, valueOf } from '../schema/record.ts'
import type { JsonValue, Reader, Stored } from '../storage/port.ts'
import type { Context, Precondition } from './context.ts'
import { requireFolder, requireMatch, requireRecord } from './require.ts'

export async function createGroup(context: Context, body: unknown): Promise<Stored> {
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

export async function updateGroup(
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
    requireMatch(input.precondition, stored)

    const values = checkUpdate(fileGroup, input.body, valueOf(stored))
    if (Object.keys(values).length === 0) return stored
    if ('parent_category_id' in values) {
      requireFolder(unit, caller, Number(values['parent_category_id']))
      requireGrant(unit, caller, 'create', Number(values['parent_category_id']))
    }
    requireFiles(unit, caller, values['asset_file_ids'], record.asset_file_ids ?? [])

    unit.put(fileGroup.recordType, [input.id], {
      ...record,
      ...values,
      date_modified: context.now().toISOString(),
    })
    return requireRecord(unit, fileGroup, input.id).stored
  })
}

export async function removeGroup(
  context: Context,
  { id, precondition }: { readonly id: number; readonly precondition: Precondition | undefined },
): Promise<void> {
  await context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const { stored, record } = requireRecord<FileGroup>(unit, fileGroup, id)
    requireGrant(unit, caller, 'delete', Number(record.parent_category_id))
    requireMatch(precondition, stored)
    unit.remove(fileGroup.recordType, id)
  })
}

/** A file that the caller has no business with is as good as none, but what is in the group may stay. */
function requireFiles(
  reader: Reader,
  caller: Caller,
  ids: JsonValue | undefined,
  present: readonly number[] = [],
): void {
  if (!Array.isArray(ids)) return
  // Both lists may have 10,000 files.
  const inGroup = new Set(present)
  const faults = (ids as readonly number[]).flatMap((id, index) => {
    if (inGroup.has(id) || isVisible(reader, caller, id)) return []
    const detail = `must be the identifier of an asset file; there is no ${id}`
    return [{ pointer: `/asset_file_ids/${index}`, detail }]
  })
  refuseFaults(faults)
}

function isVisible(reader: Reader, caller: Caller, fileId: number): boolean {
  const stored = reader.get(assetFile.recordType, fileId)
  if (stored === undefined) return false
  return grantsAt(reader, caller, valueOf<AssetFile>(stored).parent_category_id).size > 0
}
