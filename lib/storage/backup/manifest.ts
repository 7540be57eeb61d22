// backup.json, which marks a directory as a backup. It is written last: a directory without it is not a backup.
//
//   {"format":2,"uuid":"…","moment":"2026-03-01T02:00:00.000Z",
//    "records":{"count":12,"bytes":98304,"sha256":"…"},"contents":{"count":3,"bytes":70000},
//    "faults":["asset_file 3 version 1: the bytes are missing."]}

import { RefusedError } from '../embedded/refusal.ts'
import {
  type DataPaths,
  dataPathsOf,
  readSmallFile,
  requireReadable,
} from '../embedded/data-paths.ts'
import { stepsFrom, type UpgradeStep } from '../embedded/upgrade-steps.ts'

export interface Manifest {
  readonly format: number
  /** Site of the backup, as in instance.json. */
  readonly uuid: string
  /** RFC 3339. Everything acknowledged before this time is in the backup. */
  readonly moment: string
  /** Number of records, and size and hash of their file. */
  readonly records: { readonly count: number; readonly bytes: number; readonly sha256: string }
  /** Contents that are files of the backup. */
  readonly contents: { readonly count: number; readonly bytes: number }
  /** Faults of the original; the faulty contents are missing in the backup. */
  readonly faults: readonly string[]
}

/** Refuses a directory that is not a backup, or that needs a newer version of the server. */
export async function requireManifest(
  directory: string,
  steps?: readonly UpgradeStep[],
): Promise<Manifest> {
  const dataPaths = dataPathsOf(directory)
  await requireKnown(dataPaths, steps)
  const manifest = await findManifest(dataPaths, steps)
  if (manifest !== undefined) return manifest
  throw new RefusedError(
    `${directory} is not a backup: backup.json is missing or incomplete. Give a directory that "cms-server backup" created.`,
  )
}

/** Accepts an earlier format too: a restore upgrades its copy (restore.ts). */
async function requireKnown(
  dataPaths: DataPaths,
  steps: readonly UpgradeStep[] | undefined,
): Promise<void> {
  const instance = await readSmallFile(dataPaths.instance)
  if (stepsFrom(instance?.['format'], steps) === undefined) await requireReadable(dataPaths)
}

async function findManifest(
  dataPaths: DataPaths,
  steps: readonly UpgradeStep[] | undefined,
): Promise<Manifest | undefined> {
  const value = (await readSmallFile(dataPaths.manifest)) as Partial<Manifest> | undefined
  const isWhole =
    stepsFrom(value?.format, steps) !== undefined &&
    typeof value?.uuid === 'string' &&
    typeof value.records?.sha256 === 'string' &&
    typeof value.records.bytes === 'number' &&
    typeof value.contents?.count === 'number'
  return isWhole ? (value as Manifest) : undefined
}
