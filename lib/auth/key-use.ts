// When each key was last used, to the minute, and from where: noted in memory, written now and then, as
// { last_used, sources }. It may lose a minute in a crash, and costs a request next to nothing. With it how late
// it was: see SeenTime.
//
// The sources are addresses (of IPv6: networks) of a key's last clients, the latest first. By them the guard
// knows who has business at an address where somebody guesses. Rows of before the sources have none.

import { apiKey, apiKeyUse, type SeenTime, seenTime } from '../schema/api-key.ts'
import type { Jump } from '../schema/lived-time.ts'
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

/** Of one key: the machines of a site that share a key, or the networks of a person who moves. */
const MAX_SOURCES = 32

const NOTHING: ReadonlyMap<number, Noted> = new Map()

/** The clock, and its jumps so far. */
export type LookAtClock = () => { readonly now: Date; readonly jumps: readonly Jump[] }

export function openKeyUse(records: Records, look: LookAtClock): KeyUse {
  let noted = new Map<number, Noted>()
  /** What is on its way to the disk, and known all the same. */
  let flushing = NOTHING

  function note({ apiKeyId, source, now: last }: Use): void {
    const known = noted.get(apiKeyId)
    if (known === undefined) {
      noted.set(apiKeyId, { last, sources: source === undefined ? [] : [source] })
      return
    }
    known.last = last
    if (source !== undefined && known.sources[0] !== source)
      known.sources = latest([source], known.sources)
  }

  /** What could not be written is noted still, behind what was noted since. */
  function takeBack(batch: ReadonlyMap<number, Noted>): void {
    for (const [id, { last, sources }] of batch) {
      const since = noted.get(id)
      if (since === undefined) noted.set(id, { last, sources })
      else since.sources = latest(since.sources, sources)
    }
  }

  async function write(batch: ReadonlyMap<number, Noted>): Promise<void> {
    await records.commit((unit) => {
      for (const [id, use] of batch) putUse(unit, id, use)
      const { now, jumps } = look()
      const date_seen = laterOf(findSeen(unit)?.date_seen, now)
      unit.put(seenTime, [1], {
        date_seen,
        date_last: now.toISOString(),
        jumps: jumps.map((jump) => ({ ...jump })),
      })
    })
  }

  async function flush(): Promise<void> {
    const batch = noted
    noted = new Map()
    flushing = batch
    try {
      await write(batch)
    } catch (error) {
      takeBack(batch)
      throw error
    } finally {
      flushing = NOTHING
    }
  }

  // A failed flush is no fault of any request; the storage reports itself where it matters.
  const timer = setInterval(() => void flush().catch(() => undefined), FLUSH_MS).unref()

  return {
    note,

    isFamiliar: (id, source) =>
      noted.get(id)?.sources.includes(source) === true ||
      flushing.get(id)?.sources.includes(source) === true ||
      findSources(records, id).includes(source),

    flush,
    async close() {
      clearInterval(timer)
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
