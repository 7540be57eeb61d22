// Keeps the row of schema/link-index.ts for each page. The commit of a save names the versions; their texts are read after the
// commit, many in one commit, and before an answer that needs them.

import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AssetFile,
  assetFile,
  assetFileVersion,
  contentNameOf,
} from '../../schema/asset-file.ts'
import {
  ALL_INDEXED,
  type LinkRow,
  linkRow,
  linkRowOf,
  type VersionLinks,
} from '../../schema/link-index.ts'
import { linkSyntaxOf } from '../../schema/page-links.ts'
import type { Records, Unit } from '../../storage/port.ts'
import { MAX_STORED_LINK_CHARACTERS, MAX_STORED_LINKS } from '../../shared/limits.ts'
import type { Services } from '../context.ts'
import { finishWork } from '../pending-work.ts'
import { readLinks } from './read-links.ts'

/** Call in the commit that puts the file. */
export function keepLinks(unit: Unit, file: AssetFile): void {
  const { asset_file_id: id, version, live_version: live, staged_version: staged } = file
  const known = unit.get(linkRow, id)?.value.versions ?? []
  const numbers = new Set([version, live ?? version, staged ?? version])
  const versions = [...numbers].flatMap(
    (number) =>
      known.find((item) => item.version === number) ?? newLinks(unit, known, { id, number }),
  )
  const isSame =
    versions.length === known.length && versions.every((item, at) => item === known[at])
  if (isSame) return
  if (versions.length === 0) unit.remove(linkRow, id)
  else unit.put(linkRow, [id], linkRowOf(id, versions))
}

/** None if the version is no text with links. */
function newLinks(
  unit: Unit,
  known: readonly VersionLinks[],
  { id, number }: { readonly id: number; readonly number: number },
): readonly VersionLinks[] {
  const stored = unit.get(assetFileVersion, id, number)?.value
  const syntax = stored?.is_text === true ? linkSyntaxOf(stored.type) : undefined
  if (stored === undefined || syntax === undefined) return []
  const { uid } = stored
  const same = known.find((item) => item.uid === uid && item.syntax === syntax)
  return [{ version: number, uid, syntax, addresses: same?.addresses ?? null }]
}

/** Files of one commit, and the bytes of their texts. */
const BATCH = 100
const BATCH_BYTES = 32 * 1024 * 1024

type Needed = Pick<Services, 'records' | 'contents' | 'stmlWork' | 'limits' | 'room'>

/** Reads the texts of some pages whose links are unknown; true if more are left. */
export async function readUnread(services: Needed): Promise<boolean> {
  const { records } = services
  const found = records.lookup(linkRow, 'unread', [true], BATCH + 1)
  if (found.length === 0) return false
  // A process that only reads hands the request over.
  services.room.require('record')
  const read = new Map<number, ReadonlyMap<string, readonly string[]>>()
  let sizeBytes = 0
  for (const [key] of found.slice(0, BATCH)) {
    if (sizeBytes > BATCH_BYTES) break
    const id = Number(key)
    const texts = await readVersions(services, id)
    sizeBytes += texts.sizeBytes
    read.set(id, texts.addresses)
  }
  await records.commit((unit) => putAddresses(unit, read))
  return found.length > read.size
}

interface ReadTexts {
  /** By the content of the version. */
  readonly addresses: ReadonlyMap<string, readonly string[]>
  readonly sizeBytes: number
}

async function readVersions(services: Needed, id: number): Promise<ReadTexts> {
  const addresses = new Map<string, readonly string[]>()
  let sizeBytes = 0
  const versions = services.records.get(linkRow, id)?.value.versions ?? []
  for (const { version, uid, syntax, addresses: known } of versions) {
    if (known !== null) continue
    const stored = services.records.get(assetFileVersion, id, version)?.value
    if (stored?.uid !== uid || stored.size > services.limits.pageBytes) {
      addresses.set(uid + syntax, [])
      continue
    }
    const expected = { sizeBytes: stored.size, sha256: stored.sha256 }
    // Damaged contents have no links.
    const bytes = await services.contents.read(contentNameOf(stored), expected)
    const text = bytes?.toString() ?? ''
    const { links } = await readLinks(services, { text, syntax })
    addresses.set(uid + syntax, storedAddresses(links))
    sizeBytes += stored.size
  }
  return { addresses, sizeBytes }
}

/** Each address once. Bounded, because one commit writes an index row for each. */
function storedAddresses(links: readonly { readonly address: string }[]): readonly string[] {
  const kept = new Set<string>()
  let characters = 0
  for (const { address } of links) {
    if (kept.has(address)) continue
    characters += address.length
    if (kept.size >= MAX_STORED_LINKS || characters > MAX_STORED_LINK_CHARACTERS) break
    kept.add(address)
  }
  return [...kept]
}

function putAddresses(
  unit: Unit,
  read: ReadonlyMap<number, ReadonlyMap<string, readonly string[]>>,
): void {
  for (const [id, addresses] of read) {
    const row = unit.get(linkRow, id)?.value
    if (row === undefined) continue
    const versions = row.versions.map((item) => ({
      ...item,
      addresses: item.addresses ?? addresses.get(item.uid + item.syntax) ?? null,
    }))
    unit.put(linkRow, [id], linkRowOf(id, versions))
  }
}

const LOOK_EVERY_MS = 2_000

/** Reads the texts of new versions, until the signal aborts. */
export async function readNewLinks(
  services: Needed & Pick<Services, 'background'>,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    // An error is logged, and the next round runs as usual.
    await services.background.run('read-links', async () => {
      while (!signal.aborted && (await readUnread(services))) signal.throwIfAborted()
    })
    await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false })
  }
}

/** Files of one commit of the walk over all files. */
const WALK = 200

/** Gives every page of a site of an earlier version its row. */
export async function indexAllLinks(
  { records }: { readonly records: Records },
  workId: string,
  signal: AbortSignal,
): Promise<void> {
  const { recordType, searchable } = assetFile
  let cursor: string | undefined
  do {
    signal.throwIfAborted()
    const page = await records.search(recordType, searchable, {
      length: WALK,
      cursor,
      orderBy: null,
    })
    const ids = page.records.map(({ value }) => value.asset_file_id)
    await records.commit((unit) => {
      for (const id of ids) {
        const file = unit.get(recordType, id)?.value
        if (file !== undefined) keepLinks(unit, file)
      }
    })
    cursor = page.next
  } while (cursor !== undefined)
  await records.commit(putAllIndexed)
  await finishWork(records, workId)
}

export function isAllIndexed({ records }: { readonly records: Pick<Records, 'get'> }): boolean {
  return records.get(linkRow, ALL_INDEXED) !== undefined
}

export function putAllIndexed(unit: Unit): void {
  const row: LinkRow = { asset_file_id: ALL_INDEXED, versions: [], keys: [] }
  unit.put(linkRow, [ALL_INDEXED], row)
}
