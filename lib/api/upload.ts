// POST /upload: a multipart form with the bytes of a file, which are streamed to storage.

import { createHash } from 'node:crypto'
import { uploadDocs } from './docs/asset-file-docs.ts'
import { CmsError } from '../base/errors.ts'
import { tooLargeForm } from '../http/form-error.ts'
import { requireIdentityEncoding } from '../http/body.ts'
import { type FormHandler, readForm } from '../http/multipart.ts'
import { withLeastRate, withStallLimit } from '../http/idle-timeout.ts'
import type { Context } from '../operations/context.ts'
import { fileVisibility } from '../operations/files/file-visibility.ts'
import { replayMade } from '../operations/visibility.ts'
import { saveUpload, type Upload } from '../operations/files/uploads.ts'
import { TIME_FIELDS } from '../schema/file-schedule.ts'
import { parseIdentifier } from '../schema/names.ts'
import type { Received } from '../storage/port.ts'
import { recordReply } from './request/record-reply.ts'
import { readPrecondition, type Request, requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const PARTS = {
  file: 'Filedata',
  fields: new Set([
    'asset_file_id',
    'asset_category_id',
    'name',
    'type',
    'title',
    'alt_text',
    'focus',
    'version_note',
    'fileState',
    ...Object.values(TIME_FIELDS),
  ]),
}

export const uploadRoutes = (maxUploadBytes: number): readonly Route[] => [
  defineRoute({
    method: 'POST',
    path: '/upload',
    access: ['create', 'modify'],
    action: 'upload',
    summary: 'Create a file from bytes, or replace the content of one',
    docs: uploadDocs(maxUploadBytes),
    needsRoom: 'content',
    // Reading streams the bytes to storage.
    read: (request, context) => {
      requireKnownParameters(request.query, [])
      requireIdentityEncoding(request.message)
      return readUpload(context, request)
    },
    drop: ({ received }) => received.discard(),
    run: (context, upload) => saveUpload(context, upload),
    recall: (context, { fileId }, { made }) => ({
      stored:
        fileId === undefined
          ? replayMade(context, fileVisibility, made)
          : fileVisibility.seen.requireMade(context, fileId),
      isNew: fileId === undefined,
    }),
    reply: ({ stored, isNew }, request, context) =>
      recordReply(context, request, {
        status: isNew ? 201 : 200,
        visibility: fileVisibility,
        stored,
        isBare: true,
        ...(isNew && {
          headers: {
            location: `/api/v2/asset_file/${stored.value.asset_file_id}`,
          },
        }),
      }),
  }),
]

function readUpload(context: Context, request: Request): Promise<Upload> {
  const { message, limits } = request
  const least = { windowMs: limits.uploadWindowMs, windowBytes: limits.uploadWindowBytes }
  return withStallLimit(message.socket, limits.stallTimeoutMs, () =>
    withLeastRate(message, least, () => readParts(context, request)),
  )
}

async function readParts({ contents, limits }: Context, request: Request): Promise<Upload> {
  const { fingerprint } = request
  const fileHash = fingerprint && createHash('sha256')
  const { formFieldBytes, formBytes } = request.limits
  const maxBodyBytes = limits.maxUploadBytes + formBytes
  const formLimits = { maxFieldBytes: formFieldBytes, maxFields: PARTS.fields.size, maxBodyBytes }
  requireDeclaredSize(request, maxBodyBytes)
  takeAllowance(request)
  const onChunk = (chunk: Buffer): void => void fileHash?.update(chunk)
  const handler: FormHandler<Received> = {
    file: (stream) => contents.receive(stream, { maxBytes: limits.maxUploadBytes, onChunk }),
    drop: (received) => received.discard(),
  }
  request.continueBody()
  const form = await readForm(request.message, PARTS, formLimits, handler)
  // Hashes the parts instead of the body, because the boundary and the order of parts may differ between attempts.
  const parts = [...form.fields].toSorted(([left], [right]) => (left < right ? -1 : 1))
  fingerprint?.update(JSON.stringify([parts, form.fileName ?? null, fileHash?.digest('hex')]))

  try {
    // Browsers send empty fields as empty text.
    const {
      asset_file_id: fileId,
      asset_category_id: categoryId,
      ...fields
    } = Object.fromEntries([...form.fields].filter(([, text]) => text !== ''))
    if ((fileId === undefined) === (categoryId === undefined)) {
      throw new CmsError(
        'bad-multipart',
        'Send exactly one of the parts asset_file_id and asset_category_id.',
      )
    }
    return {
      fileId: fileId === undefined ? undefined : readFormId('asset_file_id', fileId),
      categoryId:
        categoryId === undefined ? undefined : readFormId('asset_category_id', categoryId),
      fields,
      fileName: form.fileName,
      received: form.file,
      precondition: readPrecondition(request),
    }
  } catch (error) {
    await form.file.discard()
    throw error
  }
}

/** Rejects a form whose declared size is too large before the client sends it. */
function requireDeclaredSize({ message }: Request, maxBytes: number): void {
  if (Number(message.headers['content-length'] ?? 0) <= maxBytes) return
  throw tooLargeForm(maxBytes)
}

/**
 * A form that may exceed the in-memory limit is streamed to a file and counts as an upload. A smaller form counts with its
 * declared size as memory.
 */
export function takeAllowance({ message, allowance, holder, limits }: Request): void {
  const { 'content-length': said } = message.headers
  const sizeBytes = said === undefined ? Number.POSITIVE_INFINITY : Number(said)
  if (sizeBytes > limits.inlineUploadBytes) allowance.takeUpload(message, holder)
  else allowance.takeBody(message, holder, sizeBytes)
}

function readFormId(name: string, text: string): number {
  const id = parseIdentifier(text)
  if (id !== undefined) return id
  throw new CmsError(
    'bad-multipart',
    `The part ${name} must be an identifier: a whole number from 1.`,
  )
}
