// The file groups in the folders of an export. Sites show them as menus.

import pMap from 'p-map'
import type { Exporting, ExportedFolder } from './export-tree.ts'
import { listFileGroups } from './group-records.ts'
import { type SideGroup, sidePathOf } from './side-file.ts'

interface Places {
  readonly root: string
  /** The paths of the exported files by number. */
  readonly paths: ReadonlyMap<number, string>
}

export async function findGroups(
  { api, run, concurrency }: Exporting,
  folders: readonly ExportedFolder[],
  { root, paths }: Places,
): Promise<SideGroup[]> {
  const found = await pMap(
    folders,
    async ({ categoryId, path, shownPath }) => {
      const part = { path: shownPath, files: 0 }
      const groups = await run.attempt(part, () => listFileGroups(api, categoryId))
      return (groups ?? []).map(({ id, name, title, description, fileIds }) => ({
        name,
        folder: sidePathOf(root, path),
        id,
        title,
        description,
        files: fileIds.map((fileId) => paths.get(fileId) ?? fileId),
      }))
    },
    { concurrency },
  )
  run.signal.throwIfAborted()
  return found.flat()
}
