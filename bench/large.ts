// One upload of 1 GB, beside a bare server that writes the same body to a file, hashes and syncs it; and how
// much memory the upload takes.

import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { request } from 'undici'
import { median, type Site } from './load.ts'
import { makeKey, memoryOf, startBare, startCms } from './processes.ts'
import { type Fact, memoryFact } from './report.ts'
import { auth, form } from './requests.ts'
import { scratchDir } from './scratch.ts'

const CHUNK = randomBytes(1_000_000)
const CHUNKS = 1_000
const ROUNDS = 3
const SAMPLE_MS = 50

export async function measureLarge(): Promise<readonly Fact[]> {
  const dir = scratchDir()
  const data = join(dir, 'data')
  const cms = await startCms(data)
  const replay = join(dir, 'replay.json')
  writeFileSync(
    replay,
    JSON.stringify({ kind: 'body-to-disk', status: 201, headers: {}, path: replay, dir }),
  )
  const bare = await startBare(replay)
  const site = { url: cms.url, key: makeKey(data) }
  try {
    const before = memoryOf(cms.pid)
    let highest = before
    const timer = setInterval(() => {
      const now = memoryOf(cms.pid)
      if (now.anon > highest.anon) highest = now
    }, SAMPLE_MS)
    const ours: number[] = []
    const limits: number[] = []
    for (let round = 1; round <= ROUNDS; round += 1) {
      ours.push(await send(site, `large-${round}.bin`))
      limits.push(await send({ ...site, url: bare.url }, 'large.bin'))
      rmSync(join(dir, `body-${round}`))
    }
    clearInterval(timer)

    const [own, limit] = [median(ours), median(limits)]
    return [
      { name: 'upload of 1 GB', value: own, unit: 'MB per second' },
      {
        name: 'upload of 1 GB to a bare server that hashes and syncs',
        value: limit,
        unit: 'MB per second',
      },
      { name: 'upload of 1 GB: ratio', value: own / limit, unit: '' },
      memoryFact('memory before an upload of 1 GB', before),
      memoryFact('highest memory during an upload of 1 GB', highest),
    ]
  } finally {
    await bare.stop()
    await cms.stop()
  }
}

/** Megabytes per second. */
async function send(site: Site, name: string): Promise<number> {
  const { contentType, body } = form({
    field: 'asset_category_id',
    id: 1,
    bytes: Buffer.alloc(0),
    name,
  })
  // The head and end of a form with an empty file; the chunks go between them.
  const cut = body.lastIndexOf('\r\n--')
  const began = performance.now()
  const answer = await request(`${site.url}/upload`, {
    method: 'POST',
    headers: {
      ...auth(site),
      'content-type': contentType,
      'content-length': String(body.length + CHUNK.length * CHUNKS),
    },
    body: Readable.from(chunksOf(body.subarray(0, cut), body.subarray(cut))),
    headersTimeout: 600_000,
  })
  const told = await answer.body.text()
  if (answer.statusCode !== 201) throw new Error(`/upload answered ${answer.statusCode}: ${told}`)
  return CHUNKS / ((performance.now() - began) / 1_000)
}

async function* chunksOf(head: Buffer, end: Buffer): AsyncGenerator<Buffer> {
  yield head
  for (let count = 0; count < CHUNKS; count += 1) yield CHUNK
  yield end
}
