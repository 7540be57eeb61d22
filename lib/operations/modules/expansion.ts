// Adds the records that entries refer to. Each record is read once for an answer, however many entries refer to it. The
// bounds count the references of visible records, so that hidden records decide nothing.

import { CmsError } from '../../base/errors.ts'
import {
  badExpand,
  EXPANDED,
  expandableOf,
  type ExpandNames,
  type Reference,
} from '../../schema/expand.ts'
import { valueOf } from '../../schema/match.ts'
import { closest } from '../../schema/message-text.ts'
import { inSlices, type Pause } from '../../schema/time-slicing.ts'
import type { JsonObject, JsonValue } from '../../schema/values.ts'
import { MAX_EXPANDED_BYTES, MAX_EXPANDED_RECORDS } from '../../shared/limits.ts'
import type { Following } from './following-references.ts'
import type { Module } from './module-cache.ts'
import { findTarget, type ReferenceTarget, type SeenRecord } from './reference-targets.ts'

/** References to expand, checked against the columns that the caller sees. */
export type Expansion = readonly Branch[]

interface Branch extends Reference {
  /** Undefined if the caller may not see the table. */
  readonly target: ReferenceTarget | undefined
  readonly below: Expansion
  /** JSON texts of the records read so far. */
  readonly texts: Map<number, Sized | undefined>
}

interface Sized {
  readonly text: string
  readonly sizeBytes: number
}

/** Throws bad-request for a name that is no reference. Names in a table that the caller may not see are not checked. */
export function planExpansion(following: Following, module: Module, names: ExpandNames): Expansion {
  const plan = (within: Module, wanted: ExpandNames): Expansion => {
    const known = expandableOf(within.entry)
    return Array.from(wanted, ([name, further]): Branch => {
      const found = known.find(({ column }) => column === name) ?? refuseName(within, name)
      const target = findTarget(following, found.references)
      const below = target === undefined ? [] : planBelow(target, further)
      return { ...found, target, below, texts: new Map() }
    })
  }
  const planBelow = ({ module: next }: ReferenceTarget, wanted: ExpandNames): Expansion => {
    const [first] = wanted.keys()
    if (next !== undefined || first === undefined)
      return next === undefined ? [] : plan(next, wanted)
    throw badExpand(`names ${JSON.stringify(first)} of a file, but files refer to nothing`)
  }

  return plan(module, names)
}

function refuseName(module: Module, name: string): never {
  const { kind, id, entry } = module
  if (entry.object.fields[EXPANDED] !== undefined)
    throw badExpand(
      `cannot be used on ${kind} ${id}, which has a column named ${EXPANDED}; rename it`,
    )
  const known = expandableOf(entry).map(({ column }) => column)
  if (known.length === 0)
    throw badExpand(`names ${JSON.stringify(name)}, but ${kind} ${id} has no references`)
  const near = closest(name, known)
  const hint = near === undefined ? '' : `did you mean "${near}"? `
  throw badExpand(
    `names ${JSON.stringify(name)}, which is not a reference of ${kind} ${id}; ${hint}known are ${known.join(', ')}`,
  )
}

/**
 * The JSON of the member `expanded` for each of these entries. Null means no value, or a record that the caller may
 * not see; a list omits such records. Throws too-large beyond MAX_EXPANDED_RECORDS or MAX_EXPANDED_BYTES.
 */
export function expandAll<T>(
  branches: Expansion,
  entries: readonly T[],
  valuesIn: (entry: T) => JsonObject,
): readonly string[] | Promise<readonly string[]> {
  return inSlices(expandEach(branches, entries, valuesIn))
}

/** The references followed and the bytes written so far. */
interface Spent {
  records: number
  sizeBytes: number
}

function* expandEach<T>(
  branches: readonly Branch[],
  entries: readonly T[],
  valuesIn: (entry: T) => JsonObject,
): Generator<Pause, readonly string[]> {
  const spent = { records: 0, sizeBytes: 0 }
  const texts: string[] = []
  for (const entry of entries) {
    yield
    const { text, sizeBytes } = yield* expandedOf(branches, valuesIn(entry), spent)
    spent.sizeBytes += sizeBytes
    texts.push(text)
  }
  return texts
}

function* expandedOf(
  branches: readonly Branch[],
  entry: JsonObject,
  spent: Spent,
): Generator<Pause, Sized> {
  const members: string[] = []
  let sizeBytes = 0
  for (const branch of branches) {
    const texts: string[] = []
    for (const id of idsIn(valueOf(entry, branch.column))) {
      const found = branch.texts.has(id) ? branch.texts.get(id) : yield* readText(branch, id, spent)
      if (found === undefined) continue
      texts.push(found.text)
      sizeBytes += found.sizeBytes
      if (spent.sizeBytes + sizeBytes > MAX_EXPANDED_BYTES)
        throw tooLarge(`${MAX_EXPANDED_BYTES} bytes of expanded records`)
    }
    const value = branch.isMany ? `[${texts.join(',')}]` : (texts[0] ?? 'null')
    members.push(`${JSON.stringify(branch.column)}:${value}`)
  }
  return { text: `{${members.join(',')}}`, sizeBytes }
}

function idsIn(value: JsonValue): readonly number[] {
  if (Array.isArray(value)) return value as readonly number[]
  return value === null ? [] : [Number(value)]
}

function* readText(
  { target, below, texts }: Branch,
  id: number,
  spent: Spent,
): Generator<Pause, Sized | undefined> {
  spent.records += 1
  if (spent.records > MAX_EXPANDED_RECORDS)
    throw tooLarge(`${MAX_EXPANDED_RECORDS} references to follow`)
  const record = target?.read(id)
  yield
  const sized = record && (yield* withReferences(record, below, spent))
  texts.set(id, sized)
  return sized
}

function* withReferences(
  { text, values }: SeenRecord,
  below: readonly Branch[],
  spent: Spent,
): Generator<Pause, Sized> {
  const ownBytes = Buffer.byteLength(text)
  if (values === undefined || below.length === 0) return { text, sizeBytes: ownBytes }
  const expanded = yield* expandedOf(below, values(), spent)
  return { text: withExpanded(text, expanded.text), sizeBytes: ownBytes + expanded.sizeBytes }
}

function tooLarge(found: string): CmsError {
  return new CmsError(
    'too-large',
    `This response has more than ${found}. Request fewer entries with length, or expand fewer names.`,
  )
}

/** Adds the member to the JSON of an object that has other members. */
function withExpanded(text: string, expanded: string): string {
  return `${text.slice(0, -1)},"${EXPANDED}":${expanded}}`
}

type Text = string | Uint8Array | readonly Uint8Array[]

/** Adds the member to texts of entries in the forms of selectEntries. */
export function addExpanded(text: Text, expanded: string): string | readonly Uint8Array[] {
  if (typeof text === 'string') return withExpanded(text, expanded)
  const pieces: readonly Uint8Array[] = text instanceof Uint8Array ? [text] : text
  const last = pieces.at(-1)
  const head = last === undefined ? [] : [...pieces.slice(0, -1), last.subarray(0, -1)]
  return [...head, Buffer.from(`,"${EXPANDED}":${expanded}}`)]
}
