// Entries of modules: list, read, update, delete. new-entries.ts creates them.

import { type Caller, recheck } from '../../auth/caller.ts'
import { grantsAt } from '../../auth/grants.ts'
import { CmsError } from '../../base/errors.ts'
import {
  entryBytes,
  entryPart,
  entryPieces,
  entryText,
  type EntryType,
  entryValue,
  hasIndex,
  withLayout,
} from '../../schema/entry.ts'
import type { Made } from '../../schema/server-records.ts'
import { mapInSlices, nextSlice, textsInSlices } from '../../schema/time-slicing.ts'
import { type JsonObject, MAX_SHORT_BYTES, type Stored } from '../../schema/values.ts'
import type { Page, Query, Reader, Unit } from '../../storage/port.ts'
import type { ChangeContext, Context, Precondition } from '../context.ts'
import { findPage } from '../read.ts'
import { requireMatch } from '../requirements.ts'
import type { NewTrashItem } from '../trash/trash-items.ts'
import { planChange, shownBytes } from './entry-change.ts'
import { requireEntryRules } from './entry-rules.ts'
import { numberEntries } from './entry-numbers.ts'
import { requireSize } from './entry-size.ts'
import {
  findModule,
  type ModuleAddress,
  passModule,
  requireModuleByAnyName,
} from './find-module.ts'
import type { Following } from './following-references.ts'
import type { Module } from './module-cache.ts'
import { isShown } from './public-module.ts'
import { withRelatedOrder } from './related-order.ts'
import { type Removal, removeRecord } from '../references/remove-record.ts'

export function searchEntries(
  following: Following,
  module: Module,
  asked: Query,
): Page | Promise<Page> {
  const { entry } = module
  for (const { orderBy } of [asked, ...(asked.thenBy ?? [])]) requireIndex(entry, orderBy)
  const { object, query } = withRelatedOrder(following, module, asked)
  return findPage(following.context, object, { reckonedBytes: entry.fillBytes, ...query })
}

type EntryTexts = readonly (string | Uint8Array | readonly Uint8Array[])[]

/** JSON of each entry of a page, in pieces, or JSON of some of their fields. */
export function selectEntries(
  entry: EntryType,
  { records }: Page,
  fields: ReadonlySet<string> | undefined,
): EntryTexts | Promise<EntryTexts> {
  return fields === undefined
    ? mapInSlices(records, (stored) => entryPieces(entry, stored))
    : textsInSlices(records, (stored) => entryPart(entry, stored, fields))
}

/** Sorting needs a complete index; searching by value works without one. */
function requireIndex({ layout }: EntryType, name: string | null | undefined): void {
  const item = layout.columns.find(({ column }) => column.name === name)
  if (item === undefined || item.isIndexed || !hasIndex(item.column)) return
  throw new CmsError(
    'unavailable',
    `The index of the new column ${item.column.name} is still being built. Sort by it again in a moment.`,
    { headers: { 'retry-after': '1' } },
  )
}

/** Whether the module still has the same columns; a search during a change of columns may be wrong. */
export function hasSameColumns(context: Context, { kind, id, entry }: Module): boolean {
  const now = context.modules.find(context.records, kind, id)
  return now?.entry.layout.number === entry.layout.number
}

/** JSON of an entry, or of some of its fields. */
export function selectEntry(
  entry: EntryType,
  stored: Stored,
  fields: ReadonlySet<string> | undefined,
): string | Uint8Array {
  if (fields !== undefined) return entryPart(entry, stored, fields)
  return stored.sizeBytes <= MAX_SHORT_BYTES ? entryText(entry, stored) : entryBytes(entry, stored)
}

export function mayView(reader: Reader, caller: Caller, { record }: Module): boolean {
  return grantsAt(reader, caller, record.parent_category_id).has('view')
}

export interface Saved {
  readonly module: Module
  readonly stored: Stored
}

export interface EntryInput {
  readonly address: ModuleAddress
  readonly entryId: number
  readonly precondition?: Precondition | undefined
}

export function readEntry(context: Context, { address, entryId }: EntryInput): Saved {
  const module = passModule(context, address, 'view')
  const stored = requireEntry(context.records, module, entryId)
  if (!isShown(module, stored)) throw noSuchEntry(module, entryId)
  return { module, stored }
}

interface EntryUpdate extends EntryInput {
  readonly body: unknown
  /** Nothing is changed if the entry, or the columns of its module, are other ones by now. */
  readonly isCurrent?: (found: Saved) => boolean
}

/** Undefined only if `isCurrent` is given, and false. */
export async function updateEntry(context: Context, input: EntryUpdate): Promise<Saved | undefined>
export async function updateEntry(
  context: Context,
  input: Omit<EntryUpdate, 'isCurrent'>,
): Promise<Saved>
export async function updateEntry(
  context: Context,
  { isCurrent, ...input }: EntryUpdate,
): Promise<Saved | undefined> {
  const large = parseLarge(context, input)
  if (large !== undefined) await nextSlice()
  return context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const module = findModule(context, unit, { address: input.address, grant: 'modify', caller })
    if (large !== undefined) unit.reuse(module.entry.object.recordType, [input.entryId], large)
    const stored = requireEntry(unit, module, input.entryId)
    requireMatch(input.precondition, stored)
    if (isCurrent?.({ module, stored }) === false) return undefined

    const { values, current, next } = planChange(context, module, { stored, body: input.body })
    if (Object.keys(values).length === 0) return { module, stored }
    const written = [{ values, place: '', ownId: input.entryId, before: current }]
    const { keep } = numberEntries(unit, module, { written: [], changed: written })
    const isViewer = mayView(unit, caller, module)
    requireEntryRules(context, unit, { caller, entry: module.entry, written, isViewer })
    const changedAt = { ...next, date_modified: context.now().toISOString() }
    const record = withLayout(changedAt, module.entry)
    const sizeBefore = shownBytes(module.entry, stored)
    const [text] = requireSize(context, [record], { isList: false, sizeBefore }) ?? []
    // As in a create, nothing may throw after this line.
    keep()
    const changed = putEntry(context, unit, { module, id: input.entryId, record, text })
    return { module, stored: changed }
  })
}

/** Smaller entries are parsed in a few milliseconds. */
const LARGE_BYTES = 256 * 1024

/** Parses a large entry before the commit, because this takes as long as the commit itself. */
function parseLarge(context: Context, { address, entryId }: EntryInput): Stored | undefined {
  const { recordType } = passModule(context, address, 'modify').entry.object
  const stored: Stored | undefined = context.records.get(recordType, entryId)
  if (stored === undefined || stored.sizeBytes < LARGE_BYTES) return undefined
  void stored.value
  return stored
}

export function removeEntry(context: ChangeContext, input: EntryInput): Promise<Removal> {
  const { address, entryId } = input
  return removeRecord(context, {
    target: { object: address.kind, module_id: address.id, id: entryId },
    check(unit) {
      const caller = recheck(unit, context.caller, context.now())
      const module = findModule(context, unit, { address, grant: 'delete', caller })
      requireMatch(input.precondition, requireEntry(unit, module, entryId))
      return caller
    },
    item(unit) {
      const module = findModule(context, unit, { address, grant: 'delete', caller: context.caller })
      return entryItem(module, [requireEntry(unit, module, entryId)])
    },
    removeRoot(unit) {
      const type = context.modules.find(unit, address.kind, address.id)?.entry.object.recordType
      if (type !== undefined) unit.remove(type, entryId)
    },
  })
}

/** The item of the trash for deleted entries of one module. */
export function entryItem(
  { kind, id, record, entry }: Module,
  entries: readonly Stored[],
): NewTrashItem {
  const [first] = entries
  const values = first === undefined ? {} : entryValue(entry, first)
  const title = values[record.title_field ?? (kind === 'calendar' ? 'event_title' : '')] ?? null
  return {
    object: `${kind}_entry`,
    object_id: Number(values[entry.object.idField] ?? 0),
    module_id: id,
    name: entries.length === 1 && typeof title === 'string' ? title.slice(0, MAX_TITLE) : null,
    asset_category_id: record.parent_category_id,
  }
}

const MAX_TITLE = 255

export function requireEntry(reader: Pick<Reader, 'get'>, module: Module, entryId: number): Stored {
  const stored = reader.get(module.entry.object.recordType, entryId)
  if (stored !== undefined) return stored
  throw noSuchEntry(module, entryId)
}

function noSuchEntry({ entry }: Module, entryId: number): CmsError {
  return new CmsError('not-found', `There is no ${entry.object.label} ${entryId} in this module.`)
}

interface PutEntry {
  readonly module: Module
  readonly id: number
  /** The record including its layout number. */
  readonly record: JsonObject
  /** The JSON of the record, if it is encoded already. */
  readonly text: string | undefined
}

export function putEntry(
  { watches }: Context,
  unit: Unit,
  { module, id, record, text }: PutEntry,
): Stored {
  const { recordType } = module.entry.object
  watches.notice(recordType.name, record, unit)
  return unit.put(recordType, [id], record, text)
}

export function replayEntries(
  context: Context,
  address: ModuleAddress,
  made: Made,
): readonly Saved[] {
  const module = requireModuleByAnyName(context, address, 'create')
  const ids = made[module.entry.object.recordType.name] ?? []
  return ids.map((id) => ({ module, stored: requireEntry(context.records, module, id) }))
}

export function replayEntry(context: Context, { address, entryId }: EntryInput): Saved {
  const module = requireModuleByAnyName(context, address, 'modify')
  return { module, stored: requireEntry(context.records, module, entryId) }
}
