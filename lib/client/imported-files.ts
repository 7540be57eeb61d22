// The files on the server in the folders of an import, by the paths that the side file has.

import pMap from 'p-map'
import { join } from 'node:path'
import { foldName } from '../schema/names.ts'
import type { Api } from './api.ts'
import type { LocalFolder } from './local-tree.ts'
import { type ListedFile, listFiles } from './records.ts'
import type { Run } from './run.ts'
import { sidePathOf, type SideRecords } from './side-file.ts'

export interface Importing {
  readonly api: Api
  readonly run: Run
  readonly publish: boolean
  readonly concurrency: number
  readonly records: SideRecords | undefined
  /** The directory that is imported. */
  readonly root: string
}

export interface Place {
  readonly folder: LocalFolder
  readonly categoryId: number
}

/** By folded path. A folder that cannot be listed counts as failed. */
export async function listImported(
  { api, run, concurrency, root }: Importing,
  placed: readonly Place[],
): Promise<ReadonlyMap<string, ListedFile>> {
  const files = new Map<string, ListedFile>()
  await pMap(
    placed,
    async ({ folder, categoryId }) => {
      const part = { path: folder.shownPath, files: 0 }
      const listed = await run.attempt(part, () => listFiles(api, categoryId))
      for (const file of listed ?? [])
        files.set(foldName(sidePathOf(root, join(folder.path, file.name))), file)
    },
    { concurrency },
  )
  return files
}
