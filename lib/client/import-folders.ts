// Creates the folders of an import on the server, level by level, so that a parent exists before its children.

import pMap from 'p-map'
import { foldName } from '../schema/names.ts'
import type { Api } from './api.ts'
import { countFiles, type LocalFolder } from './local-tree.ts'
import { ensureCategory, listCategories } from './records.ts'
import type { Run } from './run.ts'

export interface Placed {
  readonly folder: LocalFolder
  readonly categoryId: number
  /** Created by this run, so there is nothing to list. */
  readonly isNew: boolean
}

interface Placing {
  readonly api: Api
  readonly run: Run
  readonly concurrency: number
}

/** The root and all folders below it; a folder that could not be created is left out with its subtree. */
export async function placeFolders(
  placing: Placing,
  root: { readonly folder: LocalFolder; readonly categoryId: number },
): Promise<Placed[]> {
  const placed: Placed[] = []
  let level: readonly Placed[] = [{ ...root, isNew: false }]

  while (level.length > 0) {
    for (const place of level) placed.push(place)
    level = await placeChildren(placing, level)
  }
  return placed
}

interface Child {
  readonly folder: LocalFolder
  readonly parentId: number
  /** Identifier of an existing folder with this name. */
  readonly heldId: number | undefined
}

async function placeChildren(placing: Placing, level: readonly Placed[]): Promise<Placed[]> {
  const { api, run, concurrency } = placing
  const parents = level.filter(({ folder }) => folder.folders.length > 0)
  const children = await pMap(parents, (parent) => findChildren(placing, parent), { concurrency })

  const placed = await pMap(
    children.flat(),
    ({ folder, parentId, heldId }) =>
      run.attempt(partOf(folder), async () => {
        if (heldId !== undefined) return { folder, categoryId: heldId, isNew: false }
        const { id, isNew } = await ensureCategory(api, { name: folder.name, parentId })
        return { folder, categoryId: id, isNew }
      }),
    { concurrency },
  )
  return placed.filter((place) => place !== undefined)
}

async function findChildren({ api, run }: Placing, parent: Placed): Promise<readonly Child[]> {
  const { folder, categoryId, isNew } = parent
  const lost = folder.folders.reduce((sum, child) => sum + countFiles(child), 0)
  const part = { path: folder.shownPath, files: lost }
  const held = await run.attempt(part, async () => (isNew ? [] : listCategories(api, categoryId)))
  if (held === undefined) return []

  const ids = new Map(held.map((child) => [foldName(child.name), child.asset_category_id]))
  return folder.folders.map((child) => ({
    folder: child,
    parentId: categoryId,
    heldId: ids.get(foldName(child.name)),
  }))
}

function partOf(folder: LocalFolder): { path: string; files: number } {
  return { path: folder.shownPath, files: countFiles(folder) }
}
