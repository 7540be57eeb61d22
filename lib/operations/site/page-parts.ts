// Live files that visitors see inside other pages only: layouts, and fragments that no page and no menu leads to. Only users that
// everybody may see count, so that a hidden page changes nothing.

import { ANONYMOUS } from '../../auth/anonymous.ts'
import { openVisibleFolders, type VisibleFolders } from '../../auth/visible-folders.ts'
import type { Site } from '../../config/flag-values.ts'
import { assetCategory } from '../../schema/asset-category.ts'
import { type AssetFile, assetFile, type AssetFileVersion } from '../../schema/asset-file.ts'
import { fileGroup } from '../../schema/file-group.ts'
import { hashOfKey, keyOfFile, linkKeys, linkRow } from '../../schema/link-index.ts'
import { inMatch } from '../../schema/match.ts'
import { isLayout } from '../../schema/page-composition.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import type { Context } from '../context.ts'
import { findVersion } from '../files/versions.ts'
import { keysOfFile } from './link-keys.ts'
import { type LinkTarget, type LinkTargets, openLinkTargets } from './link-targets.ts'
import { findPart, isPage } from './rendered-pages.ts'

export interface PageParts {
  /** `version`: the live version of the file. */
  isPart(file: AssetFile, version: AssetFileVersion): Promise<boolean>
}

/** Pages that are examined for one file, and addresses in them that are looked up. Texts are read only for shortcodes. */
const MAX_PAGES = 1_000
const MAX_TEXTS = 100
/** Rows of the link index that are looked up for one key, also of pages that are not live. */
const MAX_ROWS = 20_000
const ROWS_AT_ONCE = 500

interface LivePage {
  readonly file: AssetFile
  readonly version: AssetFileVersion
}

/** For the files of one folder: folders are remembered. */
export function openPageParts(context: Context, site: Site): PageParts {
  return new StoredParts(context, site)
}

class StoredParts implements PageParts {
  readonly #context: Context
  readonly #visible: VisibleFolders
  readonly #targets: LinkTargets
  readonly #slice = openTimeSlice()

  constructor(context: Context, site: Site) {
    this.#context = context
    const { records, basePath } = context
    this.#visible = openVisibleFolders(records, ANONYMOUS)
    this.#targets = openLinkTargets({ records, basePath, caller: ANONYMOUS }, [site])
  }

  async isPart(file: AssetFile, version: AssetFileVersion): Promise<boolean> {
    const { asset_file_id: id } = file
    if (await this.#isUsedLayout(id, version)) return true
    const { isIncluded, isLinked } = await this.#shortcodesFor(id)
    return isIncluded && !isLinked && !(await this.#isNamed(file)) && !(await this.#isInMenu(id))
  }

  async #isUsedLayout(id: number, version: AssetFileVersion): Promise<boolean> {
    if (!this.#hasPages(id)) return false
    const source = await findPart(this.#context, version)
    return source !== undefined && isLayout(source)
  }

  #hasPages(layoutId: number): boolean {
    const { records } = this.#context
    const folders = records.lookup(assetCategory.recordType, 'layout', [layoutId])
    if (folders.some(([id]) => this.#visible.sees(Number(id)))) return true
    const pages = records.lookup(assetFile.recordType, 'layout', [layoutId], MAX_PAGES)
    return pages.some(([id]) => this.#livePage(Number(id))?.version.layout_file_id === layoutId)
  }

  #livePage(id: number): LivePage | undefined {
    const { records } = this.#context
    const file = records.get(assetFile.recordType, id)?.value
    if (typeof file?.live_version !== 'number') return undefined
    if (!this.#visible.sees(file.parent_category_id)) return undefined
    const version = findVersion(records, id, file.live_version)
    return version && { file, version }
  }

  /** The other live pages that may have an address of this key, newest first. */
  async *#usersOf(id: number, key: string): AsyncGenerator<LivePage> {
    const range = { index: 'keys', values: [hashOfKey(key)], length: ROWS_AT_ONCE }
    let before: number | undefined
    for (let rows = 0; rows < MAX_ROWS; rows += ROWS_AT_ONCE) {
      const ids = this.#context.records.newest(linkRow, { ...range, before })
      for (const pageId of ids) {
        if (this.#slice.isOver(0)) await this.#slice.next()
        const page = pageId === id ? undefined : this.#livePage(pageId)
        if (page !== undefined) yield page
      }
      if (ids.length < ROWS_AT_ONCE) return
      before = ids.at(-1)
    }
  }

  async #shortcodesFor(id: number) {
    let [isIncluded, isLinked, texts] = [false, false, 0]
    for await (const { version } of this.#usersOf(id, keyOfFile(id))) {
      const source = isPage(version) ? await findPart(this.#context, version) : undefined
      for (const slot of [...(source?.whole.slots ?? []), ...(source?.head ?? [])]) {
        if (typeof slot === 'string') continue
        isIncluded ||= slot.kind === 'include' && slot.fileId === id
        isLinked ||= slot.kind === 'link' && slot.fileId === id
      }
      texts += 1
      if (isLinked || texts === MAX_TEXTS) break
    }
    return { isIncluded, isLinked }
  }

  /** Whether an address in a page leads to the file by its name; true if too much must be examined. */
  async #isNamed(file: AssetFile): Promise<boolean> {
    const { asset_file_id: id } = file
    const keys = new Set(keysOfFile(this.#context.records, file))
    keys.delete(keyOfFile(id))
    let examined = 0
    for (const key of keys)
      for await (const page of this.#usersOf(id, key))
        for await (const target of this.#targetsIn(page, key)) {
          examined += 1
          const isHere = target?.kind === 'file' && target.file.asset_file_id === id
          if (isHere || examined === MAX_PAGES) return true
        }
    return false
  }

  /** Undefined for the page, then the target of each address of this key. A page may have thousands, which lead elsewhere. */
  async *#targetsIn(
    { file: page, version: live }: LivePage,
    key: string,
  ): AsyncGenerator<LinkTarget | undefined> {
    yield undefined
    const { asset_file_id: pageId, parent_category_id: folderId } = page
    const versions = this.#context.records.get(linkRow, pageId)?.value.versions ?? []
    const links = versions.find(({ version }) => version === live.version)
    for (const address of links?.addresses ?? []) {
      if (this.#slice.isOver(0)) await this.#slice.next()
      if (linkKeys(address).includes(key)) yield this.#targets.find(folderId, address)
    }
  }

  async #isInMenu(id: number): Promise<boolean> {
    const { recordType, searchable } = fileGroup
    const field = searchable.get('asset_file_ids')
    const { records: found } = await this.#context.records.search(recordType, searchable, {
      match: field && inMatch(field, [id]),
      orderBy: null,
      length: 1,
      isVisible: ({ parent_category_id: folderId }) => this.#visible.sees(folderId),
    })
    return found.length > 0
  }
}
