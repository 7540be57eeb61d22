// npm run bench [-- NAME …] [--compare FILE] [--save]: measures the compiled server beside its limits and
// prints tables in Markdown. Names are those of scenarios.ts, `site`, `stress`, `large`, `sizes` and `entries`; all
// without one. `downloads` wants wrk, `memory` takes minutes and `mix` an hour: they are measured only when they are named. --save writes bench/results.json and the
// picture bench/results.svg; --compare flags what changed since such a file.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureDownloads } from './downloads.ts'
import { measureEntries } from './entries.ts'
import { measureLarge } from './large.ts'
import { measure } from './measure.ts'
import { measureMemory } from './memory.ts'
import { measureMix } from './mix.ts'
import { describeMachine, makeKey, root, startCms } from './processes.ts'
import { compare, type Fact, type Report, type Result, toMarkdown, toSvg } from './report.ts'
import { SCENARIOS, type Scenario } from './scenarios.ts'
import { scratchDir } from './scratch.ts'
import { measureSite } from './site.ts'
import { measureSizes } from './sizes.ts'
import { measureStress } from './stress.ts'

const { values: flags, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { compare: { type: 'string' }, save: { type: 'boolean', default: false } },
})

const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name)

/** Each scenario has a server and a data directory of its own. */
async function measureAlone(scenario: Scenario): Promise<Result> {
  const dir = scratchDir()
  const data = join(dir, 'data')
  const cms = await startCms(data)
  try {
    const load = await scenario.prepare({ url: cms.url, key: makeKey(data) })
    return await measure({ scenario, load, cms, dir })
  } finally {
    await cms.stop()
  }
}

const machine = describeMachine()
const results: Result[] = []
const facts: Fact[] = []

/** After each part, so that a run that is cut short has told what it knew. */
function save(): void {
  if (!flags.save) return
  const report: Report = { machine, results, facts }
  writeFileSync(join(root, 'bench/results.json'), `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(join(root, 'bench/results.svg'), toSvg(report))
}

function note(parts: {
  readonly results?: readonly Result[]
  readonly facts?: readonly Fact[]
}): void {
  results.push(...(parts.results ?? []))
  facts.push(...(parts.facts ?? []))
  save()
}

for (const scenario of SCENARIOS) {
  if (!isWanted(scenario.name)) continue
  console.error(`${scenario.title} …`)
  note({ results: [await measureAlone(scenario)] })
}
if (isWanted('site')) note({ facts: await measureSite() })
if (isWanted('stress')) note({ facts: await measureStress() })
if (isWanted('large')) note({ facts: await measureLarge() })
if (isWanted('sizes')) note({ facts: await measureSizes() })
if (isWanted('entries')) note(await measureEntries())
if (wanted.includes('downloads')) note({ facts: await measureDownloads() })
if (wanted.includes('memory')) note({ facts: await measureMemory() })
if (wanted.includes('mix')) note({ facts: await measureMix() })

const report: Report = { machine, results, facts }
console.log(toMarkdown(report))
if (flags.compare !== undefined) {
  const before = JSON.parse(readFileSync(flags.compare, 'utf8')) as Report
  console.log(`\n${compare(before, report)}`)
}
