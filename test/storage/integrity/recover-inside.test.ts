// Recovery at a start, without a server: promised removals, numbers that are never reused, bytes
// that a backup shares, and expired files in quarantine.

import assert from 'node:assert/strict'
import { existsSync, linkSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, afterEach, before, mock, test } from 'node:test'
import { seenTime } from '../../../lib/schema/api-key.ts'
import { assetFile } from '../../../lib/schema/asset-file.ts'
import { pendingWork } from '../../../lib/schema/pending-work.ts'
import { backupEmbedded } from '../../../lib/storage/backup/backup.ts'
import {
  type DataPaths,
  dataPathsOf,
  parseContentName,
} from '../../../lib/storage/embedded/data-paths.ts'
import type { Recovered } from '../../../lib/storage/engine.ts'
import { highestIdKey } from '../../../lib/storage/records/format.ts'
import { readCounter } from '../../../lib/storage/records/record-bytes.ts'
import { openPool, type Pool } from '../../../lib/workers/pool.ts'
import {
  contentsIn,
  newDataDirectory,
  removeDataDirectories,
} from '../../helpers/data-directory.ts'
import {
  copyCrashed,
  makeSite,
  markCrashed,
  openSite,
  type Site,
  tamper,
} from '../../helpers/site.ts'

const DAY_MS = 86_400_000

let site: Site
let pool: Pool
before(async () => {
  site = await makeSite()
  pool = openPool(1)
})
afterEach(() => mock.timers.reset())
after(async () => {
  await pool.close()
  removeDataDirectories()
})

/** Starts and stops a site. */
async function start(dataDir: string): Promise<Recovered> {
  const storage = await openSite(dataDir, pool)
  await storage.close()
  return storage.recovered
}

const NOTHING = { temporaryFiles: 0, quarantined: 0, damagedVersions: 0, mended: 0 }

test('pending removals are done, and other pending work is not mistaken for a removal', async () => {
  const dataDir = copyCrashed(site)
  const stray = join(dataDir, '00', `7.00${'b'.repeat(30)}`)
  writeFileSync(stray, 'x')
  const name = parseContentName(`7.00${'b'.repeat(30)}`)
  assert.ok(name !== undefined)
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      unit.put(pendingWork, ['a'], { kind: 'remove', contents: [name] })
      unit.put(pendingWork, ['b'], { kind: 'forget', asset_file_id: 7 })
    }),
  )
  assert.deepEqual(await start(dataDir), { ...NOTHING, wasCrash: true })
  assert.equal(existsSync(stray), false)
  await tamper(dataDir, async (_, records) =>
    assert.deepEqual(records.list(pendingWork, []), [['b']]),
  )
})

test('identifiers of existing bytes are not reused, and free identifiers are', async () => {
  const dataDir = newDataDirectory()
  await start(dataDir)
  const highest = async (): Promise<number> => {
    let found = -1
    await tamper(dataDir, async (kv) => {
      found = readCounter(kv, highestIdKey(kv, assetFile.recordType))
    })
    return found
  }
  for (const [name, expected] of [
    ['no-number', 0],
    [`7.00${'c'.repeat(30)}`, 7],
    [`6.00${'c'.repeat(30)}`, 7],
  ] as const) {
    markCrashed(dataDir)
    writeFileSync(join(dataDir, '00', name), 'x')
    assert.deepEqual(await start(dataDir), { ...NOTHING, wasCrash: true, quarantined: 1 })
    assert.equal(await highest(), expected)
  }
})

test('bytes that a backup shares with another are not lost when a server starts on it', async () => {
  const dataDir = copyCrashed(site)
  const target = join(dirname(dataDir), 'backup')
  const { signal } = new AbortController()
  await backupEmbedded({ dataDir, target, pool, signal, onProgress: () => undefined })
  const [gone = '', ...shared] = contentsIn(target)
  rmSync(gone)
  for (const [at, path] of shared.entries()) linkSync(path, join(dirname(dataDir), `other-${at}`))
  assert.deepEqual(await start(target), { ...NOTHING, wasCrash: true, damagedVersions: 1 })
})

test('quarantined contents are removed after 30 days of retention time, not before', async () => {
  const dataDir = copyCrashed(site)
  const { quarantine } = dataPathsOf(dataDir)
  writeFileSync(join(quarantine, 'file'), 'x')
  for (const [days, seenDays, left] of [
    [29, 29, ['file']],
    // The clock was set forward, so the days have not really passed.
    [31, 0, ['file']],
    [31, 31, []],
  ] as const) {
    const now = Date.now()
    await seen(dataPathsOf(dataDir), now + seenDays * DAY_MS)
    mock.timers.enable({ apis: ['Date'], now: now + days * DAY_MS })
    markCrashed(dataDir)
    await start(dataDir)
    mock.timers.reset()
    assert.deepEqual(readdirSync(quarantine), left, `${days} days, of which ${seenDays} count`)
  }
})

/** Writes the last seen time, as the previous run would have done. */
async function seen({ dataDir }: DataPaths, timeMs: number): Promise<void> {
  const date = new Date(timeMs).toISOString()
  await tamper(dataDir, (_, records) =>
    records.commit((unit) =>
      unit.put(seenTime, [1], { date_seen: date, date_last: date, jumps: [] }),
    ),
  )
}
