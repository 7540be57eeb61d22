// Small reads while others ask for much: a thousand connections, and large files going up and down beside
// them. The reads come at a steady rate that leaves the machine room, so that what is measured is how long
// they wait for the others.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { request } from 'undici'
import { makeKey, residentMib, startCms } from './processes.ts'
import type { Fact } from './report.ts'
import { auth, form, type Site, upload } from './scenarios.ts'
import { scratchDir } from './scratch.ts'

const MIB = 1024 * 1024
const READS_PER_SECOND = 500
const SECONDS = 8
const LARGE_BYTES = 64 * MIB
const TRANSFERS = 2

export async function measureStress(): Promise<readonly Fact[]> {
  const dir = scratchDir()
  const data = join(dir, 'data')
  const cms = await startCms(data)
  const site = { url: cms.url, key: makeKey(data) }
  try {
    const large = await upload(site, randomBytes(LARGE_BYTES), 'large.bin')
    await read(site, { connections: 50, rate: READS_PER_SECOND, seconds: 2 })
    const before = residentMib(cms.pid)
    const alone = await read(site, { connections: 50, rate: READS_PER_SECOND, seconds: SECONDS })

    const stop = new AbortController()
    const transfers = Array.from({ length: TRANSFERS }, () => [
      repeat(stop.signal, () => download(site, large.url)),
      repeat(stop.signal, () => replace(site, large.asset_file_id)),
    ]).flat()
    const beside = await read(site, { connections: 50, rate: READS_PER_SECOND, seconds: SECONDS })
    stop.abort()
    const moved = (await Promise.all(transfers)).reduce((sum, count) => sum + count, 0)
    const after = residentMib(cms.pid)

    const many = await read(site, { connections: 1_000, seconds: SECONDS })
    const errors = alone.errors + beside.errors + many.errors
    return [
      { name: `p99 of ${READS_PER_SECOND} reads a second, alone`, value: alone.p99, unit: 'ms' },
      {
        name: `the same beside ${TRANSFERS} uploads and ${TRANSFERS} downloads of 64 MB at a time`,
        value: beside.p99,
        unit: 'ms',
      },
      { name: 'files of 64 MB moved meanwhile', value: moved, unit: '' },
      { name: 'memory before and after them', value: before, unit: `→ ${after} MiB` },
      { name: 'reads with 1,000 connections', value: many.perSecond, unit: 'per second' },
      { name: 'p99 of them', value: many.p99, unit: 'ms' },
      { name: 'errors in all of these', value: errors, unit: '' },
    ]
  } finally {
    await cms.stop()
  }
}

interface Reads {
  readonly connections: number
  readonly rate?: number
  readonly seconds: number
}

async function read(site: Site, { connections, rate, seconds }: Reads) {
  const result = await autocannon({
    url: `${site.url}/api/v2/asset_category/12`,
    headers: auth(site),
    connections,
    duration: seconds,
    ...(rate !== undefined && { overallRate: rate }),
  })
  const { requests, duration, latency, errors, non2xx } = result
  return { perSecond: requests.total / duration, p99: latency.p99, errors: errors + non2xx }
}

/** Does it again and again until the signal is given; resolves with how often. */
async function repeat(signal: AbortSignal, work: () => Promise<void>): Promise<number> {
  let count = 0
  for (; !signal.aborted; count += 1) await work()
  return count
}

async function download({ url, key }: Site, path: string): Promise<void> {
  const answer = await request(url + path, { headers: auth({ url, key }) })
  await answer.body.dump({ limit: LARGE_BYTES * 2 })
}

const LARGE = randomBytes(LARGE_BYTES)

async function replace(site: Site, id: number): Promise<void> {
  const { contentType, body } = form('asset_file_id', id, LARGE, 'large.bin')
  const headers = { ...auth(site), 'content-type': contentType }
  const answer = await request(`${site.url}/upload`, { method: 'POST', headers, body })
  await answer.body.dump()
}
