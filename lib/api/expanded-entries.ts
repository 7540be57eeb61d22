// The parameter `expand` of lists and reads of entries, and the answer to a read of one entry.

import { andThen } from '../base/and-then.ts'
import { jsonText, type Reply } from '../http/reply.ts'
import type { Context } from '../operations/context.ts'
import {
  type EntryInput,
  hasSameColumns,
  readEntry,
  type Saved,
  selectEntry,
} from '../operations/modules/entries.ts'
import {
  addExpanded,
  expandAll,
  type Expansion,
  planExpansion,
} from '../operations/modules/expansion.ts'
import { followReferences } from '../operations/modules/following-references.ts'
import { valuesOf } from '../operations/modules/reference-targets.ts'
import { fromOneState } from '../operations/one-state.ts'
import { type ExpandNames, parseExpand } from '../schema/expand.ts'
import type { ModuleKind } from '../schema/module.ts'
import { etagOf } from '../schema/record.ts'
import type { JsonObject } from '../schema/values.ts'
import { readFields } from './request/query.ts'
import { etagOfText, notModified } from './request/record-reply.ts'
import type { Request } from './request/request.ts'

export interface ExpandRequest {
  /** In a list of a calendar, the word true among the names asks for each occurrence. */
  readonly isEachOccurrence: boolean
  /** Undefined if nothing is to be expanded. */
  readonly names: ExpandNames | undefined
}

export function readExpand(query: URLSearchParams, kind: ModuleKind): ExpandRequest {
  const text = query.get('expand')
  if (text === null) return { isEachOccurrence: false, names: undefined }
  if (kind !== 'calendar') return { isEachOccurrence: false, names: parseExpand(text) }
  const parts = text.split(',').map((part) => part.trim())
  const names = parts.filter((part) => part !== 'true' && part !== 'false')
  return {
    isEachOccurrence: parts.includes('true'),
    names: names.length === 0 ? undefined : parseExpand(names.join(',')),
  }
}

type Text = string | Uint8Array | readonly Uint8Array[]

interface Entries<T> {
  readonly entries: readonly T[]
  readonly valuesIn: (entry: T) => JsonObject
}

/** Adds the member `expanded` to the texts of entries. */
export type AddExpanded = (texts: readonly Text[]) => readonly Text[]

/** Reads the expanded records of these entries, before the texts of the entries are made, which may take several slices. */
export function readExpanded<T>(
  expansion: Expansion | undefined,
  { entries, valuesIn }: Entries<T>,
): AddExpanded | Promise<AddExpanded> {
  if (expansion === undefined) return (texts) => texts
  return andThen(
    expandAll(expansion, entries, valuesIn),
    (all): AddExpanded =>
      (texts) =>
        texts.map((text, at) => addExpanded(text, all[at] ?? '{}')),
  )
}

interface ShownEntry extends Saved {
  /** JSON of the member `expanded`. */
  readonly expanded: string | undefined
}

interface EntryRead {
  readonly asked: EntryInput
  readonly query: URLSearchParams
}

export function readExpandedEntry(
  context: Context,
  { asked, query }: EntryRead,
): ShownEntry | Promise<ShownEntry> {
  const text = query.get('expand')
  if (text === null) return { ...readEntry(context, asked), expanded: undefined }
  return fromOneState(context, (reading) => readWithExpanded(reading, asked, text))
}

function readWithExpanded(
  context: Context,
  asked: EntryInput,
  text: string,
): ShownEntry | Promise<ShownEntry> {
  const { module, stored } = readEntry(context, asked)
  const following = followReferences(context)
  const expansion = planExpansion(following, module, parseExpand(text))
  return andThen(
    expandAll(expansion, [stored], (entry) => valuesOf(module, entry)),
    ([expanded]) =>
      hasSameColumns(context, module) && following.isCurrent()
        ? { module, stored, expanded }
        : readWithExpanded(context, asked, text),
  )
}

export function entryReply(request: Request, { module, stored, expanded }: ShownEntry): Reply {
  const { entry } = module
  const asked = request.query.get('fields')
  const selected = asked === null ? entry.baseNames : readFields(request.query, entry.object)
  const fields =
    asked === null || selected === undefined ? selected : new Set([...entry.baseNames, ...selected])
  const plain = selectEntry(entry, stored, fields)
  const text = expanded === undefined ? plain : joined(addExpanded(plain, expanded))
  const etag = etagOfText(request, etagOf(stored), text)
  return notModified(request, { etag }) ?? jsonText(200, text, { etag })
}

function joined(text: string | readonly Uint8Array[]): string | Uint8Array {
  return typeof text === 'string' ? text : Buffer.concat(text)
}
