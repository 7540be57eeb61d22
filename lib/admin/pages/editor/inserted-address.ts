// The address of a file in a text. STML names the file by its number, which survives renames. Other texts of a website get
// the path on the website, which redirects after a rename. All other texts get the download address.

import { SERVER } from '../../client/address.ts'
import type { Me } from '../../client/me.ts'
import type { FileRecord, FolderRecord } from '../content/records.ts'
import type { MarkupLanguage } from './text-format.ts'

export type InsertLanguage = MarkupLanguage | 'stml'

export interface TextPlace {
  readonly language: InsertLanguage
  /** The folder of the text with its parents, topmost first; empty for a text outside of folders, such as an entry. */
  readonly line: readonly FolderRecord[]
  readonly sites: Me['site']
}

export interface FilePlace {
  readonly file: FileRecord
  /** The folder of the file with its parents, topmost first. */
  readonly line: readonly FolderRecord[]
}

export function insertedAddress(target: FilePlace, place: TextPlace): string {
  const { asset_file_id: id, url } = target.file
  if (place.language === 'stml') return `[get_asset_file_url id=${id}]`
  // Parentheses would end the address in Markdown.
  const name = url.slice(url.lastIndexOf('/') + 1).replaceAll(/[()]/g, encodeParenthesis)
  const folders = foldersOnSite(target, place)
  if (folders === undefined)
    return `${new URL(SERVER).pathname.replace(/\/$/, '')}/file/${id}/${name}`
  const names = folders.map((folder) =>
    encodeURIComponent(folder.name).replaceAll(/[()]/g, encodeParenthesis),
  )
  return ['', ...names, name].join('/')
}

export type UnseenReason = 'notOnSite' | 'notPublic' | 'notPublished'

/** Why visitors of the text do not see the file. */
export function unseenReason(target: FilePlace, place: TextPlace): UnseenReason | undefined {
  const isOnSite = foldersOnSite(target, place) !== undefined
  if (siteRootOf(place.line, place.sites) !== undefined && !isOnSite) return 'notOnSite'
  if (target.line.at(-1)?.is_public !== true) return 'notPublic'
  return target.file.live_version === null ? 'notPublished' : undefined
}

/** The folders from the root of the website, without the root; undefined if the website does not show the folder. */
function foldersOnSite({ line }: FilePlace, place: TextPlace): readonly FolderRecord[] | undefined {
  // An entry may be shown by any website.
  const rootId = siteRootOf(place.line.length === 0 ? line : place.line, place.sites)
  const at = line.findIndex(({ asset_category_id: id }) => id === rootId)
  const below = line.slice(at + 1)
  return rootId !== undefined && at >= 0 && below.every((folder) => folder.is_public)
    ? below
    : undefined
}

/** The root folder of the website that shows the last folder of the line. */
export function siteRootOf(line: readonly FolderRecord[], sites: Me['site']): number | undefined {
  const roots = new Set(sites.map(({ asset_category_id: id }) => id))
  return line.findLast(({ asset_category_id: id }) => roots.has(id))?.asset_category_id
}

function encodeParenthesis(sign: string): string {
  return sign === '(' ? '%28' : '%29'
}
