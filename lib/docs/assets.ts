// The assets of the API pages: the script and style sheet of the Swagger UI package, and our own start script and styles.
// Each file is read and compressed on its first request and cached. Browsers may cache the files forever, because their
// path contains a version.

import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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

interface Assets {
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

/** All values are names of files. */
export interface AdminManifest {
  /** The entry module. */
  readonly program: string
  /** The static imports of the entry module. */
  readonly needed: readonly string[]
  /** The module with the texts of a language, by language code. */
  readonly languages: Readonly<Record<string, string>>
  /** A script that runs before the first paint. */
  readonly early: string
  /** The script of the preview frame. */
  readonly preview: string
  readonly style: string
  /** The styles of the pages that are not part of the first view. */
  readonly pageStyle: string
  readonly files: readonly string[]
}

interface AdminFiles {
  /** Undefined if the files are not built. */
  manifest(): Promise<AdminManifest | undefined>
  /** Undefined if there is no such file. */
  find(name: string): Promise<Asset | undefined>
}

/** Relative to the bundle in dist/server, to dist/lib/docs, and to the source. */
const PLACES = ['admin', '../../server/admin', '../../dist/server/admin']

const MANIFEST = 'manifest.json'

const BUILT_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

interface Built {
  readonly manifest: AdminManifest
  readonly changedMs: number
  readonly known: Map<string, Promise<Asset>>
}

/**
 * The files of the administration area that bundle-admin.mjs has built. Each file is read on its first request and cached.
 */
export function openAdminFiles(): AdminFiles {
  let last: Built | undefined

  /** Reloads the files after a rebuild, so that developers need not restart the server. */
  async function read(): Promise<Built | undefined> {
    const directory = findDirectory()
    if (directory === undefined) return undefined
    const path = join(directory, MANIFEST)
    const { mtimeMs: changedMs } = await stat(path)
    if (last?.changedMs === changedMs) return last
    const manifest = JSON.parse(await readFile(path, 'utf8')) as AdminManifest
    last = { manifest, changedMs, known: new Map() }
    return last
  }

  return {
    async manifest() {
      return (await read())?.manifest
    },
    async find(name) {
      const built = last ?? (await read())
      if (built === undefined || !built.manifest.files.includes(name)) return undefined
      const asset = built.known.get(name) ?? loadBuiltFile(name)
      built.known.set(name, asset)
      return asset
    },
  }
}

function findDirectory(): string | undefined {
  return PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((directory) =>
    existsSync(join(directory, MANIFEST)),
  )
}

async function loadBuiltFile(name: string): Promise<Asset> {
  const path = join(findDirectory() ?? '', name)
  const [bytes, gzipped, brotli] = await Promise.all([
    readFile(path),
    readFile(`${path}.gz`),
    readFile(`${path}.br`),
  ])
  const mediaType = BUILT_TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  return { mediaType, bytes, gzipped, brotli }
}
