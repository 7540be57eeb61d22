// The live pages that show a file or a menu on the site: they include it, directly or in other fragments, or have a layout with it.
// A publish of the file, or a change of the menu, changes these pages. Only pages and fragments that the caller may see count.

import { openVisibleFolders } from '../../auth/visible-folders.ts'
import { assetCategory } from '../../schema/asset-category.ts'
import { type AssetFile, assetFile, type AssetFileVersion } from '../../schema/asset-file.ts'
import {
  hashOfKey,
  keyOfFile,
  keyOfGroup,
  LINK_KEYS,
  LINK_SEARCH,
  linkRow,
} from '../../schema/link-index.ts'
import { inMatch } from '../../schema/match.ts'
import { isLayout } from '../../schema/page-composition.ts'
import type { SlotContent } from '../../schema/page-slot.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import type { JsonObject, RecordType } from '../../schema/values.ts'
import { MAX_INCLUDE_DEPTH, MAX_LIST_LENGTH } from '../../shared/limits.ts'
import type { Context } from '../context.ts'
import { findVersion } from '../files/versions.ts'
import { findPart, isPage } from './rendered-pages.ts'

export interface ShowingPages {
  readonly pages: readonly AssetFile[]
  /** False if there are more. */
  readonly isComplete: boolean
}

/** Live files of one folder that are looked up. */
const MAX_FILES = 10_000
/** The rows have no identifier of their own, so that the search finds it in the key. */
const LINK_ROWS = linkRow as unknown as RecordType<JsonObject>

/** A file, or the file group of a menu. */
export interface Shown {
  readonly kind: 'include' | 'menu'
  readonly id: number
}

export async function findShowingPages(
  context: Context,
  { kind, id }: Shown,
  length: number,
): Promise<ShowingPages> {
  const search = new ShowingSearch(context, length)
  if (kind === 'include') return search.followFrom([id], id)
  return search.followFrom(await search.addIncluding({ kind, id }))
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
  /** Layouts are followed, and are no pages. */
  readonly #layouts = new Set<number>()
  readonly #slice = openTimeSlice()
  #isCut = false

  constructor(context: Context, length: number) {
    this.#context = context
    this.#length = length
    this.#visible = openVisibleFolders(context.records, context.caller)
  }

  /** The pages that show these files, without the own one. */
  async followFrom(ids: readonly number[], ownId?: number): Promise<ShowingPages> {
    let level = ids
    for (let depth = 0; depth <= MAX_INCLUDE_DEPTH && level.length > 0; depth += 1) {
      const next: number[] = []
      for (const id of level) {
        await this.#addLaidOut(id)
        next.push(...(await this.addIncluding({ kind: 'include', id })))
      }
      level = next
    }
    if (ownId !== undefined) this.#found.delete(ownId)
    return { pages: [...this.#found.values()], isComplete: !this.#isCut }
  }

  /** The pages with a shortcode of this kind; returns the new ones, which other pages may include. */
  async addIncluding(shown: Shown): Promise<readonly number[]> {
    const fresh: number[] = []
    const key = shown.kind === 'menu' ? keyOfGroup(shown.id) : keyOfFile(shown.id)
    const match = inMatch(LINK_KEYS, [hashOfKey(key)])
    const isVisible = (row: JsonObject): boolean => this.#sees(Number(row['asset_file_id']))
    let cursor: string | undefined
    do {
      const query = { match, orderBy: null, length: MAX_LIST_LENGTH, cursor, isVisible }
      const page = await this.#context.records.search(LINK_ROWS, LINK_SEARCH, query)
      for (const { value } of page.records) {
        const pageId = Number(value['asset_file_id'])
        if (await this.#addIfIncluding(pageId, shown)) fresh.push(pageId)
      }
      cursor = page.next
    } while (cursor !== undefined && !this.#isCut)
    return fresh
  }

  async #addIfIncluding(pageId: number, { kind, id }: Shown): Promise<boolean> {
    const isKnown = this.#found.has(pageId) || this.#layouts.has(pageId)
    const page = isKnown ? undefined : await this.#read(pageId)
    if (page === undefined) return false
    const source = await findPart(this.#context, page.version)
    const slots = [...(source?.whole.slots ?? []), ...(source?.head ?? [])]
    const isIncluding = slots.some(
      (slot) => typeof slot !== 'string' && slot.kind === kind && numberIn(slot) === id,
    )
    if (!isIncluding || source === undefined) return false
    if (!isLayout(source)) return this.#add(page)
    this.#layouts.add(pageId)
    return true
  }

  /** The pages with this layout, by their own choice or that of a folder. Hidden folders do not count. */
  async #addLaidOut(id: number): Promise<void> {
    const { records } = this.#context
    for (const [pageId] of records.lookup(assetFile.recordType, 'layout', [id])) {
      const page = await this.#read(Number(pageId))
      if (page?.version.layout_file_id === id) this.#add(page)
    }
    const folders = this.#visibleOf(records.lookup(assetCategory.recordType, 'layout', [id]))
    for (const folderId of folders) {
      if (this.#isCut) return
      await this.#addInheriting(folderId)
      folders.push(...this.#inheritingBelow(folderId))
    }
  }

  #visibleOf(ids: readonly (readonly unknown[])[]): number[] {
    return ids.map(([id]) => Number(id)).filter((id) => this.#visible.sees(id))
  }

  async #addInheriting(folderId: number): Promise<void> {
    const { records } = this.#context
    const live = records.lookup(assetFile.recordType, 'live_in', [folderId], MAX_FILES)
    this.#isCut ||= live.length === MAX_FILES
    for (const [pageId] of live) {
      const page = await this.#read(Number(pageId))
      if (page !== undefined && (page.version.layout_file_id ?? null) === null) this.#add(page)
    }
  }

  #inheritingBelow(folderId: number): readonly number[] {
    const { records } = this.#context
    const { recordType } = assetCategory
    return this.#visibleOf(records.lookup(recordType, 'parent_category_id', [folderId])).filter(
      (id) => (records.get(recordType, id)?.value.layout_file_id ?? null) === null,
    )
  }

  /** Undefined if the page is not live, or if the caller may not see it. */
  async #read(id: number): Promise<LivePage | undefined> {
    if (this.#slice.isOver(0)) await this.#slice.next()
    const { records } = this.#context
    const file = records.get(assetFile.recordType, id)?.value
    if (typeof file?.live_version !== 'number' || !this.#sees(id)) return undefined
    const version = findVersion(records, id, file.live_version)
    return version !== undefined && isPage(version) ? { file, version } : undefined
  }

  #sees(id: number): boolean {
    const folderId = this.#context.records.get(assetFile.recordType, id)?.value.parent_category_id
    return folderId !== undefined && this.#visible.grantsAt(folderId).has('view')
  }

  #add({ file }: LivePage): boolean {
    if (this.#found.size >= this.#length) this.#isCut = true
    else this.#found.set(file.asset_file_id, file)
    return !this.#isCut
  }
}

function numberIn(slot: SlotContent): number | undefined {
  if (slot.kind === 'menu') return slot.groupId
  return slot.kind === 'include' ? slot.fileId : undefined
}
