// A table of articles at two sizes: what an operation costs must not grow with the table. Each read is
// compared with a bare server that answers the same bytes; the two sizes are measured in one run.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { fire, middle, number, startLimit } from './load.ts'
import { makeKey, residentMib, type Running, startCms } from './processes.ts'
import type { Load, Scenario, Site } from './scenarios.ts'

const SIZES = (process.env['BENCH_SIZES'] ?? '10000,1000000').split(',').map(Number)
const TABLES = 1_000
const ROUNDS = 3
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 4)
const CONNECTIONS = 50
const BULK = 1_000

/** Seven indexed columns and 1 KB of text. */
const SCHEMA =
  'title C(255) NOTNULL, author C(100), category C(50), price N(10.2), stock I, published D, active L, body X'

interface Operation {
  readonly name: string
  readonly limit: Scenario['limit']
  readonly load: (site: Site, table: string, size: number) => Load
}

const OPERATIONS: readonly Operation[] = [
  {
    name: 'read one entry',
    limit: 'same-bytes',
    load: (site, table, size) => get(site, `${table}/${Math.ceil(size / 2)}?fields=*`),
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
    limit: 'none',
    load: (site, table) => write(site, () => table),
  },
  {
    name: 'update an entry, durable',
    limit: 'none',
    load: (site, table, size) => write(site, (count) => `${table}/${(count * 7919) % size || 1}`),
  },
]

export async function measureEntries(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'cms-bench-'))
  const rows = new Map<string, string[]>(OPERATIONS.map(({ name }) => [name, []]))
  const facts: string[] = []
  const rates = new Map<string, number[]>()

  try {
    for (const size of SIZES) {
      const data = join(dir, `data-${size}`)
      const cms = await startCms(data)
      const site = { url: cms.url, key: makeKey(data) }
      facts.push(...(await fill(site, cms, size)))
      for (const operation of OPERATIONS) {
        const { cells, perSecond } = await measure({ dir, cms, site, size, operation })
        rows.get(operation.name)?.push(...cells)
        rates.set(operation.name, [...(rates.get(operation.name) ?? []), perSecond])
      }
      facts.push(
        `| resident memory at ${number(size)} entries, after the load | ${residentMib(cms.pid)} MiB |`,
      )
      await cms.stop()
      const again = await startCms(data)
      facts.push(`| start with ${number(size)} entries | ${Math.round(again.startMs)} ms |`)
      await again.stop()
    }
    facts.push(...(await measureTables(join(dir, 'tables'))))
    return [...format(rows, rates), '', '| what | figure |', '|---|---|', ...facts].join('\n')
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

interface Measuring {
  readonly dir: string
  readonly cms: Running
  readonly site: Site
  readonly size: number
  readonly operation: Operation
}

async function measure({
  dir,
  cms,
  site,
  size,
  operation,
}: Measuring): Promise<{ readonly cells: string[]; readonly perSecond: number }> {
  const scenario: Scenario = {
    name: '',
    title: '',
    connections: CONNECTIONS,
    limit: operation.limit,
    prepare: () => Promise.reject(new Error('unused')),
  }
  const load = operation.load(site, '/api/v2/module/datatable/1/articles', size)
  const bare = await startLimit(scenario, { dir, url: cms.url, load })
  const ours = []
  const limits = []
  await fire(cms, scenario, load, 1)
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await fire(cms, scenario, load, SECONDS))
    if (bare !== undefined) limits.push(await fire(bare, scenario, load, SECONDS))
  }
  await bare?.stop()

  const mine = middle(ours)
  const errors = ours.reduce((sum, item) => sum + item.errors, 0)
  const ratio = limits.length === 0 ? '' : (mine.perSecond / middle(limits).perSecond).toFixed(2)
  return {
    cells: [number(mine.perSecond), ratio, `${mine.p50} / ${mine.p99}`, String(errors)],
    perSecond: mine.perSecond,
  }
}

function format(
  rows: ReadonlyMap<string, readonly string[]>,
  rates: ReadonlyMap<string, readonly number[]>,
): string[] {
  const head = SIZES.flatMap((size) => [
    `per second at ${number(size)}`,
    'ratio to bare',
    'p50 / p99 ms',
    'errors',
  ])
  const names = ['what', ...head, 'large / small']
  return [
    `| ${names.join(' | ')} |`,
    `|${names.map(() => '---').join('|')}|`,
    ...[...rows].map(([name, cells]) => {
      const own = rates.get(name) ?? []
      const growth = ((own.at(-1) ?? 0) / (own[0] ?? 1)).toFixed(2)
      return `| ${[name, ...cells, growth].join(' | ')} |`
    }),
  ]
}

/** Creates the table, notes the time to its first entry, and fills it in lists of 1,000. */
async function fill(site: Site, cms: Running, size: number): Promise<readonly string[]> {
  const began = performance.now()
  await post(site, '/api/v2/datatable', {
    name: 'articles',
    title_field: 'title',
    table_schema: SCHEMA,
  })
  await post(site, '/api/v2/module/datatable/1/articles', articleOf(1))
  const firstMs = performance.now() - began

  const filling = performance.now()
  for (let from = 2; from <= size; from += BULK) {
    const count = Math.min(BULK, size - from + 1)
    await post(
      site,
      '/api/v2/module/datatable/1/articles',
      Array.from({ length: count }, (_, index) => articleOf(from + index)),
    )
  }
  const seconds = (performance.now() - filling) / 1_000
  return [
    `| from creating a datatable to its first entry | ${firstMs.toFixed(1)} ms |`,
    `| fill ${number(size)} entries in lists of ${BULK} | ${number(size / seconds)} entries per second |`,
    `| resident memory after filling ${number(size)} | ${residentMib(cms.pid)} MiB |`,
  ]
}

async function measureTables(data: string): Promise<readonly string[]> {
  const cms = await startCms(data)
  const site = { url: cms.url, key: makeKey(data) }
  for (let index = 1; index <= TABLES; index += 1) {
    await post(site, '/api/v2/datatable', { name: `table ${index}`, table_schema: SCHEMA })
  }
  await cms.stop()
  const again = await startCms(data)
  await again.stop()
  return [`| start with ${TABLES} datatables | ${Math.round(again.startMs)} ms |`]
}

function titleOf(index: number): string {
  return `article ${index}`
}

function articleOf(index: number): object {
  return {
    title: titleOf(index),
    author: `author ${index % 997}`,
    category: `category ${index % 50}`,
    price: (index % 10_000) / 100,
    stock: index % 1_000,
    published: new Date(1_600_000_000_000 + (index % 3_000) * 86_400_000)
      .toISOString()
      .slice(0, 10),
    active: index % 2 === 0,
    body: 'lorem ipsum dolor sit amet '.repeat(38),
  }
}

function get({ key }: Site, path: string): Load {
  return { method: 'GET', path, headers: { authorization: `Bearer ${key}` } }
}

function find(site: Site, table: string, qry: object): Load {
  return get(site, `${table}?length=25&qry=${encodeURIComponent(JSON.stringify(qry))}`)
}

let written = 0

function write({ key }: Site, pathOf: (count: number) => string): Load {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const next = (): { readonly path: string; readonly body: Buffer } => {
    written += 1
    return {
      path: pathOf(written),
      body: Buffer.from(JSON.stringify(articleOf(2_000_000 + written))),
    }
  }
  return { method: 'POST', path: '/', headers, next }
}

async function post({ url, key }: Site, path: string, body: unknown): Promise<void> {
  const answer = await request(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.body.text()
  if (answer.statusCode !== 201)
    throw new Error(`${path} answered ${answer.statusCode}: ${text.slice(0, 500)}`)
}
