// Values through every door that takes rows: a single create, a list, an update, and imports of JSON, NDJSON and CSV. What
// is stored is the value that was sent, or it was refused. All doors for JSON must agree. Then what is stored goes out
// in each format and into another table, where it must be the same.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { exportEntries } from '../../../lib/client/export-entries.ts'
import { importEntries } from '../../../lib/client/import-entries.ts'
import { makeTable, queryOf } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { KINDS, type Kind } from './literals.ts'

export interface ValuesOutcome {
  readonly values: number
  readonly accepted: number
  readonly faults: readonly string[]
}

interface Row {
  readonly k: number
  readonly kind: Kind
  readonly literal: string
}

type Stored = ReadonlyMap<number, Readonly<Record<string, unknown>>>

const SCHEMA = ['k I NOTNULL', ...KINDS.map(({ column, type }) => `${column} ${type}`)].join(', ')
const JSON_BODY = { 'content-type': 'application/json' }
const STRICT = { prefer: 'handling=strict' }
const FORMATS = ['json', 'ndjson', 'csv'] as const

export async function runValues(options: {
  readonly seed: number
  readonly count: number
}): Promise<ValuesOutcome> {
  const server = await startTestServer()
  const directory = mkdtempSync(join(tmpdir(), 'cms-values-'))
  try {
    const rows = KINDS.flatMap((kind, at) =>
      fc
        .sample(kind.literals, { seed: options.seed + at, numRuns: options.count })
        .map((literal, index) => ({ k: at * options.count + index + 1, kind, literal })),
    )
    const faults: string[] = []
    const rig: Rig = { server, directory, rows, faults }
    const single = await throughCreate(rig, { wrap: (text) => text })
    const strict = await throughCreate(rig, { wrap: (text) => text, isStrict: true })
    const doors = {
      list: await throughCreate(rig, { wrap: (text) => `[${text}]` }),
      update: await throughUpdate(rig),
      json: await throughImport(rig, 'json'),
      ndjson: await throughImport(rig, 'ndjson'),
      csv: await throughImport(rig, 'csv'),
    }
    judge(rig, 'create', single)
    judge(rig, 'handling=strict', strict)
    for (const [door, stored] of Object.entries(doors)) {
      judge(rig, door, stored)
      if (door !== 'csv') compare(rig, door, { stored, expected: single })
    }
    await findAll(rig, single)
    await carryAll(rig, single)
    return { values: rows.length, accepted: single.size, faults }
  } finally {
    await server.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

interface Rig {
  readonly server: TestServer
  readonly directory: string
  readonly rows: readonly Row[]
  readonly faults: string[]
}

const textOf = ({ k, kind, literal }: Row): string => `{"k":${k},"${kind.column}":${literal}}`

async function throughCreate(
  { server, rows }: Rig,
  {
    wrap,
    isStrict = false,
  }: { readonly wrap: (text: string) => string; readonly isStrict?: boolean },
): Promise<Stored> {
  const { url } = await makeTable(server, SCHEMA)
  for (const row of rows) {
    const headers = { ...(isStrict && STRICT), ...JSON_BODY }
    const { status, text } = await server.call('POST', url, { body: wrap(textOf(row)), headers })
    assert.ok(status === 201 || (status >= 400 && status < 500), `${textOf(row)}: ${text}`)
  }
  return readAll(server, url)
}

async function throughUpdate({ server, rows }: Rig): Promise<Stored> {
  const { url } = await makeTable(server, SCHEMA)
  const headers = JSON_BODY
  const refused = new Set<number>()
  for (const row of rows) {
    const made = await server.call('POST', url, {
      json: { k: row.k },
      headers: { prefer: 'return=representation' },
    })
    const { datatable_entry_id: id } = Object.values<any>(made.body)[0]
    const { status, text } = await server.call('PATCH', `${url}/${id}`, {
      body: textOf(row),
      headers,
    })
    assert.ok(status < 500, `${textOf(row)}: ${text}`)
    if (status >= 400) refused.add(row.k)
  }
  const all = await readAll(server, url)
  return new Map([...all].filter(([k]) => !refused.has(k)))
}

async function throughImport(
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
  if (format === 'json') return `[${rows.map(textOf).join(',\n')}]`
  if (format === 'ndjson') return rows.map((row) => `${textOf(row)}\n`).join('')
  const columns = KINDS.map(({ column }) => column)
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`
  const line = ({ k, kind, literal }: Row): string => {
    const text = literal.startsWith('"') ? String(JSON.parse(literal)) : literal
    return [k, ...columns.map((column) => (column === kind.column ? cell(text) : ''))].join(',')
  }
  return [['k', ...columns].join(','), ...rows.map(line), ''].join('\n')
}

async function readAll(server: TestServer, url: string): Promise<Stored> {
  const all = new Map<number, Readonly<Record<string, unknown>>>()
  let cursor: string | undefined
  do {
    const { body, text } = await server.call(
      'GET',
      `${url}?${queryOf({ length: 1000, ...(cursor !== undefined && { cursor }) })}`,
    )
    const [, list] = Object.entries<any>(body).find(([name]) => name !== 'page') ?? []
    assert.ok(Array.isArray(list), text)
    for (const entry of list) all.set(entry.k, entry)
    cursor = body.page.next ?? undefined
  } while (cursor !== undefined)
  return all
}

/** What was taken is what was sent. */
function judge({ rows, faults }: Rig, door: string, stored: Stored): void {
  for (const { k, kind, literal } of rows) {
    const entry = stored.get(k)
    const isSame = door === 'handling=strict' ? (kind.isExact ?? kind.isSame) : kind.isSame
    if (entry === undefined || isSame(literal, entry[kind.column])) continue
    faults.push(`${door}: ${kind.type} ${literal} became ${JSON.stringify(entry[kind.column])}`)
  }
}

interface Compared {
  readonly stored: Stored
  readonly expected: Stored
}

function compare({ rows, faults }: Rig, door: string, { stored, expected }: Compared): void {
  for (const { k, kind, literal } of rows) {
    const [one, other] = [stored.get(k), expected.get(k)].map((entry) =>
      entry === undefined ? 'refused' : JSON.stringify(entry[kind.column]),
    )
    if (one !== other)
      faults.push(`${door}: ${kind.type} ${literal} is ${one}, and ${other} by a create`)
  }
}

/** A search by the value as it was sent finds the entry. */
async function findAll({ server, rows, faults }: Rig, stored: Stored): Promise<void> {
  const { url } = await makeTable(server, SCHEMA)
  for (const row of rows.filter(({ k }) => stored.has(k))) {
    await server.call('POST', url, {
      body: textOf(row),
      headers: JSON_BODY,
    })
    const qry = encodeURIComponent(`{"k":${row.k},"${row.kind.column}":${row.literal}}`)
    const { status, body, text } = await server.call('GET', `${url}?qry=${qry}&fields=k`)
    const [list = []] = status === 200 ? Object.values<any>(body) : []
    if (list.length !== 1)
      faults.push(`qry: ${row.kind.type} ${row.literal} finds nothing: ${text.slice(0, 200)}`)
  }
}

/** Out in each format, and into another table. */
async function carryAll({ server, directory, rows, faults }: Rig, stored: Stored): Promise<void> {
  const { url: module } = await makeTable(server, SCHEMA)
  const taken = rows.filter(({ k }) => stored.has(k)).map(textOf)
  const source = join(directory, 'taken.ndjson')
  writeFileSync(source, `${taken.join('\n')}\n`)
  const access = { url: server.url, key: server.key }
  await importEntries({ ...access, module, source })
  const before = await readAll(server, module)
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
