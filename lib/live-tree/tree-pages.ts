// The rendered pages of a live tree. A page is written again when a file that it contains or links to changes, or a menu.

import type { Site } from '../config/flag-values.ts'
import type { Context } from '../operations/context.ts'
import { openLiveFiles } from '../operations/site/shown-files.ts'
import type { SiteFile } from '../operations/site/site-files.ts'
import type { ShownPlace } from '../operations/site/shown-place.ts'
import { openPlace } from '../operations/site/site-place.ts'
import { findLayout, renderFile } from '../operations/site/site-sources.ts'
import type { ComposedPage } from '../schema/page-composition.ts'
import type { Entry, PageState } from './tree-entries.ts'

export class TreePages {
  readonly #context: Context
  readonly #site: Site
  /** The pages that each file decides about, and each group. */
  readonly #byFile = new Map<number, Set<number>>()
  readonly #byGroup = new Map<number, Set<number>>()

  constructor(context: Context, site: Site) {
    this.#context = context
    this.#site = site
  }

  /** Undefined if the site sends the stored bytes. Throws like renderPage. */
  async render({ names, version }: SiteFile): Promise<ComposedPage | undefined> {
    const place = this.#openPlace()
    if (place === undefined) return undefined
    const file = { place, download: { version }, name: names.at(-1) ?? '' }
    return renderFile(this.#context, file)
  }

  hasLayout({ version }: SiteFile): boolean {
    const place = this.#openPlace()
    return place !== undefined && findLayout(place, version) !== undefined
  }

  #openPlace(): ShownPlace | undefined {
    const place = openPlace(this.#context, this.#site)
    return place && { ...place, files: openLiveFiles(this.#context.records) }
  }

  note({ id, page }: Entry): void {
    for (const [index, key] of this.#sourcesOf(page)) {
      const pages = index.get(key)
      if (pages === undefined) index.set(key, new Set([id]))
      else pages.add(id)
    }
  }

  forget({ id, page }: Entry): void {
    for (const [index, key] of this.#sourcesOf(page)) {
      const pages = index.get(key)
      pages?.delete(id)
      if (pages?.size === 0) index.delete(key)
    }
  }

  *#sourcesOf(page: PageState | undefined): Iterable<[Map<number, Set<number>>, number]> {
    for (const id of page?.fileIds ?? []) yield [this.#byFile, id]
    for (const id of page?.groupIds ?? []) yield [this.#byGroup, id]
  }

  /** These files, and the pages that they and these groups decide about. */
  withDependent(fileIds: ReadonlySet<number>, groupIds: ReadonlySet<number>): ReadonlySet<number> {
    const all = new Set(fileIds)
    for (const id of fileIds) for (const page of this.#byFile.get(id) ?? []) all.add(page)
    for (const id of groupIds) for (const page of this.#byGroup.get(id) ?? []) all.add(page)
    return all
  }
}
