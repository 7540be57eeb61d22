// A schema as somebody changes it: the text that is sent, and which columns take the values of one with another name.
// A new name in the list is a rename; in the text it is one where nothing but that name has changed.

import { readSchema, type SchemaColumn } from './schema-columns.ts'
import { addColumn, dropColumn, textOf } from './schema-edit.ts'

/** New name → old name. */
export type Renames = Readonly<Record<string, string>>

export interface SchemaDraft {
  readonly text: string
  readonly renames: Renames
}

/** Lines end in one way, as a browser gives them. */
export function draftOf(text: string): SchemaDraft {
  return { text: text.replaceAll('\r\n', '\n'), renames: {} }
}

export function namesOf(text: string): readonly string[] {
  return readSchema(text).columns.map(({ name }) => name)
}

interface Followed {
  /** The last text that had no fault. */
  readonly good: string
  readonly draft: SchemaDraft
  /** Columns that the table has. */
  readonly original: ReadonlySet<string>
}

/** The renames that a text means. One with a fault means nothing yet. */
export function followText({ good, draft, original }: Followed): SchemaDraft {
  const { columns, faults } = readSchema(draft.text)
  if (faults.length > 0) return draft
  const before = namesOf(good)
  const after = columns.map(({ name }) => name)
  const others = after.flatMap((name, at) => (name === before[at] ? [] : [at]))
  const [at] = others
  const isOneName = before.length === after.length && others.length === 1 && at !== undefined
  const [from, to] = isOneName ? [before[at], after[at]] : []
  const isRename = from !== undefined && to !== undefined && !after.includes(from)
  const renames = isRename ? withRename(draft.renames, { from, to, original }) : draft.renames
  return { text: draft.text, renames: possible(renames, { names: after, original }) }
}

/** The column that was `from` a moment ago is `to` now. */
function withRename(
  renames: Renames,
  {
    from,
    to,
    original,
  }: { readonly from: string; readonly to: string; readonly original: ReadonlySet<string> },
): Renames {
  const { [from]: before, ...others } = renames
  const old = before ?? (original.has(from) ? from : undefined)
  return old === undefined || old === to ? others : { ...others, [to]: old }
}

/** Without those of columns that are not there, or whose old name is that of another column again. */
export function possible(
  renames: Renames,
  {
    names,
    original,
  }: { readonly names: readonly string[]; readonly original: ReadonlySet<string> },
): Renames {
  const kept = Object.entries(renames).filter(
    ([to, old]) =>
      names.includes(to) && original.has(old) && (!names.includes(old) || old in renames),
  )
  return Object.fromEntries(kept)
}

/** Where the values of a column come from; undefined: it is new. */
export function originOf(
  name: string,
  renames: Renames,
  original: ReadonlySet<string>,
): string | undefined {
  return renames[name] ?? (original.has(name) ? name : undefined)
}

/** Columns of the table that the draft has no more, under no name. */
export function droppedOf({ text, renames }: SchemaDraft, base: string): readonly string[] {
  const names = namesOf(text)
  const kept = new Set(names.map((name) => renames[name] ?? name))
  return namesOf(base).filter((name) => !kept.has(name))
}

/** As an update of the server takes them. */
export function renamesBody(renames: Renames) {
  return Object.entries(renames).map(([name, old]) => ({ name, renamed_from: old }))
}

export interface SchemaDifference {
  readonly added: readonly string[]
  readonly dropped: readonly string[]
  /** As the columns are written, before and now. */
  readonly changed: readonly { readonly before: string; readonly now: string }[]
}

export function difference(before: string, now: string): SchemaDifference {
  const [old, next] = [textsOf(before), textsOf(now)]
  return {
    added: [...next].filter(([name]) => !old.has(name)).map(([, text]) => text),
    dropped: [...old.keys()].filter((name) => !next.has(name)),
    changed: [...next].flatMap(([name, text]) => {
      const was = old.get(name)
      return was === undefined || was === text ? [] : [{ before: was, now: text }]
    }),
  }
}

function textsOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    readSchema(text).columns.map((column) => [column.name, textOf(text, column.parts.piece)]),
  )
}

interface Sides {
  /** What both began with. */
  readonly before: string
  readonly now: string
  readonly draft: SchemaDraft
}

/** The draft with what somebody else has changed meanwhile. Where both changed a column, it stays as it is here. */
export function takeIn({ before, now, draft }: Sides): SchemaDraft {
  const theirs = difference(before, now)
  const was = textsOf(before)
  const original = new Set(namesOf(now))
  let { text } = draft
  const mine = (name: string): SchemaColumn | undefined =>
    readSchema(text).columns.find((column) => (draft.renames[column.name] ?? column.name) === name)

  for (const { before: old, now: next } of theirs.changed) {
    const column = mine(nameIn(next))
    if (column === undefined || textOf(text, column.parts.piece) !== old) continue
    const [{ start }] = column.parts.piece
    text = text.slice(0, start) + next + text.slice(start + old.length)
  }
  for (const name of theirs.dropped) {
    const column = mine(name)
    if (column === undefined || textOf(text, column.parts.piece) !== was.get(name)) continue
    text = dropColumn(text, column)
  }
  for (const added of theirs.added)
    if (!namesOf(text).includes(nameIn(added))) text = addColumn(text, added)
  return { text, renames: possible(draft.renames, { names: namesOf(text), original }) }
}

function nameIn(columnText: string): string {
  return namesOf(columnText)[0] ?? ''
}
