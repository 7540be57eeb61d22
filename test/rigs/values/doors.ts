// The ways for rows through the interface and the command line: create, list, update, DEFAULT,
// imports and searches.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pMap from 'p-map'
import { exportEntries } from '../../../lib/client/export-entries.ts'
import { importEntries } from '../../../lib/client/import-entries.ts'
import { newName } from '../../helpers/content.ts'
import { makeEntry, makeTable } from '../../helpers/modules.ts'
import {
  AT_ONCE,
  csvOf,
  type Filled,
  jsonOf,
  readAll,
  type Rig,
  type Row,
  SCHEMA,
  type Stored,
  textOf,
} from './rows.ts'

const JSON_BODY = { 'content-type': 'application/json' }
const STRICT = { prefer: 'handling=strict' }
export const FORMATS = ['json', 'ndjson', 'csv'] as const

interface Way {
  readonly wrap?: (text: string) => string
  readonly path?: string
  readonly isStrict?: boolean
}

export async function throughCreate(
  { server, rows }: Rig,
  { wrap = (text) => text, path = '', isStrict = false }: Way = {},
): Promise<Filled> {
  const { url } = await makeTable(server, SCHEMA)
  const headers = { ...(isStrict && STRICT), ...JSON_BODY }
  await pMap(
    rows,
    async (row) => {
      const body = wrap(jsonOf(row))
      const { status, text } = await server.call('POST', `${url}${path}`, { body, headers })
      assert.ok(status === 201 || (status >= 400 && status < 500), `${jsonOf(row)}: ${text}`)
    },
    AT_ONCE,
  )
  return { url, stored: await readAll(server, url) }
}

export async function throughUpdate({ server, rows }: Rig): Promise<Stored> {
  const { url } = await makeTable(server, SCHEMA)
  const refused = new Set<number>()
  await pMap(
    rows,
    async (row) => {
      const { datatable_entry_id: id } = await makeEntry(server, url, { k: row.k })
      const sent = { body: jsonOf(row), headers: JSON_BODY }
      const { status, text } = await server.call('PATCH', `${url}/${id}`, sent)
      assert.ok(status < 500, `${jsonOf(row)}: ${text}`)
      if (status >= 400) refused.add(row.k)
    },
    AT_ONCE,
  )
  const all = await readAll(server, url)
  return new Map([...all].filter(([k]) => !refused.has(k)))
}

/** As in ADOdb, the word means no value even if it is quoted. */
const NO_DEFAULT = /^\s*null\s*$/i

/**
 * Makes a table for each value as the default of its column; an entry without the value then has
 * the default.
 */
export async function throughDefault({ server, rows }: Rig): Promise<Stored> {
  const stored = new Map<number, Readonly<Record<string, unknown>>>()
  await pMap(
    rows.filter((row) => !NO_DEFAULT.test(textOf(row))),
    async (row) => {
      const { column, type } = row.kind
      const quoted = `'${textOf(row).replaceAll("'", "''")}'`
      const table_schema = `k I NOTNULL, ${column} ${type} DEFAULT ${quoted}`
      const json = { name: newName('default'), table_schema }
      const { status, text, body } = await server.call('POST', '/api/v2/datatable', { json })
      assert.ok(status === 201 || status === 422, `${table_schema}: ${text}`)
      if (status === 422) return
      await makeEntry(server, body.module_url, { k: row.k })
      const entry = (await readAll(server, body.module_url)).get(row.k)
      if (entry !== undefined) stored.set(row.k, entry)
    },
    AT_ONCE,
  )
  return stored
}

export async function throughImport(
  { server, directory, rows }: Rig,
  format: (typeof FORMATS)[number],
): Promise<Stored> {
  const { url: module } = await makeTable(server, SCHEMA)
  const source = join(directory, `rows.${format}`)
  writeFileSync(source, contentOf(rows, format))
  const refused = join(directory, `refused-${format}.${format}`)
  await importEntries({ url: server.url, key: server.key, module, source, refused })
  return readAll(server, module)
}

function contentOf(rows: readonly Row[], format: (typeof FORMATS)[number]): string {
  if (format === 'json') return `[${rows.map(jsonOf).join(',\n')}]`
  if (format === 'ndjson') return rows.map((row) => `${jsonOf(row)}\n`).join('')
  return csvOf(rows)
}

/** A search with the sent value finds the entry, both in an address and in a body. */
export async function findAll(
  { server, rows, faults }: Rig,
  { url, stored }: Filled,
): Promise<void> {
  await pMap(
    rows.filter(({ k }) => stored.has(k)),
    async (row) => {
      const qry = `{"k":${row.k},"${row.kind.column}":${row.literal}}`
      const inAddress = await server.call('GET', `${url}?qry=${encodeURIComponent(qry)}&fields=k`)
      const body = `{"qry":${qry},"fields":"k"}`
      const inBody = await server.call('POST', `${url}/search`, { body, headers: JSON_BODY })
      for (const [door, answer] of Object.entries({ qry: inAddress, search: inBody })) {
        const [list = []] = answer.status === 200 ? Object.values<any>(answer.body) : []
        if (list.length === 1) continue
        const told = answer.text.slice(0, 200)
        faults.push(`${door}: ${row.kind.type} ${row.literal} finds nothing: ${told}`)
      }
    },
    AT_ONCE,
  )
}

/** Exports the table in each format and imports it into another table. */
export async function carryAll(
  { server, directory, rows, faults }: Rig,
  { url: module, stored: before }: Filled,
): Promise<void> {
  const access = { url: server.url, key: server.key }
  for (const format of FORMATS) {
    const target = join(directory, `carried.${format}`)
    await exportEntries({ ...access, module, target })
    const { url: other } = await makeTable(server, SCHEMA)
    await importEntries({ ...access, module: other, source: target, asNew: true })
    const after = await readAll(server, other)
    for (const { k, kind } of rows) {
      const [one, next] = [before, after].map((all) => JSON.stringify(all.get(k)?.[kind.column]))
      if (one !== next) faults.push(`export as ${format}: ${kind.type} ${one} came back as ${next}`)
    }
  }
}
