// A table of articles at two sizes: what an operation costs must not grow with the table. Each read is
// compared with a bare server that answers the same bytes; the two sizes are measured in one run.

import { join } from 'node:path'
import {
  articleOf,
  BULK,
  fillArticles,
  makeArticles,
  post,
  SCHEMA,
  TABLE,
  titleOf,
} from './articles.ts'
import { measure } from './measure.ts'
import { makeKey, residentMib, type Running, startCms } from './processes.ts'
import { type Fact, number, type Result } from './report.ts'
import { measureSchemaChange } from './schema-change.ts'
import type { Load, Scenario, Site, Target } from './scenarios.ts'
import { scratchDir } from './scratch.ts'

const SIZES = (process.env['BENCH_SIZES'] ?? '10000,1000000').split(',').map(Number)
const TABLES = 1_000
const CONNECTIONS = 50

interface Operation {
  readonly name: string
  readonly limit: Scenario['limit']
  /** Measured beside LMDB alone, too. */
  readonly writes?: 'create' | 'update'
  readonly load: (site: Site, table: string, size: number) => Load
}

const OPERATIONS: readonly Operation[] = [
  {
    name: 'read one entry',
    limit: 'same-bytes',
    load: (site, table, size) => get(site, `${table}/${Math.ceil(size / 2)}?fields=*`),
  },
  {
    // No answer is asked for twice while it is kept.
    name: 'read one entry after another',
    limit: 'same-bytes',
    load: (site, table, size) => each(site, (count) => `${table}/${stepped(count, size)}?fields=*`),
  },
  {
    name: 'list the first 25',
    limit: 'same-bytes',
    load: (site, table) => get(site, `${table}?length=25`),
  },
  {
    name: 'find an exact title',
    limit: 'same-bytes',
    load: (site, table, size) => find(site, table, { title: titleOf(Math.ceil(size / 3)) }),
  },
  {
    name: 'a range, 25 of it',
    limit: 'same-bytes',
    load: (site, table) => find(site, table, { stock: { $gte: 500, $lt: 510 } }),
  },
  {
    name: 'a prefix, 25 of it',
    limit: 'same-bytes',
    load: (site, table) => find(site, table, { title: { $startsWith: 'article 1' } }),
  },
  {
    name: 'create an entry, durable',
    limit: 'parse-json',
    writes: 'create',
    load: (site, table) => write(site, () => table),
  },
  {
    name: 'update an entry, durable',
    limit: 'parse-json',
    writes: 'update',
    load: (site, table, size) => write(site, (count) => `${table}/${stepped(count, size)}`),
  },
]

export interface EntriesReport {
  readonly results: readonly Result[]
  readonly facts: readonly Fact[]
}

export async function measureEntries(): Promise<EntriesReport> {
  const dir = scratchDir()
  const results: Result[] = []
  const facts: Fact[] = []
  for (const size of SIZES) {
    const part = await measureSize(dir, size)
    results.push(...part.results)
    facts.push(...part.facts)
  }
  facts.push(...growth(results), await measureTables(join(dir, 'tables')))
  return { results, facts }
}

async function measureSize(dir: string, size: number): Promise<EntriesReport> {
  const data = join(dir, `data-${size}`)
  const cms = await startCms(data)
  const site = { url: cms.url, key: makeKey(data) }
  const filled = await fill(site, cms, size)
  const results: Result[] = []
  for (const { name, limit, writes, load } of OPERATIONS) {
    console.error(`${name}, ${size} entries …`)
    const title = `${name}, ${number(size)} entries`
    const rows = writes && { kind: writes, entries: size }
    const scenario = { name: title, title, connections: CONNECTIONS, limit, ...(rows && { rows }) }
    results.push(await measure({ scenario, load: load(site, TABLE, size), cms, dir }))
  }
  const mib = residentMib(cms.pid)
  console.error(`change of columns, ${size} entries …`)
  const changed = await measureSchemaChange(site, TABLE, size)
  await cms.stop()
  const again = await startCms(data)
  await again.stop()
  const facts = [
    ...filled,
    ...results.flatMap(ofRows),
    { name: `memory after the load, ${number(size)} entries`, value: mib, unit: 'MiB' },
    ...changed,
    { name: `start with ${number(size)} entries`, value: Math.round(again.startMs), unit: 'ms' },
  ]
  return { results, facts }
}

/** What LMDB alone reaches with the same rows. */
function ofRows({ title, rows }: Result): readonly Fact[] {
  return rows === undefined
    ? []
    : [
        {
          name: `${title}: the same rows in LMDB alone`,
          value: rows.perSecond,
          unit: 'per second',
        },
        { name: `${title}: CPU of that`, value: rows.cpuUs, unit: 'µs' },
      ]
}

/** What is left of each rate at the larger size. */
function growth(results: readonly Result[]): readonly Fact[] {
  const [small = 0, large = 0] = [SIZES[0], SIZES.at(-1)]
  if (small === large) return []
  const rateOf = (name: string, size: number): number =>
    results.find((result) => result.name === `${name}, ${number(size)} entries`)?.perSecond ?? 0
  return OPERATIONS.map(({ name }) => ({
    name: `${name}: rate at ${number(large)} over rate at ${number(small)}`,
    value: Number((rateOf(name, large) / rateOf(name, small)).toFixed(2)),
    unit: '',
  }))
}

/** Creates the table, notes the time to its first entry, and fills it in lists of 1,000. */
async function fill(site: Site, cms: Running, size: number): Promise<readonly Fact[]> {
  const began = performance.now()
  await makeArticles(site)
  const firstMs = performance.now() - began

  const filling = performance.now()
  await fillArticles(site, size)
  const seconds = (performance.now() - filling) / 1_000
  return [
    { name: 'from creating a datatable to its first entry', value: firstMs, unit: 'ms' },
    {
      name: `fill ${number(size)} entries in lists of ${BULK}`,
      value: Math.round(size / seconds),
      unit: 'entries per second',
    },
    { name: `memory after filling ${number(size)}`, value: residentMib(cms.pid), unit: 'MiB' },
  ]
}

async function measureTables(data: string): Promise<Fact> {
  const cms = await startCms(data)
  const site = { url: cms.url, key: makeKey(data) }
  for (let index = 1; index <= TABLES; index += 1) {
    await post(site, '/api/v2/datatable', { name: `table ${index}`, table_schema: SCHEMA })
  }
  await cms.stop()
  const again = await startCms(data)
  await again.stop()
  return { name: `start with ${TABLES} datatables`, value: Math.round(again.startMs), unit: 'ms' }
}

function get({ key }: Site, path: string): Load {
  return { method: 'GET', path, headers: { authorization: `Bearer ${key}` } }
}

let asked = 0

function each(site: Site, pathOf: (count: number) => string): Load {
  const next = (): Target => {
    asked += 1
    return { path: pathOf(asked) }
  }
  return { ...get(site, pathOf(0)), next }
}

/** From 1 to the size, in long steps, so that neighbours are not asked for together. */
function stepped(count: number, size: number): number {
  return (count * 7919) % size || 1
}

function find(site: Site, table: string, qry: object): Load {
  return get(site, `${table}?length=25&qry=${encodeURIComponent(JSON.stringify(qry))}`)
}

let written = 0

function write({ key }: Site, pathOf: (count: number) => string): Load {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const next = (): Target => {
    written += 1
    return {
      path: pathOf(written),
      body: Buffer.from(JSON.stringify(articleOf(2_000_000 + written))),
    }
  }
  return { method: 'POST', path: '/', headers, next }
}
