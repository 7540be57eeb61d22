// POST …/copy: copies of files and folders.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { jsonAnswer, jsonBody } from '../docs/answers.ts'
import { BODY_LIMITS } from '../docs/body-limits.ts'
import type { EndpointDocs } from '../docs/endpoint.ts'
import { exampleRecord } from '../docs/examples.ts'
import { IF_MATCH } from '../docs/parameters.ts'
import { schemaRef } from '../docs/schemas.ts'
import type { ChangeContext } from '../operations/context.ts'
import { copyFile, type CopyInput } from '../operations/files/copy-file.ts'
import { fileVisibility } from '../operations/files/file-visibility.ts'
import { folderVisibility } from '../operations/folders/asset-categories.ts'
import {
  type CopiedFolder,
  copyFolder,
  type FolderCopyCounts,
} from '../operations/folders/copy-folder.ts'
import { replayMade } from '../operations/visibility.ts'
import { assetCategory } from '../schema/asset-category.ts'
import { assetFile } from '../schema/asset-file.ts'
import { refuseField, requireObject } from '../schema/check.ts'
import { MAX_COPIED_RECORDS } from '../shared/limits.ts'
import { recordReply } from './request/record-reply.ts'
import {
  readId,
  readPrecondition,
  type Request,
  requireKnownParameters,
} from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const COUNT: SchemaObject = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }

const BODY = {
  ...jsonBody({
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        parent_category_id: {
          type: 'integer',
          minimum: 1,
          description: 'The folder of the copy. Without this field, the folder of the original.',
        },
        name: {
          type: 'string',
          description:
            'The name of the copy; a name that is taken is rejected with 409. Without this field, the copy gets the name of the original or, if it is taken, a free name: "hello copy.html", then "hello copy 2.html".',
        },
      },
    },
    example: {},
    limit: BODY_LIMITS.json,
  }),
  required: false,
}

const COPY_FILE: EndpointDocs = {
  tag: assetFile.name,
  operationId: 'copy_asset_file',
  description:
    'The copy is a draft with one version, which shares the bytes of the original: the latest version, or the live version for a key that does not see drafts. ' +
    'It has the type, title, description, alternative text and focus of this version. Needs the grant view in the folder of the original, and create in the folder of the copy.',
  parameters: [IF_MATCH],
  body: BODY,
  answers: {
    201: jsonAnswer('The copy.', {
      schema: schemaRef(assetFile.name),
      example: exampleRecord(assetFile),
      headers: ['Location', 'ETag'],
    }),
  },
  problems: [404, 409, 412],
}

const COUNTS = {
  copied: {
    type: 'object',
    required: ['folders', 'files'],
    properties: { folders: COUNT, files: COUNT },
    description: 'Numbers of copied records.',
  },
  left_out: {
    type: 'object',
    required: ['files', 'file_groups', 'modules'],
    properties: { files: COUNT, file_groups: COUNT, modules: COUNT },
    description:
      'Numbers of records that are not copied: files of which the key may read no version or whose bytes are damaged, file groups, and modules.',
  },
} as const satisfies Record<string, SchemaObject>

const COPY_FOLDER: EndpointDocs = {
  tag: assetCategory.name,
  operationId: 'copy_asset_category',
  description:
    'Copies the folders and files that the key may view, as drafts that share the bytes of the originals. ' +
    'The whole copy becomes visible at once, when it is complete; a request that fails copies nothing. The change log has the new folder, without a change for each record in it. ' +
    'Modules, file groups, redirects, response headers and the field public are not copied. ' +
    `A folder with more than ${MAX_COPIED_RECORDS.toLocaleString('en')} folders and files is rejected with 413.`,
  parameters: [IF_MATCH],
  body: BODY,
  answers: {
    201: jsonAnswer('The copy.', {
      schema: {
        allOf: [
          schemaRef(assetCategory.name),
          { type: 'object', required: ['copied', 'left_out'], properties: COUNTS },
        ],
      },
      example: {
        ...exampleRecord(assetCategory),
        copied: { folders: 1, files: 12 },
        left_out: { files: 0, file_groups: 0, modules: 1 },
      },
      headers: ['Location', 'ETag'],
    }),
  },
  problems: [404, 409, 412],
}

export const copyRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/v2/asset_file/:id/copy',
    access: ['create'],
    action: 'create',
    summary: 'Copy a file',
    docs: COPY_FILE,
    read: readCopy,
    run: (context, input) => copyFile(context, input),
    recall: (context, _, { made }) => replayMade(context, fileVisibility, made),
    reply: (stored, request, context) =>
      recordReply(context, request, {
        status: 201,
        visibility: fileVisibility,
        stored,
        headers: { location: `/api/v2/asset_file/${Number(stored.value['asset_file_id'])}` },
      }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v2/asset_category/:id/copy',
    access: ['create'],
    action: 'create',
    summary: 'Copy a folder with its folders and files',
    docs: COPY_FOLDER,
    read: readCopy,
    run: (context, input) => copyFolder(context as ChangeContext, input),
    keepsOutcome: true,
    recall: (context, _, { made, outcome }): CopiedFolder => ({
      stored: replayMade(context, folderVisibility, made),
      // The row has what the last commit of copyFolder returned.
      counts: outcome as unknown as FolderCopyCounts,
    }),
    reply: ({ stored, counts }, request, context) =>
      recordReply(context, request, {
        status: 201,
        visibility: folderVisibility,
        stored,
        headers: {
          location: `/api/v2/asset_category/${Number(stored.value['asset_category_id'])}`,
        },
        extra: { ...counts },
      }),
  }),
]

const KNOWN = ['parent_category_id', 'name']

async function readCopy(request: Request): Promise<CopyInput> {
  requireKnownParameters(request.query, [])
  const given = await request.json(undefined, true)
  const body = requireObject(given === undefined ? {} : given)
  const unknown = Object.keys(body).find((name) => !KNOWN.includes(name))
  if (unknown !== undefined)
    refuseField(unknown, `is not known here; known are ${KNOWN.join(', ')}`)
  const { parent_category_id: categoryId, name } = body
  const isFolder = Number.isSafeInteger(categoryId) && Number(categoryId) >= 1
  if (categoryId !== undefined && !isFolder)
    refuseField('parent_category_id', 'must be the identifier of a folder')
  if (name !== undefined && typeof name !== 'string') refuseField('name', 'must be a string')
  return {
    id: readId(request, 'id'),
    categoryId: categoryId === undefined ? undefined : Number(categoryId),
    name,
    precondition: readPrecondition(request),
  }
}
