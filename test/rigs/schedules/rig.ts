// Publications at random seconds, while the server is killed and its clock is set back and ahead. The clock begins a
// minute before summer time in Berlin, where the server runs. The change log tells when each file went live.

import { setTimeout as sleep } from 'node:timers/promises'
import { LIMITS } from '../../../lib/config/limits.ts'
import { type ChildServer, makeKey, startChild } from '../../helpers/child-server.ts'
import { variablesOf } from '../../helpers/cluster.ts'
import { newDataDirectory } from '../../helpers/data-directory.ts'
import { type Answer, type Call, send } from '../../helpers/server.ts'
import type { Place } from '../nodes.ts'
import { openRandom } from '../random.ts'

const SHIFT = new URL('../../helpers/shift-clock.js', import.meta.url).href
const BEGINS_MS = Date.parse('2027-03-28T00:59:00Z')
/** The clock is set back by this time at one kill, and ahead again at another. */
const SET_BACK_MS = 20_000
const LATE_MS = 1_000
const LIST = 50

export interface ScheduleRun {
  readonly seed: number
  readonly files: number
  readonly kills: number
  /** Time from the first to the last publication. */
  readonly spanMs: number
  readonly place?: Place | undefined
  readonly onProgress?: (text: string) => void
}

export interface ScheduleOutcome {
  readonly published: number
  readonly faults: readonly string[]
  /** Publications more than a second after the first moment at which a server could do them. */
  readonly late: number
  readonly maxLateMs: number
}

/** A time during which a server ran, by its clock. */
interface Interval {
  readonly startMs: number
  endMs: number
}

class Site {
  readonly intervals: Interval[] = []
  readonly #env: Readonly<Record<string, string>>
  readonly #directories: readonly string[]
  readonly #servers: ChildServer[] = []
  #offsetMs = BEGINS_MS - Date.now()
  #key = ''

  constructor(env: Readonly<Record<string, string>>, nodes: number) {
    this.#env = env
    this.#directories = Array.from({ length: nodes }, newDataDirectory)
  }

  now(): number {
    return Date.now() + this.#offsetMs
  }

  async open(): Promise<void> {
    for (const at of this.#directories.keys()) await this.#start(at)
    this.#key = await makeKey(this.#directories[0] ?? '')
  }

  async #start(at: number): Promise<void> {
    this.#servers[at] = await startChild(this.#directories[at], ['--log-level', 'error'], {
      env: {
        ...this.#env,
        TZ: 'Europe/Berlin',
        NODE_OPTIONS: `--import=${SHIFT}`,
        CMS_TEST_CLOCK_MS: String(this.#offsetMs),
      },
    })
    if (at === 0) this.intervals.push({ startMs: this.now(), endMs: Number.POSITIVE_INFINITY })
  }

  /** Kills a node and starts it again, with a clock that differs by `jumpMs`. */
  async restart(at: number, jumpMs: number): Promise<void> {
    const interval = this.intervals.at(-1)
    if (at === 0 && interval !== undefined) interval.endMs = this.now()
    await this.#servers[at]?.kill('SIGKILL')
    this.#offsetMs += jumpMs
    await this.#start(at)
  }

  call(method: string, path: string, call: Call = {}): Promise<Answer> {
    return send(this.#servers[0]?.url ?? '', method, path, { key: this.#key, ...call })
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.kill('SIGKILL')))
  }
}

export async function runSchedules(options: ScheduleRun): Promise<ScheduleOutcome> {
  const { seed, files, kills, spanMs, place, onProgress = () => undefined } = options
  const random = openRandom(seed)
  const nodes = place?.nodes ?? 1
  const env = place === undefined ? {} : variablesOf(await place.cluster.newSite())
  const site = new Site(env, nodes)
  await site.open()
  try {
    const firstMs = Math.ceil((site.now() + 5_000 + files * (nodes > 1 ? 60 : 20)) / 1_000) * 1_000
    const due = await makeFiles(site, { firstMs, random, files, spanMs })
    onProgress(`${due.size} files, the first at ${new Date(firstMs).toISOString()}`)
    await sleep(Math.max(0, firstMs - site.now()))
    for (let kill = 1; kill <= kills; kill += 1) {
      await sleep(random.below(Math.ceil((2 * spanMs) / (kills + 1))))
      // Nodes of a cluster share a clock.
      const jumpMs = nodes > 1 ? 0 : jumpAt(kill, kills)
      await site.restart(kill % nodes, jumpMs)
      onProgress(`kill ${kill}, clock ${new Date(site.now()).toISOString()}`)
    }
    const lastMs = Math.max(...due.values())
    await sleep(Math.max(0, lastMs - site.now()) + 2 * LIMITS.nodeLivesMs)
    return await judge(site, due, nodes)
  } finally {
    await site.close()
  }
}

function jumpAt(kill: number, kills: number): number {
  if (kill === Math.ceil(kills / 3)) return -SET_BACK_MS
  return kill === Math.ceil((2 * kills) / 3) ? SET_BACK_MS : 0
}

interface Making extends Pick<ScheduleRun, 'files' | 'spanMs'> {
  readonly firstMs: number
  readonly random: ReturnType<typeof openRandom>
}

/** The scheduled time of each file. */
async function makeFiles(site: Site, making: Making): Promise<ReadonlyMap<number, number>> {
  const { files, firstMs, random, spanMs } = making
  const due = new Map<number, number>()
  while (due.size < files) {
    const json = Array.from({ length: Math.min(LIST, files - due.size) }, (_, at) => ({
      ...{ name: `${due.size + at}.txt`, type: 'txt', parent_category_id: 1, pageContent: 'x' },
      publish_at: new Date(firstMs + random.below(spanMs / 1_000) * 1_000).toISOString(),
    }))
    const { status, text, body } = await site.call('POST', '/api/v2/asset_file', { json })
    if (status !== 201) throw new Error(`${status} ${text}`)
    for (const file of body.asset_file) due.set(file.asset_file_id, Date.parse(file.publish_at))
  }
  return due
}

async function judge(
  site: Site,
  due: ReadonlyMap<number, number>,
  nodes: number,
): Promise<ScheduleOutcome> {
  const doneMs = new Map<number, number>()
  const faults: string[] = []
  let [late, maxLateMs] = [0, 0]
  for (const { object_id: id, date_added: date } of await readChanges(site)) {
    const dueMs = due.get(id)
    if (dueMs === undefined) continue
    if (doneMs.has(id)) faults.push(`file ${id} was published twice`)
    const ms = Date.parse(date)
    doneMs.set(id, ms)
    if (ms < dueMs) faults.push(`file ${id} was published ${dueMs - ms} ms early`)
    const lateMs = nodes > 1 ? ms - dueMs : latenessOf(site.intervals, dueMs, ms)
    maxLateMs = Math.max(maxLateMs, lateMs)
    if (lateMs <= LATE_MS) continue
    late += 1
    // A node that is lost keeps the lease until its lifetime is over.
    if (nodes === 1 || lateMs > LATE_MS + LIMITS.nodeLivesMs)
      faults.push(`file ${id} was published ${lateMs} ms late`)
  }
  for (const id of due.keys()) if (!doneMs.has(id)) faults.push(`file ${id} was never published`)
  return { published: doneMs.size, faults, late, maxLateMs }
}

/** The time during which a server ran, the file was due, and was not published. */
function latenessOf(intervals: readonly Interval[], dueMs: number, doneMs: number): number {
  const at = intervals.findIndex(
    ({ startMs, endMs }) => doneMs >= startMs - LATE_MS && doneMs <= endMs,
  )
  const before = intervals.slice(0, Math.max(0, at))
  const missedMs = before.map(({ startMs, endMs }) => endMs - Math.max(dueMs, startMs))
  const own = intervals[at]
  return Math.max(0, ...missedMs, doneMs - Math.max(dueMs, own?.startMs ?? dueMs))
}

async function readChanges(site: Site): Promise<readonly any[]> {
  const changes: any[] = []
  let since = '0'
  for (;;) {
    const query = new URLSearchParams({ since, object: 'asset_file', action: 'publish' })
    const { body } = await site.call('GET', `/api/v2/change?length=1000&${query}`)
    changes.push(...body.change)
    if (body.change.length === 0) return changes
    since = body.page.next
  }
}
