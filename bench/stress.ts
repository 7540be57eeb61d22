// Small reads under heavy load: a thousand connections, and concurrent uploads and downloads of large files.
// The reads have a steady rate that leaves the machine idle capacity, so that their latency measures the
// delay caused by the load.

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHistogram } from 'node:perf_hooks'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { Pool } from 'undici'
import type { Site } from './load.ts'
import { makeKey, memoryOf, startBare, startCms } from './processes.ts'
import { type Fact, memoryFact } from './report.ts'
import { auth, type FileRecord, upload } from './requests.ts'
import { scratchDir } from './scratch.ts'

const MIB = 1024 * 1024
const READS_PER_SECOND = 500
const CONNECTIONS = 50
const PATH = '/api/v2/asset_category/12'
const SECONDS = 8
const WARM_UP_SECONDS = 2
const LARGE_BYTES = 64 * MIB
const TRANSFERS = 2

export async function measureStress(): Promise<readonly Fact[]> {
  const dir = scratchDir()
  const data = join(dir, 'data')
  const cms = await startCms(data)
  const site = { url: cms.url, key: makeKey(data) }
  try {
    const large = await upload(site, randomBytes(LARGE_BYTES), 'large.bin')
    const before = memoryOf(cms.pid)
    const own = await readBeside(site, large)
    const after = memoryOf(cms.pid)
    const bare = await measureBare(dir, large)
    const many = await readAtOnce(site, 1_000)
    const errors = own.alone.errors + own.beside.errors + many.errors
    return [
      {
        name: `p99 of ${READS_PER_SECOND} reads a second: cms-server, bare node:http`,
        value: own.alone.p99,
        unit: `ms, ${bare.alone.p99.toFixed(1)} ms`,
      },
      {
        name: `p99 of ${READS_PER_SECOND} reads a second beside ${TRANSFERS} uploads and ${TRANSFERS} downloads of 64 MB: cms-server, bare node:http`,
        value: own.beside.p99,
        unit: `ms, ${bare.beside.p99.toFixed(1)} ms`,
      },
      {
        name: 'files of 64 MB transferred meanwhile: cms-server, bare node:http',
        value: own.moved,
        unit: `and ${bare.moved}`,
      },
      memoryFact('memory before these transfers', before),
      memoryFact('memory after these transfers', after),
      { name: 'reads with 1,000 connections', value: many.perSecond, unit: 'per second' },
      { name: 'p99 of reads with 1,000 connections', value: many.p99, unit: 'ms' },
      { name: 'errors in these measurements', value: errors, unit: '' },
    ]
  } finally {
    await cms.stop()
  }
}

interface Reads {
  /** In milliseconds. */
  readonly p99: number
  readonly errors: number
}

interface Beside {
  readonly alone: Reads
  readonly beside: Reads
  readonly moved: number
}

async function readBeside(site: Site, large: FileRecord): Promise<Beside> {
  await readSteadily(site, WARM_UP_SECONDS)
  const alone = await readSteadily(site, SECONDS)
  const transfers = startTransfers(site, large)
  await sleep(WARM_UP_SECONDS * 1_000)
  const beside = await readSteadily(site, SECONDS)
  return { alone, beside, moved: await transfers.stop() }
}

/** The rate of a server without any other work on this machine, beside the same transfers. */
async function measureBare(dir: string, large: FileRecord): Promise<Beside> {
  const path = join(dir, 'large.bin')
  const replay = join(dir, 'replay.json')
  writeFileSync(path, randomBytes(LARGE_BYTES))
  writeFileSync(
    replay,
    JSON.stringify({ kind: 'large-and-small', status: 200, headers: {}, path, dir }),
  )
  const bare = await startBare(replay)
  try {
    return await readBeside({ url: bare.url, key: 'none' }, large)
  } finally {
    await bare.stop()
  }
}

/**
 * Sends a read every few milliseconds, whether or not the previous read was answered. Queueing time
 * therefore counts.
 */
async function readSteadily(site: Site, seconds: number): Promise<Reads> {
  const pool = new Pool(site.url, { connections: CONNECTIONS })
  const waits = createHistogram()
  const reads: Promise<void>[] = []
  let errors = 0

  async function one(): Promise<void> {
    const sent = performance.now()
    const answer = await pool.request({ method: 'GET', path: PATH, headers: auth(site) })
    await answer.body.dump()
    waits.record(Math.max(1, Math.round((performance.now() - sent) * 1e6)))
    if (answer.statusCode !== 200) errors += 1
  }

  const began = performance.now()
  while (reads.length < seconds * READS_PER_SECOND) {
    const due = ((performance.now() - began) / 1_000) * READS_PER_SECOND
    while (reads.length < due) reads.push(one())
    await sleep(1)
  }
  await Promise.all(reads)
  await pool.close()
  return { p99: waits.percentile(99) / 1e6, errors }
}

/** Sends as many reads as the server answers. */
async function readAtOnce(site: Site, connections: number) {
  const { requests, duration, latency, errors, non2xx } = await autocannon({
    url: site.url + PATH,
    headers: auth(site),
    connections,
    duration: SECONDS,
  })
  return { perSecond: requests.total / duration, p99: latency.p99, errors: errors + non2xx }
}

interface Transfers {
  /** Resolves with the number of files transferred. */
  stop(): Promise<number>
}

function startTransfers(site: Site, large: FileRecord): Transfers {
  const script = fileURLToPath(new URL('./transfers.js', import.meta.url))
  const args = [site.url, site.key, large.url, large.asset_file_id, LARGE_BYTES, TRANSFERS]
  const child = spawn(process.execPath, [script, ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Waits from the start, because a failure of the transfers would invalidate the reads.
  const ended = Promise.all([text(child.stdout), once(child, 'exit')])
  return {
    async stop() {
      child.kill('SIGTERM')
      const [printed] = await ended
      if (child.exitCode !== 0) throw new Error('the transfers ended before they were told to')
      return Number(printed)
    },
  }
}
