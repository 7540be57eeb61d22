// The gain of a second cluster node for reads: the same site in the same PostgreSQL, read through one node and through
// two. Each node has a third of a core, so that the database and the load generator have enough of the same machine.
// Both cases take turns, with and without a concurrent writer. Runs only by name (`npm run bench -- nodes`), because
// limiting cores needs root.

import { join } from 'node:path'
import { startBreakingS3 } from '../test/helpers/breaking-s3.ts'
import { settingsOf, variablesOf } from '../test/helpers/cluster.ts'
import { startPostgres } from '../test/helpers/postgres.ts'
import { TABLE } from './articles.ts'
import { readRecords, readTitles } from './entries.ts'
import { articles, prepare } from './fixtures.ts'
import { fire, type Load, median, type Site } from './load.ts'
import { migrate } from './move.ts'
import { launcher, type Running, startServer } from './processes.ts'
import { idleDuring, limited } from './processor-share.ts'
import type { Fact } from './report.ts'
import { get } from './requests.ts'
import { scratchDir } from './scratch.ts'
import {
  ROUND_SECONDS,
  ROUNDS,
  TABLE_SIZE,
  WARM_UP_SECONDS,
  WRITES_PER_SECOND,
} from './settings.ts'
import { startWriter, type Writer } from './write-beside.ts'

const CORES = 1 / 3
const CONNECTIONS = 50
/** A higher rate would use up the third of a core of the committing node. */
const WRITES = WRITES_PER_SECOND / 10

const READS: readonly (readonly [what: string, load: (site: Site) => Load])[] = [
  ['one of many records', (site) => readRecords(site, TABLE_SIZE)],
  ['one of many exact titles', (site) => readTitles(site, TABLE_SIZE)],
  ['the first 25', (site) => get(site, `${TABLE}?length=25`)],
]

export async function measureNodes(): Promise<readonly Fact[]> {
  const { data, key } = await prepare(articles(TABLE_SIZE))
  const [postgres, store] = await Promise.all([startPostgres(), startBreakingS3()])
  const nodes: Running[] = []
  try {
    const variables = variablesOf(settingsOf(await postgres.newSite(), store.endpoint))
    await migrate({ ...process.env, ...variables }, ['--from', data, '--to', 'cluster'])
    for (let at = 0; at < 2; at += 1) nodes.push(await startNode(variables))
    const facts: Fact[] = [{ name: 'cores that a node may have', value: CORES, unit: '' }]
    for (const [what, load] of READS) facts.push(...(await measureRead({ nodes, key, what, load })))
    return facts
  } finally {
    for (const node of nodes) await node.stop()
    postgres.stop()
    await store.close()
  }
}

async function startNode(variables: Record<string, string>): Promise<Running> {
  const usual = ['--data', join(scratchDir(), 'node'), '--port', '0', '--log-level', 'warn']
  const args = ['start', ...usual, '--scrub-days', '0']
  return limited(await startServer({ command: launcher, args, env: variables }), CORES)
}

interface Reading {
  readonly nodes: readonly Running[]
  readonly key: string
  readonly what: string
  readonly load: (site: Site) => Load
}

async function measureRead(reading: Reading): Promise<readonly Fact[]> {
  const { nodes, key, what } = reading
  const seconds = ROUND_SECONDS
  await askNodes(reading, { count: 2, seconds: WARM_UP_SECONDS })
  const site = { url: nodes[0]?.url ?? '', key }
  const writes = { load: articles(TABLE_SIZE).changes(site), perSecond: WRITES }
  const writer = await startWriter({ url: site.url, ...writes, seconds: 2 * ROUNDS * seconds })
  const facts: Fact[] = []
  for (const beside of [undefined, writer]) {
    const rates = { 1: [] as number[], 2: [] as number[] }
    const idle: number[] = []
    for (let round = 0; round < ROUNDS; round += 1)
      for (const count of [1, 2] as const) {
        const asked = await askNodes(reading, { count, seconds, beside })
        rates[count].push(asked.perSecond)
        if (count === 2) idle.push(asked.idle)
      }
    const [one, two] = [median(rates[1]), median(rates[2])]
    const when = beside === undefined ? '' : `, beside ${WRITES} updates a second`
    facts.push(
      { name: `${what}${when}: one node`, value: one, unit: 'per second' },
      { name: `${what}${when}: two nodes`, value: two, unit: 'per second' },
      { name: `${what}${when}: two in place of one`, value: two / one, unit: 'times' },
      { name: `${what}${when}: of the machine idle beside two`, value: median(idle), unit: '' },
    )
  }
  await writer.stop()
  return facts
}

interface Asking {
  readonly count: number
  readonly seconds: number
  readonly beside?: Writer | undefined
}

/** Loads each node with the same number of connections. */
async function askNodes(
  { nodes, key, load }: Reading,
  { count, seconds, beside }: Asking,
): Promise<{ readonly perSecond: number; readonly idle: number }> {
  const ask = (): Promise<readonly number[]> =>
    Promise.all(
      nodes.slice(0, count).map(async (node) => {
        const firing = { load: load({ url: node.url, key }), connections: CONNECTIONS, seconds }
        return (await fire(node, firing)).perSecond
      }),
    )
  const [rates, idle] = await idleDuring(() => (beside === undefined ? ask() : beside.during(ask)))
  return { perSecond: rates.reduce((sum, rate) => sum + rate, 0), idle }
}
