// Writes a folder of the server back to disk, byte for byte: the live version of every file, or the
// staged one. What the disk has already with the same bytes is left alone.

import pMap from 'p-map'
import { type Api, type ApiReply, openApi } from './api.ts'
import { ClientError } from './client-error.ts'
import { hashPresent, openTarget, placeIn, saveDownload } from './disk.ts'
import { type ExportedFile, findFiles, makeFolders } from './export-tree.ts'
import { requireCategory } from './records.ts'
import { openRun, type Run, type RunOptions, type RunResult } from './run.ts'

const ROOT_CATEGORY_ID = 1
const DEFAULT_CONCURRENCY = 8

export interface ExportOptions extends RunOptions {
  readonly url: string
  readonly key: string
  readonly categoryId?: number | undefined
  /** The directory that receives the content of the folder. Nothing outside it is written. */
  readonly target: string
  readonly state: 'live' | 'stage'
  readonly concurrency?: number | undefined
}

export interface ExportSummary extends RunResult {
  readonly written: number
  readonly unchanged: number
  /** Files that have no version in the state that is exported. */
  readonly skipped: number
  /** Folders that are on disk now, without the target itself. */
  readonly folders: number
}

/**
 * Rejects when the run as a whole cannot go on: the target cannot be written, the key is refused,
 * the server stays away, or `signal` (with its reason). All else is in the summary.
 */
export async function exportTree(options: ExportOptions): Promise<ExportSummary> {
  const { url, key, categoryId = ROOT_CATEGORY_ID, target, state } = options
  const { concurrency = DEFAULT_CONCURRENCY } = options
  const run = openRun(options)
  const api = openApi({ url, key, concurrency, signal: run.signal })

  try {
    await requireCategory(api, categoryId)
    const path = await openTarget(target)
    const exporting = { api, run, concurrency }
    const folders = await makeFolders(exporting, { categoryId, path, shownPath: '.' })
    const files = await findFiles(exporting, folders)

    const counts = { written: 0, unchanged: 0, skipped: 0 }
    await pMap(
      files,
      async (file) => {
        const done = await run.attempt({ path: file.shownPath }, () =>
          exportFile({ api, run, state }, file),
        )
        if (done === undefined) return
        counts[done] += 1
        run.addDone(1)
      },
      { concurrency },
    )
    return { ...counts, folders: folders.length - 1, ...run.finish() }
  } finally {
    await api.close()
  }
}

type Exported = 'written' | 'unchanged' | 'skipped'

interface FileExport {
  readonly api: Api
  readonly run: Run
  readonly state: ExportOptions['state']
}

async function exportFile({ api, run, state }: FileExport, file: ExportedFile): Promise<Exported> {
  const { asset_file_id: id, live_version: live, staged_version: staged } = file.record
  const name = state === 'live' ? file.record.addressName : file.record.name
  if ((state === 'live' ? live : staged) === undefined) return 'skipped'

  const path = placeIn(file.folder.path, name)
  const present = await hashPresent(path)
  const source = `/file/${id}/${encodeURIComponent(name)}${state === 'stage' ? '?state=stage' : ''}`

  return api.retrying(async () => {
    const reply = await requestContent(api, source, present)
    if (reply === undefined) return 'skipped'
    if (reply.statusCode === 304) {
      await reply.body.dump()
      return 'unchanged'
    }
    const { signal, addBytes } = run
    await saveDownload(path, { ...announced(reply), body: reply.body, signal, addBytes })
    return 'written'
  })
}

/** Undefined when the version was taken back since the list was read. */
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
    'the server does not tell its size and SHA-256, so it cannot be checked',
  )
}
