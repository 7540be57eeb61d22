// What bundle-admin.mjs has built: the files of the administration area, and which of them a page begins with. They
// are read when they are first asked for, and kept.

import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Asset } from './assets.ts'

/** Of names of files. */
export interface AdminManifest {
  /** The module that begins. */
  readonly program: string
  /** Modules that it imports at once. */
  readonly needed: readonly string[]
  /** By the code of the language: the module with its texts. */
  readonly languages: Readonly<Record<string, string>>
  /** A script that runs before anything is shown. */
  readonly early: string
  /** The program of the frame in which a page is previewed. */
  readonly preview: string
  readonly style: string
  readonly files: readonly string[]
}

export interface AdminFiles {
  /** Undefined: they are not built. */
  manifest(): Promise<AdminManifest | undefined>
  /** Undefined: there is no such file. */
  find(name: string): Promise<Asset | undefined>
}

/** From the bundle in dist/server, from dist/lib/docs, and from the source. */
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

  /** Built anew beside a server that runs, as who works on the pages does, they are read anew. */
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
