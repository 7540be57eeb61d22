// Uploads: bytes of any kind, for a new file or as the next version of an existing one. POST /upload receives the bytes
// before anything is decided, because the form may describe them at its end. A resumable upload (partial-uploads.ts) is
// described first, and is checked before each request sends bytes.

import { hash } from 'node:crypto'
import { CmsError } from '../../base/errors.ts'
import { type AssetFile, assetFile } from '../../schema/asset-file.ts'
import { checkCreate } from '../../schema/check.ts'
import { typeOfName } from '../../schema/media-type.ts'
import type { JsonObject, Stored } from '../../schema/values.ts'
import type { Received, WriteOptions } from '../../storage/port.ts'
import type { Context, Precondition } from '../context.ts'
import { planCreate, planSave, planUpdate, requireCreatable } from './file-plans.ts'
import { commitBytes, isSameAs, type NewBytes, removeBytes, type Saved } from './page-bytes.ts'
import { withLinks } from './link-rows.ts'
import { withFacts } from './picture-facts.ts'
import { requireRecord } from '../requirements.ts'
import { requireExplicitType } from './type-changes.ts'
import { findLatest, type SharedBytes } from './versions.ts'
import { withNewId } from '../new-id.ts'

/** An upload without its bytes. */
export interface UploadTarget {
  /** Exactly one of the two is set. */
  readonly fileId: number | undefined
  readonly categoryId: number | undefined
  /** Optional parts of the form: name, type, title, alt_text, focus, version_note, fileState. */
  readonly fields: Readonly<Record<string, string>>
  readonly fileName: string | undefined
  /** For the file that is replaced. */
  readonly precondition: Precondition | undefined
}

export interface Upload extends UploadTarget {
  readonly received: Received
}

export interface Uploaded {
  readonly stored: Stored<AssetFile>
  readonly isNew: boolean
}

/** Saves the upload; drops the received bytes if it is refused. */
export async function saveUpload(context: Context, upload: Upload): Promise<Uploaded> {
  const { received } = upload
  let isSettled = false
  const settling: Received = {
    ...received,
    seal(options) {
      isSettled = true
      return received.seal(options)
    },
    discard() {
      isSettled = true
      return received.discard()
    },
  }

  try {
    const stored =
      upload.fileId === undefined
        ? await createUpload(context, { ...upload, received: settling })
        : await replaceUpload(context, { ...upload, received: settling }, upload.fileId)
    return { stored, isNew: upload.fileId === undefined }
  } catch (error) {
    if (!isSettled) await received.discard()
    throw error
  }
}

/** Throws if the upload would be refused now, before any bytes are received. */
export function requireUploadable(context: Context, target: UploadTarget): void {
  const { fileId: id, precondition, fileName } = target
  if (id === undefined)
    return requireCreatable(context.records, context.caller, checkNew(target).checked)
  const { record } = requireRecord(context.records, assetFile, id)
  const fields = target.fields as JsonObject
  planUpdate(context.records, context, { id, fields, isSave: true, precondition })
  requireExplicitType(record, fields, fileName)
}

function checkNew({ categoryId, fields, fileName }: UploadTarget) {
  const name = fields['name'] ?? fileName
  if (name === undefined) {
    throw new CmsError(
      'bad-multipart',
      'Give the part Filedata a file name, or send the part name.',
    )
  }
  const values = checkCreate(assetFile, {
    ...fields,
    name,
    type: fields['type'] ?? typeOfName(name),
    parent_category_id: categoryId,
  })
  const { pageContent, ...checked } = values
  return { checked }
}

async function createUpload(context: Context, upload: Upload): Promise<Stored<AssetFile>> {
  const { received } = upload
  const { checked } = checkNew(upload)
  requireCreatable(context.records, context.caller, checked)

  return withNewId(context.records, assetFile.recordType, async (id) => {
    const sealed = await received.seal({ fileId: id, type: String(checked['type']) })
    const bytes = await describe(context, { id, bytes: sealed }, String(checked['type']))
    const file = { id, fields: checked, bytes }
    return commitBytes(context, [file], (unit) => planCreate(unit, context, file))
  })
}

async function replaceUpload(
  context: Context,
  { fields, fileName, received, precondition }: Upload,
  id: number,
): Promise<Stored<AssetFile>> {
  const { record } = requireRecord(context.records, assetFile, id)
  const update = { id, fields: fields as JsonObject, isSave: true, precondition }
  planUpdate(context.records, context, update)
  requireExplicitType(record, update.fields, fileName)

  const checkedType = fields['type'] ?? record.type
  const saved = await sealReceived(context, { fileId: id, type: checkedType }, received)
  const sealed = 'bytes' in saved ? [{ id, bytes: saved.bytes }] : []
  return commitBytes(context, sealed, (unit) => {
    requireExplicitType(requireRecord(unit, assetFile, id).record, update.fields, fileName)
    return planSave(unit, context, { ...saved, checkedType, ...update })
  })
}

/** Does not store bytes again that the latest version has; bytes received in memory are not even written. */
async function sealReceived(
  context: Context,
  { fileId, type }: WriteOptions,
  received: Received,
): Promise<Saved> {
  const { bytes } = received
  const latest = findLatest(context.records, fileId)
  if (bytes === undefined || latest?.size !== bytes.length) {
    const sealed = await received.seal({ fileId, type })
    return bytes === undefined
      ? withoutCopy(context, { id: fileId, bytes: sealed }, type)
      : { bytes: await describe(context, { id: fileId, bytes: sealed }, type) }
  }

  const sha256 = hash('sha256', bytes)
  if (await isSameAs(context, latest, { sizeBytes: bytes.length, sha256, type, bytes })) {
    await received.discard()
    return { sameAs: latest.version }
  }
  const sealed = await received.seal({ fileId, type, sha256 })
  return { bytes: await describe(context, { id: fileId, bytes: sealed }, type) }
}

/** The bytes with what the commit stores beside them. */
async function describe(
  context: Context,
  { id, bytes }: NewBytes,
  type: string,
): Promise<SharedBytes> {
  return withLinks(context, await withFacts(context, id, bytes), { type })
}

async function withoutCopy(context: Context, file: NewBytes, type: string): Promise<Saved> {
  const { id, bytes } = file
  const latest = findLatest(context.records, id)
  const isSame = latest !== undefined && (await isSameAs(context, latest, { ...bytes, type }))
  if (!isSame) return { bytes: await describe(context, file, type) }
  await removeBytes(context, [file])
  return { sameAs: latest.version }
}
