// A server in its own process, normal clients that read and write, and 200 further connections:
// first harmless, then hostile. The rig reports the latencies of the normal clients. The following
// are faults: a wrong answer to any client; an error in the log; a leaked descriptor, temporary
// file or memory; and an acknowledged write that is missing, before or after the server was killed.

import { setMaxListeners } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ChildServer, makeKey, runCli, startChild } from '../../helpers/child-server.ts'
import { newDataDirectory, sha256 } from '../../helpers/data-directory.ts'
import { type Answer, buildForm, send } from '../../helpers/server.ts'
import { openRandom, type Random } from '../random.ts'
import { type Attack, ATTACKS, SITE_HOST, type Target } from './attacks.ts'
import { judge, openConnection } from './connection.ts'
import { type Page, percentile, type Times, visit } from './normal.ts'
import { descriptorsOf, type Settled, settle, untilSteady } from './process.ts'

export interface HostileOptions {
  readonly seed: number
  /** The duration of the load beside harmless connections, and of each storm. */
  readonly seconds: number
  readonly storms: number
  readonly connections: number
  /** The time in which the server must release its resources. */
  readonly settleMs: number
  /**
   * The memory that may be held in addition to the level after the first storm; SLACK_MB by
   * default.
   */
  readonly slackMb?: number
  readonly onProgress: (line: string) => void
}

export interface HostileOutcome {
  readonly calm: Waits
  readonly storm: Waits
  /** The number of hostile connections for each attack. */
  readonly attacks: ReadonlyMap<string, number>
  /** The number of requests of normal clients that were refused with a request to retry. */
  readonly busy: number
  readonly acknowledged: number
  /** The resources after the first storm, at the peak of the last storm, and after it. */
  readonly before: Settled
  readonly peak: Settled
  readonly after: Settled
  readonly faults: readonly string[]
}

/** The 99th percentile in milliseconds. */
export interface Waits {
  readonly requests: number
  readonly readMs: number
  readonly writeMs: number
}

const NORMAL_CLIENTS = 6
/** The pause between two hostile connections, so that the number of requests alone is no load. */
const PAUSE_MS = 2_000
/** Memory that is held but not leaked: caches and the heap of V8 grow to their maximum. */
const SLACK_MB = 96
const MAX_FAULTS = 20
const MIB = 1024 * 1024
const QUIET = ['--log-level', 'error', '--min-free-mb', '0', '--scrub-days', '0']
const ARGS = [...QUIET, '--site-origin', `https://${SITE_HOST}=/Main`]

interface Site extends Omit<Target, 'random'> {
  readonly dataDir: string
  readonly url: string
  readonly pid: number
  readonly normalKey: string
  readonly pages: readonly Page[]
}

interface Run extends HostileOptions {
  readonly site: Site
  readonly random: Random
  readonly attacks: Map<string, number>
  readonly addFault: (fault: string) => void
  busy: number
}

export async function runHostile(options: HostileOptions): Promise<HostileOutcome> {
  const dataDir = newDataDirectory()
  const server = await startChild(dataDir, ARGS)
  const faults: string[] = []
  const addFault = (fault: string): void => {
    if (faults.length < MAX_FAULTS) faults.push(fault)
  }
  try {
    const site = await makeSite(server, dataDir)
    const random = openRandom(options.seed)
    const run: Run = { ...options, site, random, attacks: new Map(), addFault, busy: 0 }
    const figures = await load(run)
    for (const line of faultsOfLog(server.stderr())) addFault(line)
    await requireAcknowledged(run, server)
    const acknowledged = site.pages.reduce((sum, { version }) => sum + version, 0)
    return { ...figures, attacks: run.attacks, busy: run.busy, acknowledged, faults }
  } finally {
    await server.kill('SIGKILL')
  }
}

async function load(run: Run) {
  const { site, seconds, storms, settleMs, slackMb = SLACK_MB, onProgress, addFault } = run
  // A warm-up loads code and grows caches before the measurement.
  await measure(run, Math.min(seconds, 10), hostile)
  const before = await untilSteady(site.pid, settleMs)
  onProgress(`after a first storm: ${show(before)}`)

  const calm = await measure(run, seconds, harmless)
  onProgress(`beside harmless connections: ${showWaits(calm.waits)}`)
  let storm = calm
  for (let count = 1; count <= storms; count += 1) {
    storm = await measure(run, seconds, hostile)
    onProgress(`storm ${count}: ${showWaits(storm.waits)}; ${show(storm.peak)} at most`)
  }
  const most = { ...before, memoryMb: before.memoryMb + slackMb }
  const after = await settle(site.pid, most, settleMs)
  onProgress(`at the end: ${show(after)}`)
  if (after.descriptors > most.descriptors || after.memoryMb > most.memoryMb)
    addFault(`the server held ${show(before)} before, and holds ${show(after)} after`)
  const left = readdirSync(join(site.dataDir, '.tmp'))
  if (left.length > 0) addFault(`temporary files are left: ${left.join(', ')}`)
  return { calm: calm.waits, storm: storm.waits, before, peak: storm.peak, after }
}

type Others = (run: Run, index: number, signal: AbortSignal) => Promise<void>

/** Runs normal clients for this time, beside connections of this kind. */
async function measure(
  run: Run,
  seconds: number,
  others: Others,
): Promise<{ readonly waits: Waits; readonly peak: Settled }> {
  const { site, random, connections, addFault } = run
  const times: Times = { reads: [], writes: [] }
  const ending = new AbortController()
  const { signal } = ending
  // Each connection adds a listener to the signal.
  setMaxListeners(0, signal)
  const beside = Array.from({ length: connections }, (_, index) => others(run, index, signal))
  const clients = site.pages.map((page) => {
    const onBusy = (): void => {
      run.busy += 1
    }
    const own = { ...site, key: site.normalKey, page, random, times, onFault: addFault, onBusy }
    return visit(own, signal).catch((error: Error) => addFault(error.message))
  })
  const peak = await watchPeak(site.pid, seconds)
  ending.abort()
  await Promise.all([...beside, ...clients])
  const waits = {
    requests: times.reads.length + times.writes.length,
    readMs: percentile(times.reads, 99),
    writeMs: percentile(times.writes, 99),
  }
  return { waits, peak }
}

async function watchPeak(pid: number, seconds: number): Promise<Settled> {
  let peak = { descriptors: 0, memoryMb: 0 }
  for (let second = 0; second < seconds; second += 1) {
    await sleep(1_000)
    const { memoryMb } = await settle(pid, NOTHING, 0)
    peak = {
      descriptors: Math.max(peak.descriptors, descriptorsOf(pid)),
      memoryMb: Math.max(peak.memoryMb, memoryMb),
    }
  }
  return peak
}

const NOTHING = { descriptors: 0, memoryMb: 0 }

/** Requests /health once a second on a kept-alive connection. */
async function harmless({ site }: Run, _: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { write, text, closed } = await openConnection(site.url, signal)
    const timer = setInterval(() => write('GET /health HTTP/1.1\r\nHost: a\r\n\r\n'), 1_000)
    await closed()
    clearInterval(timer)
    if (!signal.aborted && text() === '') await sleep(100)
  }
}

async function hostile(run: Run, index: number, signal: AbortSignal): Promise<void> {
  const attack = attackOf(index, run.connections)
  const { site, random, attacks, addFault } = run
  await pause(random.below(PAUSE_MS / 2), signal)
  while (!signal.aborted) {
    const connection = await openConnection(site.url, signal)
    const statuses = await attack.run(connection, { ...site, random })
    connection.socket.destroy()
    // An answer that the end of the rig interrupted is not judged.
    if (signal.aborted) return
    const wrong = judge(connection.text(), statuses)
    if (wrong !== undefined) addFault(`${attack.name}: ${wrong}`)
    attacks.set(attack.name, (attacks.get(attack.name) ?? 0) + 1)
    await pause(PAUSE_MS, signal)
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}

/** Gives each attack a connection, and distributes the other connections by the shares of the attacks. */
function attackOf(index: number, connections: number): Attack {
  const own = ATTACKS[index]
  if (own !== undefined) return own
  const all = ATTACKS.reduce((sum, { share }) => sum + share, 0)
  let place = (index / connections) * all
  const found = ATTACKS.find(({ share }) => (place -= share) < 0)
  if (found === undefined) throw new Error('There is no such attack.')
  return found
}

async function makeSite(server: ChildServer, dataDir: string): Promise<Site> {
  const { url, pid } = server
  const [normalKey, key] = [await makeKey(dataDir), await makeKey(dataDir)]
  const made = async (answer: Promise<Answer>): Promise<any> => {
    const { status, body, text } = await answer
    if (status !== 201) throw new Error(text)
    return body
  }
  const create = (json: object): Promise<any> =>
    made(
      send(url, 'POST', '/api/v2/asset_file', {
        key,
        json: { type: 'txt', parent_category_id: 1, ...json },
      }),
    )
  // Visitors see the live files of the root folder.
  await send(url, 'POST', '/api/v2/asset_category/1', { key, json: { public: true } })
  const form = buildForm([
    { name: 'asset_category_id', value: '1' },
    { name: 'fileState', value: 'publish' },
    { name: 'Filedata', fileName: 'large.bin', bytes: Buffer.alloc(32 * MIB, 'x') },
  ])
  const headers = { 'content-type': form.contentType }
  const file = await made(send(url, 'POST', '/upload', { key, body: form.body, headers }))
  const record = await create({ name: 'large.txt', pageContent: 'x'.repeat(15 * MIB) })
  const pages = []
  for (let count = 0; count < NORMAL_CLIENTS; count += 1) {
    const name = `page-${count}.txt`
    const { asset_file_id: id } = await create({ name, pageContent: 'first' })
    pages.push({ id, name, latest: sha256(Buffer.from('first')), version: 1, live: undefined })
  }
  return {
    dataDir,
    url,
    pid,
    normalKey,
    key,
    pages,
    file: `/api/v2/asset_file/${file.asset_file_id}/versions/1/content`,
    publicFile: '/large.bin',
    record: `/api/v2/asset_file/${record.asset_file_id}?fields=pageContent`,
  }
}

/** The error lines of the log, except for overload and disconnected clients. */
function faultsOfLog(stderr: string): readonly string[] {
  const lines = stderr.split('\n').filter(Boolean)
  return lines.filter((line) => !/"status":503,.*"code":"unavailable"/.test(line))
}

/** Checks the running server and a server that starts after a kill. */
async function requireAcknowledged({ site, addFault }: Run, server: ChildServer): Promise<void> {
  await compare(site, addFault)
  await server.kill('SIGKILL')
  const again = await startChild(site.dataDir, ARGS)
  await compare({ ...site, url: again.url }, addFault)
  await again.kill('SIGTERM')
  const { code, stdout, stderr } = await runCli(['check', '--data', site.dataDir])
  if (code !== 0) addFault(`check: ${stdout}${stderr}`)
}

async function compare({ url, key, pages }: Site, addFault: Run['addFault']): Promise<void> {
  for (const { id, name, version, latest, live } of pages) {
    const path = `/api/v2/asset_file/${id}`
    const { body } = await send(url, 'GET', path, { key })
    if (body?.version !== version)
      addFault(`asset_file ${id}: version ${version} was acknowledged, ${body?.version} is there`)
    const { bytes } = await send(url, 'GET', `${path}/versions/${version}/content`, { key })
    if (sha256(bytes) !== latest) addFault(`asset_file ${id}: version ${version} has other bytes`)
    const seen = await send(url, 'GET', `/${name}`, { headers: { host: SITE_HOST } })
    const isRight = live === undefined ? seen.status === 404 : sha256(seen.bytes) === live
    if (!isRight)
      addFault(`asset_file ${id}: visitors see ${seen.status} ${seen.text.slice(0, 100)}`)
  }
}

function show({ descriptors, memoryMb }: Settled): string {
  return `${descriptors} descriptors, ${memoryMb.toFixed(0)} MiB`
}

function showWaits({ requests, readMs, writeMs }: Waits): string {
  return `${requests} requests, p99 of reads ${readMs.toFixed(1)} ms, of writes ${writeMs.toFixed(1)} ms`
}
