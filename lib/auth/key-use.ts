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
  readonly reportMs?: number | undefined
}

export function openKeyUse(records: Records, options: KeyUseOptions): KeyUse {
  return new NotedUse(records, options)
}

class NotedUse implements KeyUse {
  readonly #records: Records
  readonly #options: KeyUseOptions
  readonly #timer: NodeJS.Timeout
  #noted = new Map<number, Noted>()
  /** Batches that are being written; their notes still count. */
  readonly #flushing = new Set<Batch>()
  /** Keys with a source that the other processes do not know. */
  readonly #unshared = new Set<number>()
  #sharing: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(records: Records, options: KeyUseOptions) {
    this.#records = records
    this.#options = options
    // A failed flush is no fault of a request; the storage reports its own failure.
    this.#timer = setInterval(() => void this.flush().catch(() => undefined), FLUSH_MS).unref()
  }

  note({ apiKeyId, source, now: last }: Use): void {
    const known = this.#noted.get(apiKeyId)
    const isShared = this.#options.reportMs !== undefined
    if (isShared && source !== undefined && known?.sources.includes(source) !== true)
      this.#shareIfNew(apiKeyId, source)
    if (known === undefined) {
      this.#noted.set(apiKeyId, { last, sources: source === undefined ? [] : [source] })
      return
    }
    known.last = last
    if (source !== undefined && known.sources[0] !== source)
      known.sources = latest([source], known.sources)
  }

  isFamiliar(apiKeyId: number, source: string): boolean {
    return this.#sourcesOf(apiKeyId).has(source)
  }

  async flush(): Promise<void> {
    const batch = this.#noted
    this.#noted = new Map()
    await this.#write(batch, (unit) => putClock(unit, this.#options.look()))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    clearTimeout(this.#sharing)
    // A full disk must not delay a stop.
    await this.flush().catch(() => undefined)
  }

  #sourcesOf(id: number): ReadonlySet<string> {
    const batches = [this.#noted, ...this.#flushing]
    const notes = batches.flatMap((batch) => batch.get(id)?.sources ?? [])
    return new Set([...notes, ...findSources(this.#records, id)])
  }

  #shareIfNew(id: number, source: string): void {
    const sources = this.#sourcesOf(id)
    if (sources.size >= MAX_SOURCES || sources.has(source)) return
    this.#unshared.add(id)
    this.#scheduleShare()
  }

  #scheduleShare(): void {
    if (this.#isClosed) return
    this.#sharing ??= setTimeout(() => {
      void this.#share().then(() => {
        this.#sharing = undefined
        if (this.#unshared.size > 0) this.#scheduleShare()
      })
    }, this.#options.reportMs).unref()
  }

  async #share(): Promise<void> {
    const batch = new Map<number, Noted>()
    for (const id of [...this.#unshared].slice(0, MAX_SHARED)) {
      this.#unshared.delete(id)
      const use = this.#noted.get(id)
      if (use !== undefined) batch.set(id, use)
      this.#noted.delete(id)
    }
    if (batch.size === 0) return
    await this.#write(batch, () => undefined).catch(() => {
      for (const id of batch.keys()) this.#unshared.add(id)
    })
  }

  async #write(batch: Batch, also: (unit: Unit) => void): Promise<void> {
    this.#flushing.add(batch)
    try {
      await this.#records.commit((unit) => {
        for (const [id, use] of batch) putUse(unit, id, use)
        also(unit)
      })
    } catch (error) {
      this.#takeBack(batch)
      throw error
    } finally {
      this.#flushing.delete(batch)
    }
  }

  /** Returns a failed batch to the notes, behind newer notes. */
  #takeBack(batch: Batch): void {
    for (const [id, { last, sources }] of batch) {
      const since = this.#noted.get(id)
      if (since === undefined) this.#noted.set(id, { last, sources })
      else since.sources = latest(since.sources, sources)
    }
  }
}

function putClock(unit: Unit, { now, jumps }: ReturnType<KeyUseOptions['look']>): void {
  unit.put(seenTime, [1], {
    date_seen: laterOf(findSeen(unit)?.date_seen, now),
    date_last: now.toISOString(),
    jumps: jumps.map((jump) => ({ ...jump })),
  })
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
 * compares their ends. After a clock was set back, both are the latest time seen, so that new records do not expire
 * at once.
 */
export function timeOfEnds(reader: Pick<Reader, 'get'>, now: Date): Date {
  return new Date(laterOf(findSeen(reader)?.date_seen, now))
}
