// Writes a folder of the server to disk, byte for byte: the live, the staged or the latest version of every
// file. Files that already have the same bytes are left alone. Fields and states go into a side file.

import pMap from 'p-map'
import { foldName } from '../schema/names.ts'
import { type Api, type ApiReply, openApi } from './api.ts'
import { ClientError } from './client-error.ts'
import { hashPresent, openTarget, placeIn, saveDownload } from './disk.ts'
import { findGroups } from './export-groups.ts'
import { type ExportedFile, type ExportedFolder, findFiles, makeFolders } from './export-tree.ts'
import { type ListedFile, readSiteCategory, readVersion } from './records.ts'
import { openRun, type Run, type RunOptions, type RunResult } from './run.ts'
import {
  SIDE_PATH,
  type SideFile,
  type SideFolder,
  type SideLayout,
  sidePathOf,
  type Titles,
  writeSideFile,
} from './side-file.ts'

const ROOT_CATEGORY_ID = 1
const DEFAULT_CONCURRENCY = 8

export interface ExportOptions extends RunOptions {
  readonly url: string
  readonly key: string
  readonly categoryId?: number | undefined
  /** The directory that receives the content of the folder. Nothing outside it is written. */
  readonly target: string
  readonly state: ExportState
  readonly concurrency?: number | undefined
}

export interface ExportSummary extends RunResult {
  readonly written: number
  readonly unchanged: number
  /** Files without a version in the exported state. */
  readonly skipped: number
  /** Folders that exist on disk now, without the target itself. */
  readonly folders: number
  /** Files whose other versions (live, staged or newer) are not exported. */
  readonly others: number
}

/**
 * Rejects if the run as a whole cannot continue: the target is not writable, the key is rejected, the server
 * stays unreachable, or `signal` is aborted (with its reason). All other failures are in the summary.
 */
export async function exportTree(options: ExportOptions): Promise<ExportSummary> {
  const { url, key, categoryId = ROOT_CATEGORY_ID, target, state } = options
  const { concurrency = DEFAULT_CONCURRENCY } = options
  const run = openRun(options)
  const api = openApi({ url, key, concurrency, signal: run.signal })

  try {
    const { layoutId, dateAdded } = await readSiteCategory(api, categoryId)
    const path = await openTarget(target)
    const exporting = { api, run, concurrency }
    const folders = await makeFolders(exporting, { categoryId, path, shownPath: '.', layoutId })
    const files = await findFiles(exporting, folders)

    const counts = { written: 0, unchanged: 0, skipped: 0, others: 0 }
    const records = new Map<string, SideFile>()
    const layouts = openLayouts(run)
    await pMap(
      files,
      async (file) => {
        const done = await run.attempt({ path: file.shownPath }, () =>
          exportFile({ api, run, state, root: path }, file),
        )
        if (done === undefined) return
        counts[done.change] += 1
        run.addDone(1)
        if (done.version === undefined) return
        if (done.version.hasOthers) counts.others += 1
        const { asset_file_id: id } = file.record
        records.set(done.sidePath, { id, ...recordOf(done.version) })
        layouts.add(id, done.sidePath, done.version.layoutId)
      },
      { concurrency },
    )
    run.signal.throwIfAborted()
    const written = {
      state,
      exported: { id: categoryId, dateAdded },
      files: layouts.withPaths(records),
      folders: describedFolders(path, folders, layouts),
      groups: await findGroups(exporting, folders, { root: path, paths: layouts.paths }),
    }
    await writeSideFile(path, written, run.signal)
    return { ...counts, folders: folders.length - 1, ...run.finish() }
  } finally {
    await api.close()
  }
}

interface Exported {
  readonly change: 'written' | 'unchanged' | 'skipped'
  /** Undefined if the file was skipped. */
  readonly version: ExportedVersion | undefined
  readonly sidePath: string
}

function recordOf(version: ExportedVersion): SideFile {
  const { type, title, description, alt_text = null, focus = null, state } = version
  return { type, title, description, alt_text, focus, state }
}

type Layouts = ReturnType<typeof openLayouts>

/** The layouts of the files, by number until all files have a path. */
function openLayouts(run: Run) {
  const paths = new Map<number, string>()
  const layoutIds = new Map<string, number | null>()
  function pathOf(id: number | null, path: string): SideLayout {
    if (id === null) return undefined
    if (id === 0) return id
    const found = paths.get(id)
    if (found === undefined)
      run.fail({ path, files: 0 }, `its layout, the file ${id}, is not in the export`)
    return found
  }
  return {
    paths,
    add(id: number, path: string, layoutId: number | null): void {
      paths.set(id, path)
      layoutIds.set(path, layoutId)
    },
    pathOf,
    withPaths: (files: ReadonlyMap<string, SideFile>): Map<string, SideFile> =>
      new Map(
        [...files].map(([path, file]) => {
          const layout = pathOf(layoutIds.get(path) ?? null, path)
          return [path, { ...file, layout }]
        }),
      ),
  }
}

/** Titles and layouts by path. The exported folder itself has no titles, because an import does not create it. */
function describedFolders(
  root: string,
  folders: readonly ExportedFolder[],
  layouts: Layouts,
): Map<string, SideFolder> {
  const described = new Map<string, SideFolder>()
  for (const { path, titles = NO_TITLES, layoutId, shownPath } of folders) {
    if (titles.title === null && titles.description === null && layoutId === null) continue
    described.set(sidePathOf(root, path), {
      ...titles,
      layout: layouts.pathOf(layoutId, shownPath),
    })
  }
  return described
}

const NO_TITLES: Titles = { title: null, description: null }

interface FileExport {
  readonly api: Api
  readonly run: Run
  readonly state: ExportOptions['state']
  readonly root: string
}

async function exportFile(
  { api, run, state, root }: FileExport,
  { record, folder }: ExportedFile,
): Promise<Exported> {
  const version = await findVersion(api, state, record)
  if (version === undefined) return SKIPPED

  const path = placeIn(folder.path, version.name)
  const sidePath = sidePathOf(root, path)
  if (foldName(sidePath) === SIDE_PATH)
    throw new ClientError('in-the-way', 'the export stores titles and states under this name')
  const present = await hashPresent(path)

  return api.retrying(async () => {
    const reply = await requestContent(api, version.path(), present)
    if (reply === undefined) return SKIPPED
    if (reply.statusCode === 304) {
      await reply.body.dump()
      return { change: 'unchanged', version, sidePath }
    }
    const { signal, addBytes } = run
    await saveDownload(path, { ...announced(reply), body: reply.body, signal, addBytes })
    return { change: 'written', version, sidePath }
  })
}

const SKIPPED: Exported = { change: 'skipped', version: undefined, sidePath: '' }

/** Undefined if the version was withdrawn after the list was read. */
async function requestContent(
  api: Api,
  path: string,
  present: string | undefined,
): Promise<ApiReply | undefined> {
  const headers = present === undefined ? {} : { 'if-none-match': `"${present}"` }
  try {
    return await api.send({ method: 'GET', path, headers })
  } catch (error) {
    if (error instanceof ClientError && error.code === 'not-published') return undefined
    throw error
  }
}

function announced({ headers, body }: ApiReply): { sizeBytes: number; sha256: string } {
  const sizeBytes = Number(headers['content-length'])
  const sha256 = /^"([0-9a-f]{64})"$/.exec(String(headers['etag']))?.[1]
  if (sha256 !== undefined && Number.isSafeInteger(sizeBytes)) return { sizeBytes, sha256 }

  body.destroy()
  throw new ClientError(
    'damaged',
    'the server does not give its size and SHA-256, so it cannot be verified',
  )
}

type ExportState = 'live' | 'stage' | 'latest'

interface ExportedVersion extends SideFile {
  readonly layoutId: number | null
  readonly name: string
  /** Address of the content; throws for a name that cannot be encoded. */
  readonly path: () => string
  /** Whether the file has another version that is live, staged or newer and is not exported. */
  readonly hasOthers: boolean
}

/**
 * Returns the version of a file to export, with the name and fields of that version, which a draft does not change.
 * Returns undefined if the file has no version in this state.
 */
async function findVersion(
  api: Api,
  state: ExportState,
  record: ListedFile,
): Promise<ExportedVersion | undefined> {
  const { asset_file_id: id, version: latest, live_version: live, staged_version: staged } = record
  const version = { live, stage: staged, latest }[state]
  if (version === undefined) return undefined

  const fields = version === latest ? record : await readVersion(api, id, version)
  const { name, type, title, description, alt_text, focus, layout_file_id: layoutId } = fields
  const shownName = state === 'live' ? record.addressName : name
  const path = (): string =>
    // The name of a draft may differ from the name in the address.
    state === 'latest'
      ? `/api/v2/asset_file/${id}/versions/${latest}/content`
      : `/file/${id}/${encodeURIComponent(shownName)}${state === 'stage' ? '?state=stage' : ''}`
  return {
    name: shownName,
    type,
    title,
    description,
    alt_text,
    focus,
    layoutId,
    state: version === live ? 'live' : version === staged ? 'staged' : 'draft',
    path,
    hasOthers: [live, staged, latest].some((other) => other !== undefined && other !== version),
  }
}
