// The fields of a module that decide what readers without a key see.

import { MAX_COLUMNS } from '../shared/column-types.ts'
import { accept, boolean, dateTime, refuse, structure } from './field.ts'
import type { JsonObject } from './values.ts'

/** Modules of earlier builds lack these fields. */
export interface PublicSettings {
  readonly public: boolean
  readonly public_columns: readonly string[] | null
  readonly public_filter: JsonObject | null
  readonly public_since: string | null
}

export const PUBLIC_FIELDS = {
  public: boolean('optional', {
    description:
      'True: everybody may read the entries without a key. A change of public, public_columns or public_filter needs the ' +
      'grant publish.',
    initial: false,
    isNullable: false,
    isIndexed: false,
  }),
  public_columns: structure('optional', publicColumnsSchema(), checkPublicColumns, {
    description:
      'The columns that readers without a key see and search; null: all. For a calendar, location and description can also be listed. The identifier, the dates and the times of an event are always public; the owner is never public.',
  }),
  public_filter: structure(
    'optional',
    { type: 'object', additionalProperties: true },
    checkPublicFilter,
    {
      description:
        'A qry that selects the entries that readers without a key see, for example {"approved": true}; null: all entries. ' +
        'The filter may also use columns that are not public.',
    },
  ),
  public_since: dateTime('assigned', {
    description: 'When public was last set to true; null if public is false.',
    isIndexed: false,
  }),
}

function publicColumnsSchema() {
  return { type: 'array', maxItems: MAX_COLUMNS, items: { type: 'string' }, uniqueItems: true }
}

function checkPublicColumns(value: unknown) {
  if (!Array.isArray(value) || value.length > MAX_COLUMNS)
    return refuse(`must be a list of at most ${MAX_COLUMNS} names of columns`)
  if (!value.every((item: unknown) => typeof item === 'string'))
    return refuse('must be a list of names of columns, as in ["title", "released"]')
  return new Set(value).size === value.length
    ? accept(value as readonly string[])
    : refuse('must not name a column twice')
}

/** The fields are checked together with the columns: see public-module.ts. */
function checkPublicFilter(value: unknown) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? accept(value as JsonObject)
    : refuse('must be a qry as an object, as in {"approved": true}')
}
