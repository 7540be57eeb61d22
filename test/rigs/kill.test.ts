// A server that is killed at random moments while several clients write. Whatever it acknowledged must
// be there when it starts again, to the byte; what it did not may be there or not, but never in part.
// CMS_RIG_ROUNDS is the number of kills; CMS_RIG_SEED repeats the plan of a run.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, test } from 'node:test'
import { makeKey, runCli, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { send } from '../helpers/server.ts'
import { compareTrail, newTrail } from './audit-trail.ts'
import { compare, newKnown } from './known-files.ts'
import { CLIENTS, untilAcknowledged, writeUntilKilled } from './load.ts'
import { openRandom } from './random.ts'
import { IS_FULL, SEED } from './sampling.ts'

const ROUNDS = Number(process.env['CMS_RIG_ROUNDS'] ?? (IS_FULL ? 100 : 5))

after(removeDataDirectories)

test(`S1, S2, S3: nothing acknowledged is lost in ${ROUNDS} kills (CMS_RIG_SEED=${SEED})`, async (t) => {
  const dataDir = newDataDirectory()
  const random = openRandom(SEED).next
  const known = newKnown()
  const trail = newTrail()
  let server = await startChild(dataDir, ['--log-level', 'error'])
  t.after(() => server.kill('SIGKILL'))
  const key = await makeKey(dataDir)

  for (let round = 1; round <= ROUNDS; round++) {
    const load = Array.from({ length: CLIENTS }, () =>
      writeUntilKilled({ url: server.url, key, known, trail, random }),
    )
    await untilAcknowledged(known, known.acknowledged + 5 + random() * 60)
    await sleep(random() * 20)
    await server.kill('SIGKILL')
    await Promise.all(load)

    server = await startChild(dataDir, ['--log-level', 'error'])
    await compare({ url: server.url, key }, known, dataDir, CLIENTS)
    await compareTrail(trail, { url: server.url, key, known, clients: CLIENTS })
  }

  t.diagnostic(`${known.acknowledged} writes were acknowledged, ${known.files.size} files are left`)
  assert.ok(known.acknowledged >= ROUNDS)
  assert.equal((await server.kill('SIGTERM')).code, 0)
  const check = await runCli(['check', '--data', dataDir])
  assert.match(check.stdout, /\nAll is well\.\n$/)
})

for (const path of ['lock', '.quarantine', 'ff', 'records/data.mdb', 'instance.json']) {
  test(`S4: a first start that is killed once there is ${path} can be started again`, async () => {
    const dataDir = newDataDirectory()
    const killed = startChild(dataDir, ['--log-level', 'silent'], { killAt: join(dataDir, path) })
    await assert.rejects(killed, /ended with SIGKILL/)

    const server = await startChild(dataDir)
    assert.equal((await send(server.url, 'GET', '/ready', {})).status, 200)
    assert.equal((await server.kill('SIGTERM')).code, 0)
  })
}
