// A scrub without a server: the counts, when a pass is due, and where an interrupted pass resumes.

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import { assetFileVersion } from '../../../lib/schema/asset-file.ts'
import { contentPath, dataPathsOf } from '../../../lib/storage/embedded/data-paths.ts'
import { type FileScrub, openFileScrub } from '../../../lib/storage/storage-monitor.ts'
import { markKey } from '../../../lib/storage/records/format.ts'
import type { Kv } from '../../../lib/storage/records/kv.ts'
import { removeDataDirectories } from '../../helpers/data-directory.ts'
import { eventually } from '../../helpers/raw.ts'
import { copySite, makeSite, type Site, tamper } from '../../helpers/site.ts'

const MARK = markKey('scrub')
const DAY_MS = 86_400_000
const FAST = { everyMs: DAY_MS, bytesPerSecond: 1e12 }
/** These names sort after all contents of the site. */
const uidOf = (at: number): string => `ff${String(at).padStart(30, '0')}`

let site: Site
before(async () => {
  site = await makeSite()
})
after(removeDataDirectories)

interface Scrubbing {
  readonly kv: Kv
  readonly said: { readonly facts: Readonly<Record<string, unknown>>; readonly message: string }[]
  open(limits?: typeof FAST): FileScrub
  mark(): Readonly<Record<string, string>> | undefined
}

async function scrubbing(
  dataDir: string,
  use: (scrubbing: Scrubbing) => Promise<void>,
): Promise<void> {
  await tamper(dataDir, async (kv, records) => {
    const said: Scrubbing['said'] = []
    const onDamage = (facts: object, message: string): void =>
      void said.push({ facts: { ...facts }, message })
    await use({
      kv,
      said,
      open: (limits = FAST) =>
        openFileScrub({ dataPaths: dataPathsOf(dataDir), kv, records, limits, onDamage }),
      mark: () => {
        const value = kv.get(MARK)
        return value === undefined ? undefined : JSON.parse(value.toString())
      },
    })
  })
}

/** Adds contents, each as a version of the first file. */
async function addContents(dataDir: string, count: number): Promise<void> {
  const [fileId = 0] = site.fileIds
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      const first = unit.get(assetFileVersion, fileId, 1)?.value
      assert.ok(first !== undefined)
      for (let at = 0; at < count; at += 1) {
        const bytes = Buffer.alloc(1_000, at)
        const version = 10 + at
        const sha256 = hash('sha256', bytes)
        unit.put(assetFileVersion, [fileId, version], {
          ...first,
          version,
          uid: uidOf(at),
          size: bytes.length,
          sha256,
        })
        writeFileSync(contentPath(dataPathsOf(dataDir), { fileId, uid: uidOf(at) }), bytes)
      }
    }),
  )
}

test('a pass verifies each content once and reports its end', async () => {
  const dataDir = copySite(site.dataDir)
  await addContents(dataDir, 30)
  await scrubbing(dataDir, async ({ open, said, mark }) => {
    const beganMs = Date.now()
    const scrub = open()
    assert.deepEqual(scrub.status(), {
      contents: 0,
      bytes: 0,
      damaged: 0,
      unreadable: 0,
      lastEnded: undefined,
    })
    assert.ok(await eventually(() => scrub.status().lastEnded !== undefined))
    const { lastEnded, ...sums } = scrub.status()
    assert.deepEqual(sums, { contents: 36, bytes: 6 * 15 + 30_000, damaged: 0, unreadable: 0 })
    assert.ok(Date.parse(lastEnded ?? '') >= beganMs)
    await scrub.close()
    assert.deepEqual([said, mark()], [[], { ended: lastEnded }])
  })
})

test('damaged and missing contents are reported, marked and quarantined', async () => {
  const dataDir = copySite(site.dataDir)
  await addContents(dataDir, 3)
  const [fileId = 0] = site.fileIds
  const paths = dataPathsOf(dataDir)
  const pathOf = (at: number): string => contentPath(paths, { fileId, uid: uidOf(at) })
  writeFileSync(pathOf(0), Buffer.alloc(1_000, 'x'))
  rmSync(pathOf(1))
  await scrubbing(dataDir, async ({ open, said }) => {
    const scrub = open()
    assert.ok(await eventually(() => scrub.status().lastEnded !== undefined))
    const { damaged, unreadable } = scrub.status()
    await scrub.close()
    const told = said.map(({ facts, message }) => [facts['uid'], facts['fault'], message])
    const apart = 'damaged content moved to quarantine'
    assert.deepEqual(told, [
      [uidOf(0), 'damaged', apart],
      [uidOf(1), 'missing', apart],
    ])
    assert.deepEqual([damaged, unreadable], [2, 0])
    assert.deepEqual(
      readdirSync(paths.quarantine).filter((name) => name.endsWith(`.${uidOf(0)}`)).length,
      1,
    )
  })
})

test('a pass is due after the interval, if the last pass is in the future, or if it was interrupted', async () => {
  const dataDir = copySite(site.dataDir)
  const now = Date.now()
  const at = (ms: number): string => new Date(now + ms).toISOString()
  for (const [mark, contents] of [
    [{ ended: at(-DAY_MS / 2) }, 0],
    [{ ended: at(-DAY_MS * 2) }, 6],
    [{ ended: at(DAY_MS / 2) }, 6],
    [{ ended: at(0), after: '0' }, 6],
    [{ ended: at(0), after: 'g' }, 0],
    [{ after: '0' }, 6],
  ] as const) {
    await scrubbing(dataDir, async ({ kv, open }) => {
      await kv.commit((writer) => writer.put(MARK, Buffer.from(JSON.stringify(mark))))
      const scrub = open()
      if (contents > 0) assert.ok(await eventually(() => scrub.status().contents === contents))
      // A pass that is not due would be finished within this time.
      else await sleep(300)
      assert.equal(scrub.status().contents, contents, JSON.stringify(mark))
      await scrub.close()
    })
  }
  await scrubbing(dataDir, async ({ kv, open }) => {
    await kv.commit((writer) => writer.remove(MARK))
    const scrub = open({ ...FAST, everyMs: 0 })
    await sleep(300)
    assert.equal(scrub.status().contents, 0)
    await scrub.close()
  })
})

test('an interrupted pass stores its position, and the next one continues after it', async () => {
  const dataDir = copySite(site.dataDir)
  await addContents(dataDir, 30)
  await scrubbing(dataDir, async ({ open, mark }) => {
    // Eight files take a second.
    const slow = open({ everyMs: DAY_MS, bytesPerSecond: 8 * 64 * 1024 })
    assert.ok(await eventually(() => slow.status().contents > 0))
    await slow.close()
    const { contents } = slow.status()
    assert.ok(contents < 36)
    assert.ok(mark()?.['after'] !== undefined && mark()?.['ended'] === undefined)

    const next = open()
    assert.ok(await eventually(() => next.status().lastEnded !== undefined))
    assert.equal(next.status().contents, 36 - contents)
    await next.close()
  })
})

test('a pass ends without marks and with one report if the directory is missing', async () => {
  const dataDir = copySite(site.dataDir)
  const { instance } = dataPathsOf(dataDir)
  await addContents(dataDir, 1)
  rmSync(contentPath(dataPathsOf(dataDir), { fileId: site.fileIds[0] ?? 0, uid: uidOf(0) }))
  renameSync(instance, `${instance}.away`)
  await scrubbing(dataDir, async ({ open, said, mark }) => {
    const scrub = open()
    assert.ok(await eventually(() => said.length > 0))
    await sleep(300)
    await scrub.close()
    const messages = said.map(({ message }) => message)
    assert.deepEqual(messages, ['content scrub failed'])
    assert.equal(mark()?.['ended'], undefined)
  })
})
