// Entries as readers without a key see them: without the columns that are not public, and without their owner. Fields that are
// not public do not exist for these readers, neither in responses nor in searches, nor in the rules that the documents name.

import { withoutExpression } from './columns/column-field.ts'
import { describeEntries, type EntryType, entryValue } from './entry.ts'
import type { Fields } from './object.ts'
import type { ModuleKind } from './module.ts'

/** Fields of events that public_columns can name like a column. Times and titles are always public. */
const CHOSEN_FIELDS: Readonly<Record<ModuleKind, readonly string[]>> = {
  datatable: [],
  calendar: ['location', 'description'],
}

/** The end of no stored text, so that each entry is built from its public fields. */
const NO_TAIL = '\0'

/** The names that public_columns may have. */
export function publicNames(kind: ModuleKind, { layout }: Pick<EntryType, 'layout'>): string[] {
  return [...layout.columns.map(({ column }) => column.name), ...CHOSEN_FIELDS[kind]]
}

/** `columns`: the public columns; null: all. */
export function publicEntry(
  entry: EntryType,
  kind: ModuleKind,
  columns: readonly string[] | null,
): EntryType {
  const chosen = new Set(publicNames(kind, entry))
  const isPublic = (name: string): boolean =>
    name !== 'owner' && (columns === null || !chosen.has(name) || columns.includes(name))
  const { baseNames, givenNames } = entry
  const searchable = [...entry.object.searchable].filter(([, field]) => isPublic(field.name))
  const object = {
    ...entry.object,
    description: describeEntries(kind, {
      uniqueGroups: entry.uniqueGroups.filter((group) => group.columns.every(isPublic)),
      checks: entry.checks.filter(({ expression }) => expression.columns.every(isPublic)),
    }),
    fields: publicFields(entry, isPublic),
    searchable: new Map(searchable),
  }
  return {
    ...entry,
    object,
    // The length of hidden values must not decide where a page ends.
    fillBytes: (stored) =>
      Buffer.byteLength(JSON.stringify(entryValue({ object }, stored))) - stored.sizeBytes,
    tail: NO_TAIL,
    tailBytes: Buffer.from(NO_TAIL),
    baseNames: new Set([...baseNames].filter(isPublic)),
    givenNames: new Set([...givenNames].filter(isPublic)),
  }
}

function publicFields(
  { object, computed }: EntryType,
  isPublic: (name: string) => boolean,
): Fields {
  const fields = Object.entries(object.fields).filter(([name]) => isPublic(name))
  const concealed = computed
    .filter(
      ({ column, expression }) => isPublic(column.name) && !expression.columns.every(isPublic),
    )
    .flatMap(({ column }) => {
      const own = object.fields[column.name]
      return own === undefined ? [] : [[column.name, withoutExpression(own, column)] as const]
    })
  return Object.fromEntries([...fields, ...concealed])
}
