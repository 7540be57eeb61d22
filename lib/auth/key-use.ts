// When each key was last used, to the minute, and from where: noted in memory, written now and then, as
// { last_used, sources }. It may lose a minute in a crash, and costs a request next to nothing. With it how late
// it was: see SeenTime.
//
// The sources are addresses (of IPv6: networks) of a key's last clients, the latest first. By them the guard
// knows who has business at an address where somebody guesses. Rows of before the sources have none.
//
// Where other processes write, too, each of them has notes of its own, and somebody may guess at one of them meanwhile. So
// a source that is new is written soon there, and that of a sign-in with it (session-records.ts). Nobody waits for it: what
// is only read must not wait for a commit. A key has so many sources at most that are written so: one by which the whole
// world reads would else make commits all day.

import { apiKey, apiKeyUse, type SeenTime, seenTime } from '../schema/api-key.ts'
import type { Jump } from '../schema/retention-clock.ts'
import type { Reader, Records, Unit } from '../storage/port.ts'

export interface KeyUse {
  /** The key was used, from there; undefined: from an address that many clients share. */
  note(use: Use): void
  /** Whether the key was used from there: among its last sources. */
  isFamiliar(apiKeyId: number, source: string): boolean
  /** Writes what was noted. */
  flush(): Promise<void>
  close(): Promise<void>
}

interface Use {
  readonly apiKeyId: number
  readonly source: string | undefined
  readonly now: Date
}

interface Noted {
  last: Date
  /** The latest first. */
  sources: readonly string[]
}

const FLUSH_MS = 60_000
/** In one commit that tells others. */
const MOST_TOLD = 1_000

/** Of one key: the machines of a site that share a key, or the networks of a person who moves. */
const MAX_SOURCES = 32

type Batch = ReadonlyMap<number, Noted>

export interface KeyUseOptions {
  /** The clock, and its jumps so far. */
  readonly look: () => { readonly now: Date; readonly jumps: readonly Jump[] }
  /** So long after it was used first from somewhere others know; undefined: there are none. */
  readonly tellMs?: number | undefined
}

// oxlint-disable-next-line eslint/max-lines-per-function -- what it returns shares what was noted
export function openKeyUse(records: Records, { look, tellMs }: KeyUseOptions): KeyUse {
  let noted = new Map<number, Noted>()
  /** What is on its way to the disk, and known all the same. */
  const flushing = new Set<Batch>()
  /** Keys with a source that others do not know. */
  const untold = new Set<number>()
  let telling: NodeJS.Timeout | undefined
  let isClosed = false

  function sourcesOf(id: number): ReadonlySet<string> {
    const notes = [noted, ...flushing].flatMap((batch) => batch.get(id)?.sources ?? [])
    return new Set([...notes, ...findSources(records, id)])
  }

  function note({ apiKeyId, source, now: last }: Use): void {
    const known = noted.get(apiKeyId)
    if (tellMs !== undefined && source !== undefined && known?.sources.includes(source) !== true)
      tellIfNew(apiKeyId, source)
    if (known === undefined) {
      noted.set(apiKeyId, { last, sources: source === undefined ? [] : [source] })
      return
    }
    known.last = last
    if (source !== undefined && known.sources[0] !== source)
      known.sources = latest([source], known.sources)
  }

  function tellIfNew(id: number, source: string): void {
    const sources = sourcesOf(id)
    if (sources.size >= MAX_SOURCES || sources.has(source)) return
    untold.add(id)
    tellSoon()
  }

  /** What could not be written is noted still, behind what was noted since. */
  function takeBack(batch: Batch): void {
    for (const [id, { last, sources }] of batch) {
      const since = noted.get(id)
      if (since === undefined) noted.set(id, { last, sources })
      else since.sources = latest(since.sources, sources)
    }
  }

  async function write(batch: Batch, also: (unit: Unit) => void): Promise<void> {
    flushing.add(batch)
    try {
      await records.commit((unit) => {
        for (const [id, use] of batch) putUse(unit, id, use)
        also(unit)
      })
    } catch (error) {
      takeBack(batch)
      throw error
    } finally {
      flushing.delete(batch)
    }
  }

  function putClock(unit: Unit): void {
    const { now, jumps } = look()
    const date_seen = laterOf(findSeen(unit)?.date_seen, now)
    unit.put(seenTime, [1], {
      date_seen,
      date_last: now.toISOString(),
      jumps: jumps.map((jump) => ({ ...jump })),
    })
  }

  async function flush(): Promise<void> {
    const batch = noted
    noted = new Map()
    await write(batch, putClock)
  }

  async function tell(): Promise<void> {
    const batch = new Map<number, Noted>()
    for (const id of [...untold].slice(0, MOST_TOLD)) {
      untold.delete(id)
      const use = noted.get(id)
      if (use !== undefined) batch.set(id, use)
      noted.delete(id)
    }
    if (batch.size === 0) return
    await write(batch, () => undefined).catch(() => {
      for (const id of batch.keys()) untold.add(id)
    })
  }

  function tellSoon(): void {
    if (isClosed) return
    telling ??= setTimeout(() => {
      void tell().then(() => {
        telling = undefined
        if (untold.size > 0) tellSoon()
      })
    }, tellMs).unref()
  }

  // A failed flush is no fault of any request; the storage reports itself where it matters.
  const timer = setInterval(() => void flush().catch(() => undefined), FLUSH_MS).unref()

  return {
    note,

    isFamiliar: (id, source) => sourcesOf(id).has(source),

    flush,
    async close() {
      isClosed = true
      clearInterval(timer)
      clearTimeout(telling)
      // A stop is not held up by what a full disk does not take.
      await flush().catch(() => undefined)
    },
  }
}

/** A key that was deleted since leaves nothing behind. */
function putUse(unit: Unit, id: number, { last, sources }: Noted): void {
  if (unit.get(apiKey.recordType, id) === undefined) return
  const use = { last_used: last.toISOString(), sources: latest(sources, findSources(unit, id)) }
  unit.put(apiKeyUse, [id], use)
}

function findSources(reader: Pick<Reader, 'get'>, id: number): readonly string[] {
  return reader.get(apiKeyUse, id)?.value.sources ?? []
}

function latest(sources: readonly string[], before: readonly string[]): readonly string[] {
  return [...new Set([...sources, ...before])].slice(0, MAX_SOURCES)
}

/** What the server has seen of the clock, also in earlier runs; undefined in its first minute. */
export function findSeen(reader: Pick<Reader, 'get'>): SeenTime | undefined {
  return reader.get(seenTime, 1)?.value
}

/** Both in ISO 8601 with milliseconds, where the order of texts is that of times. */
export function laterOf(seen: string | undefined, now: Date): string {
  const text = now.toISOString()
  return seen === undefined || seen < text ? text : seen
}
