// npm run bench [-- NAME …]: measures the compiled server beside its limit and prints a table in
// Markdown. Each scenario has servers of its own; server and limit take turns, and the median of the
// rounds is reported, so that a slow moment of the machine hits both.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureEntries } from './entries.ts'
import { type Figures, fire, middle, number, startLimit } from './load.ts'
import { measureSite } from './site.ts'
import { describeMachine, makeKey, startCms } from './processes.ts'
import { SCENARIOS, type Scenario } from './scenarios.ts'

const ROUNDS = 5
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 4)
const WARM_UP_SECONDS = 2

async function measure(scenario: Scenario): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'cms-bench-'))
  const cms = await startCms(join(dir, 'data'))
  const load = await scenario.prepare({ url: cms.url, key: makeKey(join(dir, 'data')) })
  const bare = await startLimit(scenario, { dir, url: cms.url, load })

  try {
    await fire(cms, scenario, load, WARM_UP_SECONDS)
    if (bare !== undefined) await fire(bare, scenario, load, WARM_UP_SECONDS)
    const ours: Figures[] = []
    const limits: Figures[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await fire(cms, scenario, load, SECONDS))
      if (bare !== undefined) limits.push(await fire(bare, scenario, load, SECONDS))
    }
    return row(scenario, ours, limits)
  } finally {
    await cms.stop()
    await bare?.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

function row(scenario: Scenario, ours: readonly Figures[], limits: readonly Figures[]): string {
  const mine = middle(ours)
  const errors = ours.reduce((sum, item) => sum + item.errors, 0)
  const limit = limits.length === 0 ? undefined : middle(limits)
  const rates = ours.map((item) => item.perSecond)
  const spread = `${number(Math.min(...rates))} to ${number(Math.max(...rates))}`
  const cells = [
    scenario.title,
    scenario.connections,
    number(mine.perSecond),
    spread,
    limit === undefined ? '' : number(limit.perSecond),
    limit === undefined ? '' : (mine.perSecond / limit.perSecond).toFixed(2),
    `${mine.p50} / ${mine.p99}`,
    Math.round(mine.cpuUs),
    errors,
  ]
  return `| ${cells.join(' | ')} |`
}

const HEAD = [
  '| what | connections | per second | spread of five | limit | ratio | p50 / p99 ms | CPU µs per request | errors |',
  '|---|---|---|---|---|---|---|---|---|',
]

const wanted = process.argv.slice(2)
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name)
console.log(`${describeMachine()}\n`)
const chosen = SCENARIOS.filter((scenario) => isWanted(scenario.name))
if (chosen.length > 0) console.log(HEAD.join('\n'))
for (const scenario of chosen) console.log(await measure(scenario))
if (isWanted('site')) console.log(`\n${await measureSite()}`)
if (isWanted('entries')) console.log(`\n${await measureEntries()}`)
