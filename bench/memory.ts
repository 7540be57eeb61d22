// Memory of the server after many files, and whether it keeps growing: several imports, each into its own
// folder. Runs only by name (`npm run bench -- memory`), because it writes 1.6 GB.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { makeKey, memoryOf, startCms } from './processes.ts'
import { type Fact, memoryFact } from './report.ts'
import { scratchDir } from './scratch.ts'
import { importTree } from './site.ts'

const FILES = 28_000
const ROUNDS = 3
/** Idle threads end after a minute. */
const REST_MS = 65_000

export async function measureMemory(): Promise<readonly Fact[]> {
  const dir = scratchDir()
  const data = join(dir, 'data')
  const tree = join(dir, 'tree')
  makeTree(tree)

  const cms = await startCms(data)
  const site = { url: cms.url, key: makeKey(data) }
  const facts: Fact[] = []
  try {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const category = await makeFolder(site, `round-${round}`)
      const seconds = importTree(tree, { ...site, category })
      const after = `round ${round} of ${FILES} files`
      facts.push(memoryFact(`memory after ${after}`, memoryOf(cms.pid)))
      facts.push({ name: `import, ${after}`, value: Math.round(seconds), unit: 's' })
    }
    await sleep(REST_MS)
    facts.push(memoryFact('memory a minute after the last round', memoryOf(cms.pid)))
  } finally {
    await cms.stop()
  }
  return facts
}

/** Files of up to 24 KB, like pages and small images; every hundredth file has 700 KB. */
function makeTree(tree: string): void {
  for (let at = 0; at < FILES; at += 1) {
    const folder = join(tree, `folder-${at % 200}`)
    mkdirSync(folder, { recursive: true })
    const isLarge = at % 100 === 50
    const sizeBytes = isLarge ? 700_000 : 200 + ((at * 7_919) % 24_000)
    const name = `${at}.${at % 10 < 6 ? 'html' : 'png'}`
    writeFileSync(join(folder, name), Buffer.alloc(sizeBytes, `${at} `))
  }
}

async function makeFolder(site: { url: string; key: string }, name: string): Promise<number> {
  const { statusCode, body } = await request(`${site.url}/api/v2/asset_category`, {
    method: 'POST',
    headers: { authorization: `Bearer ${site.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  const text = await body.text()
  if (statusCode !== 201) throw new Error(text)
  return (JSON.parse(text) as { asset_category_id: number }).asset_category_id
}
