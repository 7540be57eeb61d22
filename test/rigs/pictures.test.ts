// Hostile pictures are uploaded and requested in other sizes while another process reads records. The server answers each
// with a form or with the reason for a refusal, lives, and keeps its memory. The long form is the script rig:pictures. The
// variable CMS_PICTURES adds directories of pictures, such as the test fixtures of sharp and libvips. The latencies are
// printed and decide nothing; the processor time of the event loop does.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp, { type Sharp } from 'sharp'
import { MAX_CHILD_BYTES } from '../../lib/pictures/picture-job.ts'
import { type ChildServer, makeKey } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { buildForm, send } from '../helpers/server.ts'
import { percentile } from './hostile/normal.ts'
import { type HostilePicture, hostilePictures } from './hostile-pictures.ts'
import { IS_FULL } from './sampling.ts'
import { startReading } from './steady-reader.ts'
import { type ProbedServer, startProbed } from './worst/loop.ts'

after(removeDataDirectories)

const MIB = 1024 * 1024
/** The reader of records sends so many requests a second. */
const READS = IS_FULL ? 500 : 100
const ALONE_MS = IS_FULL ? 10_000 : 1_000
/** Memory of the server itself, beyond what it had after its start: bodies and answers are in memory. */
const MOST_GROWTH = 400 * MIB
/** Between two looks at its memory, a picture process can take more than allowed. */
const CHILD_OVERSHOOT = 256 * MIB
/** Processor time, so that other work on the machine decides nothing. */
const MOST_BLOCKED_MS = 250
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

function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const [, kib = '0'] = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status) ?? []
  return Number(kib) * 1024
}

/** The picture processes of a server. */
function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

/** Looks at the children of a process until it is stopped, and returns the most memory that one of them took. */
function watchChildren(pid: number): () => number {
  let mostBytes = 0
  const look = (): void => {
    for (const child of childrenOf(pid)) {
      try {
        mostBytes = Math.max(mostBytes, memoryOf(child, 'VmHWM'))
      } catch {
        // The child has ended.
      }
    }
  }
  const timer = setInterval(look, 20)
  return () => {
    clearInterval(timer)
    look()
    return mostBytes
  }
}

/** The time that the main thread of the process waited for a processor, in milliseconds. */
function waitedMs(pid: number): number {
  const [, ns] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
  return Number(ns) / 1_000_000
}

interface Measured {
  readonly times: readonly number[]
  /** The longest blocking of the event loop of the server, in processor time. */
  readonly blockedMs: number
}

/** Runs work while a process reads records, and says what the reads and the server were delayed by. */
async function besideReads(
  t: TestContext,
  { server, key }: { readonly server: ProbedServer; readonly key: string },
  what: string,
  work: () => Promise<unknown>,
): Promise<Measured> {
  await server.held()
  const [waited, begin] = [waitedMs(server.pid), performance.now()]
  const end = startReading({ url: server.url, key, perSecond: READS })
  let times: readonly number[] = []
  try {
    await work()
  } finally {
    times = await end()
  }
  const { wall, cpu } = await server.held()
  const waitedPart = (waitedMs(server.pid) - waited) / (performance.now() - begin)
  t.diagnostic(`${what}: ${show(times)}`)
  t.diagnostic(
    `${what}: the loop was blocked for at most ${wall.wallMs.toFixed(1)} ms, ${cpu.cpuMs.toFixed(1)} ms of them processor time; its thread waited for a processor ${(100 * waitedPart).toFixed(1)} % of the time`,
  )
  return { times, blockedMs: cpu.cpuMs }
}

function show(times: readonly number[]): string {
  const [median, p99] = [percentile(times, 50), percentile(times, 99)]
  return `${times.length} reads, median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
}

function inMib(bytes: number): string {
  return `${Math.round(bytes / MIB)} MiB`
}

interface Formed {
  readonly original: Buffer
  readonly form: Buffer
}

async function largestDifference(forms: readonly Formed[]): Promise<number> {
  let most = 0
  for (const each of forms) most = Math.max(most, await differenceOf(each))
  return most
}

/** A form shows what sharp alone makes of the original: the mean difference of a channel, of 255. */
async function differenceOf({ original, form }: Formed): Promise<number> {
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
  const server = await startProbed(dataDir)
  try {
    const key = await makeKey(dataDir)
    // Built before the reads, because the work would delay the server.
    const all = [...(await hostilePictures()), ...pictures()]
    const reads = { server, key }
    await besideReads(t, reads, 'warming up', () => sleep(1_000))
    await besideReads(t, reads, 'alone', () => sleep(ALONE_MS))

    const startBytes = memoryOf(server.pid, 'VmRSS')
    const counts = new Map<number, number>()
    const forms: Formed[] = []
    let mostBytes = 0
    const stopWatching = watchChildren(server.pid)
    const { blockedMs } = await besideReads(t, reads, 'beside the pictures', async () => {
      for (const [at, picture] of all.entries()) {
        const { status, bytes, text } = await request(server, key, { at, picture })
        counts.set(status, (counts.get(status) ?? 0) + 1)
        assert.ok(picture.expected.includes(status), `${picture.name}: ${status} ${text}`)
        if (status === 422) assert.match(text, /"code":"picture-refused"/)
        else forms.push({ original: picture.bytes, form: bytes })
        mostBytes = Math.max(mostBytes, memoryOf(server.pid, 'VmRSS'))
      }
    })
    const childBytes = stopWatching()
    const mostDifference = await largestDifference(forms)
    t.diagnostic(`answers by status: ${JSON.stringify([...counts])}`)
    t.diagnostic(`largest mean difference to sharp alone: ${mostDifference.toFixed(2)} of 255`)
    t.diagnostic(
      `memory of the server: ${inMib(startBytes)}, then at most ${inMib(mostBytes)}; of a picture process at most ${inMib(childBytes)}`,
    )
    assert.ok(mostDifference < 1, `a form differs by ${mostDifference}`)
    assert.ok(mostBytes < startBytes + MOST_GROWTH)
    assert.ok(childBytes > 0 && childBytes < MAX_CHILD_BYTES + CHILD_OVERSHOOT, inMib(childBytes))
    assert.ok(blockedMs < MOST_BLOCKED_MS, `the loop was blocked for ${blockedMs} ms`)
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
