// Compares the bytes of every version with its size and SHA-256, and finds contents that no version refers to. The storage
// of the contents is a port: files of a directory (check.ts) or objects of a store (cluster/check-cluster.ts).

import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pMap from 'p-map'
import { type AssetFileVersion, assetFileVersion, contentNameOf } from '../../schema/asset-file.ts'
import { counted } from '../../schema/message-text.ts'
import type { Hashed } from '../../workers/tasks.ts'
import { findInline } from '../records/inline-contents.ts'
import type { Kv } from '../records/kv.ts'
import type { ContentName, Records } from '../port.ts'
import { recordKey } from '../records/format.ts'
import type { CheckFault } from './faults.ts'
import { putMark } from './recovery.ts'
import {
  countVersions,
  nameOf,
  readVersion,
  type VersionGroup,
  versionGroups,
} from './verify-contents.ts'

/** The storage of the contents to be checked. */
export interface CheckPlace {
  /** Size and hash of each name; undefined if the content is missing. */
  sum(names: readonly ContentName[]): Promise<readonly (Hashed | undefined)[]>
  /** Paths that no version refers to. */
  findOrphans(): Promise<readonly string[]>
  /** Whether a path may be the leftover of an interrupted save, which is not a fault. */
  isOfCutSave(path: string): boolean
  /** Explains to operators how such leftovers are removed. */
  readonly cutSaves: string
  /** Moves orphans out of the way; undefined if they stay in place. */
  setApart?(paths: readonly string[]): void
}

interface Damaged {
  readonly version: AssetFileVersion
  readonly detail: string
}

export interface CheckProgress {
  /** Versions whose contents were compared. */
  readonly done: number
  readonly total: number
  readonly bytes: number
}

export interface ContentsCheck {
  readonly isRepair: boolean
  /** Nothing is changed meanwhile, so every apparent fault is real and no unreferenced content belongs to a running save. */
  readonly isAlone: boolean
  readonly onProgress: (progress: CheckProgress) => void
}

export interface CheckedContents {
  readonly versions: number
  readonly count: number
  readonly bytes: number
  /** Versions with wrong bytes that are not marked as damaged yet. */
  readonly damaged: readonly Damaged[]
  /** Number of versions with wrong bytes that are already marked as damaged. */
  readonly known: number
  /** Versions that are marked as damaged but have the right bytes, because an operator restored them. */
  readonly healed: readonly AssetFileVersion[]
  /** Paths as in CheckPlace.findOrphans. */
  readonly orphans: readonly string[]
  /** Number of contents of interrupted saves. */
  readonly cut: number
}

/** Contents in one task: sending a task to a worker costs more than hashing a small content. */
const BATCH = 32
/** Concurrent tasks. */
const IN_FLIGHT = 4

const SETTLE_MS = 1_000

export async function checkContents(
  place: CheckPlace,
  kv: Kv,
  options: ContentsCheck,
): Promise<CheckedContents> {
  const found = await lookAtAll(place, kv, options)
  return options.isAlone ? found : setApartCut(place, await confirm(place, kv, found))
}

/**
 * Contents in the order of their names, which is the order of the index: versions that share bytes are adjacent, and
 * memory use stays constant.
 */
async function lookAtAll(
  place: CheckPlace,
  kv: Kv,
  { onProgress }: ContentsCheck,
): Promise<CheckedContents> {
  const damaged: Damaged[] = []
  const healed: AssetFileVersion[] = []
  let known = 0
  let versions = 0
  let count = 0
  let bytes = 0

  let lastUid: string | undefined
  const total = countVersions(kv)

  async function check(batch: readonly VersionGroup[]): Promise<void> {
    const contents = batch.flatMap((group) => group.slice(0, 1))
    const faults = await contentFaults(place, kv, contents)
    for (const [at, group] of batch.entries()) note(group, faults[at])
    onProgress({ done: versions, total, bytes })
  }

  function note(group: VersionGroup, fault: string | undefined): void {
    const [first] = group
    if (first === undefined) return
    // A group may continue in the next chunk; its bytes are counted once.
    const isNew = first.uid !== lastUid
    versions += group.length
    count += isNew ? 1 : 0
    bytes += isNew && fault === undefined ? first.size : 0
    const marked = group.filter((version) => version.damaged)
    if (fault === undefined) healed.push(...marked)
    else {
      known += marked.length
      const found = group.filter((version) => !version.damaged)
      damaged.push(...found.map((version) => ({ version, detail: fault })))
    }
  }

  for (const groups of versionGroups(kv)) {
    await pMap(inBatches(groups), check, { concurrency: IN_FLIGHT })
    lastUid = groups.at(-1)?.[0]?.uid
  }
  const orphans = await place.findOrphans()
  return { versions, count, bytes, damaged, known, healed, orphans, cut: 0 }
}

function inBatches<T>(items: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(items.length / BATCH)
  return Array.from({ length: count }, (_, at) => items.slice(at * BATCH, (at + 1) * BATCH))
}

/**
 * While a server runs, a content may be about to appear or disappear. Apparent faults are therefore checked again after
 * the time that a save needs between its bytes and its record.
 */
async function confirm(
  place: CheckPlace,
  kv: Kv,
  found: CheckedContents,
): Promise<CheckedContents> {
  if (found.damaged.length + found.orphans.length === 0) return found
  await sleep(SETTLE_MS)
  await kv.renew()

  const current = found.damaged.flatMap(({ version }) => {
    const ids = [version.asset_file_id, version.version]
    return readVersion(kv, recordKey(kv, assetFileVersion, ids)) ?? []
  })
  const batches = inBatches(current)
  const look = { concurrency: IN_FLIGHT }
  const details = (await pMap(batches, (batch) => contentFaults(place, kv, batch), look)).flat()
  const still = new Set(await place.findOrphans())
  return {
    ...found,
    damaged: current.flatMap((version, at) => {
      const detail = details[at]
      return detail === undefined ? [] : [{ version, detail }]
    }),
    orphans: found.orphans.filter((path) => still.has(path)),
  }
}

/**
 * After an unclean stop, or while a server runs, unreferenced contents are leftovers of interrupted saves, which a server
 * removes. They are not faults.
 */
function setApartCut(place: CheckPlace, contents: CheckedContents): CheckedContents {
  const orphans = contents.orphans.filter((path) => !place.isOfCutSave(path))
  return { ...contents, orphans, cut: contents.orphans.length - orphans.length }
}

/** The fault of the content of each version; undefined if the content is right. */
async function contentFaults(
  place: CheckPlace,
  kv: Kv,
  versions: readonly AssetFileVersion[],
): Promise<readonly (string | undefined)[]> {
  const names = versions.map(contentNameOf)
  // Read before the place is examined, so that a content flushed in between is found there.
  const inline = names.map((name) => findInline(kv, name))
  const lying = await place.sum(names)
  return versions.map((version, at) => {
    const bytes = inline[at]
    return faultOf(version, bytes === undefined ? lying[at] : hashBytes(bytes))
  })
}

function hashBytes(bytes: Buffer): Hashed {
  return { sizeBytes: bytes.length, sha256: hash('sha256', bytes) }
}

function faultOf(version: AssetFileVersion, found: Hashed | undefined): string | undefined {
  const where = nameOf(version)
  if (found === undefined) return `${where}: the bytes are missing.`
  if (found.sizeBytes !== version.size)
    return `${where}: ${found.sizeBytes} bytes instead of ${version.size}.`
  return found.sha256 === version.sha256 ? undefined : `${where}: the SHA-256 is wrong.`
}

export async function mendContents(
  place: CheckPlace,
  records: Records,
  { damaged, healed, orphans }: CheckedContents,
  isRepair: boolean,
): Promise<readonly CheckFault[]> {
  if (isRepair) {
    for (const { version } of damaged) await putMark(records, version, { damaged: true })
    for (const version of healed) await putMark(records, version, { damaged: false })
    place.setApart?.(orphans)
  }
  const damagedFaults = damaged.map(({ detail }) => ({
    kind: 'content' as const,
    detail: isRepair ? `${detail} It is marked damaged.` : detail,
    isMended: isRepair,
  }))
  const orphanFaults = orphans.map((path) => ({
    kind: 'orphan' as const,
    detail: `${path} belongs to no version.`,
    isMended: isRepair && place.setApart !== undefined,
  }))
  return [...damagedFaults, ...orphanFaults]
}

/** A loss cannot be repaired. Once it is marked, the version is neither served nor published, and a check only reports it. */
export function notesOf(
  { cutSaves }: CheckPlace,
  { known, healed, cut }: CheckedContents,
  isRepair: boolean,
): readonly string[] {
  const left = `${counted(cut, 'content')} of interrupted saves; ${cutSaves}`
  const lost =
    known === 1
      ? '1 version is marked damaged; its bytes are lost'
      : `${known} versions are marked damaged; their bytes are lost`
  const outcome = isRepair ? 'the damage mark was removed' : '--repair removes the damage mark'
  return [
    ...(cut === 0 ? [] : [left]),
    ...(known === 0 ? [] : [lost]),
    ...healed.map((version) => `${nameOf(version)}: the bytes are right again; ${outcome}`),
  ]
}
