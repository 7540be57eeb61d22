// One server compares the contents of a store with their hashes, and all servers report the damaged
// contents.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ClusterSettings } from '../../../lib/config/cluster-settings.ts'
import { startCluster } from '../../helpers/cluster.ts'
import { eventually } from '../../helpers/raw.ts'
import { closeTestServers, startTestServer, type TestServer } from '../../helpers/server.ts'

const cluster = await startCluster()
after(closeTestServers)

const FILES = '/api/v2/asset_file'
/**
 * The first content is stored inline in its commit, and the last content is larger than a single read.
 */
const SIZES = [40_000, 60_000, 2_500_000]

/** A wrong mark appears within this time; a sound content is never marked. */
const SOON_MS = 1_500

interface Site {
  readonly a: TestServer
  readonly b: TestServer
  /** File identifiers in the order of SIZES. */
  readonly ids: readonly number[]
  readonly keys: readonly string[]
  readonly prefix: string
}

async function withFiles(): Promise<Site> {
  const settings: ClusterSettings = await cluster.newSite()
  const scrub = { everyMs: 400, bytesPerSecond: 1e9 }
  const a = await startTestServer({ config: { cluster: settings, scrub } })
  const b = await startTestServer({ config: { cluster: settings, scrub } })
  const ids: number[] = []
  for (const size of SIZES) {
    const bytes = Buffer.alloc(size, `${size} `)
    const made = await a.upload([
      { name: 'asset_category_id', value: '1' },
      { name: 'Filedata', bytes, fileName: `${size}.bin` },
    ])
    assert.equal(made.status, 201, made.text)
    ids.push(made.body.asset_file_id)
  }
  const prefix = settings.store.prefix ?? ''
  const keysNow = (): readonly string[] => {
    const all = [...cluster.store.objects.keys()].filter((key) => key.startsWith(prefix))
    return ids.map((id) => all.find((key) => key.includes(`/${id}.`)) ?? '')
  }
  // The smallest content is stored inline in its commit and written out afterwards.
  assert.ok(await eventually(() => keysNow().every((key) => key !== '')))
  const keys = keysNow()
  return { a, b, ids, keys, prefix }
}

async function metric({ call }: TestServer, name: string): Promise<number> {
  const { text } = await call('GET', '/metrics')
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

/** After two more passes have ended, at least one pass began after this call. */
async function scrubbed({ a, b }: Site): Promise<void> {
  const count = async (): Promise<number> =>
    (await metric(a, 'cms_scrub_contents_total')) + (await metric(b, 'cms_scrub_contents_total'))
  const before = await count()
  assert.ok(await eventually(async () => (await count()) > before + 2 * SIZES.length))
}

async function damagedAt(
  { call }: TestServer,
  ids: readonly number[],
): Promise<readonly boolean[]> {
  const answers = ids.map((id) => call('GET', `${FILES}/${id}/versions/1`))
  return (await Promise.all(answers)).map(({ body }) => body.damaged)
}

test('lost and changed objects are marked by one node and visible to both', async () => {
  const site = await withFiles()
  const { a, b, ids, keys } = site
  await scrubbed(site)
  assert.deepEqual(await damagedAt(b, ids), [false, false, false])

  const [first = '', , large = ''] = keys
  cluster.store.objects.delete(first)
  const whole = cluster.store.objects.get(large)
  assert.ok(whole !== undefined)
  const bytes = Buffer.from(whole.bytes)
  bytes[2_000_000] = 0
  cluster.store.objects.set(large, { ...whole, bytes })

  const wanted = [true, false, true]
  assert.ok(await eventually(async () => String(await damagedAt(a, ids)) === String(wanted)))
  assert.deepEqual(await damagedAt(b, ids), wanted)
  const found = [a, b].map((node) => metric(node, 'cms_contents_damaged_total'))
  assert.deepEqual((await Promise.all(found)).toSorted(), [0, 2])
  // The damaged object is kept for the operator.
  assert.ok(cluster.store.objects.has(large))
})

test('an empty store marks no content as damaged', async () => {
  const site = await withFiles()
  const { a, ids, keys, prefix } = site
  await scrubbed(site)
  const kept = [...keys, `${prefix}instance.json`].map(
    (key) => [key, cluster.store.objects.get(key)] as const,
  )
  assert.ok(kept.every(([, object]) => object !== undefined))
  for (const [key] of kept) cluster.store.objects.delete(key)
  const asked = cluster.store.asked.length
  const isCompared = (): boolean =>
    cluster.store.asked
      .slice(asked)
      .some((line) => line.startsWith('GET') && line.includes(keys[0] ?? ''))
  assert.ok(await eventually(isCompared))
  const isMarked = async (): Promise<boolean> => (await damagedAt(a, ids)).includes(true)
  assert.equal(await eventually(isMarked, SOON_MS), false)
  for (const [key, object] of kept) if (object !== undefined) cluster.store.objects.set(key, object)
})

test('another node continues when the verifying node stops', async () => {
  const site = await withFiles()
  const { a, b } = site
  await scrubbed(site)
  const [ofA, ofB] = await Promise.all(
    [a, b].map((node) => metric(node, 'cms_scrub_contents_total')),
  )
  const [works, waits] = Number(ofA) > Number(ofB) ? [a, b] : [b, a]
  assert.equal(await metric(waits, 'cms_scrub_contents_total'), 0)
  await works.stop()
  assert.ok(await eventually(async () => (await metric(waits, 'cms_scrub_contents_total')) > 0))
})
