// backup.json, which makes a directory a backup. It is written last: a directory without it is none.
//
//   {"format":2,"uuid":"…","moment":"2026-03-01T02:00:00.000Z",
//    "records":{"count":12,"bytes":98304,"sha256":"…"},"contents":{"count":3,"bytes":70000},
//    "faults":["asset_file 3 version 1: the bytes are missing."]}

import { RefusedError } from '../embedded/refusal.ts'
import {
  FORMAT,
  OLD_FORMAT,
  type DataPaths,
  dataPathsOf,
  readSmallFile,
  requireReadable,
} from '../embedded/data-paths.ts'

export interface Manifest {
  readonly format: number
  /** Whose backup it is: that of instance.json. */
  readonly uuid: string
  /** RFC 3339. Whatever was acknowledged before it is in the backup. */
  readonly moment: string
  /** Number of records, and the file that has them. */
  readonly records: { readonly count: number; readonly bytes: number; readonly sha256: string }
  /** The files beside it. */
  readonly contents: { readonly count: number; readonly bytes: number }
  /** What was not right in the original, and is not in the backup. */
  readonly faults: readonly string[]
}

/** Refuses a directory that is no backup, or one that a later version of the server must read. */
export async function requireManifest(directory: string): Promise<Manifest> {
  const dataPaths = dataPathsOf(directory)
  await requireKnown(dataPaths)
  const manifest = await findManifest(dataPaths)
  if (manifest !== undefined) return manifest
  throw new RefusedError(
    `${directory} is no backup: backup.json is missing or not whole. Give a directory that "cms-server backup" has made.`,
  )
}

/** One of an earlier format is as good: a restore upgrades what it has copied (restore.ts). */
async function requireKnown(dataPaths: DataPaths): Promise<void> {
  const instance = await readSmallFile(dataPaths.instance)
  if (instance?.['format'] !== OLD_FORMAT) await requireReadable(dataPaths)
}

async function findManifest(dataPaths: DataPaths): Promise<Manifest | undefined> {
  const value = (await readSmallFile(dataPaths.manifest)) as Partial<Manifest> | undefined
  const isWhole =
    (value?.format === FORMAT || value?.format === OLD_FORMAT) &&
    typeof value.uuid === 'string' &&
    typeof value.records?.sha256 === 'string' &&
    typeof value.records.bytes === 'number' &&
    typeof value.contents?.count === 'number'
  return isWhole ? (value as Manifest) : undefined
}
