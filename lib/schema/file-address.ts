// Addresses of live and staged files that do not follow from the record of the file. The record has the name of the
// latest version; visitors are served under the name of the live version, previews under the name of the staged one.

import type { AssetFile } from './asset-file.ts'
import { foldName } from './names.ts'
import type { JsonObject, RecordType } from './values.ts'

/**
 * Key: [asset_file_id]. The name of the live version of a file whose record has a different name. Without this
 * record, or if it refers to another live version or folder, a live file is served under the name of its
 * record.
 */
export interface LiveName {
  readonly asset_file_id: number
  readonly asset_category_id: number
  readonly live_version: number
  readonly name: string
}

export const liveName: RecordType<LiveName> = {
  name: 'asset_file_live_name',
  indexes: [{ name: 'place', width: 2, rows: placeRows }],
}

/**
 * Key: [asset_file_id]. The name of the staged version of a file whose record has a different name and whose
 * live version is another version. The row counts only while the record has the same staged version and folder.
 */
export interface StagedName {
  readonly asset_file_id: number
  readonly asset_category_id: number
  readonly staged_version: number
  readonly name: string
}

export const stagedName: RecordType<StagedName> = {
  name: 'asset_file_staged_name',
  indexes: [{ name: 'place', width: 2, rows: placeRows }],
}

/**
 * Key: [asset_file_id, folded_name, asset_category_id]. A former address of a live file, which is redirected.
 */
export interface FormerAddress {
  readonly asset_file_id: number
  readonly asset_category_id: number
  readonly folded_name: string
  /**
   * Another file went live under this name in the folder: only the address with the file's number is
   * redirected.
   */
  readonly is_taken?: true
}

export const formerAddress: RecordType<FormerAddress> = {
  name: 'asset_file_former_address',
  idCount: 3,
  indexes: [
    {
      name: 'place',
      rows: ({ asset_category_id: id, folded_name: name, is_taken: isTaken }) =>
        isTaken === true ? [] : [[Number(id), String(name)]],
    },
  ],
}

/** The name under which a live file is served. */
export function nameOfLive(
  file: Pick<AssetFile, 'name' | 'version' | 'live_version' | 'parent_category_id'>,
  stored: LiveName | undefined,
): string {
  if (stored?.live_version !== file.live_version) return file.name
  return stored?.asset_category_id === file.parent_category_id ? stored.name : file.name
}

function placeRows({ asset_category_id: id, name }: JsonObject): [number, string][] {
  return [[Number(id), foldName(String(name))]]
}

/** Download address of a file under a name, without the base path. */
export function fileUrlOf(fileId: number, name: string): string {
  return `/file/${fileId}/${encodeURIComponent(name)}`
}
