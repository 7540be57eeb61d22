// Files and pages: create, read, update, delete. What a create and an update come to is in file-plans.ts.

import { recheck } from '../auth/caller.ts'
import { grantsAt, requireGrant } from '../auth/grants.ts'
import { CmsError } from '../errors.ts'
import { type AssetFile, type AssetFileVersion, assetFile } from '../schema/asset-file.ts'
import { checkCreate, requireObject } from '../schema/check.ts'
import { valueOf } from '../schema/record.ts'
import type { JsonObject, Stored } from '../storage/port.ts'
import type { Context, Precondition } from './context.ts'
import { planCreate, planSave, planUpdate, requireCreatable } from './file-plans.ts'
import { newWorkId, putWork, runRemove } from './pending-work.ts'
import { commitBytes, isLatestText, sealPage } from './page-bytes.ts'
import { removeFileRecords, runForget } from './purge.ts'
import { requireFileMatch, requireRecord } from './require.ts'
import { contentName, requireVersion } from './versions.ts'

/** Creates a file with its first version, which is empty when there is no pageContent. */
export async function createFile(context: Context, body: unknown): Promise<Stored> {
  const values = checkCreate(assetFile, body)
  const { pageContent, ...fields } = values
  requireCreatable(context.records, context.caller, fields)

  const id = context.records.nextId(assetFile.recordType)
  const bytes = await sealPage(context, {
    fileId: id,
    type: String(fields['type']),
    text: pageContent,
  })
  const file = { id, fields, bytes }
  return commitBytes(context, [file], (unit) => planCreate(unit, context, file))
}

export interface UpdateInput {
  readonly id: number
  readonly body: unknown
  readonly precondition: Precondition | undefined
}

/** Changes fields, saves a new text, publishes or stages: what the body holds, in one commit. */
export async function updateFile(context: Context, input: UpdateInput): Promise<Stored> {
  const { pageContent, ...rest } = requireObject(input.body)
  const { stored, record } = requireRecord<AssetFile>(context.records, assetFile, input.id)
  const hasPage = typeof pageContent === 'string'
  // What is no text stays among the fields, to be refused together with their faults.
  const isWrong = !hasPage && pageContent !== undefined && pageContent !== null
  const fields: JsonObject = isWrong ? { ...rest, pageContent } : rest
  const update = { fields, hasPage, ...input }
  planUpdate(context.records, context, update)

  if (!hasPage) {
    return context.records.commit((unit) =>
      planSave(unit, context, { bytes: undefined, ...update }),
    )
  }
  const type = typeof fields['type'] === 'string' ? fields['type'] : record.type
  // Under another type the same text is checked anew.
  if (type === record.type && (await isLatestText(context, stored, pageContent))) {
    return context.records.commit((unit) =>
      planSave(unit, context, { bytes: undefined, ...update }),
    )
  }
  const bytes = await sealPage(context, { fileId: input.id, type, text: pageContent })
  return commitBytes(context, [{ id: input.id, bytes }], (unit) =>
    planSave(unit, context, { bytes, checkedType: type, ...update }),
  )
}

export async function removeFile(
  context: Context,
  { id, precondition }: { readonly id: number; readonly precondition: Precondition | undefined },
): Promise<void> {
  const [workId, forgetId] = [newWorkId(), newWorkId()]
  const { contents, isWhole } = await context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const { stored, record } = requireRecord<AssetFile>(unit, assetFile, id)
    requireGrant(unit, caller, 'delete', record.parent_category_id)
    requireFileMatch(precondition, { stored, record })

    const removed = removeFileRecords(unit, context, id)
    putWork(unit, workId, { kind: 'remove', contents: removed.contents })
    if (!removed.isWhole) putWork(unit, forgetId, { kind: 'forget', asset_file_id: id })
    return removed
  })
  // The file is gone already: what keeps its bytes is for the log, and the next start tries again.
  await context.background.run('remove', () => runRemove(context, workId, contents))
  if (!isWhole) await context.background.run('forget', () => runForget(context, forgetId, id))
}

/** Asks for room before a text is read, as many that are read at once would be in memory before they count. False, or throws: none. */
export type TakePage = (sizeBytes: number) => boolean

/**
 * The text of a page as a JSON string, or `null`: of the latest version for who may change or show
 * it, of the live version for who may only view. Also where there is no room for it.
 */
export async function readPage(
  context: Context,
  stored: Stored,
  takePage?: TakePage,
): Promise<string | Uint8Array> {
  const file = valueOf<AssetFile>(stored)
  const held = grantsAt(context.records, context.caller, file.parent_category_id)
  const maySeeLatest = held.has('modify') || held.has('stage') || held.has('publish')
  const number = maySeeLatest ? file.version : file.live_version
  if (number === null) return 'null'

  const version = requireVersion(context.records, file.asset_file_id, number)
  if (!version.is_text || version.size > context.limits.pageBytes) return 'null'
  return takePage?.(version.size) === false ? 'null' : encodedPage(context, version)
}

async function encodedPage(
  context: Context,
  version: AssetFileVersion,
): Promise<string | Uint8Array> {
  const { size: sizeBytes, sha256 } = version
  const { pageJsonBytes: maxBytes } = context.limits
  const expected = { sizeBytes, sha256, maxBytes }
  const encoded = await context.contents.encode(contentName(version), expected)
  if (encoded !== undefined) return encoded
  // Not found, where the file was deleted meanwhile.
  requireVersion(context.records, version.asset_file_id, version.version)
  throw new CmsError(
    'content-damaged',
    `The bytes of version ${version.version} are not those that were saved.`,
  )
}
