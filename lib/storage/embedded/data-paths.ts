// The data directory, to the byte:
//
//   instance.json            {"format":2,"uuid":"…"}: the site of these contents; equal to the row in records/. During
//                            an upgrade also "upgradingFrom" (integrity/upgrade.ts)
//   records/data.mdb         LMDB: every record, index row and counter (storage/records/records.ts), and small
//                            contents until they are files (storage/records/inline-contents.ts)
//   00 … ff/<id>.<uid>       bytes of versions, immutable; <id> is the asset file, <uid> a random UUID as
//                            32 hexadecimal digits, of which the first two name the shard
//   .tmp/<uid>               bytes on their way in; purged at start
//   .uploads/<uid>           bytes of resumable uploads (partial-files.ts); in no backup
//   .forms/                  compressed forms of contents, made again when they are missing (coded-forms.ts)
//   .pictures/               pictures in other sizes and formats, made again when they are missing (picture-store.ts)
//   .quarantine/<time>-<name> unreferenced contents and contents with wrong bytes: kept for the operator,
//                            never served
//   lock                     Unix socket of the server that owns the directory
//   clean.json               size and time of data.mdb after a clean stop; removed at start
//   backup.json              only in a backup: its moment and what it holds (manifest.ts)
//   .restoring               while a backup is restored into the directory, and after an interruption
//   .last-backup             empty; its mtime is the time of the last backup made by the command beside this server
//   .moving                  {"site":"…"} while that site is moved into the directory, and after an interruption
//
// No other name may be two hexadecimal digits, because it would be a shard. The shards are created once, before anything
// is saved: a directory that is not durable yet can lose a durable file.

import { existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { readFile, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { syncDirectory, writeDurably } from '../../workers/files.ts'
import type { ContentName } from '../port.ts'
import { RefusedError } from './refusal.ts'
import { requireFormat, type UpgradeStep } from './upgrade-steps.ts'

/** Marks the directory of a cluster node, which is not a site (cluster/node-directory.ts). */
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
  /** Made when the first form is written. */
  readonly forms: string
  /** Made when the first resumable upload begins. */
  readonly uploads: string
  /** Made when the first form of a picture is written. */
  readonly pictures: string
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
    forms: join(dataDir, '.forms'),
    uploads: join(dataDir, '.uploads'),
    pictures: join(dataDir, '.pictures'),
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

/**
 * The uid of a new content. Its first byte, which is the directory, follows the clock: contents of one second share a
 * directory, so that one sync of the directory makes them durable. Over time the directories fill evenly.
 */
export function newContentUid(): string {
  const second = Math.floor(Date.now() / 1_000)
  return `${SHARDS[second % SHARDS.length]}${newUid().slice(2)}`
}

export function contentPath(dataPaths: DataPaths, { fileId, uid }: ContentName): string {
  return join(dataPaths.dataDir, uid.slice(0, 2), `${fileId}.${uid}`)
}

/** Parses the name of a file in a shard. */
export function parseContentName(name: string): ContentName | undefined {
  const match = /^([1-9]\d{0,15})\.([0-9a-f]{32})$/.exec(name)
  return match?.[1] === undefined || match[2] === undefined
    ? undefined
    : { fileId: Number(match[1]), uid: match[2] }
}

/** Names that a directory may hold before its first start. mkfs creates `lost+found` in the root of a volume. */
const HARMLESS = new Set(['README.md', '.gitignore', 'lock', 'lock.takeover', '.tmp', 'lost+found'])

/** Names in the directory except harmless ones; an empty list means that the directory counts as empty. */
export function foreignNames(dataDir: string): readonly string[] {
  return readdirSync(dataDir).filter((name) => !HARMLESS.has(name))
}

/**
 * Refuses a link or a file in place of a directory, because bytes would go to a place chosen by somebody else. Also
 * refuses anything but a file in place of a file, so that the operator learns its name. LMDB itself follows a link in
 * place of its lock file, and writes to the file at its end.
 */
export function requireKinds(dataPaths: DataPaths): void {
  const { forms, pictures, uploads } = dataPaths
  const later = [forms, pictures, uploads].map((path) => basename(path))
  const directories = new Set([...namesOfDirectories(dataPaths), ...later])
  const { instance, clean, manifest, restoring, moving } = dataPaths
  const files = new Set(
    [instance, clean, manifest, restoring, moving].map((path) => basename(path)),
  )
  for (const found of readdirSync(dataPaths.dataDir, { withFileTypes: true })) {
    const path = join(dataPaths.dataDir, found.name)
    if (directories.has(found.name) && !found.isDirectory())
      throw new RefusedError(
        `${path} must be a directory created by cms-server, not a link or a file. Remove it, or restore a backup.`,
      )
    if (files.has(found.name) && !found.isFile()) throw noFile(path)
  }
  for (const path of [dataPaths.dataFile, join(dataPaths.records, 'lock.mdb')])
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw noFile(path)
}

function noFile(path: string): RefusedError {
  return new RefusedError(
    `${path} must be a file created by cms-server, not a link or a directory. Remove it, or restore a backup.`,
  )
}

/** False if a directory is missing, together with everything in it. */
export function hasDirectories(dataPaths: DataPaths): boolean {
  return missingDirectories(dataPaths).length === 0
}

/** Creates missing directories durably. */
export function makeDirectories(dataPaths: DataPaths): void {
  const missing = missingDirectories(dataPaths)
  for (const name of missing) mkdirSync(join(dataPaths.dataDir, name), { mode: 0o700 })
  if (missing.length > 0) syncDirectory(dataPaths.dataDir)
}

/** Reads the parent directory once instead of asking for each name: a start calls this three times. */
function missingDirectories(dataPaths: DataPaths): readonly string[] {
  const found = new Set(readdirSync(dataPaths.dataDir))
  return namesOfDirectories(dataPaths).filter((name) => !found.has(name))
}

/** All of them are in the data directory itself. */
function namesOfDirectories({ records, tmp, quarantine }: DataPaths): readonly string[] {
  return [...[records, tmp, quarantine].map((path) => basename(path)), ...SHARDS]
}

/** Writes a new small file atomically and durably. */
export function writeSmallFile(dataPaths: DataPaths, path: string, value: object): void {
  writeDurably(Buffer.from(`${JSON.stringify(value)}\n`), join(dataPaths.tmp, newUid()), path)
}

/** Returns undefined if the file does not exist, and an empty object if it is not a JSON object. */
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
    // JSON.parse throws only for text that is not JSON.
    return {}
  }
}

/** Returns instance.json. Refuses an incomplete site, and a site that needs another version. */
export async function requireReadable(
  dataPaths: DataPaths,
  steps?: readonly UpgradeStep[],
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (existsSync(dataPaths.restoring))
    throw new RefusedError(
      'A restore into this directory was interrupted. Run "cms-server restore" again.',
    )
  if (existsSync(dataPaths.moving))
    throw new RefusedError(
      'The site in this directory is incomplete: a move into it is running or was interrupted. Run the same "cms-server migrate" command again to finish the move.',
    )
  const instance = await readSmallFile(dataPaths.instance)
  if (instance !== undefined) requireFormat(dataPaths.dataDir, instance, steps)
  return instance
}

/** Removes a small file durably; the file may be missing. */
export async function removeSmallFile(dataPaths: DataPaths, path: string): Promise<void> {
  if (!existsSync(path)) return
  await unlink(path)
  syncDirectory(dataPaths.dataDir)
}
