// Says which addresses of stored files will lead nowhere once the latest versions are live. The addresses were stored with the
// versions (link-rows.ts), so no text is read. Files that the caller may not see are ignored like missing files.

import { seesDrafts } from '../../auth/key-role.ts'
import { openVisibleFolders } from '../../auth/visible-folders.ts'
import type { Site } from '../../config/flag-values.ts'
import { type AssetFile, assetFile } from '../../schema/asset-file.ts'
import { linkRow } from '../../schema/link-index.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import { MAX_CHECKED_LINKS, MAX_DEAD_LINKS } from '../../shared/limits.ts'
import type { Context } from '../context.ts'
import { type DeadLink, type Reason, reasonOf } from './link-check.ts'
import { type LinkTarget, openLinkTargets } from './link-targets.ts'

interface CheckedFile {
  readonly asset_file_id: number
  readonly name: string
  readonly links: readonly Pick<DeadLink, 'address' | keyof Reason>[]
}

interface FileLinkCheck {
  /** Only files with such addresses. */
  readonly files: readonly CheckedFile[]
  /** False if not all addresses were checked or listed. */
  readonly is_complete: boolean
}

/** The files are published together, so an address that leads to one of them is live then. */
export async function checkFileLinks(
  context: Context,
  sites: readonly Site[],
  ids: readonly number[],
): Promise<FileLinkCheck> {
  const { records } = context
  const targets = openLinkTargets(context, sites)
  const published = new Set(ids)
  const slice = openTimeSlice()
  const files: CheckedFile[] = []
  let [checked, listed, isComplete] = [0, 0, true]
  const isFull = (): boolean => checked >= MAX_CHECKED_LINKS || listed >= MAX_DEAD_LINKS
  for (const file of seenFiles(context, published)) {
    if (slice.isOver(0)) await slice.next()
    if (isFull()) {
      isComplete = false
      break
    }
    const links: CheckedFile['links'][number][] = []
    const { asset_file_id, name, parent_category_id: folderId } = file
    const row = records.get(linkRow, asset_file_id)?.value
    const addresses = row?.versions.find(({ version }) => version === file.version)?.addresses
    if (addresses === null) isComplete = false
    for (const address of addresses ?? []) {
      if (isFull()) {
        isComplete = false
        break
      }
      checked += 1
      if (slice.isOver(0)) await slice.next()
      const target = afterPublish(targets.find(folderId, address), published)
      const reason = reasonOf(target, targets.isPublic(folderId))
      if (reason === undefined) continue
      listed += 1
      links.push({ address, ...reason })
    }
    if (links.length > 0) files.push({ asset_file_id, name, links })
  }
  return { files, is_complete: isComplete }
}

/** Callers who may only view do not learn what a draft contains. */
function* seenFiles(
  { records, caller }: Context,
  ids: ReadonlySet<number>,
): Generator<Pick<AssetFile, 'asset_file_id' | 'name' | 'parent_category_id' | 'version'>> {
  const visible = openVisibleFolders(records, caller)
  for (const id of ids) {
    const file = records.get(assetFile.recordType, id)?.value
    if (file === undefined) continue
    if (seesDrafts(visible.grantsAt(file.parent_category_id))) yield file
  }
}

function afterPublish(target: LinkTarget, ids: ReadonlySet<number>): LinkTarget {
  if (target.kind !== 'file' || !ids.has(target.file.asset_file_id)) return target
  return { ...target, isLive: true }
}
