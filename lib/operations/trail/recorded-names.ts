// The names in rows about records that were deleted, renamed or moved. These records cannot be found by their old names,
// so the row stores the name, the folders and their former values. Rows of other changes contain no names.

import { assetCategory } from '../../schema/asset-category.ts'
import { type AssetFile, assetFile, assetFileVersion } from '../../schema/asset-file.ts'
import { folderTombstone } from '../../schema/change-log.ts'
import type { RecordedChange, RecordedFolder, RecordedName } from '../../schema/recorded-change.ts'
import type { Stored } from '../../schema/values.ts'
import type { Change, Reader } from '../../storage/port.ts'

/** The folders from the root down to one; undefined if the name of one of them is unknown. */
export type FoldersTo = (categoryId: number) => readonly RecordedFolder[] | undefined

/** Looks up each folder once. Deleted folders keep their names in FolderTombstone. */
export function openFolders(reader: Pick<Reader, 'get'>): FoldersTo {
  const known = new Map<number, readonly RecordedFolder[] | undefined>()

  function find(id: number): readonly RecordedFolder[] | undefined {
    const folder =
      reader.get(assetCategory.recordType, id)?.value ?? reader.get(folderTombstone, id)?.value
    if (folder?.name === undefined) return undefined
    const { name, parent_category_id: parent } = folder
    const own = { asset_category_id: id, name }
    if (parent === null) return [own]
    const above = foldersTo(parent)
    return above && [...above, own]
  }

  function foldersTo(id: number): readonly RecordedFolder[] | undefined {
    if (!known.has(id)) known.set(id, find(id))
    return known.get(id)
  }

  return foldersTo
}

/** The versions that a commit removed, which hold the name of a deleted live file. */
export type RemovedVersions = ReadonlyMap<string, string>

export function removedVersions(changes: readonly Change[]): RemovedVersions {
  const versions = new Map<string, string>()
  for (const { type, ids, before } of changes)
    if (type === assetFileVersion && before !== undefined)
      versions.set(ids.join('/'), String((before.value as { readonly name: string }).name))
  return versions
}

interface Names {
  readonly name: string
  /** The name in the address, if it differs. */
  readonly addressName: string
}

export interface NamedRecord {
  readonly object: string
  readonly before: Stored<object> | undefined
  readonly stored: Stored<object> | undefined
  readonly isMoved: boolean
}

interface Sources {
  readonly reader: Pick<Reader, 'get'>
  readonly versions: RemovedVersions
}

/** Undefined for a new record, a record without a name, or one that keeps its name and its place. */
export function nameOf(record: NamedRecord, sources: Sources): RecordedName | undefined {
  const { before, stored, isMoved } = record
  if (before === undefined) return undefined
  const old = namesOf(record, before.value, sources)
  const now = stored === undefined ? old : namesOf(record, stored.value, sources)
  if (old === undefined || now === undefined) return undefined
  const isRenamed = old.name !== now.name
  const isReaddressed = old.addressName !== now.addressName
  if (stored !== undefined && !isRenamed && !isReaddressed && !isMoved) return undefined
  return {
    name: now.name,
    ...(now.addressName !== now.name && { address_name: now.addressName }),
    ...(isRenamed && { previous_name: old.name }),
    ...(isReaddressed && { previous_address_name: old.addressName }),
  }
}

interface Named {
  readonly name?: unknown
  readonly module_name?: unknown
}

function namesOf({ object }: NamedRecord, value: object, sources: Sources): Names | undefined {
  const { name, module_name: moduleName } = value as Named
  if (typeof name !== 'string') return undefined
  const addressName =
    object === assetFile.name
      ? (liveName(value as AssetFile, sources) ?? name)
      : typeof moduleName === 'string'
        ? moduleName
        : name
  return { name, addressName }
}

/** The live version's name, if it differs from the record's name. */
function liveName(file: AssetFile, { reader, versions }: Sources): string | undefined {
  const { asset_file_id: id, live_version: live, version } = file
  if (live === null || live === version) return undefined
  return reader.get(assetFileVersion, id, live)?.value.name ?? versions.get(`${id}/${live}`)
}

/** The name of a record in its path: for a file, the name in its address. */
function nameInPath(object: string, name: string, addressName: string | undefined): string {
  return object === assetFile.name ? (addressName ?? name) : name
}

export interface Paths {
  readonly path?: string
  /** Absent if the path stayed the same. */
  readonly previous_path?: string
}

/** `shown` removes the folders that a caller does not see; without it, paths begin at the root. */
export function pathsOf(
  { object, folders, previous_folders: before }: Omit<RecordedChange, 'ids' | 'action'>,
  { name, address_name, previous_name, previous_address_name }: RecordedName,
  shown = (all: readonly RecordedFolder[]): readonly RecordedFolder[] => all,
): Paths {
  if (folders === undefined) return {}
  const own = nameInPath(object, name, address_name)
  const oldName = object === assetFile.name ? previous_address_name : previous_name
  const path = pathTo(shown(folders), own)
  if (oldName === undefined && before === undefined) return { path }
  return { path, previous_path: pathTo(shown(before ?? folders), oldName ?? own) }
}

function pathTo(folders: readonly RecordedFolder[], name: string): string {
  return [...folders.map((folder) => folder.name), name].map((part) => `/${part}`).join('')
}
