// Finds the files that an edited page names, for the preview. An address has the number of the file (/file/7/room.png or
// [get_asset_file_url id=7]), or is a path of the website (/img/room.png) or from the folder of the page (../img/room.png).

import { SERVER } from '../../client/address.ts'
import type { Api } from '../../client/api.ts'
import type { Me } from '../../client/me.ts'
import {
  type FileRecord,
  type FolderRecord,
  readFile,
  searchFiles,
  searchFolders,
} from '../content/records.ts'
import { siteRootOf } from './inserted-address.ts'

export interface AddressBase {
  /** The folder of the page with its parents, topmost first; empty for a page outside of folders. */
  readonly line: readonly FolderRecord[]
  readonly sites: Me['site']
}

const BY_NUMBER =
  /^(?:\[get_asset_file_url\s+id\s*=\s*["']?(\d{1,15})["']?\s*\/?\]|.*\/file\/(\d{1,15})\/[^/]+)$/

/** Folders are looked up once. The file is undefined for an address of another site, and if no file has the address. */
export function openShownAddresses(api: Api, base: AddressBase) {
  const folders = new Map<string, Promise<number | undefined>>()

  function findFolder(parentId: number, name: string, signal: AbortSignal) {
    const key = `${parentId}/${name}`
    const known = folders.get(key)
    if (known !== undefined) return known
    const qry = { parent_category_id: parentId, name }
    const found = searchFolders(
      api,
      { qry, orderStr: 'asset_category_id', length: 1 },
      signal,
    ).then(({ rows }) => rows[0]?.asset_category_id)
    folders.set(key, found)
    // A retry may succeed.
    found.catch(() => folders.delete(key))
    return found
  }

  return async function find(
    address: string,
    signal: AbortSignal,
  ): Promise<FileRecord | undefined> {
    const [path = ''] = address.trim().split(/[?#]/, 1)
    const [, linked, numbered] = BY_NUMBER.exec(path) ?? []
    const id = linked ?? numbered
    if (id !== undefined && isOwn(address)) return (await readFile(api, Number(id), signal)).record
    const start = startOf(path, base)
    if (start === undefined) return undefined
    const names = start.path.split('/').map(decoded)
    const name = names.pop() ?? ''
    const line = [...start.line]
    for (const each of names) {
      if (each === '..') line.pop()
      if (['', '.', '..'].includes(each)) continue
      const parent = line.at(-1)
      const next = parent === undefined ? undefined : await findFolder(parent, each, signal)
      if (next === undefined) return undefined
      line.push(next)
    }
    const folderId = line.at(-1)
    if (folderId === undefined || name === '') return undefined
    const qry = { parent_category_id: folderId, name }
    return (await searchFiles(api, { qry, orderStr: 'asset_file_id', length: 1 }, signal)).rows[0]
  }
}

function isOwn(address: string): boolean {
  return URL.canParse(address, `${SERVER}/`)
    ? new URL(address, `${SERVER}/`).origin === new URL(SERVER).origin
    : false
}

interface Start {
  /** The folders at which the path begins. */
  readonly line: readonly number[]
  readonly path: string
}

function startOf(path: string, { line, sites }: AddressBase): Start | undefined {
  const [, origin, rest = ''] = /^(https?:\/\/[^/]+)(\/.*)$/i.exec(path) ?? []
  const site = sites.find((each) => each.origin === origin)
  if (site !== undefined) return { line: [site.asset_category_id], path: rest }
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(path)) return undefined
  if (!path.startsWith('/')) return { line: line.map(({ asset_category_id: id }) => id), path }
  const rootId =
    siteRootOf(line, sites) ?? (sites.length === 1 ? sites[0] : undefined)?.asset_category_id
  return rootId === undefined ? undefined : { line: [rootId], path }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
