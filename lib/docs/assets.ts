// The assets of the API pages: the script and style sheet of the Swagger UI package, and our own start script and styles.
// Each file is read and compressed on its first request and cached. Browsers may cache the files forever, because their
// path contains a version.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { crc32, gzip } from 'node:zlib'
import { START_SCRIPT } from './page-script.ts'
import { PAGES_STYLE } from './page-style.ts'

const PACKAGE = 'swagger-ui-dist'
const JAVASCRIPT = 'text/javascript; charset=utf-8'

const STYLE = 'text/css; charset=utf-8'

const TYPES: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': JAVASCRIPT,
  'swagger-ui.css': STYLE,
  'start.js': JAVASCRIPT,
  'pages.css': STYLE,
}

/** Assets that are not part of Swagger UI. */
const OWN = new Map([
  ['start.js', START_SCRIPT],
  ['pages.css', PAGES_STYLE],
])

export interface Asset {
  readonly mediaType: string
  readonly bytes: Buffer
  readonly gzipped: Buffer
  /** Undefined if there is no brotli form. */
  readonly brotli?: Buffer
}

export interface Assets {
  version(): string
  /** Undefined if this version has no such file. */
  find(version: string, name: string): Promise<Asset | undefined>
}

export function openAssets(): Assets {
  const require = createRequire(import.meta.url)
  const known = new Map<string, Promise<Asset>>()
  let version: string | undefined

  function currentVersion(): string {
    const { version: number } = require(`${PACKAGE}/package.json`) as { readonly version: string }
    return `${number}-${crc32([...OWN.values()].join('')).toString(16)}`
  }

  async function load(name: string, mediaType: string): Promise<Asset> {
    const own = OWN.get(name)
    const bytes =
      own !== undefined ? Buffer.from(own) : await readFile(require.resolve(`${PACKAGE}/${name}`))
    return { mediaType, bytes, gzipped: await promisify(gzip)(bytes) }
  }

  return {
    version() {
      version ??= currentVersion()
      return version
    },
    async find(wanted, name) {
      const mediaType = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined
      if (mediaType === undefined || wanted !== this.version()) return undefined
      const asset = known.get(name) ?? load(name, mediaType)
      known.set(name, asset)
      return asset
    },
  }
}
