// Keeps the row of schema/link-index.ts for each page. A short text is read before the commit that saves it, so that the commit
// stores its addresses. The commit of a longer text only names the version, and the text is read after the commit.

import { LIMITS } from '../../config/limits.ts'
import {
  type AssetFile,
  assetFile,
  assetFileVersion,
  contentNameOf,
} from '../../schema/asset-file.ts'
import {
  ALL_INDEXED,
  LINK_FORMAT,
  type LinkRow,
  linkRow,
  linkRowOf,
  type TextLinks,
  type VersionLinks,
} from '../../schema/link-index.ts'
import { linkSyntaxOf } from '../../schema/page-links.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import type { Reader, Records, Sealed, Unit } from '../../storage/port.ts'
import { MAX_STORED_LINK_CHARACTERS, MAX_STORED_LINKS } from '../../shared/limits.ts'
import { openCommitSize } from '../commit-size.ts'
import { runRounds } from '../background/rounds.ts'
import type { Services } from '../context.ts'
import { finishWork } from '../pending-work.ts'
import { readLinks } from './read-links.ts'

/** The bytes with the addresses in them, if they are a short text with links. `text`: the same bytes as text. */
export async function withLinks<T extends Sealed>(
  services: Pick<Services, 'stmlWork'>,
  bytes: T,
  { type, text = textIn(bytes) }: { readonly type: string; readonly text?: string | undefined },
): Promise<T & { readonly links?: TextLinks }> {
  const syntax = linkSyntaxOf(type)
  const isShort = text !== undefined && text.length <= LIMITS.inlineContentBytes
  if (syntax === undefined || !isShort) return bytes
  const { links } = await readLinks(services, { text, syntax })
  return { ...bytes, links: { uid: bytes.uid, syntax, addresses: storedAddresses(links) } }
}

function textIn({ isText, inline }: Sealed): string | undefined {
  return isText && inline !== undefined ? Buffer.from(inline).toString() : undefined
}

/** Call in the commit that puts the file. `read`: the links of the bytes that the commit adds. */
export function keepLinks(unit: Unit, file: AssetFile, read?: TextLinks): void {
  const { asset_file_id: id, version, live_version: live, staged_version: staged } = file
  const row = unit.get(linkRow, id)?.value
  const known = row?.versions ?? []
  const texts = read === undefined ? known : [...known, read]
  const numbers = new Set([version, live ?? version, staged ?? version])
  const versions = [...numbers].flatMap(
    (number) =>
      known.find((item) => item.version === number) ?? newLinks(unit, texts, { id, number }),
  )
  const isSame =
    versions.length === known.length && versions.every((item, at) => item === known[at])
  if (isSame) return
  if (versions.length === 0) unit.remove(linkRow, id)
  else unit.put(linkRow, [id], linkRowOf(id, versions, row))
}

/** None if the version is no text with links. */
function newLinks(
  unit: Unit,
  texts: readonly TextLinks[],
  { id, number }: { readonly id: number; readonly number: number },
): readonly VersionLinks[] {
  const stored = unit.get(assetFileVersion, id, number)?.value
  const syntax = stored?.is_text === true ? linkSyntaxOf(stored.type) : undefined
  if (stored === undefined || syntax === undefined) return []
  const { uid } = stored
  const same = texts.find((item) => item.uid === uid && item.syntax === syntax)
  return [{ version: number, uid, syntax, addresses: same?.addresses ?? null }]
}

/** Files of one commit, the bytes of their texts, and their addresses: each has an index row, and 4,000 take about 20 ms. */
const BATCH = 100
const BATCH_BYTES = 32 * 1024 * 1024
export const BATCH_LINKS = 4_000

type Needed = Pick<Services, 'records' | 'contents' | 'stmlWork' | 'limits' | 'room'>

type IsSeen = (pageId: number, version: number) => boolean

/** Reads the texts of some pages whose links are unknown; true if more are left. `isSeen` leaves out the other versions. */
export async function readUnread(services: Needed, isSeen?: IsSeen): Promise<boolean> {
  const { records, room } = services
  const { found, isCut } = await findUnread(records, BATCH + 1, isSeen)
  if (found.length === 0) return isCut
  // A process that only reads hands the request over.
  room.require('record')
  const read = new Map<number, ReadonlyMap<string, readonly string[]>>()
  let [sizeBytes, links] = [0, 0]
  for (const id of found.slice(0, BATCH)) {
    if (sizeBytes > BATCH_BYTES || links >= BATCH_LINKS) break
    const texts = await readVersions(services, id)
    sizeBytes += texts.sizeBytes
    for (const addresses of texts.addresses.values()) links += addresses.length
    read.set(id, texts.addresses)
  }
  await records.commit((unit) => putAddresses(unit, read))
  return isCut || found.length > read.size
}

/** Rows that one answer examines. Only the first read of a site of an earlier version leaves more. */
const MAX_UNREAD = 10_000

interface Unread {
  readonly found: readonly number[]
  /** Not all rows were examined. */
  readonly isCut: boolean
}

/** Pages with a version that is unread and seen, the newest first. */
export async function findUnread(
  reader: Pick<Reader, 'get' | 'newest'>,
  length: number,
  isSeen: IsSeen = () => true,
): Promise<Unread> {
  const slice = openTimeSlice()
  const found: number[] = []
  let before: number | undefined
  for (let examined = 0; examined < MAX_UNREAD; examined += BATCH) {
    const ids = reader.newest(linkRow, { index: 'unread', values: [true], length: BATCH, before })
    for (const id of ids) {
      const stored = reader.get(linkRow, id)
      if (slice.isOver(stored?.sizeBytes ?? 0)) await slice.next()
      const isFound = stored?.value.versions.some(
        ({ version, addresses }) => addresses === null && isSeen(id, version),
      )
      if (isFound === true) found.push(id)
      if (found.length === length) return { found, isCut: false }
    }
    if (ids.length < BATCH) return { found, isCut: false }
    before = ids.at(-1)
  }
  return { found, isCut: true }
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
  const rounds = { name: 'read-links', everyMs: LOOK_EVERY_MS, signal }
  await runRounds(services, rounds, async () => {
    while (!signal.aborted && (await readUnread(services))) signal.throwIfAborted()
  })
}

/** Files of one page of the walk over all files. */
const WALK = 200

/** Gives every page of a site of an earlier version its row. Rows of an earlier format are unread again. */
export async function indexAllLinks(
  { records }: { readonly records: Records },
  workId: string,
  signal: AbortSignal,
): Promise<void> {
  const { recordType, searchable } = assetFile
  let cursor: string | undefined
  do {
    const query = { length: WALK, cursor, orderBy: null }
    const page = await records.search(recordType, searchable, query)
    const ids = page.records.map(({ value }) => value.asset_file_id)
    for (let done = 0; done < ids.length; ) {
      signal.throwIfAborted()
      const rest = ids.slice(done)
      done += await records.commit((unit) => renewRows(unit, rest))
    }
    cursor = page.next
  } while (cursor !== undefined)
  await records.commit(putAllIndexed)
  await finishWork(records, workId)
}

/** Renews the rows of the first files, as many as one commit should; returns their number, at least one. */
function renewRows(unit: Unit, ids: readonly number[]): number {
  const size = openCommitSize(unit)
  let [done, keys] = [0, 0]
  for (const id of ids) {
    done += 1
    const file = unit.get(assetFile.recordType, id)?.value
    if (file === undefined) continue
    const before = unit.get(linkRow, id)?.value
    keys += before?.keys.length ?? 0
    if (before !== undefined) unit.remove(linkRow, id)
    keepLinks(unit, file)
    if (keys >= BATCH_LINKS || size.isFull()) break
  }
  return done
}

export function isAllIndexed({ records }: { readonly records: Pick<Records, 'get'> }): boolean {
  return records.get(linkRow, ALL_INDEXED)?.value.format === LINK_FORMAT
}

export function putAllIndexed(unit: Unit): void {
  const row: LinkRow = { asset_file_id: ALL_INDEXED, versions: [], keys: [], format: LINK_FORMAT }
  unit.put(linkRow, [ALL_INDEXED], row)
}
