// Publishes, stages or unpublishes all files below a folder. Each file is changed as in the request for this file; small
// commits change some files at a time, so that other changes need not wait.

import { recheck } from '../../auth/caller.ts'
import { grantsAt, requireGrant } from '../../auth/grants.ts'
import { CmsError } from '../../base/errors.ts'
import { assetCategory } from '../../schema/asset-category.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import type { Stored } from '../../schema/values.ts'
import { MAX_PUBLISHED_FILES, MAX_SHOWN_FAILURES } from '../../shared/limits.ts'
import { smallEnough } from '../commit-size.ts'
import type { ChangeContext, Context } from '../context.ts'
import { publish, stage, unpublish } from '../files/publishing.ts'
import { idsInFolder } from '../folder-contents.ts'
import { requireRecord } from '../requirements.ts'
import { commitEach, interrupted } from '../trail/commit-each.ts'

export const FOLDER_ACTIONS = ['publish', 'stage', 'unpublish'] as const

export type FolderAction = (typeof FOLDER_ACTIONS)[number]

export interface FolderActionInput {
  readonly id: number
  readonly action: FolderAction
  /** The number of files that the folder must have. */
  readonly expect: number | undefined
  readonly isDryRun: boolean
}

/** Numbers of the files that the caller sees below the folder. */
export interface FolderActionOutcome {
  readonly matched: number
  /** In a dry run, the files that the request would change. */
  readonly changed: number
  readonly unchanged: number
  readonly failedCount: number
  /** The first files that were refused. */
  readonly failed: readonly FailedFile[]
  readonly isDryRun: boolean
}

interface FailedFile {
  readonly id: number
  readonly error: CmsError
}

/** Files of one commit, about 10 ms. */
const FILES_AT_ONCE = 50

/**
 * Throws count-differs, and too-large for a folder with more than MAX_PUBLISHED_FILES files or folders; then nothing was
 * changed.
 */
export async function publishFolder(
  context: ChangeContext,
  input: FolderActionInput,
): Promise<FolderActionOutcome> {
  requireFolderAction(context, input)
  const files = await filesBelow(context, input.id)
  requireExpected(input, files.length)
  let [changed, unchanged, failedCount] = [0, 0, 0]
  const failed: FailedFile[] = []
  const slice = openTimeSlice()
  for (let at = 0; at < files.length; ) {
    // A dry run waits for nothing.
    if (slice.isOver(0)) await slice.next()
    const next = files.slice(at, at + FILES_AT_ONCE)
    const ids = smallEnough(context.records, assetFile, next)
    const results = await changeSome(context, input, ids).catch((error: unknown) => {
      throw at === 0 || input.isDryRun ? error : interrupted(error)
    })
    for (const [index, result] of results.entries()) {
      if (result === 'changed') changed += 1
      else if (result === 'unchanged') unchanged += 1
      else {
        failedCount += 1
        if (failed.length < MAX_SHOWN_FAILURES) failed.push({ id: ids[index] ?? 0, error: result })
      }
    }
    at += ids.length
  }
  const { isDryRun } = input
  return { matched: files.length, changed, unchanged, failedCount, failed, isDryRun }
}

/** Throws not-found or grant-missing. A list of files reveals the files, so the grant view is necessary too. */
export function requireFolderAction(
  { records, caller, now }: Context,
  { id, action }: Pick<FolderActionInput, 'id' | 'action'>,
): void {
  const holder = recheck(records, caller, now())
  requireRecord(records, assetCategory, id)
  requireGrant(records, holder, 'view', id)
  requireGrant(records, holder, action === 'stage' ? 'stage' : 'publish', id)
}

/** A hidden folder hides the folders below it as well, because the caller does not see that they lie there. */
async function filesBelow(
  { records, caller }: Context,
  rootId: number,
): Promise<readonly number[]> {
  const files: number[] = []
  const folders = [rootId]
  const slice = openTimeSlice()
  for (const id of folders) {
    if (slice.isOver(0)) await slice.next()
    const inFolder = idsInFolder(records, assetFile, id, MAX_PUBLISHED_FILES + 1)
    const below = idsInFolder(records, assetCategory, id, MAX_PUBLISHED_FILES + 1)
    files.push(...inFolder)
    folders.push(...below.filter((one) => grantsAt(records, caller, one).has('view')))
    if (Math.max(files.length, folders.length) > MAX_PUBLISHED_FILES) throw tooMany()
  }
  return files
}

function tooMany(): CmsError {
  const limit = MAX_PUBLISHED_FILES.toLocaleString('en')
  return new CmsError(
    'too-large',
    `The folder has more than ${limit} files or folders below it, the most that one request covers. Nothing was changed; send the request for the folders in it one by one.`,
  )
}

function requireExpected({ expect }: FolderActionInput, matched: number): void {
  if (expect === undefined || expect === matched) return
  throw new CmsError(
    'count-differs',
    `The folder has ${matched} files, and expect is ${expect}. Nothing was changed. Check the folder, or send the real number.`,
    { members: { matched } },
  )
}

async function changeSome(
  context: ChangeContext,
  { id: within, action, isDryRun }: FolderActionInput,
  ids: readonly number[],
): Promise<readonly ('changed' | 'unchanged' | CmsError)[]> {
  const changes = ids.map(
    (id) =>
      (joint: ChangeContext): Promise<Stored> =>
        changeOne(joint, action, { id, within }),
  )
  return commitEach(context.recordedAs(action), changes, isDryRun)
}

function changeOne(
  context: ChangeContext,
  action: FolderAction,
  file: { readonly id: number; readonly within: number },
): Promise<Stored> {
  const input = { ...file, precondition: undefined }
  if (action === 'unpublish') return unpublish(context, input)
  const show = action === 'publish' ? publish : stage
  return show(context, { ...input, version: undefined })
}
