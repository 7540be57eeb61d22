// Finds the folders and files of an export, and creates the folders on disk.

import pMap from 'p-map'
import { join } from 'node:path'
import type { Api } from './api.ts'
import { makeFolder, placeIn } from './disk.ts'
import { shown } from '../schema/visible.ts'
import { type ListedFile, listCategories, listFiles } from './records.ts'
import type { Run } from './run.ts'
import type { Titles } from './side-file.ts'

export interface ExportedFolder {
  readonly categoryId: number
  /** Path on disk. */
  readonly path: string
  /** Path below the exported folder, for messages. */
  readonly shownPath: string
  readonly titles?: Titles
  readonly layoutId: number | null
}

export interface ExportedFile {
  readonly record: ListedFile
  readonly folder: ExportedFolder
  readonly shownPath: string
}

export interface Exporting {
  readonly api: Api
  readonly run: Run
  readonly concurrency: number
}

/**
 * Creates folders level by level. A folder that cannot be created counts as failed and is skipped with its
 * subtree.
 */
export async function makeFolders(
  { api, run, concurrency }: Exporting,
  root: ExportedFolder,
): Promise<ExportedFolder[]> {
  const made: ExportedFolder[] = []
  let level: readonly ExportedFolder[] = [root]

  while (level.length > 0) {
    for (const folder of level) made.push(folder)
    const children = await pMap(level, (folder) => findChildren(api, run, folder), { concurrency })
    const next = await pMap(children.flat(), (child) => makeChild(run, child), { concurrency })
    level = next.filter((folder) => folder !== undefined)
  }
  return made
}

interface Child {
  readonly categoryId: number
  readonly name: string
  readonly titles: Titles
  readonly layoutId: number | null
  readonly parent: ExportedFolder
  readonly shownPath: string
}

async function findChildren(api: Api, run: Run, parent: ExportedFolder): Promise<readonly Child[]> {
  const part = { path: parent.shownPath, files: 0 }
  const listed = await run.attempt(part, () => listCategories(api, parent.categoryId))

  return (listed ?? []).map(
    ({ asset_category_id: categoryId, name, title, description, layout_file_id }) => ({
      categoryId,
      layoutId: layout_file_id,
      name,
      titles: { title, description },
      parent,
      shownPath: join(parent.shownPath, shown(name)),
    }),
  )
}

async function makeChild(run: Run, child: Child): Promise<ExportedFolder | undefined> {
  const { categoryId, name, titles, layoutId, parent, shownPath } = child

  return run.attempt({ path: shownPath, files: 0 }, async () => {
    const path = placeIn(parent.path, name)
    await makeFolder(path)
    return { categoryId, path, shownPath, titles, layoutId }
  })
}

export async function findFiles(
  { api, run, concurrency }: Exporting,
  folders: readonly ExportedFolder[],
): Promise<ExportedFile[]> {
  const listings = await pMap(
    folders,
    async (folder) => {
      const listed = await run.attempt({ path: folder.shownPath, files: 0 }, () =>
        listFiles(api, folder.categoryId),
      )
      run.addTotal(listed?.length ?? 0)
      return (listed ?? []).map((record) => ({
        record,
        folder,
        shownPath: join(folder.shownPath, shown(record.name)),
      }))
    },
    { concurrency },
  )
  return listings.flat()
}
