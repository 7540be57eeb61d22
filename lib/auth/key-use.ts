// Records when each key was last used, to the minute, and from which addresses: noted in memory and flushed once a
// minute as { last_used, sources }. A crash may lose a minute; a request pays almost nothing. Each flush also stores
// the clock: see SeenTime.
//
// The sources are the addresses (IPv6: networks) of the key's last clients, the latest first. They tell the guard
// which clients of an address are familiar while another client there guesses keys. Rows written before sources
// existed have none.
//
// In a cluster, each process has its own notes and may be attacked separately. A new source is therefore written
// soon, and the source of a sign-in with the sign-in (session-records.ts). No request waits for these commits: reads
// must not wait for a commit. Early writes stop at MAX_SOURCES per key, because a key used from everywhere would
// otherwise cause commits all day.

import { apiKey, apiKeyUse, type SeenTime, seenTime } from '../schema/api-key.ts'
import type { Jump } from '../schema/retention-clock.ts'
import type { Reader, Records, Unit } from '../storage/port.ts'

export interface KeyUse {
  /** Notes a use of the key; the source is undefined for an address that many clients share. */
  note(use: Use): void
  /** Whether the address is among the last sources of the key. */
  isFamiliar(apiKeyId: number, source: string): boolean
  /** Writes the notes. */
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
  /** Latest first. */
  sources: readonly string[]
}

const FLUSH_MS = 60_000
/** Maximum number of keys per early commit. */
const MAX_SHARED = 1_000

/** Per key: the machines that share the key, or the networks of a person who moves. */
const MAX_SOURCES = 32

type Batch = ReadonlyMap<number, Noted>

export interface KeyUseOptions {
  /** The clock, and its jumps so far. */
  readonly look: () => { readonly now: Date; readonly jumps: readonly Jump[] }
  /** Delay of the early write of a new source; undefined on a single server. */
  readonly tellMs?: number | undefined
}

// oxlint-disable-next-line eslint/max-lines-per-function -- what it returns shares what was noted
export function openKeyUse(records: Records, { look, tellMs }: KeyUseOptions): KeyUse {
  let noted = new Map<number, Noted>()
  /** Batches that are being written; their notes still count. */
  const flushing = new Set<Batch>()
  /** Keys with a source that the other processes do not know. */
  const unshared = new Set<number>()
  let sharing: NodeJS.Timeout | undefined
  let isClosed = false

  function sourcesOf(id: number): ReadonlySet<string> {
    const notes = [noted, ...flushing].flatMap((batch) => batch.get(id)?.sources ?? [])
    return new Set([...notes, ...findSources(records, id)])
  }

  function note({ apiKeyId, source, now: last }: Use): void {
    const known = noted.get(apiKeyId)
    if (tellMs !== undefined && source !== undefined && known?.sources.includes(source) !== true)
      shareIfNew(apiKeyId, source)
    if (known === undefined) {
      noted.set(apiKeyId, { last, sources: source === undefined ? [] : [source] })
      return
    }
    known.last = last
    if (source !== undefined && known.sources[0] !== source)
      known.sources = latest([source], known.sources)
  }

  function shareIfNew(id: number, source: string): void {
    const sources = sourcesOf(id)
    if (sources.size >= MAX_SOURCES || sources.has(source)) return
    unshared.add(id)
    scheduleShare()
  }

  /** Returns a failed batch to the notes, behind newer notes. */
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

  async function share(): Promise<void> {
    const batch = new Map<number, Noted>()
    for (const id of [...unshared].slice(0, MAX_SHARED)) {
      unshared.delete(id)
      const use = noted.get(id)
      if (use !== undefined) batch.set(id, use)
      noted.delete(id)
    }
    if (batch.size === 0) return
    await write(batch, () => undefined).catch(() => {
      for (const id of batch.keys()) unshared.add(id)
    })
  }

  function scheduleShare(): void {
    if (isClosed) return
    sharing ??= setTimeout(() => {
      void share().then(() => {
        sharing = undefined
        if (unshared.size > 0) scheduleShare()
      })
    }, tellMs).unref()
  }

  // A failed flush is no fault of a request; the storage reports its own failure.
  const timer = setInterval(() => void flush().catch(() => undefined), FLUSH_MS).unref()

  return {
    note,

    isFamiliar: (id, source) => sourcesOf(id).has(source),

    flush,
    async close() {
      isClosed = true
      clearInterval(timer)
      clearTimeout(sharing)
      // A full disk must not delay a stop.
      await flush().catch(() => undefined)
    },
  }
}

/** Skips keys that were deleted in the meantime. */
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

/** The clock readings stored so far, also by earlier runs; undefined in the server's first minute. */
export function findSeen(reader: Pick<Reader, 'get'>): SeenTime | undefined {
  return reader.get(seenTime, 1)?.value
}

/** Both are in ISO 8601 with milliseconds, so that text order is time order. */
export function laterOf(seen: string | undefined, now: Date): string {
  const text = now.toISOString()
  return seen === undefined || seen < text ? text : seen
}

/**
 * The time from which sessions, tickets and overlaps of secrets are counted: the time with which isExpired of caller.ts
 * compares their ends. After a clock was set back both stand at the latest time seen, so that what is new does not end
 * at once.
 */
export function timeOfEnds(reader: Pick<Reader, 'get'>, now: Date): Date {
  return new Date(laterOf(findSeen(reader)?.date_seen, now))
}
