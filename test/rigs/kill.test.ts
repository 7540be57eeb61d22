// Servers that are killed at random moments while several clients write. Every acknowledged write
// must be complete after the restart, byte for byte; an unacknowledged write may be there or not,
// but never in part. CMS_RIG_ROUNDS is the number of kills, CMS_RIG_JOBS the number of concurrent
// sites; TEST_SEED repeats the plan of a run.

import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, test } from 'node:test'
import pMap from 'p-map'
import { makeKey, runCli, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { send } from '../helpers/server.ts'
import { compareTrail, newTrail } from './audit-trail.ts'
import { compare, compareAll, newKnown } from './known-files.ts'
import { CLIENTS, untilAcknowledged, writeUntilKilled } from './load.ts'
import { openProgress } from './progress.ts'
import { openRandom } from './random.ts'
import { IS_FULL } from './sampling.ts'
import { SEED } from '../helpers/seed.ts'

const ROUNDS = Number(process.env['CMS_RIG_ROUNDS'] ?? (IS_FULL ? 10_000 : 5))
const JOBS = Number(process.env['CMS_RIG_JOBS'] ?? 2)
/**
 * After this number of rounds the whole site is compared and a new site begins, because a start
 * checks the whole site and would become slower.
 */
const ROUNDS_OF_A_SITE = 50
/** The maximum number of writes before a kill. */
const MAX_WRITES = 30
const MAX_PAUSE_MS = 20
// Without a trash, each deletion removes its contents.
const ARGS = [
  '--log-level',
  'error',
  '--min-free-mb',
  '0',
  '--scrub-days',
  '0',
  '--trash-days',
  '0',
]

after(removeDataDirectories)

test(`S1, S2, S3: no acknowledged change is lost in ${ROUNDS} kills (TEST_SEED=${SEED})`, async (t) => {
  const total: Total = { kills: 0, acknowledged: 0 }
  const progress = openProgress('kill', () => JSON.stringify(total))
  const sites = Array.from({ length: Math.ceil(ROUNDS / ROUNDS_OF_A_SITE) }, (_, index) => ({
    seed: SEED + index,
    kills: Math.min(ROUNDS_OF_A_SITE, ROUNDS - index * ROUNDS_OF_A_SITE),
  }))
  await pMap(sites, (site) => killAgain(site, total), { concurrency: JOBS }).finally(progress.close)

  t.diagnostic(JSON.stringify(total))
  assert.ok(total.acknowledged >= ROUNDS)
})

interface Total {
  kills: number
  acknowledged: number
}

/** Runs a site from its first start to the last kill and then compares everything. */
async function killAgain(
  { seed, kills }: { readonly seed: number; readonly kills: number },
  total: Total,
): Promise<void> {
  const dataDir = newDataDirectory()
  const random = openRandom(seed).next
  const known = newKnown()
  const trail = newTrail()
  let server = await startChild(dataDir, ARGS)
  const key = await makeKey(dataDir)

  try {
    for (let done = 0; done < kills; done++) {
      const load = Array.from({ length: CLIENTS }, () =>
        writeUntilKilled({ url: server.url, key, known, trail, random }),
      )
      const before = known.acknowledged
      await untilAcknowledged(known, before + 1 + random() * MAX_WRITES)
      await sleep(random() * MAX_PAUSE_MS)
      await server.kill('SIGKILL')
      await Promise.all(load)
      total.kills += 1
      total.acknowledged += known.acknowledged - before

      server = await startChild(dataDir, ARGS)
      await compare({ url: server.url, key }, known, { clients: CLIENTS, random })
      await compareTrail(trail, { url: server.url, key, known, clients: CLIENTS })
    }
    await compareAll({ url: server.url, key }, known, { clients: 0, dataDir })
    assert.equal((await server.kill('SIGTERM')).code, 0)
  } catch (error) {
    throw new Error(`Seed ${seed}, after ${total.kills} kills in all`, { cause: error })
  } finally {
    await server.kill('SIGKILL')
  }
  const check = await runCli(['check', '--data', dataDir])
  assert.match(check.stdout, /\nNo faults found\.\n$/)
  rmSync(dirname(dataDir), { recursive: true })
}

for (const path of ['lock', '.quarantine', 'ff', 'records/data.mdb', 'instance.json']) {
  test(`S4: a first start that is killed after it created ${path} can be repeated`, async () => {
    const dataDir = newDataDirectory()
    const killed = startChild(dataDir, ['--log-level', 'silent'], { killAt: join(dataDir, path) })
    await assert.rejects(killed, /ended with SIGKILL/)

    const server = await startChild(dataDir)
    assert.equal((await send(server.url, 'GET', '/ready', {})).status, 200)
    assert.equal((await server.kill('SIGTERM')).code, 0)
  })
}
