// Copies a folder with its folders and files. The contents are copied first, below a folder that does not exist yet, so
// nobody sees them; the last commit creates this folder, and the whole copy appears at once. Until then a row of pending
// work says that the contents are to be removed, so a crash leaves nothing behind.

import { type Caller, recheck } from '../../auth/caller.ts'
import { grantsAt, requireGrant } from '../../auth/grants.ts'
import { CmsError } from '../../base/errors.ts'
import { type AssetCategory, assetCategory } from '../../schema/asset-category.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { checkCreate } from '../../schema/check.ts'
import { fileGroup } from '../../schema/file-group.ts'
import { MODULE_KINDS, MODULE_OBJECTS } from '../../schema/module.ts'
import { pendingWork } from '../../schema/pending-work.ts'
import { buildRecord } from '../../schema/record.ts'
import type { Stored } from '../../schema/values.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import { MAX_COPIED_RECORDS } from '../../shared/limits.ts'
import type { ChangeContext, RecordInput } from '../context.ts'
import { requireFreeName } from '../files/addresses.ts'
import { copiedVersion, describing, freeName } from '../files/copy-file.ts'
import { newFile } from '../files/file-plans.ts'
import { bytesOf, putFile } from '../files/versions.ts'
import { openCommitSize } from '../commit-size.ts'
import { idsInFolder } from '../folder-contents.ts'
import { newId } from '../new-id.ts'
import { newWorkId, putWork, runWork } from '../pending-work.ts'
import { tagOf } from '../present.ts'
import { requireFolder, requireMatch, requireRecord } from '../requirements.ts'
import { doerOf } from '../trail/audit.ts'
import { viewOf } from '../visibility.ts'
import { folderVisibility } from './asset-categories.ts'
import { addExtents, extentOf, measureBelow, ofName, requireExtent } from './folder-extent.ts'
import { purgeTask } from './folder-rules.ts'

export interface FolderCopyInput extends RecordInput {
  /** The folder of the copy; undefined stands for that of the original. */
  readonly categoryId: number | undefined
  /** Undefined: the name of the original, or a free name made from it. */
  readonly name: string | undefined
}

/** Numbers of the records that the caller sees in the original. */
export interface FolderCopyCounts {
  readonly copied: { readonly folders: number; readonly files: number }
  readonly left_out: {
    /** Files of which the caller may read no version, or whose bytes are damaged. */
    readonly files: number
    readonly file_groups: number
    readonly modules: number
  }
}

export interface CopiedFolder {
  readonly stored: Stored<AssetCategory>
  readonly counts: FolderCopyCounts
}

/** Files of one commit, about 10 ms; fewer if their records are large. */
const FILES_AT_ONCE = 50

/** Throws too-large, and copies nothing, for a folder with more than MAX_COPIED_RECORDS folders and files. */
export async function copyFolder(
  context: ChangeContext,
  input: FolderCopyInput,
): Promise<CopiedFolder> {
  requireCopy(context.records, context, input)
  const below = await measureBelow(context.records, input.id, context.limits)
  const rootId = await newId(context.records, assetCategory.recordType)
  const copy: Copy = { input, rootId, workId: newWorkId() }
  const doer = doerOf(context.origin)
  context.purging.add(rootId)
  try {
    await context.ownRecords.commit((unit) => {
      requireCopy(unit, context, input)
      putWork(unit, copy.workId, { kind: 'purge', asset_category_id: rootId, doer })
    })
    const counts = await copyContents(context, copy)
    const made = await context.records.commit((unit) => {
      const { caller, source, parentId } = requireUnderWay(unit, context, copy)
      const name =
        input.name ??
        freeName(unit, caller, assetCategory, { categoryId: parentId, name: source.name })
      requireFreeName(unit, caller, assetCategory, { categoryId: parentId, name })
      requireExtent(context.limits, addExtents(extentOf(unit, parentId), ofName(name)), below)
      // The measure of a folder that is moved at this moment does not include the copy.
      context.folderWatches.lose()
      unit.remove(pendingWork, copy.workId)
      putFolder(unit, context, {
        id: rootId,
        source,
        caller,
        place: { name, parent_category_id: parentId },
      })
      return { ...counts }
    })
    context.purging.delete(rootId)
    return { stored: requireRecord(context.records, assetCategory, rootId).stored, counts: made }
  } catch (error) {
    // If the outcome of the last commit is unknown, the copy may exist: the next start decides.
    if (!(error instanceof CmsError && error.code === 'outcome-unknown'))
      await runWork(
        context,
        purgeTask(context, copy.workId, { categoryId: rootId, doer, trashId: undefined }),
      )
    throw error
  }
}

interface Copy {
  readonly input: FolderCopyInput
  readonly rootId: number
  readonly workId: string
}

interface Allowed {
  readonly caller: Caller
  readonly source: AssetCategory
  readonly parentId: number
}

function requireCopy(
  reader: Reader,
  context: ChangeContext,
  { id, categoryId, name, precondition }: FolderCopyInput,
): Allowed {
  const caller = recheck(reader, context.caller, context.now())
  const { stored, record: source } = requireRecord(reader, assetCategory, id)
  requireGrant(reader, caller, 'view', id)
  requireMatch(
    precondition,
    stored,
    tagOf(viewOf(context, { reader, as: caller }), folderVisibility, stored),
  )
  const parentId = categoryId ?? source.parent_category_id ?? id
  requireFolder(reader, caller, parentId)
  requireGrant(reader, caller, 'create', parentId)
  if (name !== undefined) {
    checkCreate(assetCategory, { name, parent_category_id: parentId })
    requireFreeName(reader, caller, assetCategory, { categoryId: parentId, name })
  }
  return { caller, source, parentId }
}

/** Another process removes the contents if it takes this process for stopped. */
function requireUnderWay(unit: Unit, context: ChangeContext, { input, workId }: Copy): Allowed {
  if (unit.get(pendingWork, workId) !== undefined) return requireCopy(unit, context, input)
  throw new CmsError('unavailable', 'The copy was interrupted. Nothing was copied. Try again.')
}

interface Pair {
  readonly from: number
  readonly to: number
}

async function copyContents(context: ChangeContext, copy: Copy): Promise<FolderCopyCounts> {
  const copied = { folders: 1, files: 0 }
  const leftOut = { files: 0, file_groups: 0, modules: 0 }
  const { records } = context
  const left: Pair[] = [{ from: copy.input.id, to: copy.rootId }]
  for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
    const { from } = pair
    const isSeen = grantsAt(records, context.caller, from).has('view')
    if (!isSeen) continue
    leftOut.file_groups += idsInFolder(records, fileGroup, from).length
    for (const kind of MODULE_KINDS)
      leftOut.modules += idsInFolder(records, MODULE_OBJECTS[kind], from).length
    const files = idsInFolder(records, assetFile, from)
    const folders = idsInFolder(records, assetCategory, from)
    if (copied.folders + copied.files + folders.length + files.length > MAX_COPIED_RECORDS)
      throw tooMany()
    for (let at = 0; at < files.length; ) {
      const ids = files.slice(at, at + FILES_AT_ONCE)
      const count = await copyFiles(context, copy, { ...pair, ids })
      copied.files += count.copied
      leftOut.files += count.leftOut
      at += count.examined
    }
    const made = await copyFolders(context, copy, { ...pair, ids: folders })
    copied.folders += made.length
    left.push(...made)
  }
  return { copied, left_out: leftOut }
}

function tooMany(): CmsError {
  const limit = MAX_COPIED_RECORDS.toLocaleString('en')
  return new CmsError(
    'too-large',
    `The folder has more than ${limit} folders and files, the most that one request copies. Nothing was copied; copy the folders in it one by one.`,
  )
}

interface Some extends Pair {
  readonly ids: readonly number[]
}

async function newIds(
  context: ChangeContext,
  count: number,
  object: typeof assetFile | typeof assetCategory,
): Promise<readonly number[]> {
  const ids: number[] = []
  while (ids.length < count) ids.push(await newId(context.records, object.recordType))
  return ids
}

async function copyFiles(
  context: ChangeContext,
  copy: Copy,
  { from, to, ids }: Some,
): Promise<{ readonly examined: number; readonly copied: number; readonly leftOut: number }> {
  const fresh = await newIds(context, ids.length, assetFile)
  return context.ownRecords.commit((unit) => {
    const { caller } = requireUnderWay(unit, context, copy)
    const origin = { owner: caller.user.name, now: context.now().toISOString() }
    const size = openCommitSize(unit)
    let [examined, copied, leftOut] = [0, 0, 0]
    for (const [index, sourceId] of ids.entries()) {
      if (size.isFull()) break
      examined += 1
      const file = unit.get(assetFile.recordType, sourceId)?.value
      if (file?.parent_category_id !== from) continue
      if (!grantsAt(unit, caller, from).has('view')) continue
      const version = copiedVersion(unit, caller, file)
      if (version === undefined || version.damaged) leftOut += 1
      else {
        const fields = { ...describing(version), name: version.name, parent_category_id: to }
        const id = fresh[index] ?? 0
        putFile(unit, newFile(unit, { id, fields, bytes: bytesOf(version) }, origin))
        copied += 1
      }
    }
    return { examined, copied, leftOut }
  })
}

async function copyFolders(
  context: ChangeContext,
  copy: Copy,
  { from, to, ids }: Some,
): Promise<readonly Pair[]> {
  const made: Pair[] = []
  for (let at = 0; at < ids.length; at += FILES_AT_ONCE) {
    const some = ids.slice(at, at + FILES_AT_ONCE)
    const fresh = await newIds(context, some.length, assetCategory)
    const pairs = await context.ownRecords.commit((unit) => {
      const { caller } = requireUnderWay(unit, context, copy)
      return some.flatMap((sourceId, index): readonly Pair[] => {
        const source = unit.get(assetCategory.recordType, sourceId)?.value
        const isCopied =
          source?.parent_category_id === from && grantsAt(unit, caller, sourceId).has('view')
        if (source === undefined || !isCopied) return []
        const id = fresh[index] ?? 0
        putFolder(unit, context, {
          id,
          source,
          caller,
          place: { name: source.name, parent_category_id: to },
        })
        return [{ from: sourceId, to: id }]
      })
    })
    made.push(...pairs)
  }
  return made
}

interface NewFolder {
  readonly id: number
  readonly source: AssetCategory
  readonly caller: Caller
  readonly place: { readonly name: string; readonly parent_category_id: number }
}

/** The settings of the site and the field public are not copied. */
function putFolder(
  unit: Unit,
  context: ChangeContext,
  { id, source, caller, place }: NewFolder,
): void {
  const { title, description } = source
  const values = { title, description, ...place }
  const origin = { id, owner: caller.user.name, now: context.now().toISOString() }
  unit.put(assetCategory.recordType, [id], buildRecord(assetCategory, values, origin))
}
