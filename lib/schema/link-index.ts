// Finds the pages that may lead to a file or show a menu. A row has the addresses in the newest, the live and the staged version of a page, as they are
// in the text. Its index finds an address by its last name alone: folders and files are renamed and moved without their pages,
// so operations/site/link-targets.ts decides when somebody asks where an address leads.

import { hash } from 'node:crypto'
import { foldName } from './names.ts'
import { fileOfAddress, groupOfAddress, type LinkSyntax } from './page-links.ts'
import type { RecordType, Searchable, SearchField } from './values.ts'

export interface TextLinks {
  /** The content. Versions with the same content and syntax have the same addresses. */
  readonly uid: string
  readonly syntax: LinkSyntax
  /** Null: the text is still to be read. */
  readonly addresses: readonly string[] | null
}

export interface VersionLinks extends TextLinks {
  readonly version: number
}

/** Key: [asset_file_id], and [0] as soon as every page of the site has a row of the present format. */
export interface LinkRow {
  readonly asset_file_id: number
  readonly versions: readonly VersionLinks[]
  /** Hashes of linkKeys, each once. */
  readonly keys: readonly number[]
  /** Only the row [0] has a format. */
  readonly format?: number
}

/** Rows of earlier builds have no addresses of menus, and no format. */
export const LINK_FORMAT = 2

export const linkRow: RecordType<LinkRow> = {
  name: 'page_links',
  indexes: [
    { name: 'keys', width: 1, rows: ({ keys }) => (keys as readonly number[]).map((key) => [key]) },
    {
      name: 'unread',
      width: 1,
      rows: ({ versions }) =>
        isUnread(versions as unknown as LinkRow['versions']) ? [[true]] : [],
    },
  ],
}

export const LINK_KEYS: SearchField = { name: 'keys', kind: 'integers', isIndexed: true }
export const LINK_SEARCH: Searchable = new Map([[LINK_KEYS.name, LINK_KEYS]])

/** The key of the row that says that every page has a row. */
export const ALL_INDEXED = 0

function isUnread(versions: readonly VersionLinks[]): boolean {
  return versions.some(({ addresses }) => addresses === null)
}

/** `before`: the row that the new one replaces. Versions with the same texts have the same keys, and hashing 2,000 addresses takes 4 ms. */
export function linkRowOf(
  fileId: number,
  versions: readonly VersionLinks[],
  before?: LinkRow,
): LinkRow {
  if (before !== undefined && haveSameTexts(before.versions, versions))
    return { asset_file_id: fileId, versions, keys: before.keys }
  const all = new Set(versions.flatMap(({ addresses }) => addresses ?? []))
  const keys = new Set([...all].flatMap((address) => linkKeys(address)).map(hashOfKey))
  return { asset_file_id: fileId, versions, keys: [...keys] }
}

function haveSameTexts(left: readonly VersionLinks[], right: readonly VersionLinks[]): boolean {
  const [before, after] = [left, right].map((versions) => new Set(versions.map(textOf)))
  return before?.size === after?.size && [...(before ?? [])].every((text) => after?.has(text))
}

function textOf({ uid, syntax, addresses }: VersionLinks): string {
  return `${uid} ${syntax} ${addresses === null}`
}

/** 48 bits. Two keys with one hash cost a comparison more. */
export function hashOfKey(key: string): number {
  return hash('sha1', key, 'buffer').readUIntBE(0, 6)
}

/** Links to the start page of a folder whose name the address does not have. */
export const KEY_OF_FOLDER = '/.'

/** The key of a file in a shortcode. */
export function keyOfFile(id: number): string {
  return `#${id}`
}

/** The key of a file group in a shortcode. No name has a slash. */
export function keyOfGroup(id: number): string {
  return `/#${id}`
}

/** The names by which the target of an address can be found; none if no file can have such an address. */
export function linkKeys(address: string): readonly string[] {
  const id = fileOfAddress(address)
  if (id !== undefined) return [keyOfFile(id)]
  const groupId = groupOfAddress(address)
  if (groupId !== undefined) return [keyOfGroup(groupId)]
  const path = address.replace(/^(?:https?:)?\/\/[^/]*/i, '')
  const [last = '', before = ''] = path.split('/').slice(-2).toReversed()
  const name = last === '' ? before : last
  if (name === '' || name === '.' || name === '..') return [KEY_OF_FOLDER]
  try {
    return [foldName(decodeURIComponent(name))]
  } catch {
    // The address is not percent-encoded UTF-8.
    return []
  }
}
