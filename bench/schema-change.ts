// Schema changes of a full table under concurrent reads and writes: how long each change takes, when a new
// index is complete, and how long concurrent requests wait.

import autocannon from 'autocannon'
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import type { Site } from './load.ts'
import { type Fact, number } from './report.ts'
import { auth, json, jsonHeaders } from './requests.ts'

const READS_PER_SECOND = 300
const WRITES_PER_SECOND = 100
const ALONE_SECONDS = 4
const POLL_MS = 100

interface Change {
  readonly name: string
  readonly table_schema: string
  readonly columns?: readonly { readonly name: string; readonly renamed_from: string }[]
}

const REST = 'category C(50), price N(10.2), stock I, published D, active L, body X'
const CHANGES: readonly Change[] = [
  { name: 'add a column', table_schema: `title C(255) NOTNULL, author C(100), ${REST}, pages I` },
  {
    name: 'rename a column',
    table_schema: `title C(255) NOTNULL, writer C(100), ${REST}, pages I`,
    columns: [{ name: 'writer', renamed_from: 'author' }],
  },
  {
    name: 'widen a column',
    table_schema: `title C(255) NOTNULL, writer C(200), ${REST}, pages I`,
  },
  {
    name: 'NULL to NOTNULL',
    table_schema: `title C(255) NOTNULL, writer C(200) NOTNULL, ${REST}, pages I`,
  },
  {
    name: 'drop a column',
    table_schema: `title C(255) NOTNULL, writer C(200) NOTNULL, ${REST}`,
  },
]

/** `table` is datatable 1, with the columns of entries.ts. */
export async function measureSchemaChange(
  site: Site,
  table: string,
  size: number,
): Promise<readonly Fact[]> {
  const alone = await Promise.all([
    read(site, table, ALONE_SECONDS),
    write(site, table, ALONE_SECONDS),
  ])

  const stop = new AbortController()
  const others = [untilStopped(stop.signal, () => read(site, table, 1))]
  others.push(untilStopped(stop.signal, () => write(site, table, 1)))
  const facts: Fact[] = []
  for (const { name, ...body } of CHANGES) {
    const began = performance.now()
    await change(site, body)
    facts.push({ name, value: performance.now() - began, unit: 'ms' })
    if (name !== 'add a column') continue
    while (!(await canSort(site, table, 'pages'))) await wait(POLL_MS)
    facts.push({
      name: 'until its index is complete',
      value: performance.now() - began,
      unit: 'ms',
    })
  }
  stop.abort()
  const beside = await Promise.all(others)

  const slowest = (['read', 'write'] as const).map((what, at): Fact => {
    const [before, during] = [alone[at]?.max ?? 0, beside[at]?.max ?? 0]
    return { name: `slowest ${what} alone, and meanwhile`, value: before, unit: `→ ${during} ms` }
  })
  const prefix = `${number(size)} entries, ${READS_PER_SECOND} reads and ${WRITES_PER_SECOND} writes a second`
  return [...facts, ...slowest].map((fact) => ({ ...fact, name: `${prefix}: ${fact.name}` }))
}

interface Waits {
  /** Milliseconds. */
  readonly max: number
}

async function untilStopped(signal: AbortSignal, load: () => Promise<Waits>): Promise<Waits> {
  let max = 0
  while (!signal.aborted) max = Math.max(max, (await load()).max)
  return { max }
}

function read(site: Site, table: string, seconds: number): Promise<Waits> {
  return fire(site, { rate: READS_PER_SECOND, seconds, path: `${table}/5?fields=*`, method: 'GET' })
}

/** Writes a column that no schema change touches. */
function write(site: Site, table: string, seconds: number): Promise<Waits> {
  const body = json({ price: Math.round(Math.random() * 10_000) / 100 })
  return fire(site, { rate: WRITES_PER_SECOND, seconds, path: `${table}/7`, method: 'POST', body })
}

interface Shot {
  readonly rate: number
  readonly seconds: number
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly body?: Buffer
}

async function fire(site: Site, { rate, seconds, path, ...target }: Shot): Promise<Waits> {
  const { latency, errors, non2xx } = await autocannon({
    url: `${site.url}${path}`,
    headers: target.method === 'GET' ? auth(site) : jsonHeaders(site),
    connections: 10,
    duration: seconds,
    overallRate: rate,
    ...target,
  })
  if (errors + non2xx > 0) throw new Error(`${path}: ${errors + non2xx} errors`)
  return { max: latency.max }
}

async function change(site: Site, body: object): Promise<void> {
  const answer = await request(`${site.url}/api/v2/datatable/1?confirm=drop`, {
    method: 'POST',
    headers: jsonHeaders(site),
    body: json(body),
    headersTimeout: 600_000,
  })
  const text = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${text}`)
}

async function canSort(site: Site, table: string, column: string): Promise<boolean> {
  const answer = await request(`${site.url}${table}?orderStr=${column}&length=1`, {
    headers: auth(site),
  })
  await answer.body.dump()
  return answer.statusCode === 200
}
