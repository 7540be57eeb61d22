// A schema draft: the text to send, and the renamed columns. A new name in the list is a rename. In the text, an edit
// is a rename if only one name has changed.

import { readSchema, type SchemaColumn } from './schema-columns.ts'
import { addColumn, dropColumn, textOf } from './schema-edit.ts'

/** Maps new names to old names. */
export type Renames = Readonly<Record<string, string>>

export interface SchemaDraft {
  readonly text: string
  readonly renames: Renames
}

/** Normalizes line ends to those of a text field. */
export function draftOf(text: string): SchemaDraft {
  return { text: text.replaceAll('\r\n', '\n'), renames: {} }
}

export function namesOf(text: string): readonly string[] {
  return readSchema(text).columns.map(({ name }) => name)
}

interface Followed {
  /** The last text without errors. */
  readonly good: string
  readonly draft: SchemaDraft
  /** Columns of the existing table. */
  readonly original: ReadonlySet<string>
}

/** Derives renames from an edited text. A text with errors changes none. */
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

/** Records that a column was just renamed. */
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

/** Drops renames whose column is gone, or whose old name is in use again. */
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

/** The column whose values this column takes; undefined for a new column. */
export function originOf(
  name: string,
  renames: Renames,
  original: ReadonlySet<string>,
): string | undefined {
  return renames[name] ?? (original.has(name) ? name : undefined)
}

/** Columns of the table that the draft no longer contains. */
export function droppedOf({ text, renames }: SchemaDraft, base: string): readonly string[] {
  const names = namesOf(text)
  const kept = new Set(names.map((name) => renames[name] ?? name))
  return namesOf(base).filter((name) => !kept.has(name))
}

/** Renames in the form that the server expects. */
export function renamesBody(renames: Renames) {
  return Object.entries(renames).map(([name, old]) => ({ name, renamed_from: old }))
}

export interface SchemaDifference {
  readonly added: readonly string[]
  readonly dropped: readonly string[]
  /** Column texts before and after. */
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
  /** The common ancestor of both sides. */
  readonly before: string
  readonly now: string
  readonly draft: SchemaDraft
}

/** Merges another user's change into the draft. A column that both changed keeps the draft's text. */
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
