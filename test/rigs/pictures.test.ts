// Hostile pictures are uploaded and requested in other sizes while a client reads records. The server answers each with a
// form or with the reason for a refusal, lives, and keeps its memory. The long form is the script rig:pictures. The
// variable CMS_PICTURES adds directories of pictures, such as the test fixtures of sharp and libvips. The latencies are
// printed and decide nothing.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import sharp, { type Sharp } from 'sharp'
import { type ChildServer, makeKey, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { buildForm, send } from '../helpers/server.ts'
import { percentile } from './hostile/normal.ts'
import { type HostilePicture, hostilePictures } from './hostile-pictures.ts'
import { IS_FULL } from './sampling.ts'

after(removeDataDirectories)

const MIB = 1024 * 1024
/** The reader of records sends so many requests a second. */
const READS = IS_FULL ? 500 : 100
const ALONE_MS = IS_FULL ? 10_000 : 1_000
/** Memory of the server itself, beyond what it had after its start: bodies and answers are in memory. */
const MOST_GROWTH = 400 * MIB
/** Statuses of a picture of which nothing is known. */
const ANY = [200, 422]

function pictures(): readonly HostilePicture[] {
  const folders = (process.env['CMS_PICTURES'] ?? '').split(':').filter((path) => path !== '')
  return folders.flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => ({ name, bytes: readFileSync(join(folder, name)), expected: ANY })),
  )
}

function residentBytes(pid: number): number {
  const [, kib = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) * 1024
}

/** Sends reads at an even rate until `isOver`, and returns how long each took from its planned time, in milliseconds. */
async function readSteadily(
  server: ChildServer,
  key: string,
  isOver: () => boolean,
): Promise<readonly number[]> {
  const times: number[] = []
  const running: Promise<void>[] = []
  const begin = performance.now()
  for (let count = 0; !isOver(); count += 1) {
    const planned = begin + (count * 1_000) / READS
    const waitMs = planned - performance.now()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    running.push(
      send(server.url, 'GET', '/api/v2/asset_category/1', { key }).then(({ status }) => {
        assert.equal(status, 200)
        times.push(performance.now() - planned)
      }),
    )
  }
  await Promise.all(running)
  return times
}

function show(times: readonly number[]): string {
  const [median, p99] = [percentile(times, 50), percentile(times, 99)]
  return `${times.length} reads, median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
}

/** A form shows what sharp alone makes of the original: the mean difference of a channel, of 255. */
async function differenceOf(original: Buffer, form: Buffer): Promise<number> {
  const expected = sharp(original).autoOrient().toColorspace('srgb').resize(320, undefined, {
    fit: 'inside',
    withoutEnlargement: true,
  })
  const plain = (picture: Sharp): Promise<Buffer> =>
    picture.flatten().removeAlpha().raw().toBuffer()
  const [left, right] = await Promise.all([plain(expected), plain(sharp(form))])
  assert.equal(left.length, right.length)
  let sum = 0
  for (const [at, value] of left.entries()) sum += Math.abs(value - (right[at] ?? 0))
  return sum / Math.max(1, left.length)
}

test('hostile pictures get a form or a refusal and do not affect other requests', async (t) => {
  const dataDir = newDataDirectory()
  // A slow machine gets many connections from one address.
  const args = ['--min-free-mb', '0', '--max-connections-per-address', '0']
  const server = await startChild(dataDir, [...args, '--log-level', 'error'])
  try {
    const key = await makeKey(dataDir)
    // Built before the reads, because the work would delay this process.
    const all = [...(await hostilePictures()), ...pictures()]
    const start = performance.now()
    await readSteadily(server, key, () => performance.now() > start + 1_000)
    const again = performance.now()
    const alone = await readSteadily(server, key, () => performance.now() > again + ALONE_MS)
    t.diagnostic(`alone: ${show(alone)}`)

    const startBytes = residentBytes(server.pid)
    let isOver = false
    const reading = readSteadily(server, key, () => isOver)
    const counts = new Map<number, number>()
    let mostBytes = 0
    let mostDifference = 0
    try {
      for (const [at, picture] of all.entries()) {
        const { status, bytes, text } = await request(server, key, { at, picture })
        counts.set(status, (counts.get(status) ?? 0) + 1)
        assert.ok(picture.expected.includes(status), `${picture.name}: ${status} ${text}`)
        if (status === 422) assert.match(text, /"code":"picture-refused"/)
        else mostDifference = Math.max(mostDifference, await differenceOf(picture.bytes, bytes))
        mostBytes = Math.max(mostBytes, residentBytes(server.pid))
      }
    } finally {
      isOver = true
    }
    t.diagnostic(`beside the pictures: ${show(await reading)}`)
    t.diagnostic(`answers by status: ${JSON.stringify([...counts])}`)
    t.diagnostic(`largest mean difference to sharp alone: ${mostDifference.toFixed(2)} of 255`)
    t.diagnostic(
      `memory of the server: ${Math.round(startBytes / MIB)} MiB, then at most ${Math.round(mostBytes / MIB)} MiB`,
    )
    assert.ok(mostDifference < 1, `a form differs by ${mostDifference}`)
    assert.ok(mostBytes < startBytes + MOST_GROWTH)
    assert.equal(server.stderr(), '')
  } finally {
    await server.kill('SIGTERM')
  }
})

async function request(
  { url }: ChildServer,
  key: string,
  { at, picture }: { readonly at: number; readonly picture: HostilePicture },
) {
  const name = `${at}-${picture.name.replace(/[^\w.-]/g, '_')}`
  const { contentType, body } = buildForm([
    { name: 'asset_category_id', value: '1' },
    { name: 'fileState', value: 'publish' },
    { name: 'Filedata', fileName: name, bytes: picture.bytes },
  ])
  const headers = { 'content-type': contentType }
  const uploaded = await send(url, 'POST', '/upload', { key, body, headers })
  assert.equal(uploaded.status, 201, `${name}: ${uploaded.text}`)
  // PNG loses nothing, so that the pixels can be compared.
  return send(url, 'GET', `${String(uploaded.body.url)}?width=320&format=png`, { key })
}
