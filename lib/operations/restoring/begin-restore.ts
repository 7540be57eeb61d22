// The checks that every restore makes in its commit: the item, the rights, the folder and the name.

import { type Caller, recheck } from '../../auth/caller.ts'
import { chainOf } from '../../auth/folders.ts'
import { requireGrant } from '../../auth/grants.ts'
import { CmsError } from '../../base/errors.ts'
import { assetCategory } from '../../schema/asset-category.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { pointer, refuseField } from '../../schema/check.ts'
import { fileNameFault, nameFault } from '../../schema/names.ts'
import type { TrashItem, TrashPart } from '../../schema/trash.ts'
import type { Stored } from '../../schema/values.ts'
import type { Reader } from '../../storage/port.ts'
import type { Context, RecordInput } from '../context.ts'
import { findNamed, requireFreeName } from '../files/addresses.ts'
import { findByName, requireFolder, requireMatch, requireMove } from '../requirements.ts'
import { requireItem } from '../trash/trash-visibility.ts'
import { firstParts } from './after-parts.ts'

export interface RestoreInput extends RecordInput {
  /** The folder; undefined: the folder that contained the record. */
  readonly categoryId: number | undefined
  /** A new name for a file or a folder. */
  readonly name: string | undefined
  /** References to records that do not exist become empty. */
  readonly isClearing: boolean
}

export interface Begun {
  readonly caller: Caller
  readonly item: TrashItem
  readonly root: TrashPart
}

/** The item of the request, which must be complete. */
export function beginRestore(
  reader: Reader,
  context: Context,
  { id, precondition, name }: RestoreInput,
): Begun {
  const caller = recheck(reader, context.caller, context.now())
  const stored = requireItem(reader, caller, id)
  requireMatch(precondition, stored)
  requireComplete(stored)
  const { value: item } = stored
  const root = firstParts(reader, { trash_id: id, phase: 'root' }, 1)[0]
  const first = root ?? firstParts(reader, { trash_id: id, phase: 'after' }, 1)[0]
  if (first === undefined)
    throw new CmsError('record-damaged', `The trash item ${id} has no parts.`)
  requireNameable(item, name)
  return { caller, item, root: first }
}

export function requireComplete({ value: { state } }: Stored<TrashItem>): void {
  if (state === 'complete') return
  const detail = `The trash item is still ${state}. Try again in a moment.`
  throw new CmsError('in-use', detail, { headers: { 'retry-after': '1' } })
}

function requireNameable({ object }: TrashItem, name: string | undefined): void {
  if (name === undefined) return
  if (object !== assetFile.name && object !== assetCategory.name)
    refuseField('name', 'is possible only for a file or a folder')
  const fault = object === assetFile.name ? fileNameFault(name) : nameFault(name)
  if (fault !== undefined) refuseField('name', fault)
}

/** The folder into which the record returns. The caller must hold create there. */
export function requireTarget(
  reader: Reader,
  caller: Caller,
  { asset_category_id: from }: TrashItem,
  asked: number | undefined,
): number {
  const isThere = chainOf(reader, from) !== undefined
  const to = asked ?? from
  if (asked === undefined && !isThere)
    throw new CmsError(
      'in-use',
      `The folder ${from}, which contained the record, is gone. Restore it first, or name another folder in parent_category_id.`,
      { errors: [{ pointer: pointer('parent_category_id'), detail: 'is required' }] },
    )
  requireFolder(reader, caller, to)
  if (isThere && to !== from) requireMove(reader, caller, { from, to })
  else requireGrant(reader, caller, 'create', to)
  return to
}

interface Place {
  readonly categoryId: number
  readonly name: string
}

/** Throws name-taken, with a name that is free. */
export function requireFree(
  reader: Reader,
  caller: Caller,
  object: typeof assetFile | typeof assetCategory,
  place: Place,
): void {
  try {
    requireFreeName(reader, caller, object, place)
  } catch (error) {
    if (!(error instanceof CmsError) || error.code !== 'name-taken') throw error
    const free = freeName(reader, place)
    if (free === undefined) throw error
    const detail = `${error.message} The name ${JSON.stringify(free)} is free.`
    const members = { ...error.facts.members, free_name: free }
    throw new CmsError('name-taken', detail, { ...error.facts, members })
  }
}

/** Names that are tried. */
const MOST_TRIED = 100
/** Leaves room for a number. */
const MAX_STEM = 200

function freeName(reader: Reader, { categoryId, name }: Place): string | undefined {
  const at = name.lastIndexOf('.')
  const [stem, end] = at > 0 ? [name.slice(0, at), name.slice(at)] : [name, '']
  if (Buffer.byteLength(stem) > MAX_STEM) return undefined
  for (let number = 2; number < MOST_TRIED; number += 1) {
    const next = `${stem} (${number})${end}`
    const taken =
      findNamed(reader, categoryId, next) ?? findByName(reader, assetCategory, categoryId, next)
    if (taken === undefined) return next
  }
  return undefined
}
