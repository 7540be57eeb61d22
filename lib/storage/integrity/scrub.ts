// Reads all contents again, slowly, once in a configured number of days, to find contents that a disk or a store has lost
// or changed before a visitor does. A version with wrong bytes is marked damaged, so that it is neither served nor
// published. The storage of the contents (ScrubPlace) compares them and moves wrong bytes away.
//
//   "m" scrub   {"ended":"…","after":"<uid>"}   end of the last pass, and position of the current pass

import { setTimeout as sleep } from 'node:timers/promises'
import { type AssetFileVersion, assetFileVersion, contentNameOf } from '../../schema/asset-file.ts'
import type { FileFault } from '../../workers/scrub.ts'
import { findInline } from '../records/inline-contents.ts'
import type { Kv, KvReader } from '../records/kv.ts'
import type { Range } from '../records/keys.ts'
import type { ScrubLimits, ScrubPlace } from '../engine.ts'
import type { Records } from '../port.ts'
import type { ScrubStatus } from '../status.ts'
import { markKey, recordKey, rowRange } from '../records/format.ts'
import { keyChunks } from '../records/slices.ts'
import { uidRows, versionsOf } from './census.ts'
import { putMark } from './recovery.ts'
import { readVersion } from './verify-contents.ts'

export interface ScrubOptions {
  readonly place: ScrubPlace
  readonly kv: Kv
  readonly limits: ScrubLimits
  readonly onDamage: (facts: object, message: string) => void
}

export interface Scrub {
  status(): ScrubStatus
  /** Scrubs whenever a pass is due, until the signal aborts; the next run resumes an interrupted pass. */
  run(records: Records, signal: AbortSignal): Promise<void>
}

interface Mark {
  /** End of the last complete pass. */
  readonly ended?: string | undefined
  /** The content compared last in the current pass; contents are compared in the order of their names. */
  readonly after?: string | undefined
}

const MARK_KEY = markKey('scrub')
const MARK_EVERY_MS = 10_000
/** Files of one task: small, so that a stop is quick and metrics show the progress. */
const BATCH_FILES = 8
/** A timer takes at most 24 days, and the clock may be set during a pause. */
const LONGEST_PAUSE_MS = 3_600_000

interface Work extends ScrubOptions {
  readonly records: Records
  readonly closing: AbortSignal
  readonly sums: Omit<Writable<ScrubStatus>, 'lastEnded'>
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

export function openScrub(options: ScrubOptions): Scrub {
  const sums = { contents: 0, bytes: 0, damaged: 0, unreadable: 0 }
  return {
    status: () => ({ ...sums, lastEnded: readMark(options.kv).ended }),
    async run(records, closing) {
      if (options.limits.everyMs > 0) await runOn({ ...options, records, closing, sums })
    },
  }
}

async function runOn(work: Work): Promise<void> {
  while (!work.closing.aborted) {
    const waitMs = waitFor(readMark(work.kv), work.limits.everyMs)
    if (waitMs > 0) await pause(work, waitMs)
    else
      await pass(work, readMark(work.kv)).catch(async (error: unknown) => {
        if (work.closing.aborted) return
        work.onDamage({ err: error }, 'content scrub failed')
        await pause(work, LONGEST_PAUSE_MS)
      })
  }
}

async function pause({ closing }: Work, ms: number): Promise<void> {
  const waitMs = Math.min(ms, LONGEST_PAUSE_MS)
  await sleep(waitMs, undefined, { signal: closing, ref: false }).catch(() => undefined)
}

/** Time until the next pass is due; an interrupted pass is due at once. */
function waitFor({ ended, after }: Mark, everyMs: number): number {
  if (ended === undefined || after !== undefined) return 0
  const sinceMs = Date.now() - Date.parse(ended)
  return sinceMs < 0 ? 0 : Math.max(0, everyMs - sinceMs)
}

async function pass(work: Work, { ended, after }: Mark): Promise<void> {
  let last = after
  let markedMs = performance.now()
  for (const versions of batches(work.kv, after)) {
    const done = await scrub(work, versions)
    last = versions[done - 1]?.uid ?? last
    const isCut = done < versions.length || work.closing.aborted
    if (isCut || performance.now() - markedMs > MARK_EVERY_MS) {
      markedMs = performance.now()
      await writeMark(work.kv, { ended, after: last })
    }
    if (isCut) return
  }
  await writeMark(work.kv, { ended: new Date().toISOString() })
}

/** Returns the number of versions that were compared; fewer than given if the server stops. */
async function scrub(work: Work, versions: readonly AssetFileVersion[]): Promise<number> {
  const { place, closing, sums } = work
  const { done, bytes, faults } = await place.compare(versions, closing)
  sums.contents += done
  sums.bytes += bytes
  for (const { at, fault } of faults) {
    const version = versions[at]
    if (version !== undefined) await judge(work, version, fault)
  }
  return done
}

async function judge(work: Work, version: AssetFileVersion, fault: FileFault): Promise<void> {
  const { asset_file_id, uid } = version
  if (fault === 'unreadable') {
    work.sums.unreadable += 1
    work.onDamage({ asset_file_id, uid }, 'content could not be read')
    return
  }
  const versions = await setApart(work, version)
  // The content was deleted meanwhile.
  if (versions.length === 0) return
  work.sums.damaged += 1
  work.onDamage({ asset_file_id, versions, uid, fault }, work.place.apart)
}

function* batches(kv: Kv, after: string | undefined): Generator<readonly AssetFileVersion[], void> {
  for (const keys of keyChunks(kv, rowsAfter(kv, after), BATCH_FILES)) {
    const versions = toScrub(kv, keys)
    for (let at = 0; at < versions.length; at += BATCH_FILES)
      yield versions.slice(at, at + BATCH_FILES)
  }
}

/** One version for each content that is a file and is not marked as damaged. */
function toScrub(kv: Kv, keys: readonly Buffer[]): readonly AssetFileVersion[] {
  const byUid = new Map<string, AssetFileVersion>()
  for (const version of versionsOf(kv, keys)) {
    const isFile = findInline(kv, contentNameOf(version)) === undefined
    if (isFile && !version.damaged) byUid.set(version.uid, version)
  }
  return [...byUid.values()]
}

/**
 * Marks every version with these bytes, then moves the bytes away. Returns the numbers of the versions; none if they are
 * gone.
 */
async function setApart(
  { place, kv, records }: Work,
  found: AssetFileVersion,
): Promise<readonly number[]> {
  await place.requireThere()
  await records.renew()
  const ids = records.lookup(assetFileVersion, 'uid', [found.uid])
  for (const each of ids) {
    const version = readVersion(kv, recordKey(kv, assetFileVersion, each))
    if (version !== undefined) await putMark(records, version, { damaged: true })
  }
  if (ids.length > 0) place.setApart(contentNameOf(found))
  return ids.map(([, version]) => Number(version))
}

/** The rows after all versions of a content. */
function rowsAfter(kv: KvReader, uid: string | undefined): Range {
  const all = uidRows(kv)
  if (uid === undefined) return all
  return { ...all, start: rowRange(kv, assetFileVersion, { index: 'uid', values: [uid] }).end }
}

function readMark(kv: Kv): Mark {
  const value = kv.get(MARK_KEY)
  return value === undefined ? {} : (JSON.parse(value.toString()) as Mark)
}

function writeMark(kv: Kv, mark: Mark): Promise<void> {
  return kv.commit((writer) => writer.put(MARK_KEY, Buffer.from(JSON.stringify(mark))))
}
