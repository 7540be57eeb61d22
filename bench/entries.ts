// A table of articles at two sizes: the cost of an operation must not grow with the table. Besides the usual
// scenarios, the job measures how long it takes to fill the table, to change its columns, and to start with
// it.

import { join } from 'node:path'
import { makeArticles, SCHEMA, TABLE, titleOf } from './articles.ts'
import { articles, newArticles, prepare } from './fixtures.ts'
import type { Load, Site } from './load.ts'
import { makeKey, startCms } from './processes.ts'
import { type Fact, number, type Result } from './report.ts'
import { each, get, post, scattered, search } from './requests.ts'
import { measureSchemaChange } from './schema-change.ts'
import { BOTH, MANY, type Scenario } from './scenarios.ts'
import { scratchDir } from './scratch.ts'
import { ADDRESSES, LARGE_TABLE_SIZE, TABLE_SIZE } from './settings.ts'

export const SIZES = [TABLE_SIZE, LARGE_TABLE_SIZE]
const TABLES = 1_000

type Operation = Omit<Scenario, 'connections' | 'fixture' | 'rows'> & {
  readonly writes?: 'create' | 'update'
}

function operations(size: number): readonly Operation[] {
  return [...reads(size), ...searches(size), ...writes(size)]
}

function reads(size: number): readonly Operation[] {
  return [
    {
      name: 'read',
      title: 'read one entry',
      limit: 'lmdb',
      addresses: BOTH,
      targets: { warm: 0.85, mixed: 0.75 },
      load: (site, addresses) => readRecords(site, size, addresses),
    },
    {
      name: 'list',
      title: 'list 25 entries',
      limit: 'lmdb',
      addresses: BOTH,
      targets: { warm: 1.5, mixed: 0.6 },
      load: (site, addresses) =>
        addresses === 1
          ? get(site, `${TABLE}?length=25`)
          : each(site, addresses, (index) =>
              search(TABLE, {
                'datatable_entry.datatable_entry_id': { $gte: 1 + spread(index, addresses, size) },
              }),
            ),
    },
  ]
}

export function readRecords(site: Site, size: number, addresses = ADDRESSES): Load {
  return each(site, addresses, (index) => `${TABLE}/${1 + spread(index, addresses, size)}?fields=*`)
}

export function readTitles(site: Site, size: number, addresses = ADDRESSES): Load {
  return each(site, addresses, (index) =>
    search(TABLE, { title: titleOf(1 + spread(index, addresses, size)) }),
  )
}

function searches(size: number): readonly Operation[] {
  return [
    {
      name: 'title',
      title: 'find an exact title',
      limit: 'lmdb',
      addresses: BOTH,
      targets: { warm: 0.7, mixed: 0.7 },
      load: (site, addresses) => readTitles(site, size, addresses),
    },
    {
      name: 'range',
      title: 'a range, 25 of it',
      limit: 'same-bytes',
      addresses: BOTH,
      load: (site, addresses) =>
        each(site, addresses, (index) =>
          search(TABLE, { price: { $gte: (index % 9_000) / 100, $lt: 95 } }),
        ),
    },
    {
      name: 'prefix',
      title: 'a prefix, 25 of it',
      limit: 'same-bytes',
      addresses: BOTH,
      load: (site, addresses) =>
        each(site, addresses, (index) =>
          search(TABLE, { title: { $startsWith: titleOf(1 + Math.floor(index / 10)) } }),
        ),
    },
  ]
}

function writes(size: number): readonly Operation[] {
  return [
    {
      name: 'update',
      title: 'update an entry, durable',
      limit: 'parse-json',
      addresses: MANY,
      writes: 'update',
      load: (site) => newArticles(site, (count) => `${TABLE}/${1 + scattered(count, size)}`),
    },
    {
      name: 'create',
      title: 'create an entry, durable',
      limit: 'parse-json',
      addresses: MANY,
      writes: 'create',
      load: (site) => newArticles(site, () => TABLE),
    },
  ]
}

/** Spreads the addresses over the whole table. */
function spread(index: number, addresses: number, size: number): number {
  return Math.floor((index * size) / addresses)
}

export function entryScenarios(size: number): readonly Scenario[] {
  return operations(size).map(({ writes: kind, ...operation }) => ({
    ...operation,
    name: `entries/${size}/${operation.name}`,
    title: `${operation.title}, ${number(size)} entries`,
    connections: 50,
    fixture: articles(size),
    entries: size,
    ...(kind && { rows: { kind, entries: size } }),
  }))
}

/**
 * Measures filling one table, changing its columns and starting with it. Runs last, because the
 * table then has other columns.
 */
export async function measureTable(size: number): Promise<readonly Fact[]> {
  const { data, key, fillSeconds } = await prepare(articles(size))
  const cms = await startCms(data)
  const changed = await measureSchemaChange({ url: cms.url, key }, TABLE, size)
  await cms.stop()
  const again = await startCms(data)
  await again.stop()
  const entries = `${number(size)} entries`
  return [
    { name: `fill ${entries} in lists`, value: size / fillSeconds, unit: 'entries per second' },
    ...changed,
    { name: `start with ${entries}`, value: Math.round(again.startMs), unit: 'ms' },
  ]
}

/** The share of each warm rate that remains at the larger size. */
export function growth(results: readonly Result[]): readonly Fact[] {
  const [small = 0, large = 0] = SIZES
  const ratioOf = ({ name, addresses }: Pick<Result, 'name' | 'addresses'>): readonly Fact[] => {
    const rateAt = (size: number): number | undefined =>
      results.find(
        (result) =>
          result.form === 'warm' &&
          result.addresses === addresses &&
          result.name === `entries/${size}/${name}`,
      )?.own.perSecond
    const [few, many] = [rateAt(small), rateAt(large)]
    if (few === undefined || many === undefined) return []
    const what = `${name}, ${addresses === 1 ? 'one address' : 'many addresses'}`
    const rates = `rate at ${number(large)} over rate at ${number(small)}`
    return [{ name: `${what}: ${rates}`, value: many / few, unit: 'times' }]
  }
  return operations(small).flatMap(({ name, addresses }) =>
    addresses.flatMap((count) => ratioOf({ name, addresses: count })),
  )
}

export async function measureTables(): Promise<readonly Fact[]> {
  const data = join(scratchDir(), 'data')
  const cms = await startCms(data)
  const site = { url: cms.url, key: makeKey(data) }
  const began = performance.now()
  await makeArticles(site)
  const firstMs = performance.now() - began
  for (let index = 1; index <= TABLES; index += 1) {
    await post(site, '/api/v2/datatable', { name: `table ${index}`, table_schema: SCHEMA })
  }
  await cms.stop()
  const again = await startCms(data)
  await again.stop()
  return [
    { name: 'from creating a datatable to its first entry', value: firstMs, unit: 'ms' },
    { name: `start with ${TABLES} datatables`, value: Math.round(again.startMs), unit: 'ms' },
  ]
}
