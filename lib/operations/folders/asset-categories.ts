// Folders: what a caller sees of them, create, update. The path of a folder begins at the topmost folder that the
// caller sees.

import { ANONYMOUS } from '../../auth/anonymous.ts'
import { type Caller, recheck } from '../../auth/caller.ts'
import { grantsAt, holdsEverywhere, missingGrant, requireGrant } from '../../auth/grants.ts'
import { ownRole } from '../../auth/key-role.ts'
import { openVisibleFolders, type VisibleFolders } from '../../auth/visible-folders.ts'
import { CmsError } from '../../base/errors.ts'
import {
  type AssetCategory,
  assetCategory,
  MODULES_CATEGORY_ID,
  ROOT_CATEGORY_ID,
} from '../../schema/asset-category.ts'
import { checkCreate, checkUpdate, refuseField, type Values } from '../../schema/check.ts'
import { buildRecord, laterFields } from '../../schema/record.ts'
import type { JsonObject, Stored } from '../../schema/values.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import type { Context, RecordUpdate } from '../context.ts'
import { requireFreeName, requireLiveFolderChange } from '../files/addresses.ts'
import { requireLayout } from '../files/layouts.ts'
import { requireOwnNumber, withNewId } from '../new-id.ts'
import { PATH_MEMBER_BYTES, presentValue, tagOf } from '../present.ts'
import {
  isInside,
  requireFolder,
  requireMatch,
  requireMove,
  requireRecord,
  requireSubtreeGrant,
} from '../requirements.ts'
import { seenInFolder, type Visibility, viewOf } from '../visibility.ts'
import {
  addExtents,
  type Extent,
  type ExtentLimits,
  extentOf,
  type FolderWatch,
  longest,
  measureBelow,
  NO_EXTENT,
  ofName,
  requireExtent,
} from './folder-extent.ts'
import { keepFormerPlace } from './former-places.ts'

export const folderVisibility: Visibility<AssetCategory> = {
  object: assetCategory,
  seen: seenInFolder(assetCategory, 'asset_category_id'),
  derive: ({ reader }, visible) => {
    const seenByAll = openVisibleFolders(reader, ANONYMOUS)
    return (folder) => ({
      ...laterFields(folder, LATER_FIELDS),
      is_public: seenByAll.sees(folder.asset_category_id),
      path: visible.pathOf(folder.asset_category_id),
    })
  },
  mask: ({ caller }, visible) =>
    holdsEverywhere(caller, 'view') ? undefined : (record) => maskParent(visible, record),
  pathBytes:
    (visible) =>
    ({ asset_category_id: id }) =>
      visible.pathBytesOf(id) + PATH_MEMBER_BYTES,
  // Sorting by parent would reveal the hidden parents of the topmost visible folders.
  tellingOrders: new Set(['parent_category_id']),
}

/** Fields that decide what visitors get. */
const OF_VISITORS = ['public', 'redirects', 'site_headers', 'layout_file_id'] as const

/** Fields that folders of earlier builds lack: answers show null. */
const LATER_FIELDS = [...OF_VISITORS, 'public_since', 'keep_versions'] as const

/** Undefined if the body does not change who may read without a key. */
function publicSince(
  values: Values,
  before: AssetCategory | undefined,
  now: string,
): Pick<AssetCategory, 'public_since'> | undefined {
  if (!('public' in values)) return undefined
  return { public_since: values['public'] === true ? (before?.public_since ?? now) : null }
}

/** Hides the parent of the topmost folder that the caller sees. */
function maskParent(
  visible: VisibleFolders,
  { parent_category_id: id }: AssetCategory,
): JsonObject | undefined {
  return id === null || visible.sees(id) ? undefined : { parent_category_id: null }
}

export async function createCategory(context: Context, body: unknown): Promise<Stored> {
  const values = checkCreate(assetCategory, body)
  const { name, categoryId } = placeOf(values)
  const { recordType } = assetCategory

  return withNewId(context.records, recordType, (id) =>
    context.records.commit((unit) => {
      const caller = recheck(unit, context.caller, context.now())
      requireFolder(unit, caller, categoryId)
      requireGrant(unit, caller, 'create', categoryId)
      if (OF_VISITORS.some((field) => (values[field] ?? null) !== null))
        requireGrant(unit, caller, 'publish', categoryId)
      requireLayout(unit, caller, values)
      if ((values['keep_versions'] ?? null) !== null)
        requireGrant(unit, caller, 'delete', categoryId)
      requireFreeName(unit, caller, assetCategory, { categoryId, name })
      requireExtent(context.limits, addExtents(extentOf(unit, categoryId), ofName(name)))
      requireOwnNumber(unit, recordType, id)
      context.folderWatches.notice(unit, { kind: 'made', parentId: categoryId, name })

      const origin = { id, owner: caller.user.name, now: context.now().toISOString() }
      const settings = publicSince(values, undefined, origin.now)
      unit.put(recordType, [id], buildRecord(assetCategory, { ...values, ...settings }, origin))
      return requireRecord(unit, assetCategory, id).stored
    }),
  )
}

/** Attempts to measure a subtree, if other folders are moved into it meanwhile. */
const MAX_MEASURED = 3

/** The extent of the folders below, and the changes since it was measured. */
interface Below {
  readonly extent: Extent
  readonly watch: FolderWatch
  readonly measured: number
}

export async function updateCategory(
  context: Context,
  input: RecordUpdate,
  below?: Below,
): Promise<Stored> {
  // Opened before the commit: once the commit is done, everything planned before the watch is readable.
  const watch = context.folderWatches.open(input.id)
  try {
    const updated = await context.records.commit((unit) =>
      planUpdate(unit, context, { below: below && furthest(below), ...input }),
    )
    if (updated !== 'unmeasured') return updated
    const measured = (below?.measured ?? 0) + 1
    if (measured > MAX_MEASURED) throw foldersMoving()
    const extent = await measureBelow(context.records, input.id, context.limits)
    return await updateCategory(context, input, { extent, watch, measured })
  } finally {
    watch.close()
  }
}

/** Undefined if the subtree must be measured again. */
function furthest({ extent, watch }: Below): Extent | undefined {
  return watch.hasMoved() ? undefined : longest(extent, watch.made())
}

function foldersMoving(): CmsError {
  return new CmsError(
    'unavailable',
    'Other folders are being moved into this folder. Nothing was changed; try again in a moment.',
    { headers: { 'retry-after': '1' } },
  )
}

interface PlannedUpdate extends RecordUpdate {
  /** The extent of the folders below, if known. */
  readonly below: Extent | undefined
}

function planUpdate(
  unit: Unit,
  context: Context,
  { id, body, precondition, below }: PlannedUpdate,
): Stored | 'unmeasured' {
  const caller = recheck(unit, context.caller, context.now())
  const { stored, record } = requireRecord(unit, assetCategory, id)
  requireGrant(unit, caller, 'modify', id)
  const view = viewOf(context, { reader: unit, as: caller })
  requireMatch(precondition, stored, tagOf(view, folderVisibility, stored))

  const values = checkUpdate(assetCategory, body, presentValue(view, folderVisibility, stored))
  if (Object.keys(values).length === 0) return stored
  const now = context.now().toISOString()
  const since = publicSince(values, record, now)
  requireOfVisitors(unit, caller, id, values)
  requireLayout(unit, caller, values)
  if ('keep_versions' in values) requireRetention(unit, caller, id)
  const next = { ...record, ...values, ...since, date_modified: now }
  requireFixed(id, values)
  requirePlace(unit, caller, { record, values })
  if (!fitsLimits(unit, context, { record, next, below })) return 'unmeasured'

  keepFormerPlace(unit, record, next)
  unit.put(assetCategory.recordType, [id], next)
  return requireRecord(unit, assetCategory, id).stored
}

/** A rule removes versions in this folder and below. */
export function requireRetention(reader: Reader, caller: Caller, id: number): void {
  requireGrant(reader, caller, 'delete', id)
  requireSubtreeGrant(reader, caller, 'delete', id)
}

/** These fields are inherited, so they also need the grant in the folders below, except to hide a folder. */
function requireOfVisitors(unit: Unit, caller: Caller, id: number, values: Values): void {
  const changed = OF_VISITORS.filter((name) => name in values)
  if (changed.length === 0) return
  requireGrant(unit, caller, 'publish', id)
  if (changed.some((name) => name !== 'public') || values['public'] !== false)
    requireSubtreeGrant(unit, caller, 'publish', id)
}

interface Moved {
  readonly record: AssetCategory
  readonly next: AssetCategory
  readonly below: Extent | undefined
}

/** Throws if a move or a longer name exceeds the limits; false if this is not known yet. */
function fitsLimits(unit: Unit, context: Context, { record, next, below }: Moved): boolean {
  const { asset_category_id: id, parent_category_id: parentId, name } = next
  if (parentId === record.parent_category_id && name === record.name) return true
  const above = parentId === null ? NO_EXTENT : extentOf(unit, parentId)
  const own = addExtents(above, ofName(name))
  const limits = boundsOf(context, own, extentOf(unit, id))
  if (limits !== undefined) {
    requireExtent(limits, own)
    const hasBelow = unit.lookup(assetCategory.recordType, 'parent_category_id', [id], 1).length > 0
    if (hasBelow && below === undefined) return false
    requireExtent(limits, own, below)
  }
  if (parentId !== null) context.folderWatches.notice(unit, { kind: 'moved', parentId, name })
  return true
}

/** Undefined if nothing grows: a path beyond the limits, from earlier versions, may be shortened step by step. */
function boundsOf(
  { limits: { maxFolderDepth, maxPathBytes } }: Context,
  next: Extent,
  before: Extent,
): Pick<ExtentLimits, 'maxFolderDepth' | 'maxPathBytes'> | undefined {
  const [isDeeper, isLonger] = [next.levels > before.levels, next.bytes > before.bytes]
  if (!isDeeper && !isLonger) return undefined
  return {
    maxFolderDepth: isDeeper ? maxFolderDepth : Number.POSITIVE_INFINITY,
    maxPathBytes: isLonger ? maxPathBytes : Number.POSITIVE_INFINITY,
  }
}

interface Change {
  readonly record: AssetCategory
  readonly values: Values
}

/** The name and the place of a folder belong to its parent: a caller who does not see the parent cannot change them. */
function requirePlace(unit: Unit, caller: Caller, { record, values }: Change): void {
  const { asset_category_id: id, parent_category_id: parent } = record
  if (parent === null || !('name' in values || 'parent_category_id' in values)) return
  if (grantsAt(unit, caller, parent).size === 0)
    throw missingGrant('modify', 'in the parent folder, to which the name and the place belong')

  const target = Number(values['parent_category_id'] ?? parent)
  if (target !== parent) {
    // A role in the folder itself moves with the folder, and grants the same as before.
    const isAlike = ownRole(caller, id) !== undefined
    requireMove(unit, caller, { from: isAlike ? target : parent, to: target })
    requireSubtreeGrant(unit, caller, 'modify', id)
    if (isInside(unit, target, id))
      refuseField('parent_category_id', 'must not be the folder itself or one below it')
  }
  requireLiveFolderChange(unit, caller, { id, to: target })
  const name = String(values['name'] ?? record.name)
  requireFreeName(unit, caller, assetCategory, { categoryId: target, name, ownId: id })
}

function placeOf(values: Values): { name: string; categoryId: number } {
  return { name: String(values['name']), categoryId: Number(values['parent_category_id']) }
}

function requireFixed(id: number, values: Values): void {
  if (!('parent_category_id' in values)) return
  if (id === ROOT_CATEGORY_ID)
    refuseField('parent_category_id', 'cannot be set: the root folder cannot be moved')
  if (id === MODULES_CATEGORY_ID)
    refuseField('parent_category_id', 'cannot be set: the folder of modules cannot be moved')
}
