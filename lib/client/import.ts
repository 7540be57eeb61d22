// Imports a tree on disk into a folder of the server. Files that already have the same bytes are not sent, so
// an interrupted import is completed by running it again.

import pMap, { pMapIterable } from 'p-map'
import { foldName } from '../schema/names.ts'
import { type Api, openApi } from './api.ts'
import { BATCH_FILES, importBatch } from './import-batch.ts'
import type { FileImport, Imported } from './import-file.ts'
import { setLayouts } from './import-layouts.ts'
import { importNumbered, withoutNumbers } from './import-numbers.ts'
import type { Importing } from './imported-files.ts'
import { countFiles, type LocalFolder, walkTree } from './local-tree.ts'
import {
  describeCategory,
  ensureCategory,
  listCategories,
  type ListedFile,
  listFiles,
  requireCategory,
} from './records.ts'
import { openRun, type Run, type RunOptions, type RunResult } from './run.ts'
import { readSideFile, type SideFile, sidePathOf, withoutSideFile } from './side-file.ts'

/** Concurrent requests share commits, which are expensive for a single request. */
const DEFAULT_CONCURRENCY = 16
/** Folders whose files are listed ahead of the uploads. */
const LISTED_AHEAD = 4

export interface ImportOptions extends RunOptions {
  /** A directory, whose content goes into the folder, or a single file. */
  readonly source: string
  readonly url: string
  readonly key: string
  readonly categoryId: number
  /** Makes the latest version of every file live, including unchanged files. */
  readonly publish: boolean
  /** Whether to set titles, descriptions, types, states and menus from the side file of an export; default: true. */
  readonly records?: boolean | undefined
  readonly concurrency?: number | undefined
}

export interface ImportSummary extends RunResult {
  readonly uploaded: number
  readonly replaced: number
  readonly unchanged: number
  /** Files that this import made live, out of the three counts above. */
  readonly published: number
  /** Links and special files, which are never imported. */
  readonly skipped: number
  /** Folders that were created. */
  readonly folders: number
  /** Whether the source has a side file with titles, descriptions and states. */
  readonly hasRecords: boolean
}

/**
 * Rejects if the run as a whole cannot continue: the source does not exist, the key is rejected, the server
 * stays unreachable, or `signal` is aborted (with its reason). All other failures are in the summary.
 */
export async function importTree(options: ImportOptions): Promise<ImportSummary> {
  const { source, url, key, categoryId, publish, concurrency = DEFAULT_CONCURRENCY } = options
  const run = openRun(options)
  const api = openApi({ url, key, concurrency, signal: run.signal })

  try {
    await requireCategory(api, categoryId)
    const { root: whole, skipped } = await walkTree(source, run)
    const root = withoutSideFile(whole)
    run.addTotal(countFiles(root) - countFiles(whole))
    const records = options.records === false ? undefined : await readSideFile(whole)
    const placed = await placeFolders({ api, run, concurrency }, { folder: root, categoryId })
    const importing = { api, run, publish, concurrency, records, root: root.path }
    await describeFolders(importing, placed)
    const files = await importFiles(importing, placed)
    await setLayouts(importing, placed)
    const folders = placed.filter(({ isNew }) => isNew).length
    return { ...files, skipped, folders, hasRecords: records !== undefined, ...run.finish() }
  } finally {
    await api.close()
  }
}

type FileCounts = Pick<ImportSummary, 'uploaded' | 'replaced' | 'unchanged' | 'published'>

async function importFiles(importing: Importing, placed: readonly Placed[]): Promise<FileCounts> {
  const { run, concurrency } = importing
  const counts = { uploaded: 0, replaced: 0, unchanged: 0, published: 0 }

  function onImported({ change, isPublished }: Imported): void {
    counts[change] += 1
    if (isPublished) counts.published += 1
    run.addDone(1)
  }

  const batch = { run, onImported }
  const numbered: FileImport[] = []
  const others = withoutNumbers(importing, tasksOf(importing, placed), numbered)
  await pMap(batchesOf(others), (tasks) => importBatch(batch, tasks), { concurrency })
  await importNumbered(importing, { placed, tasks: numbered, onImported })
  return counts
}

/** Yields new files in batches, and each existing file separately. */
async function* batchesOf(tasks: AsyncIterable<FileImport>): AsyncGenerator<readonly FileImport[]> {
  let batch: FileImport[] = []
  for await (const task of tasks) {
    if (task.listed !== undefined) {
      yield [task]
      continue
    }
    batch.push(task)
    if (batch.length < BATCH_FILES) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function* tasksOf(
  { api, run, publish, records, root }: Importing,
  placed: readonly Placed[],
): AsyncGenerator<FileImport> {
  const filled = placed.filter(({ folder }) => folder.files.length > 0)
  const listings = pMapIterable(
    filled,
    async (place) => ({ place, held: await listHeld(api, run, place) }),
    { concurrency: LISTED_AHEAD },
  )

  for await (const { place, held } of listings) {
    if (held === undefined) continue
    for (const file of place.folder.files) {
      if (run.signal.aborted) return
      const listed = held.get(foldName(file.name))
      const record = records?.fileAt(sidePathOf(root, file.path))
      const state = publish ? 'publish' : stateOf(record)
      const { categoryId } = place
      yield { api, file, categoryId, listed, state, fields: record, addBytes: run.addBytes }
    }
  }
}

function stateOf(record: SideFile | undefined): FileImport['state'] {
  if (record?.state === 'live') return 'publish'
  return record?.state === 'staged' ? 'stage' : undefined
}

async function describeFolders(
  { api, run, concurrency, records, root }: Importing,
  placed: readonly Placed[],
): Promise<void> {
  await pMap(
    placed,
    async ({ folder, categoryId }) => {
      const titles = records?.folderAt(sidePathOf(root, folder.path))
      // The folder of the import keeps its titles.
      if (titles === undefined || folder.path === root) return
      const part = { path: folder.shownPath, files: 0 }
      await run.attempt(part, () => describeCategory(api, categoryId, titles))
    },
    { concurrency },
  )
}

/** Files of a folder by folded name; undefined if the listing fails, which fails the files of the folder. */
async function listHeld(
  api: Api,
  run: Run,
  { folder, categoryId, isNew }: Placed,
): Promise<ReadonlyMap<string, ListedFile> | undefined> {
  if (isNew) return new Map()
  const part = { path: folder.shownPath, files: folder.files.length }
  const listed = await run.attempt(part, () => listFiles(api, categoryId))
  return listed && new Map(listed.map((file) => [foldName(file.name), file]))
}

interface Placed {
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

/**
 * Creates the folders of an import on the server, level by level, so that a parent exists before its children. Returns the
 * root and all folders below it; a folder that could not be created is omitted with its subtree.
 */
async function placeFolders(
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
