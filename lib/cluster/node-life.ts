// Which processes live, by the clock of the database alone: each says now and then that it does, and for how long that
// counts. One that was halted for longer, or was cut off, ends its share of their work by its own clock, a little before
// the others take it over; what it commits for it all the same fails (operations/background/leases.ts).
//
// No beat waits for a standby: while the database keeps no commit, each would leave a session behind that waits for
// ever. A beat that a failover loses makes the node silent a little earlier, which the next beat mends.

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { NodeLife } from '../storage/engine.ts'
import { tryAgain } from './database-retry.ts'
import type { Lane } from './primary.ts'
import { openSharedAsks } from './request-coalescing.ts'

export interface OwnLife extends NodeLife {
  /** To be called once, before all others. */
  begin(): Promise<void>
  /** What the others are called that live now, and write other rows. */
  othersOfAnotherForm(): Promise<readonly string[]>
  /** It lives no more. */
  close(): Promise<void>
}

interface LifeOptions {
  readonly lane: Lane
  /** Of the rows that it writes. */
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

  const beat = openSharedAsks(() => tryAgain({ work: ask, withinMs: WITHIN_MS }))
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
      // Where the database does not answer it counts as living for as long as it said.
      await lane.query(`delete from cms_nodes where node = '${own}'`).catch(() => undefined)
    },
  }
}
