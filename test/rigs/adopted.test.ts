// The first start on a backup that shares its bytes with another backup (backup --previous), with a
// fault at each of its system calls. Neither backup loses anything, and the next start finds the
// same site. See injection.ts.

import assert from 'node:assert/strict'
import { linkSync, mkdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { openPool } from '../../lib/workers/pool.ts'
import { type Ended, runCli, startChild } from '../helpers/child-server.ts'
import { contentsIn, fingerprint, removeDataDirectories } from '../helpers/data-directory.ts'
import { SEED } from '../helpers/seed.ts'
import {
  FAULTS,
  type Point,
  pointsOf,
  type Prepared,
  requireHealed,
  struck,
  tell,
  tryAll,
} from './injection.ts'
import { copySite } from '../helpers/site.ts'
import { makeOperationSite } from './operations.ts'
import { IS_FULL, sample } from './sampling.ts'
import { openShim, type Plan, type Shim, whyNoShim } from './shim.ts'
import { readState, type SiteState } from './site-state.ts'

const SHORT_POINTS = 3
/** All shards are synced in the same way, so a sample of their faults is enough. */
const FULL_POINTS = 300
const ARGS = ['--log-level', 'error', '--min-free-mb', '0', '--scrub-days', '0']

const skip = whyNoShim() ?? false
const pool = openPool(1)
let backup: Prepared
let state: SiteState
before(async () => {
  const site = await makeOperationSite()
  const target = join(dirname(site.dataDir), 'backup')
  const made = await runCli(['backup', target, '--data', site.dataDir])
  assert.equal(made.code, 0, made.stderr)
  backup = { ...site, dataDir: target, pool }
  const server = await startChild(copySite(site.dataDir), ARGS)
  state = await readState({ url: server.url, key: site.key })
  await server.kill('SIGTERM')
})
after(async () => {
  await pool.close()
  removeDataDirectories()
})

test(`S7, S8: a start on a backup with shared bytes loses none, whichever call fails (TEST_SEED=${SEED})`, {
  skip,
}, async (t) => {
  const { shim, ended } = await startShared({ mode: 'count' })
  const points = pointsOf(shim.calls())
  shim.close()
  assert.equal(ended.code, 0, ended.stderr)

  const [naming, others] = [points.filter(isNaming), points.filter((point) => !isNaming(point))]
  assert.ok(naming.length > 0, 'the start has given nothing its name')
  const chosen = IS_FULL
    ? [...naming, ...sample(others, FULL_POINTS)]
    : [...sample(naming, SHORT_POINTS), ...sample(others, SHORT_POINTS)]
  const counts = await tryAll('adopted', chosen, attempt)
  t.diagnostic(`${chosen.length} of ${points.length} points: ${JSON.stringify(counts)}`)
})

/** A failed rename can leave the bytes without their name. */
function isNaming({ fault, call }: Point): boolean {
  return call === 'rename' && fault !== 'kill'
}

async function attempt(point: Point): Promise<string> {
  const plan = { ...FAULTS[point.fault], at: point.number }
  const { dataDir, other, before, shim, ended } = await startShared(plan)
  const { code, signal, stderr } = ended
  const failed = struck(point, shim.calls())
  shim.close()
  if (point.fault !== 'kill' && signal === null)
    assert.ok([0, 1, 65, 70].includes(code ?? -1), `${code} ${stderr}`)
  await requireHealed(backup, dataDir, [state])
  assert.deepEqual(fingerprint(other), before)
  return tell(signal ?? `exit ${code}`, point, failed)
}

interface Shared {
  readonly dataDir: string
  /** A directory with links to the same bytes, like the earlier backup. */
  readonly other: string
  readonly before: Readonly<Record<string, string>>
  readonly shim: Shim
  readonly ended: Ended
}

/** Starts on a copy of the backup and stops when the server is ready. */
async function startShared(plan: Plan): Promise<Shared> {
  const dataDir = copySite(backup.dataDir)
  const other = join(dirname(dataDir), 'other')
  mkdirSync(other)
  for (const path of contentsIn(dataDir)) linkSync(path, join(other, basename(path)))
  const before = fingerprint(other)
  const shim = openShim(dataDir)
  shim.set(plan)
  const ended = await startChild(dataDir, ARGS, { env: shim.env }).then(
    (server) => server.kill('SIGTERM'),
    (error: { readonly ended: Ended }) => error.ended,
  )
  return { dataDir, other, before, shim, ended }
}
