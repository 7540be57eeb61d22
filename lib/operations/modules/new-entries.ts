// Creates entries of modules: one or many, all or none in one commit.

import { recheck } from '../../auth/caller.ts'
import { CmsError, type Fault } from '../../base/errors.ts'
import { MAX_FAULTS, readCreate, refuseFaults, type Values } from '../../schema/check.ts'
import { type EntryType, withLayout } from '../../schema/entry.ts'
import { buildRecord } from '../../schema/record.ts'
import type { JsonObject, JsonValue } from '../../schema/values.ts'
import type { Unit } from '../../storage/port.ts'
import { allOf, inSlices } from '../../schema/time-slicing.ts'
import type { Context } from '../context.ts'
import { withNewIds } from '../new-id.ts'
import { findFurtherFaults } from './checks.ts'
import { requireEntryRules } from './entry-rules.ts'
import { numberEntries } from './entry-numbers.ts'
import { requireSize } from './entry-size.ts'
import { entryLosses, findTimesFault, withDays } from './entry-times.ts'
import { mayView, putEntry, type Saved } from './entries.ts'
import { findModule, type ModuleAddress, passModule } from './find-module.ts'
import type { Module } from './module-cache.ts'

export async function createEntry(
  context: Context,
  address: ModuleAddress,
  body: unknown,
): Promise<Saved> {
  const [saved] = await saveNew(context, { address, bodies: [body], isList: false })
  if (saved === undefined) throw new CmsError('internal', 'No entry was created.')
  return saved
}

/** All or none, in one commit. The faults of all bodies are reported together, each with its place in the list. */
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
  /** Pointers to faults begin with the index in the list. */
  readonly isList: boolean
}

async function saveNew(context: Context, asked: NewEntries): Promise<readonly Saved[]> {
  const { address, bodies, isList } = asked
  const found = passModule(context, address, 'create')
  const checked = await inSlices(checkAll(context, { module: found, bodies, isList }))
  const numbers = { type: found.entry.object.recordType, count: bodies.length }
  return withNewIds(context.records, numbers, (ids) =>
    context.records.commit((unit) => putNew(unit, context, { ...asked, found, checked, ids })),
  )
}

interface CheckedEntries extends NewEntries {
  /** The module whose columns were used to check the bodies. */
  readonly found: Module
  readonly checked: readonly Values[]
  readonly ids: readonly number[]
}

function putNew(
  unit: Unit,
  context: Context,
  { address, bodies, isList, found, checked, ids }: CheckedEntries,
): readonly Saved[] {
  const caller = recheck(unit, context.caller, context.now())
  const module = findModule(context, unit, { address, grant: 'create', caller })
  const now = context.now().toISOString()
  // The columns may have changed since the check.
  const isSameLayout = module.entry.layout.number === found.entry.layout.number
  const values = isSameLayout ? checked : allOf(checkAll(context, { module, bodies, isList }))
  const given = values.map((own, index) => ({
    values: withNow(module.entry, own, { body: bodies[index], now }),
    place: isList ? `/${index}` : '',
  }))
  const { written, keep } = numberEntries(unit, module, { written: given })
  const isViewer = mayView(unit, caller, module)
  requireEntryRules(context, unit, { caller, entry: module.entry, written, isViewer })
  const records = written.map(({ values: complete }, index) => {
    const origin = { id: ids[index] ?? 0, owner: caller.user.name, now }
    return withLayout(buildRecord(module.entry.object, complete, origin), module.entry)
  })
  const texts = requireSize(context, records, { isList })
  // Nothing may throw after this line: an error would roll back other requests of the same commit.
  keep()
  return records.map((record, index) => {
    const id = ids[index] ?? 0
    const stored = putEntry(context, unit, { module, id, record, text: texts?.[index] })
    return { module, stored }
  })
}

type CheckedBodies = Omit<NewEntries, 'address'> & { readonly module: Module }

/** Yields after each body, so that other requests can run. */
function* checkAll(
  context: Context,
  { module, bodies, isList }: CheckedBodies,
): Generator<void, readonly Values[]> {
  const checked: CheckedNew[] = []
  let count = 0
  for (const body of bodies) {
    if (count >= MAX_FAULTS) break
    yield
    const result = checkNew(context, module, body)
    checked.push(result)
    count += result.faults.length
  }
  if (count > 0) refuseFaults(faultsOfAll(module, checked, isList))
  return checked.map(({ values }) => values ?? {})
}

/** A list with a fault does not reach its commit, so the rules of its other entries are tested here. */
function faultsOfAll(
  { entry }: Module,
  checked: readonly CheckedNew[],
  isList: boolean,
): readonly Fault[] {
  return checked.flatMap(({ values, faults }, index) => {
    const further = values === undefined ? [] : findFurtherFaults(entry, { values, faults })
    const place = isList ? `/${index}` : ''
    return [...faults, ...further].map(({ pointer, detail }) => ({
      pointer: `${place}${pointer}`,
      detail,
    }))
  })
}

interface CheckedNew {
  /** Undefined if the body has faults of its fields. */
  readonly values: Values | undefined
  readonly faults: readonly Fault[]
}

/** The values of a new entry, and every fault of its body. */
export function checkNew(
  { isStrict }: Pick<Context, 'isStrict'>,
  module: Module,
  body: unknown,
): CheckedNew {
  const own: Fault[] = []
  let values: Values | undefined
  try {
    const read = readCreate(module.entry.object, body)
    own.push(...read.faults)
    if (read.faults.length > 0) own.push(...findFurtherFaults(module.entry, read))
    else {
      values = withDays(module, read.values, { body: body as JsonObject })
      if (isStrict === true) own.push(...entryLosses(module, values, body))
    }
  } catch (error) {
    own.push(...faultsOf(error))
  }
  const fault = findTimesFault(module, body)
  if (fault !== undefined && own.every(({ pointer }) => pointer !== fault.pointer)) own.push(fault)
  return { values, faults: own }
}

/** The faults that an invalid-content error reports; throws every other error. */
export function faultsOf(error: unknown): readonly Fault[] {
  if (!(error instanceof CmsError) || error.code !== 'invalid-content') throw error
  return error.facts.errors ?? [{ pointer: '', detail: error.message }]
}

interface Now {
  readonly body: unknown
  readonly now: string
}

/** DEFDATE and DEFTIMESTAMP: the time of the commit, if the client sent no value. */
export function withNow(
  { nowColumns, object }: EntryType,
  own: Values,
  { body, now }: Now,
): Values {
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
