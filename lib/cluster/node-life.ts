// Records which nodes are alive, by the clock of the database only. Each node writes heartbeats with an expiry. A node that
// was suspended or disconnected for longer gives up its share of the background work by its own clock, a little before the
// other nodes take it over. A late commit of such work fails (operations/background/leases.ts).
//
// No heartbeat waits for a standby: while the database accepts no commit, each heartbeat would leave a waiting session
// behind. A failover that loses a heartbeat lets the node expire a little earlier, until its next heartbeat.

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { NodeLife } from '../storage/engine.ts'
import { tryAgain } from './database-retry.ts'
import type { Lane } from './primary.ts'
import { coalesceRequests } from './request-coalescing.ts'

export interface OwnLife extends NodeLife {
  /** Call once, before all other methods. */
  begin(): Promise<void>
  /** Names of live nodes that write another row format. */
  othersOfAnotherForm(): Promise<readonly string[]>
  /** Marks this node as stopped. */
  close(): Promise<void>
}

interface LifeOptions {
  readonly lane: Lane
  /** Format of the rows that this node writes. */
  readonly form: number
  readonly livesMs: number
}

const BEATS = 5
const WITHIN_MS = 1_000
const MAX_NAME = 100

export function openNodeLife({ lane, form, livesMs }: LifeOptions): OwnLife {
  const own = randomUUID()
  const name = `${hostname()} (process ${process.pid})`
    .replaceAll(/[^\w.() -]/g, '')
    .slice(0, MAX_NAME)
  const listeners: (() => void)[] = []
  const timers: { beat?: NodeJS.Timeout; end?: NodeJS.Timeout } = {}
  let alive: ReadonlySet<string> = new Set()
  let endsAt = 0
  let isClosed = false

  const text = `set synchronous_commit = off;
    insert into cms_nodes values
      ('${own}', clock_timestamp() + ${Math.round(livesMs)} * interval '1 millisecond', '${name}', ${form})
      on conflict (node) do update set until_at = excluded.until_at;
    select node from cms_nodes where until_at > clock_timestamp()`

  async function ask(): Promise<void> {
    if (isClosed) return
    const begun = performance.now()
    const [, , rows] = await lane.query(text)
    alive = new Set(rows?.rows.map((row) => String(row['node'])))
    endsAt = begun + livesMs - livesMs / BEATS
    clearTimeout(timers.end)
    timers.end = setTimeout(fallSilent, endsAt - performance.now()).unref()
  }

  function fallSilent(): void {
    for (const listener of listeners) listener()
  }

  const beat = coalesceRequests(() => tryAgain({ work: ask, withinMs: WITHIN_MS }))
  return {
    own,
    alive: () => alive,
    isLiving: () => performance.now() < endsAt,
    beat,
    onSilent: (listener) => void listeners.push(listener),
    async begin() {
      await lane.query(
        `set synchronous_commit = off;
        delete from cms_nodes where until_at < clock_timestamp() - interval '1 day'`,
      )
      await beat()
      timers.beat = setInterval(() => void beat().catch(() => undefined), livesMs / BEATS).unref()
    },
    async othersOfAnotherForm() {
      const [rows] = await lane.query(`select name from cms_nodes
        where until_at > clock_timestamp() and form <> ${form} order by name`)
      return (rows?.rows ?? []).map((row) => String(row['name']))
    },
    async close() {
      isClosed = true
      clearInterval(timers.beat)
      clearTimeout(timers.end)
      endsAt = 0
      // If the database does not answer, the node counts as alive until its heartbeat expires.
      await lane.query(`delete from cms_nodes where node = '${own}'`).catch(() => undefined)
    },
  }
}
