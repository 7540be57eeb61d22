// An hour of typical use: 1,000,000 articles, and clients that read, search, write, upload and publish at a
// steady rate. Measures how much memory the server takes and whether the memory keeps growing. Runs only by
// name (`npm run bench -- mix`), because it takes BENCH_MINUTES, by default 60.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createHistogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { articleOf, fillArticles, makeArticles, TABLE, titleOf } from './articles.ts'
import type { Site } from './load.ts'
import { makeKey, type Memory, memoryOf, startCms } from './processes.ts'
import { type Fact, memoryFact, number } from './report.ts'
import { auth, form, json, jsonHeaders } from './requests.ts'
import { scratchDir } from './scratch.ts'
import { LARGE_TABLE_SIZE as SIZE, MINUTES } from './settings.ts'

const PER_SECOND = 200
const CONNECTIONS = 32
const PAGES = 100
const SAMPLE_MS = 1_000
const REST_MS = 5_000
const UPLOAD = randomBytes(100 * 1024)

interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** The kinds of request, with their share in a hundred. */
const MIX: readonly (readonly [share: number, call: (site: Site) => Call])[] = [
  [30, () => get(`${TABLE}/${any(SIZE)}?fields=*`)],
  [10, () => get(`${TABLE}?length=25`)],
  [12, () => find({ title: titleOf(any(SIZE)) })],
  [4, () => find({ stock: { $gte: any(900), $lt: 950 } })],
  [4, () => find({ title: { $startsWith: titleOf(any(9)) } })],
  [5, () => get(`/api/v2/asset_file/${any(PAGES)}`)],
  [5, () => get('/api/v2/asset_file?length=25')],
  [10, (site) => write(site, TABLE, articleOf(SIZE + any(SIZE)))],
  [10, (site) => write(site, `${TABLE}/${any(SIZE)}`, articleOf(any(SIZE)))],
  [6, (site) => write(site, `/api/v2/asset_file/${any(PAGES)}`, pageOf())],
  [2, () => get(`/api/v2/asset_file/${any(PAGES)}/publish`)],
  [2, upload],
]

export async function measureMix(): Promise<readonly Fact[]> {
  const dir = scratchDir()
  const data = join(dir, 'data')
  let cms = await startCms(data)
  const key = makeKey(data)
  try {
    await makeArticles({ url: cms.url, key })
    await fillArticles({ url: cms.url, key }, SIZE)
    await cms.stop()

    cms = await startCms(data)
    const { url, pid } = cms
    return await mix({ url, key }, () => memoryOf(pid))
  } finally {
    await cms.stop()
  }
}

async function mix(site: Site, memory: () => Memory): Promise<readonly Fact[]> {
  const pool = new Pool(site.url, { connections: CONNECTIONS })
  for (let page = 1; page <= PAGES; page += 1) {
    const file = { name: `page-${page}.html`, type: 'html', parent_category_id: 1, ...pageOf() }
    await send(pool, site, write(site, '/api/v2/asset_file', file))
  }
  const before = memory()
  let highest = before
  const sampling = setInterval(() => {
    const now = memory()
    if (now.anon > highest.anon) highest = now
  }, SAMPLE_MS)
  const { count, failed, waits, marks } = await fireAtRate(pool, site, memory)
  clearInterval(sampling)
  await sleep(REST_MS)
  await pool.close()
  return [
    { name: `mix of ${MINUTES} minutes, ${number(SIZE)} entries`, value: count, unit: 'requests' },
    { name: 'other answers than 2xx', value: failed, unit: '' },
    { name: 'p50 of all', value: waits.percentile(50) / 1e6, unit: 'ms' },
    { name: 'p99 of all', value: waits.percentile(99) / 1e6, unit: 'ms' },
    memoryFact('memory before', before),
    ...marks,
    memoryFact('memory at most', highest),
    memoryFact('memory at the end', memory()),
  ]
}

/**
 * Sends requests at a steady rate as long as the server keeps up. A request that would have to
 * queue is skipped, and the number of requests shows how many were skipped. Records the memory at
 * each quarter of the time.
 */
async function fireAtRate(pool: Pool, site: Site, memory: () => Memory) {
  const waits = createHistogram()
  const marks: Fact[] = []
  const totalMs = MINUTES * 60_000
  const began = performance.now()
  const under = new Set<Promise<void>>()
  let due = 0
  let count = 0
  let failed = 0

  const one = async (): Promise<void> => {
    const sent = performance.now()
    const status = await send(pool, site, choose()(site))
    waits.record(Math.max(1, Math.round((performance.now() - sent) * 1e6)))
    if (status >= 300) failed += 1
  }
  for (let now = 0; now < totalMs; now = performance.now() - began) {
    for (; due < (now * PER_SECOND) / 1_000; due += 1) {
      if (under.size >= CONNECTIONS) continue
      const sending: Promise<void> = one().finally(() => under.delete(sending))
      under.add(sending)
      count += 1
    }
    if (now >= (marks.length + 1) * (totalMs / 4)) {
      const minutes = Math.round(now / 60_000)
      marks.push(memoryFact(`memory after ${minutes} minutes`, memory()))
    }
    await sleep(5)
  }
  await Promise.all(under)
  return { count, failed, waits, marks }
}

async function send(pool: Pool, site: Site, { headers, ...call }: Call): Promise<number> {
  const answer = await pool.request({ ...call, headers: { ...auth(site), ...headers } })
  await answer.body.dump({ limit: Number.POSITIVE_INFINITY })
  return answer.statusCode
}

/** A random kind of request, weighted by its share. */
function choose(): (site: Site) => Call {
  let left = Math.random() * MIX.reduce((sum, [share]) => sum + share, 0)
  return (MIX.find(([share]) => (left -= share) < 0) ?? MIX[0])?.[1] as (site: Site) => Call
}

/** A random integer from 1 to `most`. */
function any(most: number): number {
  return 1 + Math.floor(Math.random() * most)
}

function get(path: string): Call {
  return { method: 'GET', path }
}

function find(qry: object): Call {
  return get(`${TABLE}?length=25&qry=${encodeURIComponent(JSON.stringify(qry))}`)
}

function write(site: Site, path: string, body: object): Call {
  return { method: 'POST', path, headers: jsonHeaders(site), body: json(body) }
}

function pageOf(): { readonly pageContent: string } {
  return { pageContent: `<p>${any(SIZE)}</p>`.padEnd(10_000, ' lorem ipsum') }
}

function upload(): Call {
  const { contentType, body } = form({
    field: 'asset_category_id',
    id: 1,
    bytes: UPLOAD,
    name: `${any(1e12)}.bin`,
  })
  return { method: 'POST', path: '/upload', headers: { 'content-type': contentType }, body }
}
