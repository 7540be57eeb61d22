// Former addresses of files and folders, and the redirects that folders list, as maps for nginx, so that they still redirect
// while the server is down.
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
import { matchRedirect } from '../operations/site/redirects.ts'
import { openPlace, pathOf, type Place } from '../operations/site/site-place.ts'
import { assetCategory, formerPlaces } from '../schema/asset-category.ts'
import { formerAddress } from '../schema/file-address.ts'
import { foldName } from '../schema/names.ts'
import { hasRest, type Redirect, withoutRest } from '../schema/site-settings.ts'
import { openTimeSlice } from '../schema/time-slicing.ts'
import { mapLine } from './nginx-map.ts'
import type { Names } from './tree-files.ts'

export interface MovedAddresses {
  readonly files: string
  readonly folders: string
  /** The redirects with the status 301. In `folders301`, an empty target stands for each redirect with another status. */
  readonly files301: string
  readonly folders301: string
  /** There are more former addresses than `limit`. */
  readonly isCut: boolean
}

/** At most `limit` addresses of each kind. Former addresses come before the redirects that editors list. */
export async function readMovedAddresses(
  context: Context,
  site: Site,
  limit: number,
): Promise<MovedAddresses> {
  const files = new Map<string, Target>()
  const folders: (readonly [from: string, target: Target])[] = []
  const listed: Listed[] = []
  const slice = openTimeSlice()
  for await (const folder of siteFolders(context, site)) {
    if (slice.isOver(0)) await slice.next()
    const place = openPlace(context, site)
    if (place === undefined) break
    for await (const [from, to] of movedFiles({ context, site, folder }, limit - files.size))
      files.set(from, { to, status: 308 })
    for await (const moved of movedFolders(place, folder, limit - folders.length))
      folders.push(moved)
    if (listed.length < limit) listed.push(...listedRedirects(place, folder))
  }
  for (const { from, ...target } of listed.filter(({ isBelow }) => !isBelow).toSorted(byDepth)) {
    // nginx refuses a map with two equal sources.
    const key = foldName(from)
    if (!files.has(key)) files.set(key, target)
  }
  for (const { from, ...target } of listed.filter(({ isBelow }) => isBelow).toSorted(byDepth))
    folders.push([from, target])
  const [ofFiles, ofFolders] = [[...files].slice(0, limit), folders.slice(0, limit)]
  return {
    files: linesOf(ofFiles),
    folders: linesOf(ofFolders),
    files301: linesOf(ofFiles.filter(([, { status }]) => status === 301)),
    // The first pattern that matches decides, so each line of the other map needs its line here.
    folders301: linesOf(
      ofFolders.map(([from, target]) =>
        target.status === 301 ? [from, target] : [from, { ...target, to: '' }],
      ),
    ),
    isCut: files.size >= limit || folders.length >= limit,
  }
}

interface Target {
  readonly to: string
  readonly status: Redirect['status']
}

function linesOf(all: readonly (readonly [from: string, target: Target])[]): string {
  return all.map(([from, { to }]) => mapLine(from, to)).join('')
}

interface Listed extends Target {
  readonly from: string
  /** The source is a pattern for the path and everything below. */
  readonly isBelow: boolean
  /** Names in the path of the folder, and in the source. */
  readonly depth: number
  readonly length: number
}

/** The nearest folder decides, then the longest path. */
function byDepth(left: Listed, right: Listed): number {
  return right.depth - left.depth || right.length - left.length
}

/** Stands for the rest of a path. */
const REST = 'cms-rest'

function listedRedirects(place: Place, { id, names }: Folder): readonly Listed[] {
  const redirects = place.records.get(assetCategory.recordType, id)?.value.redirects ?? []
  const folderPath = pathOf(place, id)
  if (folderPath === undefined) return []
  return redirects.flatMap((redirect) => {
    const isBelow = hasRest(redirect.from)
    const path = withoutRest(redirect.from).split('/').filter(Boolean).map(decodeURIComponent)
    const asked = { folderPath, names: isBelow ? [...path, REST] : path }
    // Otherwise nginx would read a variable.
    const to = matchRedirect([redirect], asked)?.location.replaceAll('$', '%24')
    if (to === undefined) return []
    const all = [...names, ...path]
    const { status } = redirect
    const ranks = { isBelow, status, depth: names.length, length: path.length }
    if (!isBelow) return [{ ...ranks, from: `/${all.join('/')}`, to }]
    // A rest that begins with a second slash or a backslash could lead to another host.
    const from = `~*^${all.map((name) => `/${patternOf(name)}`).join('')}((?:/(?![/\\\\])[^?]*)?)(?:\\?|$)`
    return [
      { ...ranks, from, to: to.endsWith(`/${REST}`) ? `${to.slice(0, -REST.length - 1)}$1` : to },
    ]
  })
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
async function* movedFiles(
  { context, site, folder }: Where,
  limit: number,
): AsyncGenerator<readonly [from: string, to: string]> {
  const { records } = context
  const slice = openTimeSlice()
  const rows = records.lookup(formerAddress, 'place', [folder.id], Math.max(limit, 0))
  for (const [, folded] of rows) {
    if (slice.isOver(0)) await slice.next()
    const name = String(folded)
    const file = findFormer(records, folder.id, name)
    const to = file && findSiteFile(context, site, file.asset_file_id)
    if (to === undefined || findLive(records, folder.id, name) !== undefined) continue
    yield [foldName(`/${[...folder.names, name].join('/')}`), encoded(to.names)]
  }
}

async function* movedFolders(
  place: Place,
  folder: Folder,
  limit: number,
): AsyncGenerator<readonly [from: string, target: Target]> {
  const { records, visible } = place
  const slice = openTimeSlice()
  const names = new Set<string>()
  for (const [id] of records.lookup(formerPlaces, 'place', [folder.id], Math.max(limit, 0))) {
    if (slice.isOver(0)) await slice.next()
    for (const [parent, name] of records.get(formerPlaces, Number(id))?.value.places ?? [])
      if (parent === folder.id) names.add(name)
  }
  for (const name of names) {
    if (slice.isOver(0)) await slice.next()
    const present = findByName(records, assetCategory, folder.id, name)
    if (present !== undefined && visible.sees(present)) continue
    const id = findFormerFolder(records, visible, { parentId: folder.id, name })
    const to = id === undefined ? undefined : pathOf(place, id)
    if (to === undefined) continue
    const from = [...folder.names, name].map(patternOf).join('/')
    yield [`~*^/${from}/([^?]*)`, { to: `${to}$1`, status: 308 }]
  }
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
