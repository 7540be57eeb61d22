// Resumable uploads: begin, append, find and end. Every request checks the grants again. The offset in the row counts only
// durable bytes, and it equals the length only in the commit that creates the file or its version. A client that finds an
// upload complete can therefore rely on the file, and no retry creates the file twice.

import { randomUUID } from 'node:crypto'
import { recheck } from '../../auth/caller.ts'
import { noSuchRecord } from '../../auth/grants.ts'
import { CmsError } from '../../base/errors.ts'
import { isSession } from '../../schema/api-key.ts'
import { type PartialUpload, partialUpload } from '../../schema/partial-upload.ts'
import type { Unit } from '../../storage/port.ts'
import type { Context, Precondition } from '../context.ts'
import { appendBytes, type ReceivedBody, stateOf, wrongOffset } from './append-upload.ts'
import type { UploadStore } from './upload-turns.ts'
import { requireUploadable, type UploadTarget } from './uploads.ts'

export interface NewUpload extends UploadTarget {
  readonly metadata: string | null
  /** Null if the client sends the length later. */
  readonly length: number | null
  /** Undefined if the request has no bytes. */
  readonly body: ReceivedBody | undefined
}

export interface Append {
  readonly uid: string
  readonly offset: number
  /** The length, if the client deferred it and sends it now. */
  readonly length: number | undefined
  readonly body: ReceivedBody
  readonly precondition: Precondition | undefined
}

export interface UploadProgress {
  readonly upload: PartialUpload
  /** Undefined if the upload is complete. */
  readonly expires: Date | undefined
}

/** Begins an upload, and appends the bytes of the request if there are any. */
export async function beginUpload(context: Context, input: NewUpload): Promise<UploadProgress> {
  const { length, body, precondition } = input
  const { records } = requireStore(context)
  requireLength(context, length)
  requireUploadable(context, input)
  context.room.require('content', length ?? 0)
  const { user, key } = context.caller
  const upload: PartialUpload = {
    uid: randomUUID().replaceAll('-', ''),
    user_id: user.user_id,
    api_key_id: isSession(key) ? null : key.api_key_id,
    asset_file_id: input.fileId ?? null,
    asset_category_id: input.categoryId ?? null,
    fields: input.fields,
    file_name: input.fileName ?? null,
    metadata: input.metadata,
    length,
    offset: 0,
    date_active: context.now().toISOString(),
  }
  await records.commit((unit) => {
    recheck(unit, context.caller, context.now())
    requireFew(unit, upload, context.limits)
    unit.put(partialUpload, [upload.uid], upload)
  })
  if (body === undefined && length !== 0) return progressOf(context, upload)
  const append = { uid: upload.uid, offset: 0, length: undefined, precondition }
  return appendUpload(context, { ...append, body: body ?? EMPTY })
}

const EMPTY: ReceivedBody = {
  sizeBytes: 0,
  checksum: undefined,
  receive: async () => undefined,
}

/** Appends the bytes of a request. The last bytes create the file or its version. */
export async function appendUpload(context: Context, input: Append): Promise<UploadProgress> {
  const { turns, records } = requireStore(context)
  requireOwn(context, input.uid)
  const turn = await turns.take(input.uid)
  try {
    // The request that was stopped may have committed.
    await records.renew()
    const upload = withLength(context, requireOpen(context, input), input.length)
    requireUploadable(context, targetOf(upload, input.precondition))
    const { sizeBytes = 0 } = input.body
    requireFits(upload, upload.offset + sizeBytes)
    context.room.require('content', sizeBytes)
    const appended = await appendBytes(context, {
      upload,
      store: requireStore(context),
      body: input.body,
      target: targetOf(upload, input.precondition),
      signal: turn.signal,
    })
    return progressOf(context, appended)
  } finally {
    turn.end()
  }
}

/** The upload, if it belongs to the user of the caller. */
export function findUpload(context: Context, uid: string): UploadProgress {
  return progressOf(context, requireOwn(context, uid))
}

/** Ends an upload and removes its bytes. If the upload is complete, the file stays. */
export async function endUpload(context: Context, uid: string): Promise<void> {
  const { turns, records, partials } = requireStore(context)
  requireOwn(context, uid)
  const turn = await turns.take(uid)
  try {
    await records.renew()
    const upload = requireOwn(context, uid)
    await records.commit((unit) => {
      recheck(unit, context.caller, context.now())
      unit.remove(partialUpload, uid)
    })
    await partials.remove(stateOf(upload))
  } finally {
    turn.end()
  }
}

function requireStore({ uploads }: Pick<Context, 'uploads'>): UploadStore {
  if (uploads !== undefined) return uploads
  throw new CmsError('read-only', 'This server accepts no uploads, because it is read-only.')
}

/** An expired upload no longer exists, even if its row is not removed yet. */
function requireOwn({ records, caller, limits, retentionClock }: Context, uid: string) {
  const upload = records.get(partialUpload, uid)?.value
  if (upload?.user_id !== caller.user.user_id) throw noSuchRecord()
  if (retentionClock.since(upload.date_active) > limits.uploadMs) throw noSuchRecord()
  return upload
}

function requireOpen(context: Context, { uid, offset }: Append): PartialUpload {
  const upload = requireOwn(context, uid)
  if (upload.made !== undefined) throw complete(upload.made.asset_file_id)
  if (upload.offset !== offset) throw wrongOffset(upload)
  return upload
}

function complete(fileId: number): CmsError {
  const detail = `The upload is complete. Its bytes are in the asset file ${fileId}.`
  return new CmsError('upload-offset', detail, { members: { asset_file_id: fileId } })
}

function withLength(
  context: Context,
  upload: PartialUpload,
  length: number | undefined,
): PartialUpload {
  if (length === undefined || length === upload.length) return upload
  if (upload.length !== null)
    throw new CmsError('bad-request', `The length of the upload is ${upload.length} already.`)
  requireLength(context, length)
  const known = { ...upload, length }
  requireFits(known, upload.offset)
  return known
}

function requireLength({ limits }: Pick<Context, 'limits'>, length: number | null): void {
  if (length === null || length <= limits.maxUploadBytes) return
  const detail = `A file may have at most ${limits.maxUploadBytes} bytes. Send a smaller file, or ask the operator to increase --max-upload-mb.`
  throw new CmsError('too-large', detail)
}

function requireFits({ length }: PartialUpload, sizeBytes: number): void {
  if (length === null || sizeBytes <= length) return
  throw new CmsError('too-large', `The upload has ${length} bytes; the request would exceed them.`)
}

function targetOf(upload: PartialUpload, precondition: Precondition | undefined): UploadTarget {
  return {
    fileId: upload.asset_file_id ?? undefined,
    categoryId: upload.asset_category_id ?? undefined,
    fields: upload.fields,
    fileName: upload.file_name ?? undefined,
    precondition,
  }
}

function progressOf({ limits }: Pick<Context, 'limits'>, upload: PartialUpload): UploadProgress {
  const endMs = Date.parse(upload.date_active) + limits.uploadMs
  return { upload, expires: upload.made === undefined ? new Date(endMs) : undefined }
}

type Bounds = Pick<
  Context['limits'],
  | 'maxUploadBytes'
  | 'resumableUploads'
  | 'resumableUploadsPerUser'
  | 'resumableSizes'
  | 'resumableSizesPerUser'
>

/** Bounds the unfinished uploads in number and in declared bytes. */
function requireFew(unit: Unit, next: PartialUpload, limits: Bounds): void {
  const { maxUploadBytes: largest } = limits
  const reserved = ({ length }: PartialUpload): number => length ?? largest
  const of = (values: readonly number[], most: number) =>
    unit
      .lookup(partialUpload, 'open', values, most)
      .flatMap(([uid]) => unit.get(partialUpload, String(uid))?.value ?? [])
  const exceeds = (uploads: readonly PartialUpload[], most: number, sizes: number): boolean =>
    uploads.length >= most ||
    uploads.reduce((sum, upload) => sum + reserved(upload), reserved(next)) > sizes * largest

  const { resumableUploadsPerUser: mostOfUser, resumableSizesPerUser: sizesOfUser } = limits
  if (exceeds(of([next.user_id], mostOfUser), mostOfUser, sizesOfUser))
    throw new CmsError(
      'too-many-requests',
      `A user may have ${mostOfUser} unfinished uploads with ${sizesOfUser * largest} bytes together. Finish an upload, or end it with DELETE.`,
      { headers: { 'retry-after': '60' } },
    )
  if (exceeds(of([], limits.resumableUploads), limits.resumableUploads, limits.resumableSizes))
    throw new CmsError(
      'unavailable',
      'The server has as many unfinished uploads as it may have. Try again.',
      { headers: { 'retry-after': '60' } },
    )
}
