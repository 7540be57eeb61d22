// Actions of asset files: publish, stage, unpublish, unstage, versions, restore, diff.

import {
  actionDocs,
  DIFF_VERSIONS,
  LIST_VERSIONS,
  READ_VERSION,
  READ_VERSION_CONTENT,
  RESTORE_VERSION,
} from './docs/asset-file-docs.ts'
import { json, type Reply } from '../http/reply.ts'
import { CmsError } from '../base/errors.ts'
import type { Context, RecordInput } from '../operations/context.ts'
import { findVersionDownload } from '../operations/files/downloads.ts'
import { selectFields } from '../operations/present.ts'
import { publish, stage, unpublish, unstage } from '../operations/files/publishing.ts'
import { fileVisibility } from '../operations/files/file-visibility.ts'
import {
  diffVersions,
  listVersions,
  readVersion,
  restoreVersion,
} from '../operations/files/version-reads.ts'
import { VERSION_FIELDS } from '../schema/asset-file.ts'
import { pointer, refuseFaults, refuseField, requireObject } from '../schema/check.ts'
import type { Stored } from '../schema/values.ts'
import { downloadReply, preconditionReply } from './download.ts'
import { newestFirstReply, readNewestFirst } from './request/newest-first.ts'
import { readFieldNames } from './request/query.ts'
import { recordReply } from './request/record-reply.ts'
import {
  readId,
  readNumber,
  readPrecondition,
  type Request,
  requireKnownParameters,
} from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const FILE = '/api/v2/asset_file/:id'

interface FileAction {
  readonly name: 'publish' | 'stage' | 'unpublish' | 'unstage'
  readonly grant: 'publish' | 'stage'
  readonly summary: string
  readonly parameters: readonly string[]
  readonly run: (context: Context, input: ActionInput) => Promise<Stored>
}

interface ActionInput extends RecordInput {
  readonly version: number | undefined
}

const ACTIONS: readonly FileAction[] = [
  {
    name: 'publish',
    grant: 'publish',
    summary: 'Publish the latest version, or with ?version=n an older one',
    parameters: ['version'],
    run: publish,
  },
  {
    name: 'stage',
    grant: 'stage',
    summary: 'Stage the latest version, or with ?version=n an older one',
    parameters: ['version'],
    run: stage,
  },
  {
    name: 'unpublish',
    grant: 'publish',
    summary: 'Unpublish the file; the staged version stays staged',
    parameters: [],
    run: unpublish,
  },
  {
    name: 'unstage',
    grant: 'stage',
    summary: 'Unstage the file; the live version stays live',
    parameters: [],
    run: unstage,
  },
]

/** The original API has no GET form of these actions. */
const BY_POST_ALONE: ReadonlySet<FileAction['name']> = new Set(['unpublish', 'unstage'])

/** The original API has publish and stage as GET. The POST form is for clients that require safe GETs. */
function actionRoute(action: FileAction, method: 'GET' | 'POST'): Route {
  return defineRoute({
    method,
    path: `${FILE}/${action.name}`,
    access: [action.grant],
    summary: action.summary,
    docs: actionDocs(action.name, method),
    // HEAD would also publish.
    hasHead: false,
    action: action.name,
    read: async (request): Promise<ActionInput> => {
      requireKnownParameters(request.query, action.parameters)
      refusePrefetch(request)
      const id = readId(request, 'id')
      const asked = readNumber(request.query, 'version')
      const told = method === 'POST' ? await readToldVersion(request, action.parameters) : undefined
      // Clients that know arguments only by name send the same value in both places.
      if (asked !== undefined && told !== undefined && asked !== told)
        throw new CmsError(
          'bad-request',
          'The version in the query differs from the version in the body. Send only one of them.',
        )
      return { id, version: asked ?? told, precondition: readPrecondition(request) }
    },
    run: (context, input) => action.run(context, input),
    recall: (context, { id }) => fileVisibility.seen.requireMade(context, id),
    reply: (stored, request, context) =>
      recordReply(context, request, { status: 200, visibility: fileVisibility, stored }),
  })
}

/** Reads the optional body of an action. Its members are the same as the query parameters. */
async function readToldVersion(
  request: Request,
  known: readonly string[],
): Promise<number | undefined> {
  const given = await request.json(undefined, true)
  const body = requireObject(given === undefined ? {} : given)
  const rule = known.length === 0 ? 'send no body' : `the only field is ${known.join(', ')}`
  const unknown = Object.keys(body).filter((name) => !known.includes(name))
  refuseFaults(
    unknown.map((name) => ({ pointer: pointer(name), detail: `is not known here; ${rule}` })),
  )

  const { version } = body
  if (version === undefined) return undefined
  if (Number.isSafeInteger(version) && Number(version) >= 1) return Number(version)
  return refuseField('version', 'must be the number of a version: a whole number from 1')
}

function refusePrefetch({ message }: Request): void {
  const purpose = message.headers['sec-purpose'] ?? message.headers['purpose'] ?? ''
  if (!/prefetch|prerender/i.test(String(purpose))) return
  throw new CmsError(
    'prefetch-refused',
    'This address changes what visitors see, so it rejects prefetch requests.',
  )
}

/** Reads come first, so that clients that name operations by their order in the document do not publish by mistake. */
export const assetFileRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: `${FILE}/versions`,
    access: ['view'],
    summary: 'List the versions of a file, newest first',
    docs: LIST_VERSIONS,
    read: (request) => ({
      ...readNewestFirst(request, ['fields']),
      fields: readVersionFields(request),
    }),
    run: async (context, asked) => ({ asked, ...(await listVersions(context, asked)) }),
    reply: (list, request) => newestFirstReply(request, { name: 'asset_file_version', ...list }),
  }),
  defineRoute({
    method: 'GET',
    path: `${FILE}/versions/:version`,
    access: ['view'],
    summary: 'Read the fields of one version, without its bytes',
    docs: READ_VERSION,
    read: (request) => ({
      fields: readVersionFields(request),
      ...readNumbers(request, ['fields']),
    }),
    run: (context, input) => selectFields(readVersion(context, input), input.fields),
    reply: (version) => json(200, version),
  }),
  defineRoute({
    method: 'GET',
    path: `${FILE}/versions/:version/content`,
    access: ['modify'],
    summary: 'Download the bytes of one version',
    docs: READ_VERSION_CONTENT,
    answers: 'bytes',
    takesTicket: true,
    read: readVersionNumber,
    run: (context, input) => findVersionDownload(context, input),
    reply: async (download, request, context) =>
      preconditionReply(request, download, context) ?? downloadReply(request, download, context),
  }),
  defineRoute({
    method: 'POST',
    path: `${FILE}/versions/:version/restore`,
    access: ['modify'],
    action: 'restore',
    summary: 'Save the content of an older version as a new version',
    docs: RESTORE_VERSION,
    read: async (request) => {
      const numbers = readNumbers(request)
      await readToldVersion(request, [])
      return { precondition: readPrecondition(request), ...numbers }
    },
    run: (context, input) => restoreVersion(context, input),
    recall: (context, { id }) => fileVisibility.seen.requireMade(context, id),
    reply: (stored, request, context) =>
      recordReply(context, request, { status: 200, visibility: fileVisibility, stored }),
  }),
  defineRoute({
    method: 'GET',
    path: `${FILE}/versions/:version/diff/:other`,
    access: ['modify'],
    summary: 'Compare two text versions as a unified diff',
    docs: DIFF_VERSIONS,
    answers: 'bytes',
    read: (request) => {
      const { id, number } = readNumbers(request)
      return { id, left: number, right: readId(request, 'other') }
    },
    run: (context, input) => diffVersions(context, input),
    reply: (diff): Reply => ({
      status: 200,
      headers: { 'content-type': 'text/x-diff; charset=utf-8' },
      body: diff,
    }),
  }),
  ...ACTIONS.flatMap((action) =>
    BY_POST_ALONE.has(action.name)
      ? [actionRoute(action, 'POST')]
      : [actionRoute(action, 'GET'), actionRoute(action, 'POST')],
  ),
]

function readNumbers(
  request: Request,
  parameters: readonly string[] = [],
): { readonly id: number; readonly number: number } {
  requireKnownParameters(request.query, parameters)
  return readVersionNumber(request)
}

function readVersionNumber(request: Request): { readonly id: number; readonly number: number } {
  return { id: readId(request, 'id'), number: readId(request, 'version') }
}

function readVersionFields({ query }: Request): ReadonlySet<string> | undefined {
  return readFieldNames(query, 'asset_file_version', VERSION_FIELDS)
}
