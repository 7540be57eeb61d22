// The files in .cms that the configuration of nginx includes: redirects and headers of folders.

import type { Log } from '../base/log.ts'
import type { Site } from '../config/flag-values.ts'
import type { Context } from '../operations/context.ts'
import { readHeaderMaps } from './header-maps.ts'
import { readMovedAddresses } from './moved-addresses.ts'
import { includePath, replaceFile } from './tree-directory.ts'

interface NginxIncludesParts {
  readonly context: Context
  readonly directory: string
  readonly sites: readonly Site[]
  readonly log: Log
}

/** Redirects of files and of folders, each. */
const MAX_MOVED = 50_000
/** Folders that set the same header. */
const MAX_SETTING = 10_000

export class NginxIncludes {
  readonly #parts: NginxIncludesParts
  /** The last texts by their paths. */
  readonly #known = new Map<string, string>()

  constructor(parts: NginxIncludesParts) {
    this.#parts = parts
  }

  /** Writes the files that differ from the last ones. */
  async write(): Promise<void> {
    const { context, directory, sites, log } = this.#parts
    for (const site of sites) {
      const moved = await readMovedAddresses(context, site, MAX_MOVED)
      if (moved.isCut) log.warn({ site: site.origin }, 'live tree has too many redirects')
      const { maps, headers } = await readHeaderMaps(context, site, MAX_SETTING)
      for (const [name, text] of [
        ['files.map', moved.files],
        ['folders.map', moved.folders],
        ['files.301.map', moved.files301],
        ['folders.301.map', moved.folders301],
        ['header-maps.conf', maps],
        ['headers.conf', headers],
      ] as const) {
        const path = includePath(directory, site, name)
        if (this.#known.get(path) === text) continue
        await replaceFile(path, text)
        this.#known.set(path, text)
      }
    }
  }
}
