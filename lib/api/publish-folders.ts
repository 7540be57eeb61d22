// POST /api/v2/asset_category/{id}/publish, …/stage, …/unpublish: change all files below a folder.

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
import { assetFile } from '../schema/asset-file.ts'
import type { Made } from '../schema/server-records.ts'
import { folderActionDocs } from './docs/publish-folder-docs.ts'
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
