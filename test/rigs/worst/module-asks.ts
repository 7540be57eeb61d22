// Datatables, calendars and their entries.

import { LIMITS } from '../../../lib/config/limits.ts'
import { maxListEntries } from '../../../lib/shared/list-size.ts'
import { queryOf } from '../../helpers/modules.ts'
import { type Asks, LIST_BYTES, lists, one, PROBLEM_BYTES, RECORD_BYTES, writes } from './ask.ts'
import { CALENDAR_FILE_ASKS } from './calendar-file-asks.ts'
import { REFERENCE_ASKS } from './reference-asks.ts'
import { BULK_CHANGE_ASKS, UPSERT_ASKS } from './bulk-asks.ts'
import type { Module, Site } from './site.ts'

const tables = writes('datatable', ({ size }) => ({
  parent_category_id: 12,
  table_schema: schemaOf(size.columns),
}))
const calendars = writes('calendar', () => ({ parent_category_id: 12 }))

function schemaOf(columns: number, prefix = 'k'): string {
  return Array.from({ length: columns }, (_, index) => `${prefix}${index} C(200)`).join(',')
}

const MODULE = '/api/v2/module/:type/:module_id/:module_name'

async function newTable(site: Site, columns: number, entries = 0): Promise<Module> {
  const json = { name: site.name(), parent_category_id: 12, table_schema: schemaOf(columns) }
  const { body } = await site.call('POST', '/api/v2/datatable', { json })
  const length = maxListEntries({ fields: columns, unique: 0 }, LIMITS)
  for (let at = 0; at < entries; at += length) {
    const list = Array.from({ length }, (_, index) => ({ k0: `${at + index}` }))
    await site.call('POST', body.module_url, { json: list })
  }
  return { id: body.datatable_id, url: body.module_url }
}

const bulk = (columns: number, prefix = 'k', value = 'v'): object[] =>
  Array.from({ length: LIMITS.maxBulk }, (_, at) =>
    Object.fromEntries(
      Array.from({ length: columns }, (_, index) => [`${prefix}${index}`, `${value}${at}`]),
    ),
  )

export const MODULE_ASKS: Asks = {
  ...tables,
  ...calendars,
  ...BULK_CHANGE_ASKS,

  'GET /api/v2/datatable': lists('datatable'),
  'GET /api/v2/datatable/:id': [
    { what: 'many columns', path: one('datatable', ({ table }) => table.id) },
  ],
  'POST /api/v2/datatable': [
    ...(tables['POST /api/v2/datatable'] ?? []),
    {
      what: 'a schema that is wrong throughout',
      path: () => '/api/v2/datatable',
      call: (site) => ({
        json: {
          name: site.name(),
          parent_category_id: 12,
          table_schema: 'a QQ(1) ZZ,'.repeat(5_900),
        },
      }),
      maxBytes: PROBLEM_BYTES,
      status: 422,
    },
  ],
  'POST /api/v2/datatable/:id': [
    ...(tables['POST /api/v2/datatable/:id'] ?? []),
    {
      what: 'other columns throughout, told beforehand',
      path: ({ table }) => `/api/v2/datatable/${table.id}?dry_run=true`,
      call: ({ size }) => ({ json: { table_schema: schemaOf(size.columns, 'other') } }),
      maxBytes: PROBLEM_BYTES,
    },
    {
      what: 'other columns throughout, with entries',
      prepare: (site) => newTable(site, site.size.columns, 1_000),
      path: (_, { id }) => `/api/v2/datatable/${id}?confirm=drop`,
      call: ({ size }) => ({ json: { table_schema: schemaOf(size.columns, 'other') } }),
    },
    {
      what: 'longer columns',
      path: ({ table }) => `/api/v2/datatable/${table.id}?dry_run=true`,
      call: ({ size }) => ({
        json: {
          table_schema: Array.from(
            { length: size.columns },
            (_, index) => `${'c'.repeat(50)}${index} C(100) UNIQUE NOTNULL`,
          ).join(','),
        },
      }),
      maxBytes: PROBLEM_BYTES,
    },
  ],
  'DELETE /api/v2/datatable/:id': [
    {
      what: 'with entries',
      prepare: (site) => newTable(site, 50, 2_000),
      path: (_, { id }) => `/api/v2/datatable/${id}`,
    },
  ],
  'GET /api/v2/calendar': lists('calendar'),
  'GET /api/v2/calendar/:id': [
    { what: 'one', path: one('calendar', ({ calendar }) => calendar.id) },
  ],

  'GET /api/v2/module/calendar/:module_id/:feed(^[a-z0-9-]+\\.ics$)': [
    {
      what: 'many rules',
      path: ({ calendar }) => `${calendar.url}.ics`,
      maxBytes: LIMITS.maxCalendarBytes * 2,
    },
  ],
  ...CALENDAR_FILE_ASKS,
  [`GET ${MODULE}`]: [
    ...REFERENCE_ASKS,
    { what: 'wide entries', path: ({ table }) => `${table.url}?length=1000`, maxBytes: LIST_BYTES },
    {
      what: 'wide entries, some fields',
      path: ({ table }) => `${table.url}?length=1000&fields=${'c'.repeat(50)}0`,
      maxBytes: LIST_BYTES,
    },
    {
      what: 'a text in any of the columns',
      path: ({ table }) => `${table.url}?length=1000&table_filter=zzz&count=exact`,
      maxBytes: LIST_BYTES,
    },
    {
      what: 'sorted, filtered, counted',
      path: ({ table }) =>
        `${table.url}?length=1000&count=exact&orderStr=${'c'.repeat(50)}5&${queryOf({
          qry: { [`${'c'.repeat(50)}7`]: { $regex: '(x+x+)+y' } },
        })}`,
      maxBytes: LIST_BYTES,
    },
    {
      what: 'long defaults of a younger column',
      path: ({ filled }) => `${filled.url}?length=1000`,
      maxBytes: LIST_BYTES,
    },
    {
      what: 'one field of them',
      path: ({ filled }) => `${filled.url}?length=1000&fields=b`,
      maxBytes: LIST_BYTES,
    },
    { what: 'long texts', path: ({ texts }) => `${texts.url}?length=1000`, maxBytes: LIST_BYTES },
    {
      what: 'long texts, none of which has it',
      path: ({ texts }) => `${texts.url}?length=1000&table_filter=aaab%20`,
      maxBytes: LIST_BYTES,
    },
    {
      what: 'a regular expression over long texts',
      path: ({ texts }) =>
        `${texts.url}?length=1000&count=exact&${queryOf({ qry: { t: { $regex: '(a|aa)*c' } } })}`,
      maxBytes: LIST_BYTES,
    },
    {
      what: 'a large regular expression over long texts',
      path: ({ texts }) =>
        `${texts.url}?length=1000&${queryOf({ qry: { t: { $regex: '(a?b?){300}(aab|ab){200}c' } } })}`,
      maxBytes: LIST_BYTES,
      status: 0,
    },
    {
      what: 'events of rules',
      path: ({ calendar }) => `${calendar.url}?length=1000`,
      maxBytes: LIST_BYTES,
    },
    {
      what: 'events in a window',
      path: ({ calendar }) => `${calendar.url}?length=1000&from=2026-01-01&to=2030-12-31`,
      maxBytes: LIST_BYTES,
    },
    {
      what: 'occurrences in a window',
      path: ({ calendar }) =>
        `${calendar.url}?length=1000&from=2026-01-01&to=2030-12-31&expand=true`,
      maxBytes: LIST_BYTES,
    },
  ],
  [`POST ${MODULE}`]: [
    {
      what: 'as many as there can be',
      prepare: (site) => newTable(site, LIMITS.maxBulkValues / LIMITS.maxBulk),
      path: (_, { url }) => url,
      call: () => ({ json: bulk(LIMITS.maxBulkValues / LIMITS.maxBulk) }),
      maxBytes: LIST_BYTES,
    },
    {
      what: 'as many of all columns as there can be',
      prepare: (site) => newTable(site, site.size.columns),
      path: (_, { url }) => url,
      call: ({ size }) => ({
        json: bulk(size.columns).slice(
          0,
          maxListEntries({ fields: size.columns, unique: 0 }, LIMITS),
        ),
      }),
      maxBytes: LIST_BYTES,
    },
    {
      what: 'more of all columns than there can be',
      prepare: (site) => newTable(site, site.size.columns),
      path: (_, { url }) => url,
      call: ({ size }) => {
        const most = maxListEntries({ fields: size.columns, unique: 0 }, LIMITS)
        return { json: bulk(size.columns).slice(0, most + 1) }
      },
      maxBytes: PROBLEM_BYTES,
      status: 422,
    },
    {
      what: 'as many unique numbers as there can be',
      prepare: async (site) => {
        const table_schema = 'a R AUTO, k0 C(20) UNIQUE, k1 C(20)'
        const json = { name: site.name(), parent_category_id: 12, table_schema }
        const { body } = await site.call('POST', '/api/v2/datatable', { json })
        return { url: body.module_url }
      },
      path: (_, { url }) => url,
      call: () => ({
        json: bulk(2).slice(0, maxListEntries({ fields: 3, unique: 2 }, LIMITS)),
      }),
      maxBytes: LIST_BYTES,
    },
    {
      what: 'columns that are not there',
      prepare: (site) => newTable(site, 5),
      path: (_, { url }) => url,
      call: () => ({ json: bulk(50, `${'c'.repeat(46)}x`) }),
      maxBytes: PROBLEM_BYTES,
      status: 422,
    },
    {
      what: 'values that are too long',
      prepare: (site) => newTable(site, 5),
      path: (_, { url }) => url,
      call: () => ({ json: bulk(5, 'k', 'x'.repeat(700)) }),
      maxBytes: PROBLEM_BYTES,
      status: 422,
    },
    {
      what: 'long defaults of all of them',
      path: ({ filled }) => filled.url,
      call: () => ({ json: bulk(0).slice(0, 30) }),
      maxBytes: LIST_BYTES,
    },
    {
      what: 'longer defaults than there can be',
      path: ({ filled }) => filled.url,
      call: () => ({ json: bulk(0) }),
      maxBytes: PROBLEM_BYTES,
      status: 413,
    },
    {
      what: 'rules',
      path: ({ calendar }) => calendar.url,
      call: () => ({
        json: Array.from({ length: maxListEntries({ fields: 7, unique: 0 }, LIMITS) }, () => ({
          event_title: 'x',
          start_time: '2026-01-01',
          rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=10000',
        })),
      }),
      maxBytes: LIST_BYTES,
      status: 0,
    },
    ...UPSERT_ASKS,
  ],
  [`GET ${MODULE}/:entry_id`]: [
    { what: 'a long text', path: ({ texts }) => `${texts.url}/1?fields=*`, maxBytes: RECORD_BYTES },
  ],
  [`POST ${MODULE}/:entry_id`]: [
    {
      what: 'all columns',
      path: ({ table }) => `${table.url}/1`,
      call: (site) => ({ json: bulk(site.size.columns, 'c'.repeat(50), site.name())[0] }),
    },
    ...['\u0001', 'ö'].map((sign) => ({
      what: `a text of ${JSON.stringify(sign)}`,
      path: ({ texts }: Site) => `${texts.url}/1`,
      call: (site: Site) => {
        const bytes = Buffer.byteLength(JSON.stringify(sign)) - '""'.length
        const length = Math.floor((LIMITS.entryBytes - 1_000) / bytes)
        return { json: { t: site.name() + sign.repeat(length) } }
      },
      maxBytes: LIMITS.entryBytes + RECORD_BYTES,
    })),
    {
      what: 'a small change of a long text',
      path: ({ texts }) => `${texts.url}/1`,
      call: (site) => ({ json: { u: site.name() } }),
      maxBytes: LIMITS.entryBytes + RECORD_BYTES,
    },
    {
      what: 'the longest text',
      path: ({ texts }) => `${texts.url}/1`,
      call: (site) => ({ json: { t: `${site.name()} ${'x'.repeat(LIMITS.entryBytes - 1_000)}` } }),
      maxBytes: LIMITS.entryBytes + RECORD_BYTES,
    },
  ],
  [`DELETE ${MODULE}/:entry_id`]: [
    {
      what: 'all columns',
      prepare: async (site) => {
        const headers = { prefer: 'return=representation' }
        const { body } = await site.call('POST', site.table.url, {
          json: bulk(site.size.columns, 'c'.repeat(50))[0],
          headers,
        })
        return Object.values<any>(body)[0]
      },
      path: ({ table }, entry) => `${table.url}/${entry.datatable_entry_id}`,
    },
  ],
}
