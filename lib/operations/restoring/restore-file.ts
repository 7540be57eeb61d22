// Restores a file: its versions have stayed where they are, so only the record and the addresses return.

import type { Caller } from '../../auth/caller.ts'
import { requireGrant } from '../../auth/grants.ts'
import { CmsError } from '../../base/errors.ts'
import { type AssetFile, assetFile } from '../../schema/asset-file.ts'
import { type TrashPart, trashPart } from '../../schema/trash.ts'
import type { Unit } from '../../storage/port.ts'
import type { Services } from '../context.ts'
import { settleAddress } from '../files/addresses.ts'
import { keepLinks } from '../files/link-rows.ts'
import { withoutOverdue } from '../files/schedules.ts'
import { addVersion, bytesOf, requireVersion } from '../files/versions.ts'
import { requireFree } from './begin-restore.ts'

interface Place {
  readonly caller: Caller
  readonly categoryId: number
  readonly name: string | undefined
}

/** A file that was live is live again, so this also needs publish. */
export function restoreFile(
  unit: Unit,
  services: Pick<Services, 'now'>,
  part: TrashPart,
  { caller, categoryId, name }: Place,
): void {
  const restored = { ...(part.record as AssetFile), parent_category_id: categoryId }
  const file = withoutOverdue(restored, services.now())
  const { live_version: live, version } = file
  if (live !== null) requireGrant(unit, caller, 'publish', categoryId)
  const isRenamed = name !== undefined && name !== file.name
  requireFree(unit, caller, assetFile, { categoryId, name: name ?? file.name })
  if (live !== null && live !== version) {
    const liveName = requireVersion(unit, file.asset_file_id, live).name
    if (isRenamed) throw liveKeepsName(liveName)
    requireFree(unit, caller, assetFile, { categoryId, name: liveName })
  }
  const now = services.now().toISOString()
  putFileBack(unit, part, isRenamed ? renamed(unit, { file, name, caller, now }) : file)
}

/** Puts the record and the addresses. */
export function putFileBack(unit: Unit, part: TrashPart, file: AssetFile): void {
  const next = settleAddress(unit, file)
  keepLinks(unit, file)
  unit.put(assetFile.recordType, [file.asset_file_id], next, undefined, part.revision)
  unit.remove(trashPart, part.trash_part_id)
}

interface Renamed {
  readonly file: AssetFile
  readonly name: string
  readonly caller: Caller
  readonly now: string
}

/** The name belongs to the version, so a new name makes a new version with the same bytes. */
function renamed(unit: Unit, { file, name, caller, now }: Renamed): AssetFile {
  const latest = requireVersion(unit, file.asset_file_id, file.version)
  const number = file.version + 1
  const version = {
    file: { ...file, name, version_note: null },
    number,
    bytes: bytesOf(latest),
    now,
  }
  const saved = addVersion(unit, { ...version, owner: caller.user.name })
  const isLive = file.live_version === file.version
  const isStaged = file.staged_version === file.version
  return {
    ...saved,
    ...(isLive && { live_version: number, date_published: now }),
    ...(isStaged && { staged_version: number, date_staged: now }),
  }
}

function liveKeepsName(name: string): CmsError {
  return new CmsError(
    'name-taken',
    `The live version of the file is an earlier one with the name ${JSON.stringify(name)}, which a restore cannot change. Rename the record that has this name, or restore the file to another folder.`,
  )
}
