// The live pages that show a file on the site: they include it, directly or in other fragments, or have it as their layout.
// A publish of the file changes these pages. Only pages and fragments that the caller may see count.

import { openVisibleFolders } from '../../auth/visible-folders.ts'
import { assetCategory } from '../../schema/asset-category.ts'
import { type AssetFile, assetFile, type AssetFileVersion } from '../../schema/asset-file.ts'
import { hashOfKey, keyOfFile, linkRow } from '../../schema/link-index.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import { MAX_INCLUDE_DEPTH } from '../../shared/limits.ts'
import type { Context } from '../context.ts'
import { findVersion } from '../files/versions.ts'
import { findPart, isPage } from './rendered-pages.ts'

export interface ShowingPages {
  readonly pages: readonly AssetFile[]
  /** False if there are more. */
  readonly isComplete: boolean
}

/** Rows that are looked up for one file, and folders that inherit one layout. */
const MAX_LOOKED_UP = 2_000

export async function findShowingPages(
  context: Context,
  id: number,
  length: number,
): Promise<ShowingPages> {
  const search = new ShowingSearch(context, length)
  let level: readonly number[] = [id]
  for (let depth = 0; depth <= MAX_INCLUDE_DEPTH && level.length > 0; depth += 1) {
    const next: number[] = []
    for (const fileId of level) {
      await search.addLaidOut(fileId)
      next.push(...(await search.addIncluding(fileId)))
    }
    level = next
  }
  return search.result(id)
}

interface LivePage {
  readonly file: AssetFile
  readonly version: AssetFileVersion
}

class ShowingSearch {
  readonly #context: Context
  readonly #length: number
  readonly #visible: ReturnType<typeof openVisibleFolders>
  readonly #found = new Map<number, AssetFile>()
  readonly #slice = openTimeSlice()
  #isCut = false

  constructor(context: Context, length: number) {
    this.#context = context
    this.#length = length
    this.#visible = openVisibleFolders(context.records, context.caller)
  }

  result(ownId: number): ShowingPages {
    this.#found.delete(ownId)
    return { pages: [...this.#found.values()], isComplete: !this.#isCut }
  }

  /** The pages that include the file; returns the new ones, which other pages may include. */
  async addIncluding(id: number): Promise<readonly number[]> {
    const { records } = this.#context
    const fresh: number[] = []
    const key = hashOfKey(keyOfFile(id))
    const rows = records.lookup(linkRow, 'keys', [key], MAX_LOOKED_UP)
    this.#isCut ||= rows.length === MAX_LOOKED_UP
    for (const [pageId] of rows) {
      const page = await this.#read(Number(pageId))
      if (page === undefined || this.#found.has(Number(pageId))) continue
      const source = await findPart(this.#context, page.version)
      const slots = [...(source?.whole.slots ?? []), ...(source?.head ?? [])]
      const isIncluding = slots.some(
        (slot) => typeof slot !== 'string' && slot.kind === 'include' && slot.fileId === id,
      )
      if (isIncluding && this.#add(page)) fresh.push(Number(pageId))
    }
    return fresh
  }

  /** The pages with this layout, by their own choice or that of a folder. */
  async addLaidOut(id: number): Promise<void> {
    const { records } = this.#context
    for (const [pageId] of records.lookup(assetFile.recordType, 'layout', [id], MAX_LOOKED_UP)) {
      const page = await this.#read(Number(pageId))
      if (page?.version.layout_file_id === id) this.#add(page)
    }
    const chosen = records.lookup(assetCategory.recordType, 'layout', [id], MAX_LOOKED_UP)
    const folders = chosen.map(([folderId]) => Number(folderId))
    for (const folderId of folders) {
      if (folders.length > MAX_LOOKED_UP || this.#found.size > this.#length) break
      await this.#addInheriting(folderId)
      folders.push(...this.#inheritingBelow(folderId))
    }
    this.#isCut ||= folders.length > MAX_LOOKED_UP
  }

  async #addInheriting(folderId: number): Promise<void> {
    const { records } = this.#context
    const left = this.#length - this.#found.size + 1
    const live = records.lookup(assetFile.recordType, 'live_in', [folderId], MAX_LOOKED_UP)
    this.#isCut ||= live.length === MAX_LOOKED_UP
    for (const [pageId] of left > 0 ? live : []) {
      const page = await this.#read(Number(pageId))
      if (page !== undefined && (page.version.layout_file_id ?? null) === null) this.#add(page)
    }
  }

  #inheritingBelow(folderId: number): readonly number[] {
    const { records } = this.#context
    const { recordType } = assetCategory
    return records
      .lookup(recordType, 'parent_category_id', [folderId], MAX_LOOKED_UP)
      .map(([id]) => Number(id))
      .filter((id) => (records.get(recordType, id)?.value.layout_file_id ?? null) === null)
  }

  /** Undefined if the page is not live, or if the caller may not see it. */
  async #read(id: number): Promise<LivePage | undefined> {
    if (this.#slice.isOver(0)) await this.#slice.next()
    const { records } = this.#context
    const file = records.get(assetFile.recordType, id)?.value
    if (file === undefined || file.live_version === null) return undefined
    if (!this.#visible.grantsAt(file.parent_category_id).has('view')) return undefined
    const version = findVersion(records, id, file.live_version)
    return version !== undefined && isPage(version) ? { file, version } : undefined
  }

  #add({ file }: LivePage): boolean {
    if (this.#found.size >= this.#length) this.#isCut = true
    else this.#found.set(file.asset_file_id, file)
    return !this.#isCut
  }
}
