// Former addresses of files and folders as maps for nginx, so that they still redirect while the server is down.
//
//   files    "/old name.html" "/new%20name.html";     compared with $uri, which nginx has decoded, in any case of ASCII letters
//   folders  "~*^/old/([^?]*)" "/new/$1";             compared with $request_uri, because a decoded rest of a path could hold a
//                                                     line break, which would end the header Location

import type { Site } from '../config/flag-values.ts'
import type { Context } from '../operations/context.ts'
import { findFormer, findLive } from '../operations/files/addresses.ts'
import { findFormerFolder } from '../operations/folders/former-places.ts'
import { findByName } from '../operations/requirements.ts'
import { findSiteFile, siteFolders } from '../operations/site/site-files.ts'
import { openPlace, pathOf, type Place } from '../operations/site/site-place.ts'
import { assetCategory, formerPlaces } from '../schema/asset-category.ts'
import { formerAddress } from '../schema/file-address.ts'
import { openTimeSlice } from '../schema/time-slicing.ts'
import type { Names } from './tree-files.ts'

export interface MovedAddresses {
  readonly files: string
  readonly folders: string
  /** There are more former addresses than `limit`. */
  readonly isCut: boolean
}

/** At most `limit` addresses of each kind. */
export async function readMovedAddresses(
  context: Context,
  site: Site,
  limit: number,
): Promise<MovedAddresses> {
  const files: string[] = []
  const folders: string[] = []
  const slice = openTimeSlice()
  for await (const folder of siteFolders(context, site)) {
    if (slice.isOver(0)) await slice.next()
    const place = openPlace(context, site)
    if (place === undefined) break
    files.push(...movedFiles({ context, site, folder }, limit - files.length))
    folders.push(...movedFolders(place, folder, limit - folders.length))
  }
  const isCut = files.length >= limit || folders.length >= limit
  return { files: files.join(''), folders: folders.join(''), isCut }
}

interface Where {
  readonly context: Context
  readonly site: Site
  readonly folder: Folder
}

interface Folder {
  readonly id: number
  readonly names: Names
}

/** A file that was live in the folder under another name, or that was moved away. */
function movedFiles({ context, site, folder }: Where, limit: number): readonly string[] {
  const { records } = context
  const rows = records.lookup(formerAddress, 'place', [folder.id], Math.max(limit, 0))
  return rows.flatMap(([, folded]) => {
    const name = String(folded)
    const file = findFormer(records, folder.id, name)
    const to = file && findSiteFile(context, site, file.asset_file_id)
    if (to === undefined || findLive(records, folder.id, name) !== undefined) return []
    return [line(`/${[...folder.names, name].join('/')}`, encoded(to.names))]
  })
}

function movedFolders(place: Place, folder: Folder, limit: number): readonly string[] {
  const { records, visible } = place
  const rows = records.lookup(formerPlaces, 'place', [folder.id], Math.max(limit, 0))
  const known = rows.flatMap(([id]) => records.get(formerPlaces, Number(id))?.value.places ?? [])
  const names = new Set(known.filter(([parent]) => parent === folder.id).map(([, name]) => name))
  return [...names].flatMap((name) => {
    const present = findByName(records, assetCategory, folder.id, name)
    if (present !== undefined && visible.sees(present)) return []
    const id = findFormerFolder(records, visible, { parentId: folder.id, name })
    const to = id === undefined ? undefined : pathOf(place, id)
    if (to === undefined) return []
    const from = [...folder.names, name].map(patternOf).join('/')
    return [line(`~*^/${from}/([^?]*)`, `${to}$1`)]
  })
}

function encoded(names: Names): string {
  return `/${names.map(encodeURIComponent).join('/')}`
}

/** Every form in which clients encode the name. */
function patternOf(name: string): string {
  return [...Buffer.from(name)]
    .map((byte) => {
      const char = String.fromCharCode(byte)
      if (/[\w~-]/.test(char)) return char
      const hex = `%${byte.toString(16).padStart(2, '0')}`
      return byte > 0x20 && byte < 0x7f ? `(?:\\x${byte.toString(16)}|${hex})` : hex
    })
    .join('')
}

/** In quotes, nginx knows escapes of the quote and of the backslash. */
function line(from: string, to: string): string {
  const [left, right] = [from, to].map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`)
  return `${left} ${right};\n`
}
