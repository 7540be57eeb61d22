// The rendered pages of a live tree. A page is written again when a file that it links to gets another path.

import { hash } from 'node:crypto'
import type { Site } from '../config/flag-values.ts'
import type { Context } from '../operations/context.ts'
import { type LinkedPaths, readPaths, renderPage } from '../operations/site/rendered-pages.ts'
import { openLiveFiles } from '../operations/site/shown-files.ts'
import type { SiteFile } from '../operations/site/site-files.ts'
import { pathOfFileId } from '../operations/site/site-pages.ts'
import { openPlace } from '../operations/site/site-place.ts'
import type { Entry, PageState } from './tree-entries.ts'

export class TreePages {
  readonly #context: Context
  readonly #site: Site
  /** The pages that link to each file. */
  readonly #linking = new Map<number, Set<number>>()

  constructor(context: Context, site: Site) {
    this.#context = context
    this.#site = site
  }

  /** Whether the page on the disk is the one that the site shows now. */
  async isCurrent({ version }: SiteFile, state: PageState | undefined): Promise<boolean> {
    if (state?.version !== version.version) return false
    return hashOf(await readPaths(state.linkedIds, this.#openPaths())) === state.pathsHash
  }

  /** Throws like renderPage. */
  async render(file: SiteFile): Promise<{ readonly bytes: Uint8Array; readonly entry: Entry }> {
    const { id, names, version } = file
    const shown = { version, name: names.at(-1) ?? '', pathTo: this.#openPaths() }
    const { bytes, paths } = await renderPage(this.#context, shown)
    const page = {
      version: version.version,
      linkedIds: [...paths.keys()],
      pathsHash: hashOf(paths),
    }
    return { bytes, entry: { id, names, sizeBytes: bytes.length, modifiedMs: Date.now(), page } }
  }

  #openPaths(): (fileId: number) => string | undefined {
    const { records } = this.#context
    const place = openPlace(this.#context, this.#site)
    if (place === undefined) return () => undefined
    const shown = { ...place, files: openLiveFiles(records) }
    return (id) => pathOfFileId(shown, id)
  }

  note({ id, page }: Entry): void {
    for (const linked of page?.linkedIds ?? []) {
      const pages = this.#linking.get(linked)
      if (pages === undefined) this.#linking.set(linked, new Set([id]))
      else pages.add(id)
    }
  }

  forget({ id, page }: Entry): void {
    for (const linked of page?.linkedIds ?? []) {
      const pages = this.#linking.get(linked)
      pages?.delete(id)
      if (pages?.size === 0) this.#linking.delete(linked)
    }
  }

  /** These files, and the pages that link to them. */
  withLinking(ids: ReadonlySet<number>): ReadonlySet<number> {
    const all = new Set(ids)
    for (const id of ids) for (const page of this.#linking.get(id) ?? []) all.add(page)
    return all
  }
}

function hashOf(paths: LinkedPaths): string {
  return hash('sha256', JSON.stringify([...paths.values()].map((path) => path ?? '')))
}
