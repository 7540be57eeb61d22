// Entries of modules: list, create (one or many), read, update, delete.

import { type Caller, recheck } from '../../auth/caller.ts'
import { grantsAt } from '../../auth/grants.ts'
import { CmsError, type Fault } from '../../errors.ts'
import {
  checkCreate,
  checkUpdate,
  isSame,
  MAX_FAULTS,
  refuseFaults,
  refuseField,
  type Values,
} from '../../schema/check.ts'
import {
  type EntryType,
  entryBytes,
  entryPart,
  entryPieces,
  entryValue,
  hasIndex,
  withLayout,
} from '../../schema/entry.ts'
import { buildRecord } from '../../schema/record.ts'
import type { JsonObject, JsonValue, Stored } from '../../schema/values.ts'
import type { Page, Query, Reader, Unit } from '../../storage/port.ts'
import type { Context, Precondition } from '../context.ts'
import { requireSize } from './entry-size.ts'
import { noteNumbers, numberEntries } from './entry-numbers.ts'
import { findChangeFault, findTimesFault } from './entry-times.ts'
import { findModule, type ModuleAddress, requireModule } from './find-module.ts'
import { findPage } from '../find-page.ts'
import { allOf, inSlices, mapInTurns } from '../../in-turns.ts'
import type { Module } from './module-cache.ts'
import { requireMatch } from '../requirements.ts'
import { requireUnique } from './unique.ts'
import { entryLosses, withDays } from './whole-days.ts'

function mayView(reader: Reader, caller: Caller, { record }: Module): boolean {
  return grantsAt(reader, caller, record.parent_category_id).has('view')
}

export async function searchEntries(
  context: Context,
  { entry }: Module,
  query: Query,
): Promise<Page> {
  for (const { orderBy } of [query, ...(query.thenBy ?? [])]) requireIndex(entry, orderBy)
  return findPage(context, entry.object, { ...query, reckonedBytes: entry.fillBytes })
}

/** JSON of each entry of a page, in pieces, or of some of their fields. */
export function selectEntries(
  entry: EntryType,
  { records }: Page,
  fields: ReadonlySet<string> | undefined,
): Promise<readonly (string | readonly Uint8Array[])[]> {
  return mapInTurns<JsonObject, string | readonly Uint8Array[]>(
    records,
    fields === undefined
      ? (stored) => entryPieces(entry, stored)
      : (stored) => entryPart(entry, stored, fields),
  )
}

/** Sorting needs the whole index; a search by a value does without. */
function requireIndex({ layout }: EntryType, name: string | null | undefined): void {
  const item = layout.columns.find(({ column }) => column.name === name)
  if (item === undefined || item.isIndexed || !hasIndex(item.column)) return
  throw new CmsError(
    'unavailable',
    `The index of the new column ${item.column.name} is still being built; sort by it in a moment.`,
    { headers: { 'retry-after': '1' } },
  )
}

/** Whether the columns of the module are still those; a search that they changed under may be wrong. */
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
  return fields === undefined ? entryBytes(entry, stored) : entryPart(entry, stored, fields)
}

export interface Saved {
  readonly module: Module
  readonly stored: Stored
}

export async function createEntry(
  context: Context,
  address: ModuleAddress,
  body: unknown,
): Promise<Saved> {
  const [saved] = await saveNew(context, { address, bodies: [body], isList: false })
  if (saved === undefined) throw new CmsError('internal', 'No entry was created.')
  return saved
}

/** All or none, in one commit. The faults of all bodies are reported at once, by their place in the list. */
export async function createEntries(
  context: Context,
  address: ModuleAddress,
  bodies: readonly unknown[],
): Promise<readonly Saved[]> {
  return saveNew(context, { address, bodies, isList: true })
}

interface NewEntries {
  readonly address: ModuleAddress
  readonly bodies: readonly unknown[]
  /** Pointers to faults begin with the place in the list. */
  readonly isList: boolean
}

async function saveNew(
  context: Context,
  { address, bodies, isList }: NewEntries,
): Promise<readonly Saved[]> {
  const found = requireModule(context, address, 'create')
  const checked = await inSlices(checkAll(context, { module: found, bodies, isList }))
  const ids = await context.records.newIds(found.entry.object.recordType, bodies.length)

  return context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const module = findModule(context, unit, { address, grant: 'create', caller })
    const now = context.now().toISOString()
    // The columns may have changed since.
    const isSameLayout = module.entry.layout.number === found.entry.layout.number
    const values = isSameLayout ? checked : allOf(checkAll(context, { module, bodies, isList }))
    const given = values.map((own, index) => ({
      values: withNow(module.entry, own, { body: bodies[index], now }),
      place: isList ? `/${index}` : '',
    }))
    const { written, keep } = numberEntries(unit, module, given)
    requireUnique(unit, module.entry, { written, isViewer: mayView(unit, caller, module) })
    const records = written.map(({ values: complete }, index) => {
      const origin = { id: ids[index] ?? 0, owner: caller.user.name, now }
      return withLayout(buildRecord(module.entry.object, complete, origin), module.entry)
    })
    requireSize(context, records, { isList })
    // From here on nothing is refused: that would take back what others have done in the same commit.
    keep()
    return records.map((record, index) => {
      const stored = put(context, unit, { module, id: ids[index] ?? 0, record })
      return { module, stored }
    })
  })
}

export interface EntryInput {
  readonly address: ModuleAddress
  readonly entryId: number
  readonly precondition?: Precondition | undefined
}

export function readEntry(context: Context, { address, entryId }: EntryInput): Saved {
  const module = requireModule(context, address, 'view')
  return { module, stored: requireEntry(context.records, module, entryId) }
}

export async function updateEntry(
  context: Context,
  input: EntryInput & { readonly body: unknown },
): Promise<Saved> {
  return context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const module = findModule(context, unit, { address: input.address, grant: 'modify', caller })
    const stored = requireEntry(unit, module, input.entryId)
    requireMatch(input.precondition, stored)

    const current = entryValue(module.entry, stored)
    const values = changedValues(module, input.body, current)
    if (context.isStrict === true)
      refuseFaults(entryLosses(module, { ...current, ...values }, input.body))
    if (Object.keys(values).length === 0) return { module, stored }
    const next = { ...current, ...values, date_modified: context.now().toISOString() }
    const fault = findChangeFault(module, next, values)
    if (fault !== undefined) refuseField(fault.pointer.slice(1), fault.detail)
    const { keep } = noteNumbers(unit, module, values)
    const written = [{ values, place: '', ownId: input.entryId }]
    requireUnique(unit, module.entry, { written, isViewer: mayView(unit, caller, module) })
    const record = withLayout(next, module.entry)
    // With what its younger columns add: it may stay as large as it is shown.
    const sizeBefore = stored.bytes.length + (module.entry.fillBytes?.(stored) ?? 0)
    requireSize(context, [record], { isList: false, sizeBefore })
    // As with a create, nothing is refused from here on.
    keep()
    const changed = put(context, unit, { module, id: input.entryId, record })
    return { module, stored: changed }
  })
}

/** What a body changes, with the days that follow from it where the event is all-day. */
function changedValues(module: Module, body: unknown, current: JsonObject): Values {
  const values = checkUpdate(module.entry.object, body, current)
  const next = { ...current, ...values }
  const whole = withDays(module, next, { body: body as JsonObject, current })
  if (whole === next) return values
  return Object.fromEntries(
    Object.entries(whole).filter(([name, value]) => !isSame(value, current[name])),
  )
}

export async function removeEntry(context: Context, input: EntryInput): Promise<void> {
  await context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const module = findModule(context, unit, { address: input.address, grant: 'delete', caller })
    requireMatch(input.precondition, requireEntry(unit, module, input.entryId))
    unit.remove(module.entry.object.recordType, input.entryId)
  })
}

export function requireEntry(
  reader: Pick<Reader, 'get'>,
  { entry }: Module,
  entryId: number,
): Stored {
  const stored = reader.get(entry.object.recordType, entryId)
  if (stored !== undefined) return stored
  throw new CmsError('not-found', `There is no ${entry.object.label} ${entryId} in this module.`)
}

interface PutEntry {
  readonly module: Module
  readonly id: number
  /** With its layout. */
  readonly record: JsonObject
}

function put({ watches }: Context, unit: Unit, { module, id, record }: PutEntry): Stored {
  const { recordType } = module.entry.object
  watches.notice(recordType.name, record, unit)
  return unit.put(recordType, [id], record)
}

type CheckedBodies = Omit<NewEntries, 'address'> & { readonly module: Module }

/** Yields after each body, where others may be served. */
function* checkAll(
  { isStrict }: Context,
  { module, bodies, isList }: CheckedBodies,
): Generator<void, readonly Values[]> {
  const faults: Fault[] = []
  const checked: Values[] = []
  for (const [index, body] of bodies.entries()) {
    if (faults.length >= MAX_FAULTS) break
    yield
    const prefix = isList ? `/${index}` : ''
    const own: Fault[] = []
    try {
      const values = checkCreate(module.entry.object, body)
      const entry = withDays(module, values, { body: body as JsonObject })
      if (isStrict === true) own.push(...entryLosses(module, entry, body))
      checked.push(entry)
    } catch (error) {
      if (!(error instanceof CmsError) || error.code !== 'invalid-content') throw error
      own.push(...(error.facts.errors ?? [{ pointer: '', detail: error.message }]))
    }
    const fault = findTimesFault(module, body)
    if (fault !== undefined && own.every(({ pointer }) => pointer !== fault.pointer))
      own.push(fault)
    faults.push(...own.map((item) => ({ ...item, pointer: `${prefix}${item.pointer}` })))
  }
  refuseFaults(faults)
  return checked
}

interface Now {
  readonly body: unknown
  readonly now: string
}

/** DEFDATE and DEFTIMESTAMP: the time of the commit, where the client gave nothing. */
function withNow({ nowColumns, object }: EntryType, own: Values, { body, now }: Now): Values {
  if (nowColumns.length === 0) return own
  const given = body as JsonObject
  const values: Record<string, JsonValue> = { ...own }
  for (const { column } of nowColumns) {
    const { name, isRequired } = column
    if (name in given && !(isRequired && given[name] === null)) continue
    values[name] = object.fields[name]?.search === 'date' ? now.slice(0, 10) : now
  }
  return values
}
