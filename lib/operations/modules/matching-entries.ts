// Finds the entries that a search selects, and changes all of them in one commit. The search runs in time slices before
// the commit. A watch notes which entries are written meanwhile, and the commit compares these with the search again, so
// the change is atomic: it affects exactly the entries that match when it is committed.

import { type Caller, recheck } from '../../auth/caller.ts'
import { CmsError, requestEnded } from '../../base/errors.ts'
import { refuseField } from '../../schema/check.ts'
import { sizeOf } from '../../schema/entry.ts'
import { type ListLimits, maxListEntries } from '../../shared/list-size.ts'
import { type Match, matches } from '../../schema/match.ts'
import { parseQry } from '../../schema/qry.ts'
import { isSameRecord } from '../../schema/record.ts'
import type { Stored } from '../../schema/values.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { findModule, type ModuleAddress } from './find-module.ts'
import type { Module } from './module-cache.ts'
import { recordOf } from './unique.ts'

export interface MatchingInput {
  readonly address: ModuleAddress
  readonly qry: string
  readonly qryBytes: number | undefined
  /** The number of entries that must match. A search that selects every entry needs it. */
  readonly expect: number | undefined
  readonly isDryRun: boolean
  readonly limits: ListLimits
  /** Aborted when no client waits for the result. */
  readonly signal: AbortSignal
}

export interface Work<P, T> {
  readonly grant: 'modify' | 'delete'
  /** Runs before the commit, in time slices. */
  readonly prepare: (module: Module, found: readonly Stored[]) => P | Promise<P>
  /** Runs inside the commit, with the entries that match now. */
  readonly plan: (unit: Unit, matching: Matching<P>) => T
}

export interface Matching<P> {
  readonly module: Module
  readonly caller: Caller
  /** In the order of their identifiers. */
  readonly entries: readonly Stored[]
  readonly prepared: P
}

/** A busy module may change during every search. */
const ATTEMPTS = 5

/** Throws count-differs, too-large, and unavailable if other requests write too many entries meanwhile. */
export async function commitMatching<P, T extends object>(
  context: Context,
  input: MatchingInput,
  work: Work<P, T>,
): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const done = await tryMatching(context, input, work)
    if (done !== undefined) return done
  }
  throw new CmsError(
    'unavailable',
    'Other requests change many entries of this module at the moment. Nothing was changed; send the request again.',
    { headers: { 'retry-after': '1' } },
  )
}

/** Undefined if too much has changed during the search. */
async function tryMatching<P, T extends object>(
  context: Context,
  input: MatchingInput,
  { grant, prepare, plan }: Work<P, T>,
): Promise<T | undefined> {
  const { records, caller } = context
  const wanted = { address: input.address, grant }
  const module = requireBoth(context, records, { ...wanted, caller })
  const match = requireMatchOf(module, input)
  const changed = new Set<number>()
  const watch = context.watches.open(module.entry.object.recordType.name, (record) => {
    changed.add(Number(record[module.entry.object.idField]))
    return false
  })
  try {
    // Waits for commits that began before the watch.
    await records.commit(() => undefined)
    const found = await findAll(context, module, match, input)
    const prepared = await prepare(module, [...found.values()])
    return await records.commit((unit) => {
      const now = recheck(unit, caller, context.now())
      const present = requireBoth(context, unit, { ...wanted, caller: now })
      const isSame = present.entry.layout.number === module.entry.layout.number
      if (watch.hasSeen() || !isSame) return undefined
      const entries = newestOf(unit, present, { match, found, changed })
      if (entries === undefined) return undefined
      requireCounted(present, input, { total: entries.length, entries })
      return plan(unit, { module: present, caller: now, entries, prepared })
    })
  } finally {
    watch.close()
  }
}

interface Wanted {
  readonly address: ModuleAddress
  readonly grant: Work<never, never>['grant']
  readonly caller: Caller
}

/** A search reveals values, so it also needs the grant view. */
function requireBoth(context: Context, reader: Reader, { grant, ...wanted }: Wanted): Module {
  findModule(context, reader, { ...wanted, grant: 'view' })
  return findModule(context, reader, { ...wanted, grant })
}

function requireMatchOf(
  { entry: { object } }: Module,
  { qry, qryBytes, expect, isDryRun }: MatchingInput,
): Match {
  const match = parseQry(qry, object.searchable, object.name, { maxBytes: qryBytes })
  if (match.op === 'and' && match.parts.length === 0 && expect === undefined && !isDryRun)
    refuseField(
      'expect',
      'is required, because qry selects every entry: send the number of entries; dry_run returns it',
    )
  return match
}

/** A search without an index through a large module may take as long as this many pages of a list. */
const MAX_PAGE_TIMES = 15

/** All matching entries, by identifier, unless they are more than one commit may change. */
async function findAll(
  context: Context,
  module: Module,
  match: Match,
  input: MatchingInput,
): Promise<ReadonlyMap<number, Stored>> {
  const { recordType, searchable, idField } = module.entry.object
  const found = new Map<number, Stored>()
  const max = maxListEntries(sizeOf(module.entry), input.limits)
  const maxMs = MAX_PAGE_TIMES * context.limits.searchMs
  const endMs = performance.now() + maxMs
  let sizeBytes = 0
  let cursor: string | undefined
  do {
    const query = { match, length: max + 1, cursor, orderBy: null }
    const page = await context.records.search(recordType, searchable, query)
    cursor = page.next
    for (const stored of page.records) {
      sizeBytes += stored.sizeBytes
      found.set(Number(stored.value[idField]), stored)
      if (found.size > max || isLarge(context, found.size, sizeBytes))
        return refuseMany(context, module, match, { input, entries: [...found.values()] })
    }
    if (input.signal.aborted) throw requestEnded()
    if (cursor !== undefined && performance.now() > endMs) throw tooSlow(maxMs)
  } while (cursor !== undefined)
  requireCounted(module, input, { total: found.size, entries: [] })
  return found
}

function tooSlow(maxMs: number): CmsError {
  return new CmsError(
    'too-large',
    `The search takes more than ${maxMs / 1_000} s. Nothing was changed. Narrow qry with a condition on an indexed column.`,
  )
}

/** Several large entries would be parsed and written in one commit. */
function isLarge({ limits }: Context, count: number, sizeBytes: number): boolean {
  return count > 1 && sizeBytes > limits.entryBytes
}

interface Found {
  readonly input: MatchingInput
  /** The first entries; the last of them exceeds a limit. */
  readonly entries: readonly Stored[]
}

async function refuseMany(
  { records }: Context,
  module: Module,
  match: Match,
  { input, entries }: Found,
): Promise<never> {
  const { recordType, searchable } = module.entry.object
  const page = await records.search(recordType, searchable, { match, length: 1, count: true })
  requireCounted(module, input, { total: page.total ?? entries.length, entries: [] })
  throw tooMany(module, page.total ?? entries.length, entries.slice(0, -1))
}

interface Counted {
  readonly total: number
  /** The entries to change. */
  readonly entries: readonly Stored[]
}

function requireCounted(
  module: Module,
  { expect, limits }: MatchingInput,
  { total, entries }: Counted,
): void {
  if (expect !== undefined && total !== expect)
    throw new CmsError(
      'count-differs',
      `The qry matches ${total} entries, and expect is ${expect}. Nothing was changed. Check the qry, or send the real number.`,
      { members: { matched: total } },
    )
  const max = maxListEntries(sizeOf(module.entry), limits)
  if (entries.length > max) throw tooMany(module, total, entries.slice(0, max))
}

/** Says how to select a part that is small enough. */
function tooMany({ entry: { object } }: Module, total: number, first: readonly Stored[]): CmsError {
  const last = first.at(-1)?.value[object.idField]
  const part = JSON.stringify({ [`${object.name}.${object.idField}`]: { $lte: last ?? 0 } })
  return new CmsError(
    'too-large',
    `The qry matches ${total} entries, and one request may change the first ${first.length} of them. Narrow qry and repeat the request, for example with ${part} in addition.`,
    { members: { matched: total } },
  )
}

interface Newest {
  readonly match: Match
  readonly found: ReadonlyMap<number, Stored>
  /** Identifiers of entries that were written since the search began. */
  readonly changed: ReadonlySet<number>
}

/** Limit of bytes × conditions that the commit compares again. It takes about 10 ms. */
const MAX_WORK = 1024 * 1024

/** The entries that match now; undefined if too many have changed. */
function newestOf(
  unit: Unit,
  { entry }: Module,
  { match, found, changed }: Newest,
): readonly Stored[] | undefined {
  const { recordType } = entry.object
  const conditions = workOf(match)
  const ids = [...new Set([...found.keys(), ...changed])].toSorted((left, right) => left - right)
  const newest: Stored[] = []
  let work = 0
  for (const id of ids) {
    const before = found.get(id)
    if (before !== undefined) unit.reuse(recordType, [id], before)
    const stored: Stored | undefined = unit.get(recordType, id)
    if (stored === undefined) continue
    if (before !== undefined && isSameRecord(before, stored)) {
      newest.push(stored)
      continue
    }
    work += conditions * stored.sizeBytes
    if (work > MAX_WORK) return undefined
    if (matches(match, recordOf(entry, stored))) newest.push(stored)
  }
  return newest
}

/** Instructions of a pattern for each character take this many times longer than a comparison. */
const PATTERN_WEIGHT = 25

/** The cost of a match for each byte of an entry, in comparisons. */
function workOf(match: Match): number {
  if (match.op === 'not') return workOf(match.part)
  if (match.op === 'and' || match.op === 'or')
    return match.parts.reduce((sum, part) => sum + workOf(part), 0)
  return match.op === 'regex' ? PATTERN_WEIGHT * (match.size + 1) : 1
}
