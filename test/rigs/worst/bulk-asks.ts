// The largest upserts, bulk updates and bulk deletes: as many entries, values, unique values and stored bytes as one
// request may change.

import { LIMITS } from '../../../lib/config/limits.ts'
import { MAX_LIST_ELEMENTS, MAX_REFERENCES } from '../../../lib/shared/limits.ts'
import { maxListEntries } from '../../../lib/shared/list-size.ts'
import { type Ask, type Asks, LIST_BYTES, PROBLEM_BYTES } from './ask.ts'
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

/** As many long texts as one request may change. */
async function longTexts(site: Site): Promise<Made> {
  const table_schema = 'k0 C(20) UNIQUE, t X, u I'
  const json = { name: site.name(), parent_category_id: 12, table_schema }
  const { body } = await site.call('POST', '/api/v2/datatable', { json })
  const length = Math.floor(LIMITS.entryBytes / (TEXT_BYTES + 500))
  const rows = Array.from({ length }, (_, row) => ({ k0: `${row}`, t: 'x'.repeat(TEXT_BYTES) }))
  await site.call('POST', body.module_url, { json: rows })
  return { url: body.module_url, length, names: [] }
}

/** As many elements of lists as one request may remove. */
async function longLists(site: Site): Promise<Made> {
  const create = async (table_schema: string): Promise<any> => {
    const json = { name: site.name(), parent_category_id: 12, table_schema }
    return (await site.call('POST', '/api/v2/datatable', { json })).body
  }
  const tags = await create('name C(9)')
  const ids = Array.from({ length: MAX_REFERENCES }, (_, at) => at + 1)
  for (let at = 0; at < ids.length; at += LIMITS.maxBulk) {
    const json = ids.slice(at, at + LIMITS.maxBulk).map(() => ({ name: 'tag' }))
    await site.call('POST', tags.module_url, { json })
  }
  const lists = await create(
    `k0 C(20) UNIQUE, tags I REFERENCES datatable ${tags.datatable_id} MANY`,
  )
  const length = MAX_LIST_ELEMENTS / MAX_REFERENCES
  for (let row = 0; row < length; row += 1)
    await site.call('POST', lists.module_url, { json: { k0: `${row}`, tags: ids } })
  return { url: lists.module_url, length, names: [] }
}

export const UPSERT_ASKS: readonly Ask[] = [
  updates('updates of as many entries as there can be', () => 4, 1),
  updates('updates of all columns', ({ size }) => size.columns, 1),
  updates('updates of unique columns', () => 3, 3),
  {
    what: 'updates of long lists',
    prepare: longLists,
    path: (_, { url }) => `${url}?on_conflict=k0`,
    call: (_, { length }) => ({
      json: Array.from({ length }, (__, row) => ({ k0: `${row}`, tags: [] })),
    }),
    maxBytes: LIST_BYTES,
    status: 200,
  },
  {
    what: 'updates of long texts',
    prepare: longTexts,
    path: (_, { url }) => `${url}?on_conflict=k0`,
    call: (_, { length }) => ({
      json: Array.from({ length }, (__, row) => ({ k0: `${row}`, u: row })),
    }),
    maxBytes: LIST_BYTES,
    status: 200,
  },
]

const ALL = { k0: { $exists: true } }

/** Columns that are not unique get one value each. */
const valuesOf = ({ names }: Made, value: string): object =>
  Object.fromEntries(names.slice(1).map((name) => [name, value]))

const MODULE = '/api/v2/module/:type/:module_id/:module_name'

function selecting(verb: 'update' | 'delete'): readonly Ask[] {
  const path = (_: Site, { url }: Made): string => `${url}/bulk_${verb}`
  const change = (made: Made, value = 'after'): object =>
    verb === 'update' ? { values: valuesOf(made, value) } : {}
  return [
    {
      what: `${verb} of as many entries as there can be`,
      prepare: (site) => filledTable(site, 4, 1),
      path,
      call: (_, made) => ({ json: { qry: ALL, ...change(made) } }),
    },
    {
      what: `${verb} of all columns`,
      prepare: (site) => filledTable(site, site.size.columns, 1),
      path,
      call: (_, made) => ({ json: { qry: ALL, ...change(made, 'x'.repeat(200)) } }),
    },
    {
      what: `${verb} of long texts`,
      prepare: longTexts,
      path,
      call: () => ({ json: { qry: ALL, ...(verb === 'update' && { values: { u: 1 } }) } }),
    },
    {
      what: `${verb} of long lists`,
      prepare: longLists,
      path,
      call: () => ({ json: { qry: ALL, ...(verb === 'update' && { values: { tags: [] } }) } }),
    },
    {
      what: `${verb} of more long texts than there can be`,
      path: ({ texts }) => `${texts.url}/bulk_${verb}`,
      call: () => ({
        json: { qry: { t: { $exists: true } }, ...(verb === 'update' && { values: { u: 'x' } }) },
      }),
      maxBytes: PROBLEM_BYTES,
      status: 413,
    },
    {
      what: `${verb} by a regular expression over long texts`,
      path: ({ texts }) => `${texts.url}/bulk_${verb}`,
      call: () => ({
        json: {
          qry: { t: { $regex: '(a|aa)*c$' } },
          ...(verb === 'update' && { values: { u: 'x' } }),
        },
      }),
      maxBytes: PROBLEM_BYTES,
      status: [200, 413],
    },
    {
      what: `${verb} by a wrong search`,
      path: ({ table }) => `${table.url}/bulk_${verb}`,
      call: () => ({
        json: {
          qry: { $or: Array.from({ length: 400 }, () => ({ nothing: 'x'.repeat(100) })) },
          ...(verb === 'update' && { values: { u: 'x' } }),
        },
      }),
      maxBytes: PROBLEM_BYTES,
      status: 400,
    },
  ]
}

export const BULK_CHANGE_ASKS: Asks = {
  [`POST ${MODULE}/bulk_update`]: selecting('update'),
  [`POST ${MODULE}/bulk_delete`]: selecting('delete'),
}
