// Files and pages: create, read, update, delete. file-plans.ts plans their commits.

import { recheck } from '../../auth/caller.ts'
import { requireGrant } from '../../auth/grants.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { requireObject } from '../../schema/check.ts'
import type { ForgetWork } from '../../schema/pending-work.ts'
import type { JsonObject, Stored } from '../../schema/values.ts'
import type { ChangeContext, Context, Precondition } from '../context.ts'
import { doerOf } from '../trail/audit.ts'
import { checkNewFile, planCreate, planSave, planUpdate, requireCreatable } from './file-plans.ts'
import { newWorkId, putWork, runRemove } from '../pending-work.ts'
import { commitBytes, sealNext, sealPage } from './page-bytes.ts'
import { encodedPage } from './page-text.ts'
import { removeFileRecords, runForget } from './file-removal.ts'
import { requireFileMatch, requireRecord } from '../requirements.ts'
import { commitChecked } from './stml-pages.ts'
import { requirePageType } from './type-changes.ts'
import { findLatest } from './versions.ts'
import { withNewId } from '../new-id.ts'

/** Creates a file with its first version; without pageContent the file is empty, or an empty page. */
export async function createFile(context: Context, body: unknown): Promise<Stored> {
  const { fields, text } = checkNewFile(body)
  requireCreatable(context.records, context.caller, fields)

  return withNewId(context.records, assetFile.recordType, async (id) => {
    const bytes = await sealPage(context, { fileId: id, type: String(fields['type']), text })
    const file = { id, fields, bytes }
    return commitBytes(context, [file], (unit) => planCreate(unit, context, file))
  })
}

export interface UpdateInput {
  readonly id: number
  readonly body: unknown
  readonly precondition: Precondition | undefined
}

/** Saves a version, publishes or stages, as the body asks, in one commit. */
export async function updateFile(context: Context, input: UpdateInput): Promise<Stored> {
  const body = requireObject(input.body)
  const { pageContent, ...rest } = body
  const hasPage = typeof pageContent === 'string'
  const isTold = pageContent === null && (await showsNoPage(context, input.id))
  // A value that is not a text stays among the fields, so that its fault is reported together with theirs.
  const fields: JsonObject = hasPage || isTold ? rest : body
  const isSave = Object.keys(body).some((name) => name !== 'fileState')
  const update = { ...input, fields, isSave }
  return hasPage ? savePage(context, update, pageContent) : saveFields(context, update)
}

/** A file without a text is read with pageContent null, so null may be posted back. */
async function showsNoPage(context: Context, id: number): Promise<boolean> {
  const version = findLatest(context.records, id)
  if (version === undefined || !version.is_text) return version !== undefined
  const { pageBytes, pageJsonBytes } = context.limits
  if (version.size > pageBytes) return true
  // Only a text with many escaped characters can exceed the JSON limit.
  const isSurelyShown = version.size * MAX_JSON_GROWTH + 2 <= pageJsonBytes
  if (isSurelyShown) return false
  const encoded = await encodedPage(context, version)
  return Buffer.from(encoded.slice(0, 4)).toString() === 'null'
}

/** `\u0001` for one byte. */
const MAX_JSON_GROWTH = 6

type FileUpdate = Parameters<typeof planUpdate>[2]

async function savePage(context: Context, update: FileUpdate, text: string): Promise<Stored> {
  const { record } = planUpdate(context.records, context, update)
  const { id, fields } = update
  const { type: wanted } = fields
  const isTypeTold = typeof wanted === 'string'
  const type = isTypeTold ? wanted : record.type
  requirePageType(context.records, { id, type, isTypeTold, text })
  const saved = await sealNext(context, { fileId: id, type, text })
  const sealed = 'bytes' in saved ? [{ id, bytes: saved.bytes }] : []
  return commitBytes(context, sealed, (unit) => {
    const present = isTypeTold ? type : requireRecord(unit, assetFile, id).record.type
    requirePageType(unit, { id, type: present, isTypeTold, text })
    return planSave(unit, context, { ...saved, checkedType: type, ...update })
  })
}

/** Keeps the bytes; if the change shows them, they are checked for the type. */
async function saveFields(context: Context, update: FileUpdate): Promise<Stored> {
  const { state } = planUpdate(context.records, context, update)
  const { type } = update.fields
  return commitChecked(context, {
    find(reader) {
      const latest = state === undefined ? undefined : findLatest(reader, update.id)
      return latest && (typeof type === 'string' ? { ...latest, type } : latest)
    },
    enter: () => planUpdate(context.records, context, update),
    plan: (unit) => planSave(unit, context, update),
  })
}

export async function removeFile(
  context: ChangeContext,
  { id, precondition }: { readonly id: number; readonly precondition: Precondition | undefined },
): Promise<void> {
  const [workId, forgetId] = [newWorkId(), newWorkId()]
  const { contents, forget } = await context.records.commit((unit) => {
    const caller = recheck(unit, context.caller, context.now())
    const { stored, record } = requireRecord(unit, assetFile, id)
    requireGrant(unit, caller, 'delete', record.parent_category_id)
    requireFileMatch(precondition, { stored, record })

    const removed = removeFileRecords(unit, context, id)
    putWork(unit, workId, { kind: 'remove', contents: removed.contents })
    if (removed.isWhole) return { ...removed, forget: undefined }
    const work: ForgetWork = {
      kind: 'forget',
      asset_file_id: id,
      asset_category_id: record.parent_category_id,
      doer: doerOf(context.origin),
    }
    putWork(unit, forgetId, work)
    return { ...removed, forget: work }
  })
  // The file is gone already: an error here is only logged, and the next start tries again.
  await context.background.run('remove', () => runRemove(context, workId, contents))
  if (forget !== undefined)
    await context.background.run('forget', () => runForget(context, forgetId, forget))
}
