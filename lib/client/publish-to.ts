// Makes a bucket equal to the public live files of a folder of the server: uploads each object that differs, pages last, and
// then removes objects of files that are no longer live. The bucket itself is the record of what was done, so a run that was
// interrupted continues with the next run.

import pMap from 'p-map'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OF_PAGES } from '../schema/site-settings.ts'
import { shown } from '../schema/visible.ts'
import { type Api, openApi } from './api.ts'
import { ClientError } from './client-error.ts'
import {
  download,
  type Downloaded,
  type LiveFile,
  type LiveFolder,
  liveFilesOf,
  type ObjectHeaders,
  readHeaders,
  type RenderPage,
} from './live-files.ts'
import { mayBeRendered, openRendering } from './page-rendering.ts'
import { listFiles, listPublicCategories, readSiteCategory, type SiteCategory } from './records.ts'
import { openRun, type Run, type RunOptions, type RunResult } from './run.ts'

/** Keys are paths on the site, without a slash at the beginning. */
interface Bucket {
  keys(): Promise<readonly string[]>
  find(key: string): Promise<(ObjectHeaders & { readonly isOurs: boolean }) | undefined>
  put(key: string, file: Downloaded): Promise<void>
  remove(keys: readonly string[]): Promise<void>
}

export interface PublishOptions extends RunOptions {
  readonly url: string
  readonly key: string
  /** The root folder of the site. */
  readonly categoryId: number
  readonly bucket: Bucket
  readonly concurrency: number
  /** Changes nothing, and reports what would change. */
  readonly isDry: boolean
  /** Called for each upload and removal. */
  readonly onChange?: (change: 'upload' | 'remove', key: string) => void
}

export interface PublishSummary extends RunResult {
  readonly uploaded: number
  readonly unchanged: number
  readonly removed: number
  /** Objects that another program wrote. */
  readonly foreign: number
}

interface Publishing extends Pick<PublishOptions, 'bucket' | 'isDry' | 'concurrency' | 'onChange'> {
  readonly api: Api
  readonly run: Run
  /** Keys of the bucket at the start. */
  readonly present: ReadonlySet<string>
  /** Directory for downloads. */
  readonly temporary: string
  readonly renderPage: RenderPage
}

/** Rejects like exportTree. Failures of single files are in the summary; nothing is removed after a failure. */
export async function publishTo(options: PublishOptions): Promise<PublishSummary> {
  const { url, key, categoryId, bucket, concurrency } = options
  const run = openRun(options)
  const api = openApi({ url, key, concurrency, signal: run.signal })
  const temporary = await mkdtemp(join(tmpdir(), 'cms-publish-'))
  try {
    const root = await readSiteCategory(api, categoryId)
    if (!root.isPublic)
      throw new ClientError(
        'not-public',
        `The folder ${categoryId} is not public. Make it public, or give the root folder of the site with --category.`,
      )
    const present = new Set(await bucket.keys())
    const folder = { id: categoryId, path: '', layoutId: await layoutAt(api, root) }
    const { files, folders } = await findLiveFiles({ api, run, concurrency }, folder)
    const isWhole = run.result().failed === 0
    const renderPage = openRendering({ api, files, folders, isWhole })
    const publishing = { ...options, api, run, present, temporary, renderPage }
    const counts = await upload(publishing, files)
    run.signal.throwIfAborted()
    const gone = await removeGone(publishing, new Set(files.map((file) => file.key)))
    return { ...counts, ...gone, ...run.finish() }
  } finally {
    await Promise.all([api.close(), rm(temporary, { recursive: true, force: true })])
  }
}

/** The layout of a folder, which it may inherit. A key does not see all folders above. */
async function layoutAt(api: Api, root: SiteCategory): Promise<number | null> {
  let folder = root
  while (folder.layoutId === null && folder.parentId !== null)
    folder = await readSiteCategory(api, folder.parentId)
  return folder.layoutId
}

interface Found {
  readonly files: readonly LiveFile[]
  readonly folders: readonly LiveFolder[]
}

async function findLiveFiles(
  { api, run, concurrency }: Pick<Publishing, 'api' | 'run' | 'concurrency'>,
  root: LiveFolder,
): Promise<Found> {
  const files: LiveFile[] = []
  const all: LiveFolder[] = []
  let level = [root]
  while (level.length > 0) {
    all.push(...level)
    const below = await pMap(
      level,
      async (folder) => {
        const { id, path, layoutId } = folder
        const found = await run.attempt({ path: shown(path), files: 0 }, async () => ({
          listed: await listFiles(api, id),
          folders: await listPublicCategories(api, id),
        }))
        const live = liveFilesOf(found?.listed ?? [], folder)
        files.push(...live)
        run.addTotal(live.length)
        return (found?.folders ?? []).map(({ layoutId: own, ...each }) => ({
          id: each.asset_category_id,
          path: `${path}${each.name}/`,
          layoutId: own ?? layoutId,
        }))
      },
      { concurrency },
    )
    level = below.flat()
  }
  return { files, folders: all }
}

/** Pages name styles and pictures, so they come last. */
async function upload(
  publishing: Publishing,
  files: readonly LiveFile[],
): Promise<Pick<PublishSummary, 'uploaded' | 'unchanged'>> {
  const { run, concurrency } = publishing
  const counts = { uploaded: 0, unchanged: 0 }
  const pages: (() => Promise<void>)[] = []
  const attempt = async (file: LiveFile, work: () => Promise<unknown>): Promise<void> => {
    await run.attempt({ path: shown(file.key) }, work)
  }
  const finish = (change: 'uploaded' | 'unchanged'): void => {
    counts[change] += 1
    run.addDone(1)
  }
  await pMap(
    files,
    (file) =>
      attempt(file, async () => {
        const want = await compare(publishing, file)
        if (want === undefined) return finish('unchanged')
        const work = async (): Promise<void> => {
          await uploadFile(publishing, file)
          finish('uploaded')
        }
        if (want.cacheControl !== OF_PAGES) return work()
        pages.push(() => attempt(file, work))
      }),
    { concurrency },
  )
  await pMap(pages, (page) => page(), { concurrency })
  return counts
}

/** The headers that the object should have; undefined if it has them already, or if the file is not live any more. */
async function compare(publishing: Publishing, file: LiveFile): Promise<ObjectHeaders | undefined> {
  const { api, bucket, present } = publishing
  const { key } = file
  const headers = await readHeaders(api, file)
  const found = headers !== undefined && present.has(key) ? await bucket.find(key) : undefined
  const mayDiffer = headers !== undefined && mayBeRendered(file, headers, found?.sha256)
  const want = mayDiffer
    ? await inTemporaryFile(publishing, (path) => download(publishing, file, path))
    : headers
  if (want === undefined || found === undefined) return want
  if (!found.isOurs)
    throw new ClientError(
      'in-the-way',
      'the bucket holds an object of another program under this name; remove it, or choose another prefix',
    )
  const isSame =
    found.sha256 === want.sha256 &&
    found.contentType === want.contentType &&
    found.cacheControl === want.cacheControl
  return isSame ? undefined : want
}

async function uploadFile(publishing: Publishing, file: LiveFile): Promise<void> {
  const { bucket, isDry, onChange } = publishing
  onChange?.('upload', file.key)
  if (isDry) return
  await inTemporaryFile(publishing, async (path) => {
    const downloaded = await download(publishing, file, path)
    if (downloaded !== undefined) await bucket.put(file.key, downloaded)
  })
}

async function inTemporaryFile<T>(
  { temporary }: Publishing,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(temporary, randomUUID())
  try {
    return await work(path)
  } finally {
    await rm(path, { force: true })
  }
}

async function removeGone(
  { bucket, run, present, isDry, concurrency, onChange }: Publishing,
  live: ReadonlySet<string>,
): Promise<Pick<PublishSummary, 'removed' | 'foreign'>> {
  const others = [...present].filter((key) => !live.has(key))
  const ours: string[] = []
  await pMap(
    // A folder that could not be read may hold live files.
    run.result().failed > 0 ? [] : others,
    async (key) => {
      run.signal.throwIfAborted()
      if ((await bucket.find(key))?.isOurs === true) ours.push(key)
    },
    { concurrency },
  )
  for (const key of ours) onChange?.('remove', key)
  if (!isDry) await bucket.remove(ours)
  return { removed: ours.length, foreign: others.length - ours.length }
}
