// OpenAPI descriptions of resumable uploads.

import type { ParameterObject, ResponseObject } from 'openapi3-ts/oas31'
import { headersOf, jsonAnswer, NO_CONTENT } from '../../docs/answers.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'
import { headerParameter, IF_MATCH } from '../../docs/parameters.ts'

export const RESUMABLE_TAG = {
  name: 'resumable upload',
  description:
    'Uploads that continue after a lost connection. Every response has the header `Tus-Resumable`. ' +
    'A response of 409 has `Upload-Offset`, and a response of 412 to another version has `Tus-Version`.',
} as const

const VERSION: ParameterObject = {
  ...headerParameter('Tus-Resumable', 'The version of the protocol: 1.0.0.'),
  required: true,
}
const CHECKSUM = headerParameter(
  'Upload-Checksum',
  'sha1 or sha256, a space, and the digest of the body in base64. If it differs, the bytes are dropped and the status is 460.',
)
const LENGTH = headerParameter('Upload-Length', 'The size of the whole file in bytes.')

const PROGRESS = headersOf([
  'Tus-Resumable',
  'Upload-Offset',
  'Upload-Expires',
  'Upload-Asset-File-Id',
])

export const BEGIN_UPLOAD: EndpointDocs = {
  tag: RESUMABLE_TAG.name,
  operationId: 'begin_resumable_upload',
  description:
    'Resumable uploads follow tus 1.0.0 (https://tus.io), with creation, creation-with-upload, creation-defer-length, termination, checksum and expiration. ' +
    'Upload-Metadata has the keys of the form of POST /upload, with values in base64: exactly one of asset_category_id and asset_file_id, filename, and optionally name, type, title, alt_text, focus, version_note and fileState. ' +
    'filetype, contentType, relativePath, and a type with a slash are ignored. The grants are checked here and with every request that sends bytes. ' +
    'The request may send the first bytes as its body, like PATCH. Only the user who began an upload can continue it.',
  parameters: [
    VERSION,
    LENGTH,
    headerParameter('Upload-Defer-Length', '1: the length is sent later, with PATCH.'),
    headerParameter(
      'Upload-Metadata',
      'Pairs of a key and a value in base64, separated by commas.',
    ),
    CHECKSUM,
    IF_MATCH,
  ],
  answers: {
    201: {
      description: 'The upload has begun. Location is its address.',
      headers: { ...headersOf(['Location']), ...PROGRESS },
    },
  },
  problems: [404, 409, 412, 413, 415, 422, 429, 460],
}

const STATE: ResponseObject = jsonAnswer('The state of the upload, also in headers.', {
  schema: {
    type: 'object',
    required: ['offset', 'length', 'date_expires', 'asset_file_id', 'version'],
    properties: {
      offset: { type: 'integer', minimum: 0, description: 'Durable bytes.' },
      length: { type: ['integer', 'null'], description: 'null if it was deferred.' },
      date_expires: {
        type: ['string', 'null'],
        format: 'date-time',
        description:
          'When the upload expires if no more bytes arrive; null if the upload is complete.',
      },
      asset_file_id: {
        type: ['integer', 'null'],
        description: 'The new or replaced file; null until the upload is complete.',
      },
      version: { type: ['integer', 'null'], description: 'The version of that file.' },
    },
  },
  example: {
    offset: 1_048_576,
    length: 734_003_200,
    date_expires: '2026-01-02T03:04:05.678Z',
    asset_file_id: null,
    version: null,
  },
})

export const READ_UPLOAD: EndpointDocs = {
  tag: RESUMABLE_TAG.name,
  operationId: 'read_resumable_upload',
  description:
    'Clients send HEAD. Upload-Offset equals Upload-Length only if the file has the bytes; Upload-Asset-File-Id then names it. Until the upload expires, a client can find its file here after a lost response.',
  answers: {
    200: {
      ...STATE,
      headers: {
        ...PROGRESS,
        ...headersOf(['Upload-Length', 'Upload-Defer-Length', 'Upload-Metadata']),
      },
    },
  },
}

export const APPEND_UPLOAD: EndpointDocs = {
  tag: RESUMABLE_TAG.name,
  operationId: 'append_resumable_upload',
  description:
    'The body is bytes, with "Content-Type: application/offset+octet-stream". Bytes that have arrived are kept if the connection is cut, unless the request has a checksum. A newer request for the same upload ends a running one, which gets 409. The response to the last bytes has the header Upload-Asset-File-Id.',
  parameters: [
    VERSION,
    {
      ...headerParameter('Upload-Offset', 'The offset of the first byte of the body.'),
      required: true,
    },
    LENGTH,
    CHECKSUM,
    IF_MATCH,
  ],
  answers: { 204: { description: 'The bytes are durable.', headers: PROGRESS } },
  problems: [404, 409, 412, 413, 415, 422, 429, 460],
}

export const END_UPLOAD: EndpointDocs = {
  tag: RESUMABLE_TAG.name,
  operationId: 'end_resumable_upload',
  description:
    'Removes the bytes of an unfinished upload. If the upload is complete, the file stays.',
  parameters: [VERSION],
  answers: { 204: NO_CONTENT },
  problems: [412],
}
