// Reads of one table while 500 entries a second change in another table. Unchanged lists must not be computed
// again. Takes turns with undisturbed reads of the same server.

import { makeOtherTable, newArticleOf, OTHER_TABLE, TABLE } from './articles.ts'
import { articles, prepare } from './fixtures.ts'
import { fire, type Figures, middle, type Load, type Site } from './load.ts'
import { type Running, startCms } from './processes.ts'
import type { Fact } from './report.ts'
import { changes, get, scattered } from './requests.ts'
import { readRecords, readTitles } from './entries.ts'
import { ROUND_SECONDS, ROUNDS, TABLE_SIZE, WARM_UP_SECONDS } from './settings.ts'
import { startWriter } from './write-beside.ts'

const PER_SECOND = 500
const CONNECTIONS = 50

const READS: readonly (readonly [what: string, load: (site: Site) => Load])[] = [
  ['one of many records', (site) => readRecords(site, TABLE_SIZE)],
  ['one of many exact titles', (site) => readTitles(site, TABLE_SIZE)],
  ['the first 25', (site) => get(site, `${TABLE}?length=25`)],
]

export async function measureOtherTable(): Promise<readonly Fact[]> {
  const { data, key } = await prepare(articles(TABLE_SIZE))
  const cms = await startCms(data)
  const site = { url: cms.url, key }
  try {
    await makeOtherTable(site, TABLE_SIZE)
    const facts: Fact[] = []
    for (const [what, load] of READS) facts.push(...(await readBeside(cms, site, { what, load })))
    return facts
  } finally {
    await cms.stop()
  }
}

interface Read {
  readonly what: string
  readonly load: (site: Site) => Load
}

async function readBeside(
  cms: Running,
  site: Site,
  { what, load }: Read,
): Promise<readonly Fact[]> {
  const firing = { load: load(site), connections: CONNECTIONS, seconds: ROUND_SECONDS }
  const writes = changes(site, (count) => ({
    path: `${OTHER_TABLE}/${1 + scattered(count, TABLE_SIZE)}`,
    body: newArticleOf(count),
  }))
  const writing = { load: writes, perSecond: PER_SECOND, seconds: ROUNDS * ROUND_SECONDS }
  const writer = await startWriter({ url: site.url, ...writing })
  await fire(cms, { ...firing, seconds: WARM_UP_SECONDS })
  const quiet: Figures[] = []
  const beside: Figures[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    quiet.push(await fire(cms, firing))
    beside.push(await writer.during(() => fire(cms, firing)))
  }
  const { reached } = writer.written()
  await writer.stop()
  const [alone, disturbed] = [middle(quiet), middle(beside)]
  return [
    { name: `${what}, nobody writes`, value: alone.perSecond, unit: 'per second' },
    {
      name: `${what}, beside ${PER_SECOND} updates a second in another table`,
      value: disturbed.perSecond,
      unit: `per second, ${Math.round(reached)} updates`,
    },
    { name: `${what}: share that is left`, value: disturbed.perSecond / alone.perSecond, unit: '' },
    { name: `${what}: p99 alone`, value: alone.p99, unit: 'ms' },
    { name: `${what}: p99 beside`, value: disturbed.p99, unit: 'ms' },
  ]
}
