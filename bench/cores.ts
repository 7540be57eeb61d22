// The gain of an additional reader process (--processes): records and uncached lists, with one process and with two.
// Each server is started afresh, and the two take turns.

import { TABLE } from './articles.ts'
import { readRecords } from './entries.ts'
import { articles, prepare } from './fixtures.ts'
import { fire, type Figures, middle, type Load, type Site } from './load.ts'
import { startCms } from './processes.ts'
import type { Fact } from './report.ts'
import { each, search } from './requests.ts'
import { ROUND_SECONDS, ROUNDS, TABLE_SIZE, WARM_UP_SECONDS } from './settings.ts'

const CONNECTIONS = 50
/** More lists than the cache holds, so that each request computes its list. */
const LISTS = 60_000

const READS: readonly (readonly [what: string, load: (site: Site) => Load])[] = [
  ['one of many records', (site) => readRecords(site, TABLE_SIZE)],
  [
    'lists that are not kept',
    (site) =>
      each(site, LISTS, (index) =>
        search(TABLE, {
          'datatable_entry.datatable_entry_id': { $gte: 1 + (index % TABLE_SIZE) },
          stock: { $lt: 1_000 + Math.floor(index / TABLE_SIZE) },
        }),
      ),
  ],
]

export async function measureCores(): Promise<readonly Fact[]> {
  const { data, key } = await prepare(articles(TABLE_SIZE))
  const facts: Fact[] = []
  for (const [what, load] of READS) {
    const found = { 1: [] as Figures[], 2: [] as Figures[] }
    for (let round = 0; round < ROUNDS; round += 1)
      for (const count of [1, 2] as const) found[count].push(await read({ data, key, count, load }))
    const [one, two] = [middle(found[1]), middle(found[2])]
    facts.push(
      { name: `${what}, --processes 1`, value: one.perSecond, unit: 'per second' },
      { name: `${what}, --processes 2`, value: two.perSecond, unit: 'per second' },
      { name: `${what}: two in place of one`, value: two.perSecond / one.perSecond, unit: 'times' },
    )
  }
  return facts
}

interface Reading {
  readonly data: string
  readonly key: string
  readonly count: number
  readonly load: (site: Site) => Load
}

async function read({ data, key, count, load }: Reading): Promise<Figures> {
  const cms = await startCms(data, ['--processes', String(count)])
  try {
    const firing = { load: load({ url: cms.url, key }), connections: CONNECTIONS }
    await fire(cms, { ...firing, seconds: WARM_UP_SECONDS })
    return await fire(cms, { ...firing, seconds: ROUND_SECONDS })
  } finally {
    await cms.stop()
  }
}
