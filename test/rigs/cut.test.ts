// A power cut, again and again: while clients write, the server is frozen and the image of its disk is
// copied, so that all that was not synced is missing in the copy. A server on the copy must have
// whatever was acknowledged, and goes on from there. The records also lie on a disk of their own: then
// nothing that LMDB syncs helps the contents. CMS_RIG_ROUNDS is the number of cuts.

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { copyFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, test } from 'node:test'
import { type ChildServer, makeKey, startChild } from '../helpers/child-server.ts'
import { removeDataDirectories } from '../helpers/data-directory.ts'
import { compare, newKnown } from './known-files.ts'
import { CLIENTS, untilAcknowledged, writeUntilKilled } from './load.ts'
import { type Mounts, openMounts, whyNoMounts } from './mounts.ts'
import { openRandom } from './random.ts'
import { IS_FULL, SEED } from './sampling.ts'
import { openShim, type Shim, whyNoShim } from './shim.ts'

const ROUNDS = Number(process.env['CMS_RIG_ROUNDS'] ?? (IS_FULL ? 200 : 2))
/** Then the site begins anew, so that a comparison stays short. */
const ROUNDS_OF_A_SITE = 20
const IMAGE_MB = 192
/** The journal of ext4 is not written by time alone. */
const OPTIONS = 'commit=1000'
const ARGS = ['--log-level', 'error', '--min-free-mb', '0', '--scrub-days', '0']

const skip = whyNoMounts() ?? false
const random = openRandom(SEED).next

after(removeDataDirectories)

for (const [name, images] of [
  ['one file system', ['content']],
  ['records and contents on two', ['content', 'records']],
] as const) {
  const title = `S5, S6: nothing acknowledged is lost in ${ROUNDS} power cuts, ${name}`
  test(`${title} (CMS_RIG_SEED=${SEED})`, { skip }, async (t) => {
    let acknowledged = 0
    for (let done = 0; done < ROUNDS; done += ROUNDS_OF_A_SITE) {
      const cuts = Math.min(ROUNDS_OF_A_SITE, ROUNDS - done)
      await withDisk(images, async (disk) => {
        acknowledged += await cutAgain(disk, cuts)
      })
    }
    t.diagnostic(`${acknowledged} writes were acknowledged before ${ROUNDS} cuts`)
  })
}

test('the rig of power cuts finds what is lost when syncs do nothing', {
  skip: skip === false ? (whyNoShim() ?? false) : skip,
}, async () => {
  await withDisk(['content', 'records'], async (disk) => {
    const shim = openShim(dataDirOf(disk.content))
    shim.set({ mode: 'lie' })
    await assert.rejects(cutAgain(disk, 5, shim))
    shim.close()
  })
})

interface Disk {
  readonly mounts: Mounts
  readonly images: readonly string[]
  /** Holds the images. */
  readonly memory: string
  /** Where they are mounted. */
  readonly content: string
}

async function withDisk(
  images: readonly string[],
  use: (disk: Disk) => Promise<void>,
): Promise<void> {
  const mounts = openMounts()
  try {
    // An image that was replaced takes its room until the kernel lets go of it.
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

/** Rejects when something is missing; else the number of writes that were acknowledged. */
async function cutAgain(disk: Disk, cuts: number, shim?: Shim): Promise<number> {
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
      await untilAcknowledged(known, known.acknowledged + 5 + random() * 60)
      await sleep(random() * 20)
      await cutPower(disk, server)
      await Promise.all(load)

      server = await startChild(dataDir, ARGS, options)
      await compare({ url: server.url, key }, known, dataDir, CLIENTS)
    }
  } finally {
    await server.kill('SIGKILL')
  }
  return known.acknowledged
}

/** The disk is what it was at one moment, without all that had not reached it. */
async function cutPower(
  { mounts, images, memory, content }: Disk,
  server: ChildServer,
): Promise<void> {
  process.kill(server.pid, 'SIGSTOP')
  for (const name of images) await copyFile(join(memory, name), join(memory, `${name}.cut`))
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
