// The largest upserts: lists that update as many values, unique values and stored bytes as one request may.

import { LIMITS } from '../../../lib/config/limits.ts'
import { maxListEntries } from '../../../lib/schema/list-size.ts'
import { type Ask, LIST_BYTES } from './ask.ts'
import type { Site } from './site.ts'

interface Made {
  readonly url: string
  readonly names: readonly string[]
  readonly length: number
}

/** A table with as many entries as one list may have. The first columns are unique. */
async function filledTable(site: Site, columns: number, unique: number): Promise<Made> {
  const names = Array.from({ length: columns }, (_, at) => `k${at}`)
  const table_schema = names
    .map((name, at) => `${name} C(200)${at < unique ? ' UNIQUE' : ''}`)
    .join()
  const json = { name: site.name(), parent_category_id: 12, table_schema }
  const { body } = await site.call('POST', '/api/v2/datatable', { json })
  const length = maxListEntries({ fields: columns, unique }, LIMITS)
  const made = { url: body.module_url, names, length }
  await site.call('POST', made.url, { json: rowsOf(made, 'before') })
  return made
}

/** The first column keeps its values, so that every row finds its entry. */
function rowsOf({ names, length }: Made, value: string): readonly object[] {
  return Array.from({ length }, (_, row) =>
    Object.fromEntries(
      names.map((name, at) => [name, at === 0 ? `${row}` : `${value} ${at} ${row}`]),
    ),
  )
}

function updates(what: string, columns: (site: Site) => number, unique: number): Ask {
  return {
    what,
    prepare: (site) => filledTable(site, columns(site), unique),
    path: (_, { url }) => `${url}?on_conflict=k0`,
    call: (_, made) => ({ json: rowsOf(made, 'after') }),
    maxBytes: LIST_BYTES,
    status: 200,
  }
}

const TEXT_BYTES = 60_000

export const UPSERT_ASKS: readonly Ask[] = [
  updates('updates of as many entries as there can be', () => 4, 1),
  updates('updates of all columns', ({ size }) => size.columns, 1),
  updates('updates of unique columns', () => 3, 3),
  {
    what: 'updates of long texts',
    prepare: async (site) => {
      const table_schema = 'k0 C(20) UNIQUE, t X, u I'
      const json = { name: site.name(), parent_category_id: 12, table_schema }
      const { body } = await site.call('POST', '/api/v2/datatable', { json })
      const length = Math.floor(LIMITS.entryBytes / (TEXT_BYTES + 500))
      const rows = Array.from({ length }, (_, row) => ({ k0: `${row}`, t: 'x'.repeat(TEXT_BYTES) }))
      await site.call('POST', body.module_url, { json: rows })
      return { url: body.module_url, length }
    },
    path: (_, { url }) => `${url}?on_conflict=k0`,
    call: (_, { length }) => ({
      json: Array.from({ length }, (__, row) => ({ k0: `${row}`, u: row })),
    }),
    maxBytes: LIST_BYTES,
    status: 200,
  },
]
