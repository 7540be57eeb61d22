// OpenAPI description of a batch of operations on files.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { jsonAnswer, jsonBody } from '../../docs/answers.ts'
import { BODY_LIMITS } from '../../docs/body-limits.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'
import { exampleRecord } from '../../docs/examples.ts'
import { schemaRef, selectionName, updateSchema } from '../../docs/schemas.ts'
import { BATCH_OPERATIONS } from '../../operations/restoring/batch.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { MAX_BATCH, MAX_JOINT_BATCH } from '../../shared/limits.ts'
import { PREFER_STRICT } from './entry-docs.ts'

const NUMBER: SchemaObject = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }
const COUNT: SchemaObject = { type: 'integer', minimum: 0, maximum: MAX_BATCH }
const MODE: SchemaObject = { type: 'string', enum: ['all', 'each'] }
const OP: SchemaObject = { type: 'string', enum: [...BATCH_OPERATIONS] }

const TIME: SchemaObject = { type: 'string', format: 'date-time' }

const OPERATION: SchemaObject = {
  type: 'object',
  required: ['op', 'asset_file_id'],
  additionalProperties: false,
  properties: {
    op: {
      ...OP,
      description:
        'update sets fields: parent_category_id moves the file, and type sets its type. restore saves the content of an older version as a new one. ' +
        'set_state sets the whole publication state, to undo an earlier operation. restore_trash restores a file that was not deleted together with its folder, to its former folder.',
    },
    asset_file_id: NUMBER,
    version: {
      ...NUMBER,
      description: 'For publish and stage: the latest version if absent. Required for restore.',
    },
    fields: {
      ...updateSchema(assetFile),
      description: 'For update: the fields to set, without pageContent.',
    },
    state: {
      type: 'object',
      additionalProperties: false,
      description:
        'For set_state: the members that the file had before and that were not null. A change of the live version needs the grant publish, any other the grant stage.',
      properties: {
        live_version: NUMBER,
        staged_version: NUMBER,
        fileState: { type: 'string', enum: ['publish', 'stage'] },
        publish_at: TIME,
        publish_version: NUMBER,
        unpublish_at: TIME,
        stage_at: TIME,
        stage_version: NUMBER,
      },
    },
    etag: {
      type: 'string',
      description:
        'The ETag that the file must have, as in If-Match; otherwise the status is 412. Required for set_state. For restore_trash, the ETag of the trash item.',
    },
  },
}

const RESULT: SchemaObject = {
  type: 'object',
  required: ['op', 'asset_file_id', 'status', 'etag', 'record', 'problem'],
  properties: {
    op: OP,
    asset_file_id: NUMBER,
    status: {
      type: 'integer',
      minimum: 200,
      maximum: 599,
      description: 'The status that the operation would have as a request of its own.',
    },
    etag: { type: ['string', 'null'], description: 'The ETag of the file after the operation.' },
    record: {
      anyOf: [schemaRef(selectionName(assetFile.name)), { type: 'null' }],
      description:
        'The file after the operation, without pageContent; null after a delete or a problem, and once the records of the response have reached 16 MiB.',
    },
    problem: {
      anyOf: [schemaRef('problem'), { type: 'null' }],
      description: 'Why the operation was refused, as in a response of its own; otherwise null.',
    },
  },
}

const { pageContent: _, ...RECORD } = exampleRecord(assetFile)

export const BATCH_DOCS: EndpointDocs = {
  tag: assetFile.name,
  operationId: 'batch',
  description:
    'In mode each, the operations run one after the other, in order, each with its own commit, and each has a result. ' +
    `In mode all, one commit carries out all of them or none: at most ${MAX_JOINT_BATCH} operations, each file once. The response is then ` +
    'the problem of the first operation that is refused, with a pointer such as /operations/3. ' +
    'The grants of each operation are those of the single request, and a file that the key may not see counts as missing. ' +
    'A retry with the same Idempotency-Key carries out nothing again. If the first response is no longer stored, results are the ' +
    'files as they are now. In mode each, rebuilt is then true: after a crash, the last operations may not have been carried out.',
  parameters: [PREFER_STRICT],
  body: jsonBody({
    schema: {
      type: 'object',
      required: ['mode', 'operations'],
      additionalProperties: false,
      properties: {
        mode: MODE,
        operations: { type: 'array', minItems: 1, maxItems: MAX_BATCH, items: OPERATION },
      },
    },
    example: {
      mode: 'each',
      operations: [
        { op: 'publish', asset_file_id: 2 },
        { op: 'update', asset_file_id: 2, fields: { title: 'Hello' } },
      ],
    },
    limit: BODY_LIMITS.bulk,
  }),
  answers: {
    200: jsonAnswer('The results, in the order of the operations.', {
      schema: {
        type: 'object',
        required: ['mode', 'succeeded', 'failed', 'rebuilt', 'results'],
        properties: {
          mode: MODE,
          succeeded: COUNT,
          failed: COUNT,
          rebuilt: { type: 'boolean' },
          results: { type: 'array', maxItems: MAX_BATCH, items: RESULT },
        },
      },
      example: {
        mode: 'each',
        succeeded: 1,
        failed: 0,
        rebuilt: false,
        results: [
          {
            op: 'publish',
            asset_file_id: 2,
            status: 200,
            etag: '"r2-5d8f0b21"',
            record: RECORD,
            problem: null,
          },
        ],
      },
    }),
  },
  problems: [404, 409, 412],
}
