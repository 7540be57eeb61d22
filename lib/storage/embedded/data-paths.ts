// The data directory, to the byte:
//
//   instance.json            {"format":2,"uuid":"…"}: whose content this is; equal to the row in records/. While a
//                            directory of format 1 is upgraded also "upgradingFrom":1 (integrity/upgrade.ts)
//   records/data.mdb         LMDB: every record, index row and counter (storage/records/records.ts), and small
//                            contents until they are files (storage/records/inline-contents.ts)
//   00 … ff/<id>.<uid>       bytes of versions, immutable; <id> is the asset file, <uid> a random UUID as
//                            32 hexadecimal digits, of which the first two name the shard
//   .tmp/<uid>               bytes on their way in; purged at start
//   .quarantine/<time>-<name> what no record knows, and contents with wrong bytes: kept for the operator,
//                            never served
//   lock                     Unix socket of the server that owns the directory
//   clean.json               size and time of data.mdb after a clean stop; removed at start
//   backup.json              in a backup alone: of which moment it is, and what it holds (manifest.ts)
//   .restoring               while a backup is restored into the directory, and after that was cut off
//   .last-backup             empty; its time is that of the last backup that the command made beside this server
//   .moving                  {"site":"…"} while that site is moved into the directory, likewise
//
// No other name may be two hexadecimal digits: it would be a shard. The shards are made once, before
// anything is saved: a directory that is not yet durable can lose a file that is.

import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { readFile, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { syncDirectory, writeDurably } from '../../workers/files.ts'
import type { ContentName } from '../port.ts'
import { RefusedError } from './refusal.ts'

export const FORMAT = 2
/** What `start --upgrade` makes of FORMAT. */
export const OLD_FORMAT = 1

/** What lies in the place of a node of a cluster, which is no site (distributed/node-directory.ts). */
export const NODE_NAME = 'node.json'

export const SHARDS: readonly string[] = Array.from({ length: 256 }, (_, index) =>
  index.toString(16).padStart(2, '0'),
)

export interface DataPaths {
  readonly dataDir: string
  readonly records: string
  readonly dataFile: string
  readonly instance: string
  readonly clean: string
  readonly tmp: string
  readonly quarantine: string
  readonly manifest: string
  readonly restoring: string
  readonly moving: string
  readonly lastBackup: string
}

export function dataPathsOf(dataDir: string): DataPaths {
  return {
    dataDir,
    records: join(dataDir, 'records'),
    dataFile: join(dataDir, 'records', 'data.mdb'),
    instance: join(dataDir, 'instance.json'),
    clean: join(dataDir, 'clean.json'),
    tmp: join(dataDir, '.tmp'),
    quarantine: join(dataDir, '.quarantine'),
    manifest: join(dataDir, 'backup.json'),
    restoring: join(dataDir, '.restoring'),
    moving: join(dataDir, '.moving'),
    lastBackup: join(dataDir, '.last-backup'),
  }
}

export function newUid(): string {
  return randomUUID().replaceAll('-', '')
}

export function contentPath(dataPaths: DataPaths, { fileId, uid }: ContentName): string {
  return join(dataPaths.dataDir, uid.slice(0, 2), `${fileId}.${uid}`)
}

/** The content that a file in a shard is, by its name alone. */
export function parseContentName(name: string): ContentName | undefined {
  const match = /^([1-9]\d{0,15})\.([0-9a-f]{32})$/.exec(name)
  return match?.[1] === undefined || match[2] === undefined
    ? undefined
    : { fileId: Number(match[1]), uid: match[2] }
}

/** Names that a directory may hold before its first start. `lost+found` is made by mkfs in the root of a volume. */
const HARMLESS = new Set(['README.md', '.gitignore', 'lock', 'lock.takeover', '.tmp', 'lost+found'])

/** What a directory holds besides such names: an empty list for a directory that counts as empty. */
export function foreignNames(dataDir: string): readonly string[] {
  return readdirSync(dataDir).filter((name) => !HARMLESS.has(name))
}

/**
 * Refuses a link or a file where a directory belongs: bytes would go to a place of somebody's choice. And
 * what is no file where a small file belongs, so that who starts the server reads which one it is.
 */
export function requireKinds(dataPaths: DataPaths): void {
  const directories = new Set(namesOfDirectories(dataPaths))
  const { instance, clean, manifest, restoring, moving } = dataPaths
  const files = new Set(
    [instance, clean, manifest, restoring, moving].map((path) => basename(path)),
  )
  for (const found of readdirSync(dataPaths.dataDir, { withFileTypes: true })) {
    const path = join(dataPaths.dataDir, found.name)
    if (directories.has(found.name) && !found.isDirectory())
      throw new RefusedError(
        `${path} must be a directory made by cms-server, not a link or a file.`,
      )
    if (files.has(found.name) && !found.isFile())
      throw new RefusedError(
        `${path} must be a file made by cms-server, not a link or a directory.`,
      )
  }
}

/** False when one is missing, and with it whatever was in it. */
export function hasDirectories(dataPaths: DataPaths): boolean {
  return missingDirectories(dataPaths).length === 0
}

/** Makes what is missing, durably. */
export function makeDirectories(dataPaths: DataPaths): void {
  const missing = missingDirectories(dataPaths)
  for (const name of missing) mkdirSync(join(dataPaths.dataDir, name), { mode: 0o700 })
  if (missing.length > 0) syncDirectory(dataPaths.dataDir)
}

/** One reading of the directory above them, and not a question for each: a start asks three times. */
function missingDirectories(dataPaths: DataPaths): readonly string[] {
  const found = new Set(readdirSync(dataPaths.dataDir))
  return namesOfDirectories(dataPaths).filter((name) => !found.has(name))
}

/** All of them lie in the data directory itself. */
function namesOfDirectories({ records, tmp, quarantine }: DataPaths): readonly string[] {
  return [...[records, tmp, quarantine].map((path) => basename(path)), ...SHARDS]
}

/** Writes a small file that is not there yet, as a whole and durably. */
export function writeSmallFile(dataPaths: DataPaths, path: string, value: object): void {
  writeDurably(Buffer.from(`${JSON.stringify(value)}\n`), join(dataPaths.tmp, newUid()), path)
}

/** Undefined when it is not there; an empty object when it is no JSON object. */
export async function readSmallFile(
  path: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    // What JSON.parse throws is always that it is none.
    return {}
  }
}

/** What instance.json tells; refuses half a site, and one that another version of the server must read. */
export async function requireReadable(
  dataPaths: DataPaths,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (existsSync(dataPaths.restoring))
    throw new RefusedError(
      'A restore into this directory was cut off. Run "cms-server restore" again.',
    )
  if (existsSync(dataPaths.moving))
    throw new RefusedError(
      'A site is being moved into this directory, or that was cut off: it is not whole. Run the same "cms-server migrate" again, which goes on.',
    )
  const instance = await readSmallFile(dataPaths.instance)
  if (instance === undefined) return instance
  if (needsUpgrade(instance)) throw oldFormat(dataPaths, instance)
  if (instance['format'] === FORMAT) return instance
  throw new RefusedError(
    `The data directory has format ${String(instance['format'])}; this cms-server reads format ${FORMAT}. Start the version that wrote it.`,
  )
}

/** Whether a directory with this instance.json may hold records of an earlier format. */
export function needsUpgrade(instance: Readonly<Record<string, unknown>> | undefined): boolean {
  if (instance === undefined) return true
  return instance['format'] === OLD_FORMAT || instance['upgradingFrom'] !== undefined
}

export function oldFormat(
  { dataDir }: Pick<DataPaths, 'dataDir'>,
  instance: Readonly<Record<string, unknown>> | undefined,
): RefusedError {
  if (instance?.['upgradingFrom'] !== undefined)
    return new RefusedError(
      `The upgrade of ${dataDir} was cut off. Go on with "cms-server start --upgrade".`,
    )
  return new RefusedError(
    `${dataDir} has format ${OLD_FORMAT}, that of an earlier version; this cms-server reads format ${FORMAT}. Make a backup with the version that wrote it, or copy the directory while no server runs; then "cms-server start --upgrade" converts it in place.`,
  )
}

/** Removes a small file durably; it may be gone already. */
export async function removeSmallFile(dataPaths: DataPaths, path: string): Promise<void> {
  if (!existsSync(path)) return
  await unlink(path)
  syncDirectory(dataPaths.dataDir)
}
