// npm run bench [-- NAME …]: measures the compiled server beside its limit and prints a table in
// Markdown. Each scenario has servers of its own; server and limit take turns, and the median of the
// rounds is reported, so that a slow moment of the machine hits both.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { request } from 'undici'
import { measureSite } from './site.ts'
import { cpuMs, describeMachine, makeKey, type Running, startBare, startCms } from './processes.ts'
import { type Load, SCENARIOS, type Scenario } from './scenarios.ts'

const ROUNDS = 5
const SECONDS = 4
const WARM_UP_SECONDS = 2

interface Figures {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly cpuUs: number
  readonly errors: number
}

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

interface LimitInput {
  readonly dir: string
  readonly url: string
  readonly load: Load
}

/** Asks the real server once and lets the bare one answer the same. */
async function startLimit(
  { limit }: Scenario,
  { dir, url, load }: LimitInput,
): Promise<Running | undefined> {
  if (limit === 'none') return undefined
  const answer = await request(`${url}${load.path}`, { headers: load.headers })
  const body = Buffer.from(await answer.body.arrayBuffer())
  if (answer.statusCode !== 200)
    throw new Error(`${load.path} answered ${answer.statusCode}: ${body.toString()}`)

  const {
    connection,
    date,
    'keep-alive': keepAlive,
    'content-length': length,
    ...headers
  } = answer.headers
  const bodyFile = join(dir, 'body')
  const replayFile = join(dir, 'replay.json')
  writeFileSync(bodyFile, body)
  writeFileSync(
    replayFile,
    JSON.stringify(
      limit === 'stream' ? { headers, path: bodyFile } : { headers, body: body.toString('base64') },
    ),
  )
  return startBare(replayFile)
}

async function fire(
  server: Running,
  scenario: Scenario,
  load: Load,
  seconds: number,
): Promise<Figures> {
  const cpuBefore = cpuMs(server.pid)
  const { next } = load
  const result = await autocannon({
    url: server.url,
    connections: scenario.connections,
    duration: seconds,
    requests: [
      {
        method: load.method,
        path: load.path,
        headers: { ...load.headers },
        ...(load.body && { body: load.body }),
        ...(next && { setupRequest: (item: autocannon.Request) => ({ ...item, ...next() }) }),
      },
    ],
  })

  const cpu = cpuMs(server.pid) - cpuBefore
  return {
    perSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpuUs: (cpu * 1_000) / Math.max(1, result.requests.total),
    errors: result.errors + result.non2xx,
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

function middle(figures: readonly Figures[]): Figures {
  const sorted = figures.toSorted((left, right) => left.perSecond - right.perSecond)
  const found = sorted[Math.floor(sorted.length / 2)]
  if (found === undefined) throw new Error('nothing was measured')
  return found
}

function number(value: number): string {
  return value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en')
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
