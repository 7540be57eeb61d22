// The common pattern of the System API: /api/v2/{object} and /api/v2/{object}/{id}, for each object.

import { objectDocs } from '../docs/object-docs.ts'
import { CmsError } from '../errors.ts'
import { empty, json } from '../http/reply.ts'
import { createKey, removeKey, updateKey } from '../operations/people/api-keys.ts'
import {
  createCategory,
  removeCategory,
  updateCategory,
} from '../operations/folders/asset-categories.ts'
import { createFile, removeFile, updateFile } from '../operations/files/asset-files.ts'
import type { ChangeContext, Context, Precondition } from '../operations/context.ts'
import { createGroup, removeGroup, updateGroup } from '../operations/files/file-groups.ts'
import { updateModule } from '../operations/modules/module-update.ts'
import { createModule, findSchemaWarnings, removeModule } from '../operations/modules/modules.ts'
import { createFiles } from '../operations/files/new-files.ts'
import { recallRecord } from '../operations/trail/recall.ts'
import type { ChangePlan } from '../operations/modules/schema-change.ts'
import { createUser, removeUser, updateUser } from '../operations/people/users.ts'
import { apiKey } from '../schema/api-key.ts'
import { assetCategory } from '../schema/asset-category.ts'
import { assetFile } from '../schema/asset-file.ts'
import { audit } from '../schema/audit.ts'
import { fileGroup } from '../schema/file-group.ts'
import { isModuleKind, MODULE_KINDS, MODULE_OBJECTS, type ModuleKind } from '../schema/module.ts'
import { user } from '../schema/user.ts'
import type { Stored } from '../schema/values.ts'
import {
  bodyKindOf,
  createdReply,
  createNew,
  type Creating,
  readNew,
  recallNew,
  written,
  type Written,
} from './new-records.ts'
import { readRoutes } from './object-reads.ts'
import { recordReply } from './request/record-reply.ts'
import {
  readFlag,
  readId,
  readPrecondition,
  type Request,
  requireKnownParameters,
} from './request/request.ts'
import { type Access, defineRoute, type Route } from './request/route.ts'

interface UpdateInput {
  readonly id: number
  readonly body: unknown
  readonly precondition: Precondition | undefined
  /** Of modules: whether columns with values may go, and whether only to tell what would happen. */
  readonly isDropConfirmed: boolean
  readonly isDryRun: boolean
}

interface RemoveInput {
  readonly id: number
  readonly isRecursive: boolean
  /** Of keys: with all that descend from it. */
  readonly isCascade: boolean
  readonly precondition: Precondition | undefined
}

/** What the pattern needs of an object: what creates, updates and removes, and the grants to begin with. */
interface ObjectOperations extends Creating {
  readonly access: {
    readonly read: Access
    readonly create: Access
    readonly update: Access
    readonly remove: Access
  }
  readonly update: (context: Context, input: UpdateInput) => Promise<Stored | Planned>
  readonly remove: (context: ChangeContext, input: RemoveInput) => Promise<void>
}

/** The answer to a dry run: nothing has changed. */
interface Planned {
  readonly plan: ChangePlan
}

const IN_FOLDERS = {
  read: ['view'],
  create: ['create'],
  update: ['modify'],
  remove: ['delete'],
} as const
const OWN = { read: 'key', create: 'key', update: 'key', remove: 'key' } as const
const ADMIN = { read: 'key', create: ['admin'], update: ['admin'], remove: ['admin'] } as const

const OPERATIONS: readonly ObjectOperations[] = [
  {
    object: assetCategory,
    access: IN_FOLDERS,
    create: createCategory,
    update: updateCategory,
    remove: removeCategory,
  },
  {
    object: assetFile,
    // A body with fileState alone needs publish or stage, and not modify.
    access: { ...IN_FOLDERS, update: ['modify', 'publish', 'stage'] },
    create: createFile,
    createAll: createFiles,
    update: updateFile,
    remove: removeFile,
  },
  {
    object: fileGroup,
    access: IN_FOLDERS,
    create: createGroup,
    update: updateGroup,
    remove: removeGroup,
  },
  ...MODULE_KINDS.map(
    (kind): ObjectOperations => ({
      object: MODULE_OBJECTS[kind],
      access: IN_FOLDERS,
      create: (context, body) => createModule(context, kind, body),
      async update(context, input) {
        const change = await updateModule(context, { ...input, kind })
        return change.kind === 'planned' ? { plan: change.plan } : change.stored
      },
      remove: (context, input) => removeModule(context, { ...input, kind }),
      extra: (body) => warningsOf(kind, body),
    }),
  ),
  {
    object: user,
    access: ADMIN,
    create: createUser,
    update: updateUser,
    remove: removeUser,
  },
  {
    object: apiKey,
    access: OWN,
    create: async (context, body) => {
      const { stored, secret } = await createKey(context, body)
      return { stored, extra: { secret } }
    },
    hasSecret: true,
    update: updateKey,
    remove: removeKey,
  },
]

export const objectRoutes: readonly Route[] = [
  ...OPERATIONS.flatMap((operations) => [
    ...readRoutes(operations.object, operations.access.read),
    ...changeRoutes(operations),
  ]),
  ...readRoutes(audit, ['admin']),
]

// oxlint-disable-next-line eslint/max-lines-per-function -- a table of routes
function changeRoutes(operations: ObjectOperations): readonly Route[] {
  const { object, access } = operations
  const listPath = `/api/v2/${object.name}`
  const recordPath = `${listPath}/:id`
  const docs = objectDocs(object)

  return [
    defineRoute({
      method: 'POST',
      path: listPath,
      access: access.create,
      action: 'create',
      summary: `Create one ${object.label}`,
      docs: docs.create,
      // Even an empty file is one.
      needsRoom: object === assetFile ? 'content' : 'record',
      read: (request) => readNew(request, operations),
      run: (context, body) => createNew(context as Context, operations, body),
      recall:
        operations.hasSecret === true
          ? 'secret'
          : (context, body, made) => recallNew(context, operations, body, made),
      reply: (output, request, context) =>
        createdReply(context as Context, request, object, output),
    }),
    defineRoute({
      method: 'POST',
      path: recordPath,
      access: access.update,
      action: 'update',
      summary: `Change some fields of one ${object.label}; fields that are left out stay`,
      docs: docs.update,
      read: async (request) => {
        requireKnownParameters(
          request.query,
          isModuleKind(object.name) ? ['confirm', 'dry_run'] : [],
        )
        return {
          id: readId(request, 'id'),
          precondition: readPrecondition(request),
          isDropConfirmed: readConfirm(request),
          isDryRun: readFlag(request.query, 'dry_run'),
          body: await request.json(bodyKindOf(object)),
        }
      },
      run: async (context, input) =>
        updated(operations, input.body, await operations.update(context as Context, input)),
      recall: (context, { id, body }) =>
        written(operations, body, recallRecord(context, object, id)),
      reply: (output, request, context) =>
        'plan' in output
          ? json(200, output)
          : recordReply(context as Context, request, { status: 200, object, ...output }),
    }),
    defineRoute({
      method: 'DELETE',
      path: recordPath,
      access: access.remove,
      action: 'delete',
      summary: `Delete one ${object.label}`,
      docs: docs.remove,
      read: (request) => {
        requireKnownParameters(request.query, REMOVE_PARAMETERS.get(object.name) ?? [])
        return {
          id: readId(request, 'id'),
          isRecursive: readFlag(request.query, 'recursive'),
          isCascade: readFlag(request.query, 'cascade'),
          precondition: readPrecondition(request),
        }
      },
      run: (context, input) => operations.remove(context as ChangeContext, input),
      reply: () => empty(204),
    }),
  ]
}

const REMOVE_PARAMETERS: ReadonlyMap<string, readonly string[]> = new Map([
  [assetCategory.name, ['recursive']],
  [apiKey.name, ['cascade']],
])

function updated(
  operations: ObjectOperations,
  body: unknown,
  output: Stored | Planned,
): Written | Planned {
  if ('plan' in output) return { ...output, ...operations.extra?.(body) }
  return written(operations, body, output)
}

/** Only where there are some: the answer is the record else. */
function warningsOf(kind: ModuleKind, body: unknown): { readonly warnings?: readonly string[] } {
  const warnings = findSchemaWarnings(kind, body)
  return warnings.length === 0 ? {} : { warnings }
}

function readConfirm({ query }: Request): boolean {
  const text = query.get('confirm')
  if (text === null) return false
  if (text === 'drop') return true
  throw new CmsError('bad-request', 'The query parameter confirm must be "drop".')
}
