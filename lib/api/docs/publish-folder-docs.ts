// OpenAPI descriptions of the actions on all files below a folder.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { jsonAnswer } from '../../docs/answers.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'
import { flag, queryParameter } from '../../docs/parameters.ts'
import { schemaRef } from '../../docs/schemas.ts'
import type { FolderAction } from '../../operations/folders/publish-folder.ts'
import { assetCategory } from '../../schema/asset-category.ts'
import { MAX_PUBLISHED_FILES, MAX_SHOWN_FAILURES } from '../../shared/limits.ts'

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

export function folderActionDocs(action: FolderAction): EndpointDocs {
  const grant = action === 'stage' ? 'stage' : 'publish'
  return {
    tag: assetCategory.name,
    operationId: `${action}_asset_category`,
    description:
      `Changes each file like the request for this file: the latest version goes live or on stage. A refused file does not prevent the others. The files are changed in several small commits. Needs view and ${grant} in the folder, and in the folder of each file. ` +
      'A folder that the key may not view, and everything below it, counts as empty. ' +
      `A folder with more than ${MAX_PUBLISHED_FILES.toLocaleString('en')} files or folders below it is rejected with 413. Send no body, or {}.`,
    parameters: [
      flag('dry_run', 'Check every file and return the numbers, without changing anything.'),
      queryParameter(
        'expect',
        'The number of files that the folder must have; otherwise the response is 409 with the number in matched.',
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
