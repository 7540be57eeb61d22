// The history of an entry, newest change first, and its restore. A change is known by the revision that it made: the
// number of a change in the whole site would tell how much changes in folders that the caller does not see.

import { CmsError } from '../../base/errors.ts'
import { pointer } from '../../schema/check.ts'
import { audit } from '../../schema/audit.ts'
import { entryValue } from '../../schema/entry.ts'
import {
  historyOfEntries,
  layoutOf,
  type PastFields,
  pastReader,
  type PastValue,
  type PastValues,
  valueBytes,
} from '../../schema/past-values.ts'
import { inSlices, type Pause } from '../../schema/time-slicing.ts'
import type { JsonObject, JsonValue } from '../../schema/values.ts'
import type { Reader } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import type { NumberRange } from '../newest-page.ts'
import { type EntryInput, readEntry, requireEntry, type Saved, updateEntry } from './entries.ts'
import { requireModule } from './find-module.ts'

/** A change, and the number of the state after it. */
interface PastChange {
  readonly number: number
  readonly past: PastValues
  readonly fields: PastFields
}

/** The changes of an entry, from the newest back to the create or to the first gap. */
function* changesOf(
  reader: Pick<Reader, 'get'>,
  { module, stored }: Saved,
): Generator<PastChange, void> {
  const { entry } = module
  const history = historyOfEntries(entry.object.recordType)
  if (history === undefined) return
  const id = Number(stored.value[entry.object.idField])
  const read = pastReader(entry)
  let number = stored.revision
  for (;;) {
    const past = reader.get(history, id, number)?.value
    if (past === undefined) return
    yield { number, past, fields: read(past) }
    number = past.previous
  }
}

export interface HistoryPage {
  /** JSON of each item. */
  readonly texts: readonly (string | Uint8Array)[]
  /** Undefined on the last page. */
  readonly next: number | undefined
}

/**
 * A page of changes, newest first. The last item is the oldest known state: the create, or a state without author
 * because earlier changes are not recorded. A page ends early at `listBytes`.
 */
export async function listHistory(
  context: Context,
  { before, length, ...input }: EntryInput & NumberRange,
): Promise<HistoryPage> {
  const found = readEntry(context, input)
  return inSlices(pageOf(context, found, { before, length }))
}

function* pageOf(
  context: Context,
  found: Saved,
  { before = Number.POSITIVE_INFINITY, length }: NumberRange,
): Generator<Pause, HistoryPage> {
  const { records, limits } = context
  const texts: Buffer[] = []
  let sizeBytes = 0
  let oldest = found.stored.revision
  let layout = layoutOf(found.stored.value)
  const state = new Map(presentFields(found, limits.historyValueBytes))

  for (const { number, past, fields } of changesOf(records, found)) {
    yield
    if (number < before) {
      const row = records.get(audit.recordType, past.audit_id)?.value
      // Retention has removed the change just now.
      if (row === undefined) break
      const isFull = texts.length === length || sizeBytes >= limits.listBytes
      if (isFull) return { texts, next: number + 1 }
      const { date_added, user_name } = row
      const changes = [...fields].map(([name, from]) => showChange(name, from, state.get(name)))
      const item = { number, date_added, user_name, action: 'update', changes }
      texts.push(Buffer.from(JSON.stringify(item)))
      sizeBytes += texts.at(-1)?.length ?? 0
    }
    for (const [name, from] of fields) state.set(name, from)
    oldest = past.previous
    layout = past.layout
  }
  if (oldest >= before) return { texts, next: undefined }
  if (texts.length === length) return { texts, next: oldest + 1 }
  texts.push(Buffer.from(JSON.stringify(firstItem(found, { number: oldest, layout, state }))))
  return { texts, next: undefined }
}

interface OldestState {
  readonly number: number
  /** A layout that is no older than the state. */
  readonly layout: number
  readonly state: PastFields
}

function firstItem({ module, stored }: Saved, oldest: OldestState): object {
  const { number, layout, state } = oldest
  if (number !== 1) return { number, date_added: null, user_name: null, action: null, changes: [] }
  const { date_added, owner } = entryValue(module.entry, stored)
  const younger = module.entry.layout.columns.filter(({ since }) => since > layout)
  const unknown = new Set(younger.map(({ column }) => column.name))
  const changes = [...state].flatMap(([name, to]) => {
    const isEmpty = 'value' in to && to.value === null
    return isEmpty || unknown.has(name) ? [] : [showChange(name, NOTHING, to)]
  })
  return { number, date_added, user_name: owner, action: 'create', changes }
}

const NOTHING: PastValue = { value: null }

function* presentFields(
  { module, stored }: Saved,
  maxBytes: number,
): Generator<readonly [string, PastValue]> {
  const values = entryValue(module.entry, stored)
  for (const name of module.entry.givenNames) {
    const value = values[name] ?? null
    const bytes = valueBytes(value)
    yield [name, bytes > maxBytes ? { omittedBytes: bytes } : { value }]
  }
}

function showChange(name: string, from: PastValue, to: PastValue = NOTHING): object {
  return {
    name,
    from: valueOf(from),
    to: valueOf(to),
    from_omitted_bytes: omittedOf(from),
    to_omitted_bytes: omittedOf(to),
  }
}

function valueOf(past: PastValue): JsonValue {
  return 'value' in past ? past.value : null
}

function omittedOf(past: PastValue): number | null {
  return 'value' in past ? null : past.omittedBytes
}

interface RestoreInput extends EntryInput {
  /** The state that becomes the newest. */
  readonly number: number
}

/** Attempts while others change the same entry. */
const MAX_TRIES = 10

/**
 * Gives the entry the values that it had after change `number`, as an update with all checks of an update. Also needs the
 * grant view, because the response shows former values.
 */
export async function restoreEntry(
  context: Context,
  { number, ...input }: RestoreInput,
): Promise<Saved> {
  for (let tried = 0; tried < MAX_TRIES; tried += 1) {
    requireModule(context, input.address, 'view')
    const module = requireModule(context, input.address, 'modify')
    const stored = requireEntry(context.records, module, input.entryId)
    const body = await inSlices(stateOf(context, { module, stored }, number))
    const isCurrent = (found: Saved): boolean =>
      found.stored.revision === stored.revision &&
      found.module.entry.layout.number === module.entry.layout.number
    const saved = await updateEntry(context, { ...input, body, isCurrent })
    if (saved !== undefined) return saved
  }
  throw new CmsError(
    'unavailable',
    'Other requests are changing this entry. Nothing was changed; try again in a moment.',
    { headers: { 'retry-after': '1' } },
  )
}

/** The values in which a state differs from the present entry. Throws if the state is not known completely. */
function* stateOf(
  { records, limits }: Context,
  found: Saved,
  wanted: number,
): Generator<Pause, JsonObject> {
  const { fields } = found.module.entry.object
  const state = new Map<string, PastValue>()
  let reached = found.stored.revision
  for (const change of reached > wanted ? changesOf(records, found) : []) {
    yield
    for (const [name, from] of change.fields) state.set(name, from)
    reached = change.past.previous
    if (reached <= wanted) break
  }
  if (reached !== wanted) throw noSuchState(found, wanted)

  // The server computes the values of assigned fields.
  const given = [...state].filter(([name]) => fields[name]?.access !== 'assigned')
  const omitted = given.filter(([, past]) => !('value' in past)).map(([name]) => name)
  if (omitted.length > 0) throw notKept(omitted, limits.historyValueBytes)
  return Object.fromEntries(given.map(([name, past]) => [name, valueOf(past)]))
}

function noSuchState({ module }: Saved, number: number): CmsError {
  return new CmsError(
    'not-found',
    `The history of this ${module.entry.object.label} has no state ${number}. GET …/history lists the numbers.`,
  )
}

function notKept(names: readonly string[], maxBytes: number): CmsError {
  return new CmsError(
    'invalid-content',
    `The history does not have the value of ${names.join(', ')}, because a value over ${maxBytes} bytes, or beyond the bytes of one change, is not kept. Nothing was changed; send the other fields in an update.`,
    {
      errors: names.map((name) => ({ pointer: pointer(name), detail: 'was too large to be kept' })),
    },
  )
}
