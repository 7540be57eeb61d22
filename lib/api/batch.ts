// POST /api/v2/batch: up to 1,000 operations on files in one request.

import { CmsError, type Fault } from '../base/errors.ts'
import { joinJson, jsonText, type Reply } from '../http/reply.ts'
import type { ChangeContext, Context } from '../operations/context.ts'
import {
  type Batch,
  BATCH_OPERATIONS,
  type BatchItem,
  type BatchMode,
  type BatchOperation,
  type BatchResult,
  recallBatch,
  runBatch,
} from '../operations/restoring/batch.ts'
import { readState, stateFault } from '../operations/files/publication-state.ts'
import { fileVisibility } from '../operations/files/file-visibility.ts'
import { presenterOf, tagOf } from '../operations/present.ts'
import { viewOf } from '../operations/visibility.ts'
import { refuseFaults, refuseField } from '../schema/check.ts'
import { openTimeSlice } from '../schema/time-slicing.ts'
import type { JsonObject } from '../schema/values.ts'
import { MAX_BATCH, MAX_JOINT_BATCH } from '../shared/limits.ts'
import { BATCH_DOCS } from './docs/batch-docs.ts'
import { problemOf } from './problems.ts'
import {
  markedTag,
  preconditionOf,
  readKnownFields,
  type Request,
  requireKnownParameters,
} from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

interface BatchOutcome {
  readonly batch: Batch
  readonly results: readonly BatchResult[]
  readonly isRebuilt: boolean
}

export const batchRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/v2/batch',
    access: ['publish', 'stage', 'modify', 'delete'],
    action: 'update',
    // A delete works on a full disk; runBatch checks the other operations.
    needsRoom: undefined,
    summary: 'Carry out many operations on files',
    docs: BATCH_DOCS,
    read: readBatch,
    run: async (context, batch): Promise<BatchOutcome> => ({
      batch,
      results: await runBatch(context as ChangeContext, batch),
      isRebuilt: false,
    }),
    // In mode all, everything was carried out.
    recall: (context, batch) => ({
      batch,
      results: recallBatch(context, batch),
      isRebuilt: batch.mode === 'each',
    }),
    reply: batchReply,
  }),
]

async function readBatch(request: Request): Promise<Batch> {
  requireKnownParameters(request.query, [])
  const { mode, operations } = await readKnownFields(request, ['mode', 'operations'], 'bulk')
  if (!isMode(mode))
    refuseField('mode', 'is required: "all" (all or none) or "each" (each by itself)')
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_BATCH)
    refuseField('operations', `must be a list of 1 to ${MAX_BATCH} operations`)
  if (mode === 'all' && operations.length > MAX_JOINT_BATCH)
    refuseField(
      'operations',
      `has ${operations.length} operations, and a batch of mode "all" may have at most ${MAX_JOINT_BATCH}, because other changes wait for its commit. Send several batches, or mode "each"`,
    )

  const faults: Fault[] = []
  const items = operations.flatMap((operation: unknown, index) => {
    const found = faultOf(operation)
    if (found === undefined) return [readItem(request, operation as JsonObject)]
    faults.push({ ...found, pointer: `/operations/${index}${found.pointer}` })
    return []
  })
  refuseFaults(faults)
  if (mode === 'all') requireOnce(items)
  return { mode, items }
}

function isMode(mode: unknown): mode is BatchMode {
  return mode === 'all' || mode === 'each'
}

const MEMBERS: ReadonlySet<string> = new Set([
  'op',
  'asset_file_id',
  'version',
  'fields',
  'state',
  'etag',
])

function faultOf(operation: unknown): Fault | undefined {
  const fault = (name: string, detail: string): Fault => ({ pointer: `/${name}`, detail })
  if (typeof operation !== 'object' || operation === null || Array.isArray(operation))
    return { pointer: '', detail: 'must be an object with op and asset_file_id' }
  const { op, asset_file_id: id, version, fields, state, etag } = operation as JsonObject
  const unknown = Object.keys(operation).find((name) => !MEMBERS.has(name))
  if (unknown !== undefined)
    return {
      pointer: '',
      detail: `has the unknown member ${JSON.stringify(unknown)}; known are ${[...MEMBERS].join(', ')}`,
    }
  if (!BATCH_OPERATIONS.some((known) => known === op))
    return fault('op', `must be one of ${BATCH_OPERATIONS.join(', ')}`)
  if (!isNumber(id)) return fault('asset_file_id', 'must be the identifier of a file')
  if (etag !== undefined && typeof etag !== 'string')
    return fault('etag', 'must be the ETag of the file as a string')
  if (op === 'set_state' && etag === undefined)
    return fault('etag', 'is required: the ETag of the file that is to get the state')
  return (
    versionFault(op, version, fault) ??
    fieldsFault(op, fields, fault) ??
    stateFaultOf(op, state, fault)
  )
}

type MakeFault = (name: string, detail: string) => Fault

function versionFault(op: unknown, version: unknown, fault: MakeFault): Fault | undefined {
  if (op === 'restore' && version === undefined)
    return fault('version', 'is required: the number of the version to restore')
  if (version === undefined) return undefined
  if (op !== 'publish' && op !== 'stage' && op !== 'restore')
    return fault('version', 'is only for publish, stage and restore')
  return isNumber(version) ? undefined : fault('version', 'must be the number of a version')
}

function fieldsFault(op: unknown, fields: unknown, fault: MakeFault): Fault | undefined {
  if (op !== 'update')
    return fields === undefined ? undefined : fault('fields', 'is only for update')
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    return fault('fields', 'is required: an object with the fields to set')
  if (!('pageContent' in fields)) return undefined
  return fault('fields/pageContent', 'is not set here; send it to POST /api/v2/asset_file/{id}')
}

function stateFaultOf(op: unknown, state: unknown, fault: MakeFault): Fault | undefined {
  if (op !== 'set_state')
    return state === undefined ? undefined : fault('state', 'is only for set_state')
  if (typeof state !== 'object' || state === null || Array.isArray(state))
    return fault('state', 'is required: an object with the publication state')
  const found = stateFault(state as JsonObject)
  return found && { ...found, pointer: `/state${found.pointer}` }
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1
}

function readItem(request: Request, operation: JsonObject): BatchItem {
  const { op, asset_file_id: id, version, fields, state, etag } = operation
  return {
    op: op as BatchOperation,
    id: Number(id),
    version: version === undefined ? undefined : Number(version),
    fields: fields as JsonObject | undefined,
    state: state === undefined ? undefined : readState(state as JsonObject),
    precondition: typeof etag === 'string' ? preconditionOf(request, etag) : undefined,
  }
}

/** The bytes of a page of type stml are checked before the commit, so an earlier operation must not change which. */
function requireOnce(items: readonly BatchItem[]): void {
  const seen = new Set<number>()
  for (const [index, { id }] of items.entries()) {
    if (seen.has(id))
      refuseFaults([
        {
          pointer: `/operations/${index}/asset_file_id`,
          detail: `is in the batch twice; in mode "all", combine its changes in one update (fields may contain fileState), or send mode "each"`,
        },
      ])
    seen.add(id)
  }
}

/** Results are presented in slices: 1,000 records are up to 16 MiB. */
async function batchReply(
  { batch, results, isRebuilt }: BatchOutcome,
  request: Request,
  context: Context,
): Promise<Reply> {
  const view = viewOf(context)
  const present = presenterOf(view, fileVisibility)
  const asked = { requestId: request.id, basePath: context.basePath }
  const texts: string[] = []
  const slice = openTimeSlice()
  let leftBytes = context.limits.listBytes
  let failed = 0
  for (const [index, result] of results.entries()) {
    const { op, id } = batch.items[index] ?? { op: 'update', id: 0 }
    const head = { op, asset_file_id: id }
    if (result instanceof CmsError) {
      failed += 1
      const { status } = result
      const problem = problemOf(result, asked)
      texts.push(JSON.stringify({ ...head, status, etag: null, record: null, problem }))
    } else if (typeof result === 'string') {
      const status = result === 'pending' ? 202 : 204
      texts.push(JSON.stringify({ ...head, status, etag: null, record: null, problem: null }))
    } else {
      leftBytes -= result.sizeBytes
      const etag = markedTag(tagOf(view, fileVisibility, result), request.history)
      const members = JSON.stringify({ ...head, status: 200, etag, problem: null })
      const record = leftBytes < 0 ? 'null' : present(result)
      texts.push(`${members.slice(0, -1)},"record":${record}}`)
    }
    if (slice.isOver(texts.at(-1)?.length ?? 0)) await slice.next()
  }
  const counts = {
    mode: batch.mode,
    succeeded: results.length - failed,
    failed,
    rebuilt: isRebuilt,
  }
  return jsonText(200, joinJson(`${JSON.stringify(counts).slice(0, -1)},"results":[`, texts, ']}'))
}
