// All measurements, by name.

import { measureArea } from './area.ts'
import { measureMillion } from './area-million.ts'
import { measureCores } from './cores.ts'
import { measureDownloads } from './downloads.ts'
import { entryScenarios, growth, measureTable, measureTables, SIZES } from './entries.ts'
import { prepare } from './fixtures.ts'
import { measureHooks } from './hooks.ts'
import { measureLarge } from './large.ts'
import { rawRows, startLimit } from './limit.ts'
import { fire, type Site } from './load.ts'
import { measureForms } from './measure.ts'
import { measureMemory } from './memory.ts'
import { measureMix } from './mix.ts'
import { measureMove } from './move.ts'
import { measureNodes } from './nodes.ts'
import { measureOtherTable } from './other-table.ts'
import { measureExpand } from './peer-expand.ts'
import { peerJobs } from './peers.ts'
import { memoryOf, startCms } from './processes.ts'
import { SITE_HOST } from './requests.ts'
import { measureCreates, measureReferences } from './references.ts'
import type { Report, Result } from './report.ts'
import type { Found } from './saved.ts'
import { SCENARIOS, type Scenario } from './scenarios.ts'
import { measurePublicSite, measureSite } from './site.ts'
import { measureSizes } from './sizes.ts'
import { measureStreams } from './streams.ts'
import { measureStress } from './stress.ts'

export interface Job {
  readonly name: string
  /** Runs only if it is named. */
  readonly isExtra?: boolean
  /** Receives the results of the jobs before it. */
  readonly run: (before: Report) => Promise<Found>
}

const JOBS: readonly Job[] = [
  ...SCENARIOS.flatMap(jobsOf),
  ...SIZES.flatMap((size) => [
    ...entryScenarios(size).flatMap(jobsOf),
    { name: `entries/${size}/table`, run: async () => ({ facts: await measureTable(size) }) },
  ]),
  { name: 'entries/growth', run: async ({ results }) => ({ facts: growth(results) }) },
  { name: 'entries/tables', run: async () => ({ facts: await measureTables() }) },
  { name: 'other-table', run: async () => ({ facts: await measureOtherTable() }) },
  { name: 'references', run: async () => ({ facts: await measureReferences() }) },
  { name: 'references/create', run: async () => ({ facts: await measureCreates() }) },
  { name: 'cores', run: async () => ({ facts: await measureCores() }) },
  { name: 'site', run: async () => ({ facts: await measureSite() }) },
  { name: 'public-site', run: async () => ({ facts: await measurePublicSite() }) },
  { name: 'stress', run: async () => ({ facts: await measureStress() }) },
  { name: 'large', run: async () => ({ facts: await measureLarge() }) },
  { name: 'sizes', run: async () => ({ facts: await measureSizes() }) },
  // Extra jobs download packages, need root or Chromium, or take long.
  ...peerJobs().map((job) => ({ ...job, isExtra: true })),
  { name: 'peers/expand', isExtra: true, run: async () => ({ facts: await measureExpand() }) },
  { name: 'area', isExtra: true, run: measureArea },
  { name: 'area-million', isExtra: true, run: async () => ({ facts: await measureMillion() }) },
  { name: 'downloads', isExtra: true, run: async () => ({ facts: await measureDownloads() }) },
  { name: 'hooks', isExtra: true, run: async () => ({ facts: await measureHooks() }) },
  { name: 'memory', isExtra: true, run: async () => ({ facts: await measureMemory() }) },
  { name: 'mix', isExtra: true, run: async () => ({ facts: await measureMix() }) },
  { name: 'move', isExtra: true, run: async () => ({ facts: await measureMove() }) },
  { name: 'nodes', isExtra: true, run: async () => ({ facts: await measureNodes() }) },
  { name: 'streams', isExtra: true, run: async () => ({ facts: await measureStreams() }) },
]

/** In the order in which the jobs run and appear in the report. */
export const NAMES = JOBS.map(({ name }) => name)

/**
 * Jobs whose name equals a wanted name or begins with one; without wanted names, all jobs that are
 * not extra.
 */
export function jobs(wanted: readonly string[]): readonly Job[] {
  const isMeant = (name: string, meant: string): boolean =>
    name === meant || name.startsWith(`${meant}/`)
  const unknown = wanted.filter((meant) => !NAMES.some((name) => isMeant(name, meant)))
  if (unknown.length > 0)
    throw new Error(`There is no ${unknown.join(', ')}. There are:\n${NAMES.join('\n')}`)
  return JOBS.filter(({ name, isExtra = false }) =>
    wanted.length === 0 ? !isExtra : wanted.some((meant) => isMeant(name, meant)),
  )
}

/** One job with many addresses, and one with a single address. */
function jobsOf(scenario: Scenario): readonly Job[] {
  return scenario.addresses.map((addresses) => ({
    name: `${scenario.name}/${addresses === 1 ? 'one' : 'many'}`,
    run: async () => ({ results: await measureScenario(scenario, addresses) }),
  }))
}

/** Measures the scenario on a freshly started server. */
async function measureScenario(scenario: Scenario, addresses: number): Promise<readonly Result[]> {
  const { name, title, connections, limit, rows, targets } = scenario
  const { data, key } = await prepare(scenario.fixture)
  let site: Site = { url: '', key }
  const forms = await measureForms({
    async start() {
      const cms = await startCms(data, ['--site-origin', `http://${SITE_HOST}`])
      site = { url: cms.url, key }
      const load = scenario.load(site, addresses)
      return {
        fire: (seconds) => fire(cms, { load, connections, seconds }),
        memory: () => memoryOf(cms.pid),
        writes: { url: cms.url, load: scenario.fixture.changes(site) },
        stop: () => cms.stop(),
      }
    },
    startOther: () =>
      startLimit({
        limit,
        entries: scenario.entries,
        connections,
        load: scenario.load(site, addresses),
        url: site.url,
      }),
    rows: rows && ((seconds) => rawRows(rows, connections, seconds)),
  })
  return forms.map((result) => ({
    name,
    title,
    connections,
    addresses,
    ...(targets && { targets }),
    ...result,
  }))
}
