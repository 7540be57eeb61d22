// The parameter `expand` of entries: names of references whose records an answer includes, as in author,related.author.

import { CmsError } from '../base/errors.ts'
import type { References } from './columns/column.ts'
import type { EntryType } from './entry.ts'
import { MAX_EXPANDED_NAMES, MAX_REFERENCE_DEPTH } from '../shared/limits.ts'

/** Each reference to expand, with the references to expand in its records. */
export type ExpandNames = ReadonlyMap<string, ExpandNames>

/** A reference column of a module. */
export interface Reference {
  readonly column: string
  readonly isMany: boolean
  readonly references: References
}

/** The reference columns among the fields that the reader sees. */
export function referencesOf({ layout, object }: EntryType): readonly Reference[] {
  return layout.columns.flatMap(({ column: { name, references } }) =>
    references === undefined || object.fields[name] === undefined
      ? []
      : [{ column: name, isMany: references.isMany, references }],
  )
}

/** The member of an entry that has the expanded records. */
export const EXPANDED = 'expanded'

/** The references that can be expanded: none if a column has the name of the member for their records. */
export function expandableOf(entry: EntryType): readonly Reference[] {
  return entry.object.fields[EXPANDED] === undefined ? referencesOf(entry) : []
}

interface Growing extends Map<string, Growing> {}

/** Throws bad-request for an empty name, too many names, or a name of too many parts. */
export function parseExpand(text: string): ExpandNames {
  const names = text.split(',').map((name) => name.trim())
  if (names.length > MAX_EXPANDED_NAMES)
    throw badExpand(`has ${names.length} names; at most ${MAX_EXPANDED_NAMES} are allowed`)
  const all: Growing = new Map()
  for (const name of names) {
    const parts = name.split('.')
    if (parts.includes(''))
      throw badExpand('has an empty name; write the names as in author,related.author')
    if (parts.length > MAX_REFERENCE_DEPTH)
      throw badExpand(
        `follows ${parts.length} references in ${JSON.stringify(name)}; at most ${MAX_REFERENCE_DEPTH} are followed`,
      )
    let level = all
    for (const part of parts) {
      const below: Growing = level.get(part) ?? new Map()
      level.set(part, below)
      level = below
    }
  }
  return all
}

export function badExpand(detail: string): CmsError {
  return new CmsError('bad-request', `expand ${detail}.`)
}
