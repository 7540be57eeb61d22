// Downloads of every size beside a bare node:http that reads the same files into one buffer (bare.ts,
// `read-file`), by wrk. Both take turns. CPU per request is measured too, because a busy machine changes it
// less than the rate.

import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import { type Figures, fire, type Load, middle } from './load.ts'
import { makeKey, type Running, startBare, startCms } from './processes.ts'
import type { Fact } from './report.ts'
import { get, upload } from './requests.ts'
import { scratchDir } from './scratch.ts'
import { ROUND_SECONDS, ROUNDS } from './settings.ts'

const KIB = 1024
const SIZES = [10, 32, 100, 300, KIB, 4 * KIB, 64 * KIB]
const CONNECTIONS = 10

export async function measureDownloads(): Promise<readonly Fact[]> {
  const dir = scratchDir()
  const data = join(dir, 'data')
  const cms = await startCms(data)
  const site = { url: cms.url, key: makeKey(data) }
  const facts: Fact[] = []
  try {
    for (const sizeKib of SIZES) {
      const bytes = randomBytes(sizeKib * KIB)
      const path = join(dir, `file-${sizeKib}`)
      const replay = join(dir, `replay-${sizeKib}.json`)
      writeFileSync(path, bytes)
      writeFileSync(
        replay,
        JSON.stringify({ kind: 'read-file', status: 200, headers: {}, path, dir }),
      )
      const file = await upload(site, bytes, 'file.bin')
      const load = get(site, file.url)
      // The first two requests verify the hash of the file and bring the file into the page cache.
      for (let time = 0; time < 2; time += 1)
        await (await request(site.url + file.url, { headers: load.headers })).body.dump()
      facts.push(...(await beside(cms, await startBare(replay), { load, sizeKib })))
    }
    return facts
  } finally {
    await cms.stop()
  }
}

async function beside(
  cms: Running,
  bare: Running,
  { load, sizeKib }: { readonly load: Load; readonly sizeKib: number },
): Promise<readonly Fact[]> {
  console.error(`download ${sizeKib} KiB …`)
  try {
    const ours: Figures[] = []
    const limits: Figures[] = []
    for (let round = 0; round <= ROUNDS; round += 1) {
      const [our, limit] = [await once(cms, load), await once(bare, load)]
      // The first round warms up the JIT compilers.
      if (round === 0) continue
      ours.push(our)
      limits.push(limit)
    }
    const [own, limit] = [middle(ours), middle(limits)]
    const name = `download ${sizeKib} KiB`
    return [
      { name, value: Math.round(own.perSecond), unit: 'per second' },
      { name: `${name}: CPU`, value: Math.round(own.cpuUs), unit: 'µs' },
      { name: `${name}: CPU of a bare server`, value: Math.round(limit.cpuUs), unit: 'µs' },
      {
        name: `${name}: rate relative to a bare server`,
        value: ratio(own.perSecond, limit.perSecond),
        unit: 'times',
      },
    ]
  } finally {
    await bare.stop()
  }
}

function once(server: Running, load: Load): Promise<Figures> {
  return fire(server, { load, connections: CONNECTIONS, seconds: ROUND_SECONDS })
}

function ratio(value: number, limit: number): number {
  return Number((value / limit).toFixed(2))
}
