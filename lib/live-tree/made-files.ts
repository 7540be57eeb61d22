// The files of a live tree that the server makes: robots.txt and the sitemaps, at the root of a site. A live file or a public
// folder with the name comes first.

import type { Site } from '../config/flag-values.ts'
import type { Context } from '../operations/context.ts'
import { addressName, findLive } from '../operations/files/addresses.ts'
import { findByName } from '../operations/requirements.ts'
import { openPlace } from '../operations/site/site-place.ts'
import { type PackedText, packText } from '../operations/site/packed-text.ts'
import { readSitemapFiles, robotsOf } from '../operations/site/sitemap.ts'
import { assetCategory } from '../schema/asset-category.ts'
import type { TreeFiles } from './tree-files.ts'

interface MadeFilesParts {
  readonly context: Context
  readonly site: Site
  readonly files: TreeFiles
  /** Throws disk-full if the disk of the data directory needs its free space. */
  readonly requireRoom: (sizeBytes: number) => void
}

/** Whether the server may have made the file with this name at the root of a site. */
export function isMadeName(name: string): boolean {
  return /^(?:robots\.txt|sitemap(?:-[1-9]\d{0,3})?\.xml)$/.test(name)
}

export class MadeFiles {
  readonly #parts: MadeFilesParts
  /** The hashes of the texts on the disk by their names; undefined before the first write. */
  #known: Map<string, string> | undefined

  constructor(parts: MadeFilesParts) {
    this.#parts = parts
  }

  /** Writes what differs from the last texts, and removes what is not made any more. */
  async write(): Promise<void> {
    const { context, site, files, requireRoom } = this.#parts
    const place = openPlace(context, site)
    const made =
      place === undefined
        ? new Map<string, PackedText>()
        : new Map([
            ['robots.txt', packText(robotsOf(site))],
            ...(await readSitemapFiles(context, site)),
          ])
    this.#known ??= new Map(
      [...(await files.list([])).keys()].filter(isMadeName).map((name) => [name, '']),
    )
    for (const name of new Set([...this.#known.keys(), ...made.keys()])) {
      const taken = place === undefined ? undefined : this.#takenBy(place.rootId, name)
      const text = made.get(name)
      if (taken !== undefined) {
        // The live file may be spelled in another case, and be the same file on the disk.
        const isApart = taken !== name && !(await files.isSame([taken], [name]))
        if (isApart && this.#known.has(name)) await files.remove([name])
        this.#known.delete(name)
      } else if (text === undefined) {
        await files.remove([name])
        this.#known.delete(name)
      } else if (this.#known.get(name) !== text.sha256) {
        requireRoom(text.sizeBytes)
        await files.write([name], { chunks: text.chunks(), modifiedMs: Date.now() })
        this.#known.set(name, text.sha256)
      }
    }
  }

  /** The name of the live file or public folder that has the name. */
  #takenBy(rootId: number, name: string): string | undefined {
    const { context, site } = this.#parts
    const { records } = context
    const file = findLive(records, rootId, name)
    if (file !== undefined) return addressName(records, file)
    const folder = findByName(records, assetCategory, rootId, name)
    const isShown = folder !== undefined && openPlace(context, site)?.visible.sees(folder) === true
    return isShown ? records.get(assetCategory.recordType, folder)?.value.name : undefined
  }
}
