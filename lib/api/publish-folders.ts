// POST /api/v2/asset_category/{id}/publish, …/stage, …/unpublish: change all files below a folder.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { jsonAnswer } from '../docs/answers.ts'
import type { EndpointDocs } from '../docs/endpoint.ts'
import { flag, queryParameter } from '../docs/parameters.ts'
import { schemaRef } from '../docs/schemas.ts'
import { json } from '../http/reply.ts'
import type { ChangeContext, Context } from '../operations/context.ts'
import {
  FOLDER_ACTIONS,
  type FolderAction,
  type FolderActionInput,
  type FolderActionOutcome,
  publishFolder,
  requireFolderAction,
} from '../operations/folders/publish-folder.ts'
import { assetCategory } from '../schema/asset-category.ts'
import { assetFile } from '../schema/asset-file.ts'
import type { Made } from '../schema/server-records.ts'
import { MAX_PUBLISHED_FILES, MAX_SHOWN_FAILURES } from '../shared/limits.ts'
import { problemOf } from './problems.ts'
import { readActionBody } from './request/action-body.ts'
import {
  readFlag,
  readId,
  readNumber,
  refusePrecondition,
  type Request,
  requireKnownParameters,
} from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const COUNT: SchemaObject = { type: 'integer', minimum: 0, maximum: MAX_PUBLISHED_FILES }

const OUTCOME: SchemaObject = {
  type: 'object',
  required: ['matched', 'changed', 'unchanged', 'failed_count', 'failed', 'dry_run'],
  properties: {
    matched: { ...COUNT, description: 'Files below the folder that the key may view.' },
    changed: { ...COUNT, description: 'Changed files; in a dry run, files that would be changed.' },
    unchanged: { ...COUNT, description: 'Files that have the state already.' },
    failed_count: { ...COUNT, description: 'Refused files.' },
    failed: {
      type: 'array',
      maxItems: MAX_SHOWN_FAILURES,
      description: 'The first refused files.',
      items: {
        type: 'object',
        required: ['asset_file_id', 'problem'],
        properties: {
          asset_file_id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
          problem: schemaRef('problem'),
        },
      },
    },
    dry_run: { type: 'boolean' },
  },
}

const EFFECTS: Readonly<Record<FolderAction, string>> = {
  publish: 'The latest version of each file goes live.',
  stage: 'The latest version of each file is staged.',
  unpublish: 'Each live file is unpublished; staged versions stay staged.',
}

function folderActionDocs(action: FolderAction): EndpointDocs {
  const grant = action === 'stage' ? 'stage' : 'publish'
  return {
    tag: assetCategory.name,
    operationId: `${action}_asset_category`,
    description:
      `${EFFECTS[action]} Each file is changed like the request for this file. A refused file does not prevent the others. The files are changed in several small commits. Needs view and ${grant} in the folder, and in the folder of each file. ` +
      'A folder that the key may not view, and everything below it, counts as empty. ' +
      `A folder with more than ${MAX_PUBLISHED_FILES.toLocaleString('en')} files or folders below it is rejected with 413. Send no body, or {}.`,
    parameters: [
      flag('dry_run', 'Check every file and return the numbers, without changing anything.'),
      queryParameter(
        'expect',
        'The expected number of files; if the number differs, the response is 409 with the real number in matched.',
        { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      ),
    ],
    answers: {
      200: jsonAnswer('The numbers of files.', {
        schema: OUTCOME,
        example: {
          matched: 12,
          changed: 11,
          unchanged: 1,
          failed_count: 0,
          failed: [],
          dry_run: false,
        },
      }),
    },
    problems: [404, 409, 413, 415, 422],
  }
}

export const publishFolderRoutes: readonly Route[] = FOLDER_ACTIONS.map((action) =>
  defineRoute({
    method: 'POST',
    path: `/api/v2/asset_category/:id/${action}`,
    access: [action === 'stage' ? 'stage' : 'publish'],
    action,
    summary: `${action[0]?.toUpperCase()}${action.slice(1)} all files below a folder`,
    docs: folderActionDocs(action),
    read: (request) => readFolderAction(request, action),
    run: (context, input) => publishFolder(context as ChangeContext, input),
    recall: (context, input, { updated }) => recallFolderAction(context, input, updated),
    reply: (outcome, request, { basePath }) => {
      const { matched, changed, unchanged, failedCount, failed, isDryRun } = outcome
      return json(200, {
        matched,
        changed,
        unchanged,
        failed_count: failedCount,
        failed: failed.map(({ id, error }) => ({
          asset_file_id: id,
          problem: problemOf(error, { requestId: request.id, basePath }),
        })),
        dry_run: isDryRun,
      })
    },
  }),
)

/** The numbers of a request that changed files cannot be rebuilt; undefined then, and if files have changed since. */
async function recallFolderAction(
  context: Context,
  input: FolderActionInput,
  updated: Made = {},
): Promise<FolderActionOutcome | undefined> {
  requireFolderAction(context, input)
  if (assetFile.recordType.name in updated) return undefined
  const again = { ...input, expect: undefined, isDryRun: true }
  const outcome = await publishFolder(context as ChangeContext, again)
  const { isDryRun } = input
  return isDryRun || outcome.changed === 0 ? { ...outcome, isDryRun } : undefined
}

async function readFolderAction(
  request: Request,
  action: FolderAction,
): Promise<FolderActionInput> {
  const { query } = request
  requireKnownParameters(query, ['dry_run', 'expect'])
  refusePrecondition(request)
  await readActionBody(request, [])
  return {
    id: readId(request, 'id'),
    action,
    expect: query.get('expect') === '0' ? 0 : readNumber(query, 'expect'),
    isDryRun: readFlag(query, 'dry_run'),
  }
}
