// OpenAPI descriptions of the file operations beyond the common object pattern: actions, versions, upload, download.

import type { ParameterObject, RequestBodyObject, SchemaObject } from 'openapi3-ts/oas31'
import { assetFile, VERSION_FIELDS } from '../../schema/asset-file.ts'
import type { Field } from '../../schema/field.ts'
import type { Fields } from '../../schema/object.ts'
import {
  BYTES_NOT_MODIFIED,
  BYTES_SCHEMA,
  jsonAnswer,
  jsonBody,
  otherAnswer,
} from '../../docs/answers.ts'
import { BODY_LIMITS, uploadLimit } from '../../docs/body-limits.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'
import { examplePage, exampleRecord } from '../../docs/examples.ts'
import {
  fieldsParameter,
  IF_MATCH,
  IF_NONE_MATCH,
  newestFirstParameters,
  queryParameter,
} from '../../docs/parameters.ts'
import { PICTURE_PROBLEMS, PICTURE_QUERY } from './picture-docs.ts'
import { pageSchema, schemaRef, sentSchema, toSchema } from '../../docs/schemas.ts'

const TAG = assetFile.name
const NUMBER: SchemaObject = { type: 'integer', minimum: 1 }

/** Schema of a version: the fields of the file at one save, and whether the version is live or staged now. */
export function versionSchema(): SchemaObject {
  const fields: Fields = assetFile.fields
  const entries = VERSION_FIELDS.map((name) => [
    name,
    toSchema(fields[name]?.schema ?? { type: 'boolean' }),
  ])
  const properties = Object.fromEntries(entries) as NonNullable<SchemaObject['properties']>
  return {
    type: 'object',
    description: 'One saved version of a file. It never changes.',
    properties,
  }
}

export function actionDocs(name: string, method: 'GET' | 'POST'): EndpointDocs {
  const takesVersion = name === 'publish' || name === 'stage'
  const version = queryParameter('version', `Number of the version to ${name}.`, NUMBER)
  const isTwin = method === 'POST' && takesVersion
  const note =
    'This GET changes something, so prefetch requests are rejected. POST does the same. A version of type stml that fails ' +
    'the STML check is rejected with 422.'
  return {
    tag: TAG,
    operationId: isTwin ? `${name}_asset_file_by_post` : `${name}_asset_file`,
    description: method === 'GET' ? note : `The content does not change. ${NO_BODY}`,
    parameters: [...(takesVersion ? [version] : []), IF_MATCH],
    ...(isTwin && { body: VERSION_BODY }),
    answers: { 200: recordAnswer('The file after the change.') },
    problems: method === 'POST' && !takesVersion ? BODY_PROBLEMS : [422],
  }
}

const NO_BODY = 'Send no body, or {}.'
/** Problems of operations that document no body but receive one. */
const BODY_PROBLEMS = [413, 415, 422]

const VERSION_BODY: RequestBodyObject = {
  ...jsonBody({
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        version: { ...NUMBER, description: 'Number of the version, as in the query parameter.' },
      },
    },
    example: {},
    limit: BODY_LIMITS.json,
  }),
  required: false,
}

const EXAMPLE = exampleRecord(assetFile)

function exampleVersion(): object {
  const state = { damaged: false, is_live: true, is_staged: true, is_pinned: false }
  const all: Readonly<Record<string, unknown>> = { ...EXAMPLE, ...state }
  const entries = VERSION_FIELDS.map((name) => [name, all[name]])
  return Object.fromEntries(entries) as object
}

const VERSION_CHOICE = fieldsParameter(VERSION_FIELDS, 'The fields to return.')

export const LIST_VERSIONS: EndpointDocs = {
  tag: TAG,
  operationId: 'list_asset_file_versions',
  parameters: [...newestFirstParameters(), VERSION_CHOICE],
  answers: {
    200: jsonAnswer('One page.', {
      schema: pageSchema('asset_file_version', schemaRef('asset_file_version')),
      example: examplePage('asset_file_version', exampleVersion()),
      headers: ['Link', 'X-Total'],
    }),
  },
}

export const READ_VERSION: EndpointDocs = {
  tag: TAG,
  operationId: 'read_asset_file_version',
  parameters: [VERSION_CHOICE],
  answers: {
    200: jsonAnswer('The version.', {
      schema: schemaRef('asset_file_version'),
      example: exampleVersion(),
    }),
  },
}

export const RANGE_PARAMETERS: readonly ParameterObject[] = [
  { name: 'Range', in: 'header', description: 'One range of bytes.', schema: { type: 'string' } },
  IF_NONE_MATCH,
]

export const BYTES_HEADERS = [
  'ETag',
  'Last-Modified',
  'Content-Disposition',
  'Accept-Ranges',
] as const

export const BYTES_ANSWERS: EndpointDocs['answers'] = {
  200: otherAnswer('The bytes.', '*/*', BYTES_HEADERS),
  206: otherAnswer('The bytes of the range.', '*/*', [...BYTES_HEADERS, 'Content-Range']),
  304: BYTES_NOT_MODIFIED,
}

const CACHE_BUSTER = 'use ?v=2 to bypass a cache.'

export const READ_VERSION_CONTENT: EndpointDocs = {
  tag: TAG,
  operationId: 'read_asset_file_version_content',
  description: `Query parameters are ignored: ${CACHE_BUSTER}`,
  parameters: RANGE_PARAMETERS,
  answers: BYTES_ANSWERS,
  problems: [412, 416],
}

export const RESTORE_VERSION: EndpointDocs = {
  tag: TAG,
  operationId: 'restore_asset_file_version',
  description: `Creates a new version with the old content. The live and the staged version stay the same. ${NO_BODY}`,
  parameters: [IF_MATCH],
  answers: { 200: recordAnswer('The file with its new version.') },
  problems: BODY_PROBLEMS,
}

export const DIFF_VERSIONS: EndpointDocs = {
  tag: TAG,
  operationId: 'diff_asset_file_versions',
  answers: { 200: otherAnswer('A unified diff.', 'text/x-diff') },
  problems: [422],
}

export function uploadDocs(maxUploadBytes: number): EndpointDocs {
  const content = { 'multipart/form-data': { schema: uploadSchema() } }
  const description = uploadLimit(maxUploadBytes)
  return { ...UPLOAD, body: { description, required: true, content } }
}

const UPLOAD: EndpointDocs = {
  tag: 'upload and download',
  operationId: 'upload_file',
  description:
    'Also served as /upload, outside /api/v2. ' +
    'The form has the part Filedata and exactly one of asset_file_id (adds a new version to that file) ' +
    'and asset_category_id (creates a file in that folder). The new version is not live until it is ' +
    'published, unless the part fileState publishes it. An empty part counts as missing. The server never alters a part: it accepts ' +
    'the part as sent or rejects the form. In a quoted file name, %22, %0D and %0A are escapes and a backslash is a literal character. ' +
    'A / in the file name is rejected unless the part name gives another name. Text is UTF-8. A name that is taken is rejected with 409. ' +
    'A file name of a different type than the file it replaces (report.pdf for report.docx) is rejected with 422 unless the parts name and type are sent with it; the part type alone sets the type. ' +
    'pageContent is null in the response. At most 64 forms over 512 KiB or of unknown length are accepted ' +
    'at once (503), at most 16 per key (429); Retry-After says when to try again.',
  parameters: [IF_MATCH],
  answers: {
    200: recordAnswer('The file with its new version.'),
    201: jsonAnswer('The new file.', {
      schema: schemaRef(assetFile.name),
      example: { ...EXAMPLE, pageContent: null },
      headers: ['Location', 'ETag'],
    }),
  },
  problems: [404, 409],
}

export const DOWNLOAD: EndpointDocs = {
  tag: 'upload and download',
  operationId: 'download_file',
  description: `Also served as /file/…, outside /api/v2. The live version needs the grant view, state=stage needs modify, stage or publish, version=n needs modify. The name is the name of the live version: a draft with another name does not change the address. With state or version, the names of the latest and of the staged version are also accepted. Other query parameters are ignored: ${CACHE_BUSTER}`,
  parameters: [
    queryParameter('state', 'stage: return the staged version.', {
      type: 'string',
      enum: ['live', 'stage'],
    }),
    queryParameter('version', 'Number of the version; not allowed together with state.', NUMBER),
    ...PICTURE_QUERY,
    ...RANGE_PARAMETERS,
  ],
  answers: {
    ...BYTES_ANSWERS,
    308: {
      description:
        'The live file has moved. The server redirects the old address, with the query as sent, until another file uses that address. A ticket is replaced by a ticket for the new address.',
      headers: {
        Location: {
          description: 'The current address: /file/{asset_file_id}/{name}.',
          schema: { type: 'string' },
        },
      },
    },
  },
  problems: PICTURE_PROBLEMS,
}

function recordAnswer(description: string) {
  const schema = schemaRef(assetFile.name)
  return jsonAnswer(description, { schema, example: EXAMPLE, headers: ['ETag'] })
}

function uploadSchema(): SchemaObject {
  const { name, type, title, alt_text, focus, version_note, fileState } = assetFile.fields
  const { publish_at, unpublish_at, stage_at } = assetFile.fields
  return {
    type: 'object',
    required: ['Filedata'],
    properties: {
      Filedata: { ...BYTES_SCHEMA, description: 'The bytes, with a file name.' },
      asset_file_id: { ...NUMBER, description: 'The file whose content is replaced.' },
      asset_category_id: { ...NUMBER, description: 'The folder of the new file.' },
      name: {
        ...partOf(name),
        description:
          'Name of the file, if it differs from the file name of Filedata. Without this part, a replaced file keeps its name.',
      },
      type: {
        ...partOf(type),
        description:
          'A short token: html, pdf, css, png … Without this part, a new file gets its type from the file name extension, and a replaced file keeps its type.',
      },
      title: partOf(title),
      alt_text: partOf(alt_text),
      version_note: partOf(version_note),
      focus: partOf(focus),
      fileState: partOf(fileState),
      publish_at: partOf(publish_at),
      unpublish_at: partOf(unpublish_at),
      stage_at: partOf(stage_at),
    },
  }
}

/** Form parts are text and never null. */
function partOf({ schema }: Field): SchemaObject {
  return { ...sentSchema(schema), type: 'string' }
}
