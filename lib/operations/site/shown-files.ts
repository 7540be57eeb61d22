// The files that a site shows, and their names: live files, or, in a preview, the staged version of each file where there is one.

import { type Holder, seesDrafts } from '../../auth/key-role.ts'
import { openVisibleFolders } from '../../auth/visible-folders.ts'
import { type AssetFile, assetFile } from '../../schema/asset-file.ts'
import { foldName } from '../../schema/names.ts'
import type { Reader } from '../../storage/port.ts'
import {
  addressName,
  findFormer,
  findLive,
  findNamed,
  findStaged,
  stageName,
} from '../files/addresses.ts'
import type { Download } from '../files/downloads.ts'
import { requireVersion } from '../files/versions.ts'

export interface ShownFiles {
  /** The file with this name in the folder. */
  find(folderId: number, name: string): AssetFile | undefined
  /** The file that had this name in the folder. */
  findFormer(folderId: number, name: string): AssetFile | undefined
  /** Undefined if the file is not shown. */
  nameOf(file: AssetFile): string | undefined
  /** The shown version of a shown file. */
  open(file: AssetFile): Download
}

export function openLiveFiles(records: Reader): ShownFiles {
  return {
    find: (folderId, name) => findLive(records, folderId, name),
    findFormer: (folderId, name) => findFormer(records, folderId, name),
    nameOf: (file) => (file.live_version === null ? undefined : addressName(records, file)),
    open(file) {
      const version = requireVersion(records, file.asset_file_id, file.live_version ?? 0)
      return { version, dateModified: file.date_published ?? version.date_added }
    },
  }
}

/** As if everything staged that the caller may read were published. A staged version takes the name that it has. */
export function openStagedFiles(records: Reader, caller: Holder): ShownFiles {
  const live = openLiveFiles(records)
  const visible = openVisibleFolders(records, caller)

  function stagedVersion(file: AssetFile): number | undefined {
    const { staged_version: staged, live_version, parent_category_id: folderId } = file
    const isOwn = staged !== null && staged !== live_version
    return isOwn && seesDrafts(visible.grantsAt(folderId)) ? staged : undefined
  }

  function nameOf(file: AssetFile): string | undefined {
    return stagedVersion(file) === undefined ? live.nameOf(file) : stageName(records, file)
  }

  return {
    nameOf,

    find(folderId, name) {
      const id = findNamed(records, folderId, name)
      const named = id === undefined ? undefined : records.get(assetFile.recordType, id)?.value
      const found = [named, findStaged(records, folderId, name), live.find(folderId, name)]
      return found.find(
        (file) => file !== undefined && foldName(nameOf(file) ?? '') === foldName(name),
      )
    },

    // A live file that is staged with another name.
    findFormer: (folderId, name) => live.find(folderId, name) ?? live.findFormer(folderId, name),

    open(file) {
      const number = stagedVersion(file)
      if (number === undefined) return live.open(file)
      const version = requireVersion(records, file.asset_file_id, number)
      return { version, dateModified: file.date_staged ?? version.date_added }
    },
  }
}
