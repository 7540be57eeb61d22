// The files in .cms that the configuration of nginx includes: the redirects, and the headers that folders set for their files:
//
//   header-maps   for the level http: a map for each header, from the folder of the decoded path to the value
//   headers       for the level server: add_header with the variables of these maps; nginx sends no header with an empty value
//
// The names of the variables contain a checksum of the host, because all sites share the level http. They are short, because
// nginx refuses longer names than its default settings allow.

import { crc32 } from 'node:zlib'
import type { Log } from '../base/log.ts'
import type { Site } from '../config/flag-values.ts'
import type { Context } from '../operations/context.ts'
import { siteFolders } from '../operations/site/site-files.ts'
import { headersOf } from '../operations/site/site-pages.ts'
import { openPlace } from '../operations/site/site-place.ts'
import { assetCategory } from '../schema/asset-category.ts'
import { OF_OTHERS, OF_PAGES, OF_SITE, SITE_HEADERS } from '../schema/site-settings.ts'
import { readMovedAddresses } from './moved-addresses.ts'
import { mapLine } from './nginx-map.ts'
import { hostOf, includePath, replaceFile } from './tree-directory.ts'
import type { Names } from './tree-files.ts'

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

interface HeaderMaps {
  readonly maps: string
  readonly headers: string
}

interface Setting {
  readonly names: Names
  readonly value: string
}

/** At most `limit` settings of each header. */
async function readHeaderMaps(context: Context, site: Site, limit: number): Promise<HeaderMaps> {
  const place = openPlace(context, site)
  const ofRoot = place === undefined ? {} : headersOf(context.records, place.rootId)
  const settings = new Map<string, Setting[]>()
  for await (const { id, names } of siteFolders(context, site)) {
    if (names.length === 0) continue
    const own = context.records.get(assetCategory.recordType, id)?.value.site_headers ?? {}
    for (const [name, value] of Object.entries(own)) {
      const known = settings.get(name.toLowerCase()) ?? []
      if (known.length < limit) known.push({ names, value })
      settings.set(name.toLowerCase(), known)
    }
  }
  const prefix = `cms_${crc32(hostOf(site)).toString(16)}`
  const shown = SITE_HEADERS.map((header, at) => {
    const key = header.toLowerCase()
    const variable = `$${prefix}_${at}`
    const rest = key === 'cache-control' ? `$${prefix}_type` : (OF_SITE[key] ?? '')
    const initial = ofRoot[key] === undefined ? rest : literal(ofRoot[key], prefix)
    const lines = (settings.get(key) ?? [])
      .toSorted((left, right) => right.names.length - left.names.length)
      .map(({ names, value }) => mapLine(patternOf(names), literal(value, prefix)))
    return {
      map: `map $uri ${variable} {\n${mapLine('default', initial).replace('"default"', 'default')}${lines.join('')}}\n`,
      header: `add_header ${header} ${variable} always;\n`,
    }
  })
  return {
    maps: byType(prefix) + shown.map(({ map }) => map).join(''),
    headers: shown.map(({ header }) => header).join(''),
  }
}

/** nginx has no escape for a dollar sign, but the value of a geo variable is taken as it is. */
function byType(prefix: string): string {
  return `geo $${prefix}_dollar {
default "$";
}
map $sent_http_content_type $${prefix}_type {
default "${OF_OTHERS}";
~^text/html "${OF_PAGES}";
}
`
}

function literal(value: string, prefix: string): string {
  return value.replaceAll('$', `\${${prefix}_dollar}`)
}

function patternOf(names: Names): string {
  const path = names.map((name) =>
    name.replaceAll(/[^\w\u0080-\uffff]/g, (char) => `\\x${char.charCodeAt(0).toString(16)}`),
  )
  return `~^/${path.join('/')}/`
}
