// The bytes of every version, compared with its size and SHA-256, and the contents that no version names. Where they lie is
// a port: files of a directory (check-files.ts), or objects of a store (check-objects.ts).

import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pMap from 'p-map'
import { type AssetFileVersion, assetFileVersion } from '../../schema/asset-file.ts'
import { counted } from '../../schema/sentence.ts'
import type { Hashed } from '../../workers/tasks.ts'
import { findCarried } from '../records/inline-contents.ts'
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

/** Where contents lie that are checked. */
export interface CheckPlace {
  /** What lies under each of these names; undefined where nothing does. */
  sum(names: readonly ContentName[]): Promise<readonly (Hashed | undefined)[]>
  /** Paths that no version names. */
  findOrphans(): Promise<readonly string[]>
  /** Whether one of these may be what a save that was cut off has left: no fault. */
  isOfCutSave(path: string): boolean
  /** What becomes of such, for who reads of them. */
  readonly cutSaves: string
  /** Takes orphans out of the way; not there where they stay. */
  setApart?(paths: readonly string[]): void
}

interface Damaged {
  readonly version: AssetFileVersion
  readonly detail: string
}

export interface CheckProgress {
  /** Versions of files whose contents were compared. */
  readonly done: number
  readonly total: number
  readonly bytes: number
}

export interface ContentsCheck {
  readonly isRepair: boolean
  /** Nobody changes anything meanwhile: what looks wrong is wrong, and what no version names is of no save under way. */
  readonly isAlone: boolean
  readonly onProgress: (progress: CheckProgress) => void
}

export interface CheckedContents {
  readonly versions: number
  readonly count: number
  readonly bytes: number
  /** Versions with wrong bytes that are not marked as damaged. */
  readonly damaged: readonly Damaged[]
  /** Number of versions with wrong bytes that are. */
  readonly known: number
  /** Versions that are marked, and have the right bytes: somebody put them back. */
  readonly healed: readonly AssetFileVersion[]
  /** As CheckPlace.findOrphans has them. */
  readonly orphans: readonly string[]
  /** Number of contents of saves that were cut off. */
  readonly cut: number
}

/** Contents of one task: the way to a worker costs more than a small one. */
const BATCH = 32
/** Tasks at a time. */
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
 * Contents in the order of their names, which is that of the index: versions that share their bytes
 * stand together, and memory stays flat.
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
    // A group may go on in the next chunk; its bytes are counted once.
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
 * While a server runs, a content may be on its way in or out: what looks wrong is looked at again,
 * after the time that a save needs between its bytes and its record.
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
 * After a stop that was not clean, or while a server runs, bytes that no version names are what a save
 * that was cut off has left, and are cleared away by a server. So they are no fault.
 */
function setApartCut(place: CheckPlace, contents: CheckedContents): CheckedContents {
  const orphans = contents.orphans.filter((path) => !place.isOfCutSave(path))
  return { ...contents, orphans, cut: contents.orphans.length - orphans.length }
}

/** What is wrong with the content of each of these; undefined where nothing is. */
async function contentFaults(
  place: CheckPlace,
  kv: Kv,
  versions: readonly AssetFileVersion[],
): Promise<readonly (string | undefined)[]> {
  const names = versions.map(({ asset_file_id: fileId, uid }) => ({ fileId, uid }))
  // Before the place: what came there between the two is found there.
  const carried = names.map((name) => findCarried(kv, name))
  const lying = await place.sum(names)
  return versions.map((version, at) => {
    const bytes = carried[at]
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

/** A loss cannot be mended; once it is marked, nothing serves or publishes it, and a check only tells it. */
export function notesOf(
  { cutSaves }: CheckPlace,
  { known, healed, cut }: CheckedContents,
  isRepair: boolean,
): readonly string[] {
  const left = `${counted(cut, 'content')} of a save that was cut off; ${cutSaves}`
  const lost =
    known === 1
      ? '1 version is marked damaged, its bytes are lost'
      : `${known} versions are marked damaged, their bytes are lost`
  const outcome = isRepair ? 'it is marked damaged no more' : '--repair takes the mark damaged away'
  return [
    ...(cut === 0 ? [] : [left]),
    ...(known === 0 ? [] : [lost]),
    ...healed.map((version) => `${nameOf(version)}: the bytes are right again; ${outcome}`),
  ]
}
