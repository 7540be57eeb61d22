// Makes a bucket equal to the public live files of a folder of the server: uploads each object that differs, pages last, and
// then removes objects of files that are no longer live. The bucket itself is the record of what was done, so a run that was
// interrupted continues with the next run.

import pMap from 'p-map'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cacheControlOf, OF_PAGES } from '../schema/site-settings.ts'
import { shown } from '../schema/visible.ts'
import { type Api, type ApiReply, openApi } from './api.ts'
import { ClientError } from './client-error.ts'
import { saveDownload } from './disk.ts'
import { isPublicCategory, type ListedFile, listFiles, listPublicCategories } from './records.ts'
import { openRun, type Run, type RunOptions, type RunResult } from './run.ts'

interface Headers {
  readonly sha256: string
  readonly contentType: string
  readonly cacheControl: string
}

/** Keys are paths on the site, without a slash at the beginning. */
interface Bucket {
  keys(): Promise<readonly string[]>
  find(key: string): Promise<(Headers & { readonly isOurs: boolean }) | undefined>
  put(
    key: string,
    file: Headers & { readonly path: string; readonly sizeBytes: number },
  ): Promise<void>
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
}

interface LiveFile {
  readonly key: string
  readonly address: string
}

/** Rejects like exportTree. Failures of single files are in the summary; nothing is removed after a failure. */
export async function publishTo(options: PublishOptions): Promise<PublishSummary> {
  const { url, key, categoryId, bucket, concurrency } = options
  const run = openRun(options)
  const api = openApi({ url, key, concurrency, signal: run.signal })
  const temporary = await mkdtemp(join(tmpdir(), 'cms-publish-'))
  try {
    if (!(await isPublicCategory(api, categoryId)))
      throw new ClientError(
        'not-public',
        `The folder ${categoryId} is not public. Make it public, or give the root folder of the site with --category.`,
      )
    const present = new Set(await bucket.keys())
    const publishing = { ...options, api, run, present, temporary }
    const files = await findLiveFiles(publishing, categoryId)
    const counts = await upload(publishing, files)
    run.signal.throwIfAborted()
    const gone = await removeGone(publishing, new Set(files.map((file) => file.key)))
    return { ...counts, ...gone, ...run.finish() }
  } finally {
    await Promise.all([api.close(), rm(temporary, { recursive: true, force: true })])
  }
}

async function findLiveFiles(
  { api, run, concurrency }: Publishing,
  categoryId: number,
): Promise<readonly LiveFile[]> {
  const files: LiveFile[] = []
  let level = [{ id: categoryId, path: '' }]
  while (level.length > 0) {
    const below = await pMap(
      level,
      async ({ id, path }) => {
        const found = await run.attempt({ path: shown(path), files: 0 }, async () => ({
          listed: await listFiles(api, id),
          folders: await listPublicCategories(api, id),
        }))
        const live = (found?.listed ?? []).filter((file) => file.live_version !== undefined)
        files.push(...live.map((file) => liveFileOf(file, path)))
        run.addTotal(live.length)
        return (found?.folders ?? []).map((folder) => ({
          id: folder.asset_category_id,
          path: `${path}${folder.name}/`,
        }))
      },
      { concurrency },
    )
    level = below.flat()
  }
  return files
}

function liveFileOf({ asset_file_id: id, addressName }: ListedFile, path: string): LiveFile {
  return { key: path + addressName, address: `/file/${id}/${encodeURIComponent(addressName)}` }
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
async function compare(
  { api, bucket, present }: Publishing,
  { key, address }: LiveFile,
): Promise<Headers | undefined> {
  const reply = await requestLive(api, 'HEAD', address)
  if (reply === undefined) return undefined
  await reply.body.dump()
  const want = headersOf(reply)
  const found = present.has(key) ? await bucket.find(key) : undefined
  if (found === undefined) return want
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

async function uploadFile(
  { api, run, bucket, temporary, isDry, onChange }: Publishing,
  { key, address }: LiveFile,
): Promise<void> {
  onChange?.('upload', key)
  if (isDry) return
  const path = join(temporary, randomUUID())
  try {
    const file = await api.retrying(async () => {
      const reply = await requestLive(api, 'GET', address)
      if (reply === undefined) return undefined
      const headers = headersOf(reply)
      const sizeBytes = Number(reply.headers['content-length'])
      const { signal, addBytes } = run
      await saveDownload(path, { ...headers, sizeBytes, body: reply.body, signal, addBytes })
      return { ...headers, path, sizeBytes }
    })
    if (file !== undefined) await bucket.put(key, file)
  } finally {
    await rm(path, { force: true })
  }
}

/** Undefined if the file is not live any more: the next run removes its object. */
async function requestLive(
  api: Api,
  method: 'GET' | 'HEAD',
  path: string,
): Promise<ApiReply | undefined> {
  try {
    return await api.retrying(() => api.send({ method, path }))
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return undefined
    throw error
  }
}

function headersOf({ headers }: ApiReply): Headers {
  const sha256 = /^"([0-9a-f]{64})"$/.exec(String(headers['etag']))?.[1] ?? ''
  const contentType = String(headers['content-type'])
  return { sha256, contentType, cacheControl: cacheControlOf(contentType) }
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
