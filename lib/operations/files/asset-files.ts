// Rules of asset_file: create, update, delete. file-plans.ts plans their commits.

import { recheck } from '../../auth/caller.ts'
import { grantsAt, requireGrant } from '../../auth/grants.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { refuseField, requireObject } from '../../schema/check.ts'
import { isTimeField } from '../../schema/file-schedule.ts'
import { foldName } from '../../schema/names.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import type { JsonObject, Stored } from '../../schema/values.ts'
import type { ChangeContext, Context, RecordInput, RecordUpdate } from '../context.ts'
import { newId, withNewId } from '../new-id.ts'
import { IN_FOLDERS, type ObjectRules } from '../object-rules.ts'
import { tagOf } from '../present.ts'
import { atPlace, placedAt } from '../place-in-list.ts'
import { requireFileMatch, requireRecord } from '../requirements.ts'
import { viewOf } from '../visibility.ts'
import { doerOf } from '../trail/audit.ts'
import { contentBytes, trashDaysOf } from '../trash/trash-items.ts'
import {
  checkNewFile,
  type NewFile,
  planCreate,
  planSave,
  planUpdate,
  requireCreatable,
  requireCreator,
} from './file-plans.ts'
import { type Removal, removeRecord } from '../references/remove-record.ts'
import { clearFiles, rootRemovalOf } from './file-removal.ts'
import { encodedPage, fileVisibility } from './file-visibility.ts'
import { requireLayout } from './layouts.ts'
import { BATCH_LINKS } from './link-rows.ts'
import { commitBytes, removeBytes, requireFieldSize, sealNext, sealPage } from './page-bytes.ts'
import { commitChecked } from './stml-pages.ts'
import { requirePageType } from './type-changes.ts'
import { findLatest } from './versions.ts'

const SAVES =
  'Every save creates a version: a body with any field besides fileState, publish_at, unpublish_at, stage_at and pinned_versions, even ' +
  'if the value is unchanged. An empty body creates none. A save moves neither the live nor the staged version. pageContent null is accepted if a read ' +
  'returns null, and rejected if the file has a text.'

const FILE_STATE =
  'A body with fileState also publishes or stages, in the same commit. fileState alone needs the grant ' +
  'publish or stage, but not modify.'

const TIMES =
  'publish_at, unpublish_at and stage_at let the server move a pointer later; alone, they need the grant publish or stage, but not ' +
  'modify. publish_at and stage_at name the latest version at that moment, including a version that the same body saves. Publishing ' +
  'or staging that version or a later one by hand clears the time. If a time cannot be kept, the record says why in schedule_fault.'

const POSTED_BACK =
  'A record that was read can be posted back: in a body with live_version, an unchanged fileState ' +
  'moves nothing. fileState null is accepted if the stored value is null, and unpublishes nothing (use …/unpublish for that). To publish the latest version again, send fileState without live_version.'

export const fileRules: ObjectRules = {
  ...fileVisibility,
  ...IN_FOLDERS,
  // A body with fileState alone needs publish or stage, but not modify.
  changeAccess: { ...IN_FOLDERS.changeAccess, update: ['modify', 'publish', 'stage'] },
  body: 'page',
  // Even an empty file needs space for content.
  needsRoom: 'content',
  create: createFile,
  createAll: createFiles,
  update: updateFile,
  remove: removeFile,
  clear: clearFiles,
  notes: {
    create: [FILE_STATE, TIMES],
    update: [SAVES, FILE_STATE, TIMES, POSTED_BACK],
  },
}

/** Creates a file with its first version; without pageContent the file is empty, or an empty page. */
async function createFile(context: Context, body: unknown): Promise<Stored> {
  const { fields, text } = checkNewFile(body)
  requireFieldSize(context, [fields])
  requireCreatable(context.records, context.caller, fields)
  requireLayout(context.records, context.caller, fields)

  return withNewId(context.records, assetFile.recordType, async (id) => {
    const bytes = await sealPage(context, { fileId: id, type: String(fields['type']), text })
    const file = { id, fields, bytes }
    return commitBytes(context, [file], (unit) => planCreate(unit, context, file))
  })
}

/** Saves a version, publishes or stages, as the body asks, in one commit. */
async function updateFile(context: Context, input: RecordUpdate): Promise<Stored> {
  const body = requireObject(input.body)
  const { pageContent, ...rest } = body
  const hasPage = typeof pageContent === 'string'
  const isTold = pageContent === null && (await showsNoPage(context, input.id))
  // A value that is not a text stays among the fields, so that its fault is reported together with theirs.
  const fields: JsonObject = hasPage || isTold ? rest : body
  requireFieldSize(context, [rest])
  const isSave = Object.keys(body).some(
    (name) => name !== 'fileState' && !isTimeField(name) && name !== 'pinned_versions',
  )
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

async function removeFile(
  context: ChangeContext,
  { id, precondition }: RecordInput,
): Promise<Removal> {
  const sizeBytes = await trashBytes(context, id)
  return removeRecord(context, {
    target: { object: 'asset_file', module_id: null, id },
    check(unit) {
      const caller = recheck(unit, context.caller, context.now())
      const { stored, record } = requireRecord(unit, assetFile, id)
      requireGrant(unit, caller, 'delete', record.parent_category_id)
      const tag = tagOf(viewOf(context, { reader: unit, as: caller }), fileVisibility, stored)
      requireFileMatch(precondition, { stored, record }, tag)
      return caller
    },
    item(unit) {
      const { name, parent_category_id } = requireRecord(unit, assetFile, id).record
      return { object: 'asset_file', object_id: id, name, asset_category_id: parent_category_id }
    },
    removeRoot: rootRemovalOf(context, { fileId: id, doer: doerOf(context.origin), sizeBytes }),
  })
}

/** The bytes that the trash gains; not counted for callers who may not delete the file. */
async function trashBytes(context: Context, id: number): Promise<number> {
  const { records, caller } = context
  const file = records.get(assetFile.recordType, id)?.value
  const isAllowed =
    file !== undefined && grantsAt(records, caller, file.parent_category_id).has('delete')
  if (!isAllowed || trashDaysOf(records, context) === 0) return 0
  return (await contentBytes(context, [id])).get(id) ?? 0
}

type Checked = ReturnType<typeof checkNewFile>

/**
 * Creates several files in one request: all or none, in one commit. A commit is expensive and each file in it is
 * cheap, so this is the fast way to create many small files. Returns the files in the order of the bodies. A refusal names
 * the place in the list and applies to the whole list.
 */
async function createFiles(
  context: Context,
  bodies: readonly unknown[],
): Promise<readonly Stored[]> {
  const names = new Set<string>()
  const checked = bodies.map((body, index) =>
    atPlace(`/${index}`, () => checkNew(context, body, names)),
  )
  requireFieldSize(
    context,
    checked.map(({ fields }) => fields),
  )
  const files = await sealAll(context, checked)

  return commitBytes(context, files, (unit) => {
    // A folder may be deep, so its rights are checked once.
    const allowed = new Set<string>()
    return files.map((file, index) =>
      atPlace(`/${index}`, () => planCreate(unit, context, file, allowed)),
    )
  })
}

/**
 * `names` are the earlier names of the list. Names in the folder are checked only in the commit: one lookup per file
 * here would be an eighth of the whole work.
 */
function checkNew(context: Context, body: unknown, names: Set<string>): Checked {
  const checked = checkNewFile(body)
  const { fields: values } = checked
  requireCreator(context.records, context.caller, values)
  requireLayout(context.records, context.caller, values)
  const name = `${String(values['parent_category_id'])}/${foldName(String(values['name']))}`
  if (names.has(name)) refuseField('name', 'is in the list twice for the same folder')
  names.add(name)
  return checked
}

async function sealAll(context: Context, checked: readonly Checked[]): Promise<readonly NewFile[]> {
  const files: NewFile[] = []
  const slice = openTimeSlice()
  let linkCount = 0
  for (const [index, { fields, text }] of checked.entries()) {
    const id = await newId(context.records, assetFile.recordType)
    try {
      const page = { fileId: id, type: String(fields['type']), text }
      const { links, ...bytes } = await sealPage(context, page)
      linkCount += links?.addresses?.length ?? 0
      // The background reads the links of the other pages, in several commits.
      files.push({
        id,
        fields,
        bytes: links && linkCount <= BATCH_LINKS ? { ...bytes, links } : bytes,
      })
    } catch (error) {
      await removeBytes(context, files)
      throw placedAt(`/${index}`, error)
    }
    if (slice.isOver(text.length)) await slice.next()
  }
  return files
}
