// Repeated power cuts: while clients write, the server is frozen and the image of its disk is
// copied, so that the copy lacks everything that was not synced. A server on the copy must have all
// acknowledged writes and continues from there. The records are also tested on a separate disk,
// because otherwise the syncs of LMDB would make the contents durable too. CMS_RIG_ROUNDS is the
// number of cuts.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, test } from 'node:test'
import { type ChildServer, makeKey, startChild } from '../helpers/child-server.ts'
import { removeDataDirectories } from '../helpers/data-directory.ts'
import { compare, compareAll, newKnown } from './known-files.ts'
import { CLIENTS, untilAcknowledged, writeUntilKilled } from './load.ts'
import { type Mounts, openMounts, whyNoMounts } from './mounts.ts'
import { openProgress } from './progress.ts'
import { openRandom } from './random.ts'
import { IS_FULL } from './sampling.ts'
import { SEED } from '../helpers/seed.ts'
import { openShim, type Shim, whyNoShim } from './shim.ts'

const ROUNDS = Number(process.env['CMS_RIG_ROUNDS'] ?? (IS_FULL ? 200 : 2))
/** A new site begins after this number of rounds, so that comparisons stay short. */
const ROUNDS_OF_A_SITE = 20
const IMAGE_MB = 192
/** A long commit interval, so that ext4 does not write its journal on a timer. */
const OPTIONS = 'commit=1000'
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

const skip = whyNoMounts() ?? false
const random = openRandom(SEED).next

after(removeDataDirectories)

for (const [name, images] of [
  ['one file system', ['content']],
  ['records and contents on two', ['content', 'records']],
] as const) {
  const title = `S5, S6: nothing acknowledged is lost in ${ROUNDS} power cuts, ${name}`
  test(`${title} (TEST_SEED=${SEED})`, { skip }, async (t) => {
    const total = { cuts: 0, acknowledged: 0 }
    const progress = openProgress(`cut, ${name}`, () => JSON.stringify(total))
    try {
      while (total.cuts < ROUNDS) {
        const cuts = Math.min(ROUNDS_OF_A_SITE, ROUNDS - total.cuts)
        await withDisk(images, (disk) => cutAgain(disk, { cuts, total }))
      }
    } finally {
      progress.close()
    }
    t.diagnostic(JSON.stringify(total))
  })
}

test('the rig of power cuts finds losses if syncs do nothing', {
  skip: skip === false ? (whyNoShim() ?? false) : skip,
}, async () => {
  await withDisk(['content', 'records'], async (disk) => {
    const shim = openShim(dataDirOf(disk.content))
    shim.set({ mode: 'lie' })
    await assert.rejects(cutAgain(disk, { cuts: 5, total: { cuts: 0, acknowledged: 0 }, shim }))
    shim.close()
  })
})

interface Disk {
  readonly mounts: Mounts
  readonly images: readonly string[]
  /** The directory of the images. */
  readonly memory: string
  /** The mount point of the content. */
  readonly content: string
}

async function withDisk(
  images: readonly string[],
  use: (disk: Disk) => Promise<void>,
): Promise<void> {
  const mounts = openMounts()
  try {
    // A replaced image occupies memory until the kernel releases it, hence the factor of four.
    const memory = mounts.tmpfs(4 * IMAGE_MB * images.length)
    const image = (name: string) => ({
      path: join(memory, name),
      sizeMb: IMAGE_MB,
      options: OPTIONS,
    })
    const content = mounts.ext4(image('content'))
    const records = recordsOf(dataDirOf(content))
    mkdirSync(records, { recursive: true, mode: 0o700 })
    if (images.includes('records')) mounts.ext4On(records, image('records'))
    await use({ mounts, images, memory, content })
  } finally {
    mounts.close()
  }
}

interface Plan {
  readonly cuts: number
  /** The totals of the run. */
  readonly total: Total
  readonly shim?: Shim
}

interface Total {
  cuts: number
  acknowledged: number
}

/** Rejects if an acknowledged write is missing. */
async function cutAgain(disk: Disk, { cuts, total, shim }: Plan): Promise<void> {
  const dataDir = dataDirOf(disk.content)
  const options = shim === undefined ? {} : { env: shim.env }
  const known = newKnown()
  let server = await startChild(dataDir, ARGS, options)
  const key = await makeKey(dataDir)
  try {
    for (let cut = 1; cut <= cuts; cut++) {
      const load = Array.from({ length: CLIENTS }, () =>
        writeUntilKilled({ url: server.url, key, known, random }),
      )
      const before = known.acknowledged
      await untilAcknowledged(known, before + 5 + random() * 60)
      await sleep(random() * 20)
      await cutPower(disk, server)
      await Promise.all(load)

      server = await startChild(dataDir, ARGS, options)
      await compare({ url: server.url, key }, known, { clients: CLIENTS, random })
      total.cuts += 1
      total.acknowledged += known.acknowledged - before
    }
    await compareAll({ url: server.url, key }, known, { clients: 0, dataDir })
  } finally {
    await server.kill('SIGKILL')
  }
}

/** Restores the disk to its durable state at one moment, without unsynced writes. */
async function cutPower(
  { mounts, images, memory, content }: Disk,
  server: ChildServer,
): Promise<void> {
  process.kill(server.pid, 'SIGSTOP')
  // `cp` copies only the allocated blocks of a sparse file; copyFile of Node copies all of them.
  for (const name of images)
    execFileSync('cp', ['--sparse=auto', join(memory, name), join(memory, `${name}.cut`)])
  await server.kill('SIGKILL')

  const records = recordsOf(dataDirOf(content))
  if (images.includes('records')) mounts.unmount(records)
  mounts.unmount(content)
  for (const name of images) await rename(join(memory, `${name}.cut`), join(memory, name))
  mounts.mount(join(memory, 'content'), content, OPTIONS)
  if (images.includes('records')) mounts.mount(join(memory, 'records'), records, OPTIONS)
}

function dataDirOf(content: string): string {
  return join(content, 'data')
}

function recordsOf(dataDir: string): string {
  return join(dataDir, 'records')
}
