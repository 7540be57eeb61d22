// The files of the administration area that bundle-admin.mjs has built. Each file is read on its first request and cached.

import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Asset } from './assets.ts'

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
  readonly files: readonly string[]
}

export interface AdminFiles {
  /** Undefined if the files are not built. */
  manifest(): Promise<AdminManifest | undefined>
  /** Undefined if there is no such file. */
  find(name: string): Promise<Asset | undefined>
}

/** Relative to the bundle in dist/server, to dist/lib/docs, and to the source. */
const PLACES = ['admin', '../../server/admin', '../../dist/server/admin']

const MANIFEST = 'manifest.json'

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

interface Built {
  readonly manifest: AdminManifest
  readonly changedMs: number
  readonly known: Map<string, Promise<Asset>>
}

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
      const asset = built.known.get(name) ?? load(name)
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

async function load(name: string): Promise<Asset> {
  const path = join(findDirectory() ?? '', name)
  const [bytes, gzipped, brotli] = await Promise.all([
    readFile(path),
    readFile(`${path}.gz`),
    readFile(`${path}.br`),
  ])
  const mediaType = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  return { mediaType, bytes, gzipped, brotli }
}
