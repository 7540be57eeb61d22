// POST …/copy: copies of files and folders.

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
import { refuseField, requireObject } from '../schema/check.ts'
import { COPY_FILE, COPY_FOLDER } from './docs/copy-docs.ts'
import { recordReply } from './request/record-reply.ts'
import {
  readId,
  readPrecondition,
  type Request,
  requireKnownParameters,
} from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

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
