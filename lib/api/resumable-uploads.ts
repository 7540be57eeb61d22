// Resumable uploads by tus 1.0.0. The protocol is implemented here instead of by @tus/server, because uploads must take the
// same path as every other request. docs/internals/resumable-uploads.md has the reasons.

import { requireIdentityEncoding, hasBody } from '../http/body.ts'
import { withLeastRate, withStallLimit } from '../http/idle-timeout.ts'
import { receiveChunks } from '../http/received-chunks.ts'
import { empty, json } from '../http/reply.ts'
import type { ReceivedBody } from '../operations/files/append-upload.ts'
import {
  appendUpload,
  beginUpload,
  endUpload,
  findUpload,
  type UploadProgress,
} from '../operations/files/partial-uploads.ts'
import {
  APPEND_UPLOAD,
  BEGIN_UPLOAD,
  END_UPLOAD,
  READ_UPLOAD,
} from './docs/resumable-upload-docs.ts'
import { readPrecondition, type Request, requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'
import {
  optionHeaders,
  progressHeaders,
  readBytes,
  readChecksum,
  readMetadata,
  readNewLength,
  requireBytesType,
  requireTus,
  TUS_HEADERS,
} from './tus-headers.ts'
import { CmsError } from '../base/errors.ts'
import { takeAllowance } from './upload.ts'

const PATH = '/api/v2/uploads'

export function resumableUploadRoutes(maxUploadBytes: number): readonly Route[] {
  const ofAll = { headers: TUS_HEADERS, optionHeaders: optionHeaders(maxUploadBytes) }
  return [BEGIN, READ, APPEND, END].map((route) => Object.freeze({ ...route, ...ofAll }))
}

const BEGIN = defineRoute({
  method: 'POST',
  path: PATH,
  access: ['create', 'modify'],
  action: 'upload',
  summary: 'Begin a resumable upload',
  docs: BEGIN_UPLOAD,
  needsRoom: 'content',
  // A retry begins another upload; the first one expires.
  recall: 'same',
  read(request) {
    const { message, limits, query } = request
    requireTus(message)
    requireKnownParameters(query, [])
    const { text: metadata, ...target } = readMetadata(message, limits.uploadMetadataBytes)
    const precondition = readPrecondition(request)
    const body = hasBody(message) ? bodyOf(request) : undefined
    return { ...target, metadata, length: readNewLength(message), precondition, body }
  },
  run: beginUpload,
  reply: (progress) =>
    empty(201, { location: `${PATH}/${progress.upload.uid}`, ...progressHeaders(progress) }),
})

const READ = defineRoute({
  method: 'GET',
  path: `${PATH}/:upload`,
  access: 'key',
  summary: 'Read the offset of a resumable upload',
  docs: READ_UPLOAD,
  read(request) {
    if (request.message.method === 'HEAD') requireTus(request.message)
    requireKnownParameters(request.query, [])
    return uidOf(request)
  },
  run: findUpload,
  reply: (progress) =>
    json(200, bodyFrom(progress), { ...progressHeaders(progress), ...lengthHeaders(progress) }),
})

const APPEND = defineRoute({
  method: 'PATCH',
  path: `${PATH}/:upload`,
  access: ['create', 'modify'],
  action: 'upload',
  summary: 'Append bytes to a resumable upload',
  docs: APPEND_UPLOAD,
  needsRoom: 'content',
  // The offset makes a retry harmless.
  recall: 'same',
  read(request) {
    const { message, query } = request
    requireTus(message)
    requireKnownParameters(query, [])
    return {
      uid: uidOf(request),
      offset: requireOffset(request),
      length: readBytes(message, 'upload-length'),
      precondition: readPrecondition(request),
      body: bodyOf(request),
    }
  },
  run: appendUpload,
  reply: (progress) => empty(204, progressHeaders(progress)),
})

const END = defineRoute({
  method: 'DELETE',
  path: `${PATH}/:upload`,
  access: 'key',
  action: 'upload',
  summary: 'Cancel a resumable upload',
  docs: END_UPLOAD,
  read(request) {
    requireTus(request.message)
    requireKnownParameters(request.query, [])
    return uidOf(request)
  },
  run: endUpload,
  reply: () => empty(204),
})

function uidOf({ params }: Request): string {
  return params['upload'] ?? ''
}

function requireOffset({ message }: Request): number {
  const offset = readBytes(message, 'upload-offset')
  if (offset !== undefined) return offset
  throw new CmsError('bad-request', 'Send the header Upload-Offset.')
}

function bodyOf(request: Request): ReceivedBody {
  const { message, limits, continueBody } = request
  requireIdentityEncoding(message)
  requireBytesType(message)
  const { 'content-length': said } = message.headers
  const least = { windowMs: limits.uploadWindowMs, windowBytes: limits.uploadWindowBytes }
  return {
    sizeBytes: said === undefined ? undefined : Number(said),
    checksum: readChecksum(message),
    async receive(take, signal) {
      takeAllowance(request)
      continueBody()
      await withStallLimit(message.socket, limits.stallTimeoutMs, () =>
        withLeastRate(message, least, () => receiveChunks(message, take, signal)),
      )
    },
  }
}

function lengthHeaders({ upload: { length, metadata } }: UploadProgress): Record<string, string> {
  return {
    ...(length === null ? { 'upload-defer-length': '1' } : { 'upload-length': String(length) }),
    ...(metadata !== null && { 'upload-metadata': metadata }),
  }
}

function bodyFrom({ upload: { offset, length, made }, expires }: UploadProgress): object {
  return {
    offset,
    length,
    date_expires: expires?.toISOString() ?? null,
    asset_file_id: made?.asset_file_id ?? null,
    version: made?.version ?? null,
  }
}
