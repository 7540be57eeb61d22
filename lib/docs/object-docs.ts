// Documents of the common object pattern: search, create, read, update, delete of each core object.

import type { ParameterObject, ReferenceObject, SchemaObject } from 'openapi3-ts/oas31'
import { assetCategory } from '../schema/asset-category.ts'
import { assetFile } from '../schema/asset-file.ts'
import { apiKey } from '../schema/api-key.ts'
import { isModuleKind } from '../schema/module.ts'
import type { ObjectType } from '../schema/object.ts'
import { user } from '../schema/user.ts'
import { LIMITS } from '../limits.ts'
import { jsonAnswer, jsonBody, NO_CONTENT, NOT_MODIFIED } from './answers.ts'
import { BODY_LIMITS } from './body-limits.ts'
import type { EndpointDocs } from './endpoint.ts'
import { EXAMPLE_SECRET, EXAMPLES, examplePage, exampleRecord, exampleUpdated } from './examples.ts'
import {
  fieldsParameter,
  flag,
  IF_MATCH,
  IF_NONE_MATCH,
  listParameters,
  query,
} from './parameters.ts'
import {
  createSchema,
  oneOrMany,
  pageSchema,
  schemaRef,
  selectionName,
  updateSchema,
} from './schemas.ts'

export interface ObjectDocs {
  readonly search: EndpointDocs
  readonly create: EndpointDocs
  readonly read: EndpointDocs
  readonly update: EndpointDocs
  readonly remove: EndpointDocs
}

const SAVES =
  'Every save makes a version: a body with any field besides fileState, also where it has the value that is stored. An empty ' +
  'body makes none. Neither the live nor the staged version moves by it. pageContent null is taken where a read answers it so, ' +
  'and refused where there is a text.'

const FILE_STATE =
  'A body with fileState also publishes or stages, in the same commit. fileState alone needs the grant ' +
  'publish or stage, and not modify.'

const FILE_LIST =
  `A list of up to ${LIMITS.maxNewFiles} files is created in one commit: all or none. Its answer is {"asset_file": [ … ]}, the ` +
  'records as in a list, without their pages; a refusal names the place in the list.'

const POSTED_BACK =
  'A record that was read can be posted back: in a body that has live_version, a fileState that is as it ' +
  'was moves nothing; fileState null is taken where it is null, and takes nothing off the site (that is …/unpublish). To publish the latest version again, send fileState without live_version.'

const UPDATE =
  'The body has the fields to change alone. Read-only fields are accepted with the value that they have, ' +
  'so that a record can be read, changed and posted back.'

export function objectDocs(object: ObjectType): ObjectDocs {
  const { name, label } = object
  const all = { tag: name }
  return {
    search: searchDocs(object),
    create: {
      ...all,
      operationId: `create_${name}`,
      ...(object === assetFile && { description: [FILE_STATE, FILE_LIST].join('\n\n') }),
      body: jsonBody({
        schema: createBody(object),
        example: EXAMPLES[name]?.create ?? {},
        limit: limitOf(object),
      }),
      answers: {
        201: jsonAnswer(`The new ${label}.`, {
          schema: createdSchema(object),
          example: createdRecord(object),
          headers: ['Location', 'ETag'],
        }),
      },
      problems: [409],
    },
    read: {
      ...all,
      operationId: `read_${name}`,
      parameters: [
        fieldsParameter(Object.keys(object.fields), 'The fields to answer, separated by commas.'),
        IF_NONE_MATCH,
      ],
      answers: {
        200: jsonAnswer(`The ${label}; with fields, these of it.`, {
          schema: schemaRef(selectionName(name)),
          example: exampleRecord(object),
          headers: ['ETag'],
        }),
        304: NOT_MODIFIED,
      },
    },
    update: updateDocs(object),
    remove: {
      ...all,
      operationId: `delete_${name}`,
      parameters: [...removeParameters(object), IF_MATCH],
      answers: { 204: NO_CONTENT },
      problems: [409],
    },
  }
}

/** A key in the answer that shows its secret. */
export function withSecret(object: ObjectType): SchemaObject {
  const secret: SchemaObject = { type: 'string', description: 'Shown this once.' }
  return {
    allOf: [
      schemaRef(object.name),
      { type: 'object', required: ['secret'], properties: { secret } },
    ],
  }
}

function searchDocs(object: ObjectType): EndpointDocs {
  const { name } = object
  return {
    tag: name,
    operationId: `search_${name}`,
    parameters: listParameters(object),
    answers: {
      200: jsonAnswer('One page.', {
        schema: pageSchema(name, schemaRef(selectionName(name))),
        example: examplePage(name, listedRecord(object)),
        headers: ['Link', 'X-Total', 'Server-Timing'],
      }),
    },
  }
}

function updateDocs(object: ObjectType): EndpointDocs {
  const { name, label } = object
  const isModule = isModuleKind(name)
  const record = schemaRef(name)
  const schema = isModule ? { anyOf: [withWarnings(record), PLAN_SCHEMA] } : record
  return {
    tag: name,
    operationId: `update_${name}`,
    description:
      object === assetFile ? [UPDATE, SAVES, FILE_STATE, POSTED_BACK].join('\n\n') : UPDATE,
    parameters: [...(isModule ? CHANGE_PARAMETERS : []), IF_MATCH],
    body: jsonBody({
      schema: updateSchema(object),
      example: EXAMPLES[name]?.update ?? {},
      limit: limitOf(object),
    }),
    answers: {
      200: jsonAnswer(`The ${label} after the change.`, {
        schema,
        example: exampleUpdated(object),
        headers: ['ETag'],
      }),
    },
    problems: [409],
  }
}

function createBody(object: ObjectType): SchemaObject {
  const schema = createSchema(object)
  return object === assetFile ? oneOrMany(schema, LIMITS.maxNewFiles) : schema
}

function limitOf(object: ObjectType): string {
  if (object === assetFile) return BODY_LIMITS.page
  return object === user || isModuleKind(object.name) ? BODY_LIMITS.nested : BODY_LIMITS.json
}

function listedRecord(object: ObjectType): object {
  const { pageContent: _, ...listed } = exampleRecord(object)
  return listed
}

function createdRecord(object: ObjectType): object {
  const record = exampleRecord(object)
  return object === apiKey ? { ...record, secret: EXAMPLE_SECRET } : record
}

function createdSchema(object: ObjectType): SchemaObject | ReferenceObject {
  if (object === apiKey) return withSecret(object)
  const record = schemaRef(object.name)
  if (object === assetFile) return { oneOf: [record, createdList(object)] }
  return isModuleKind(object.name) ? withWarnings(record) : record
}

function createdList({ name }: ObjectType): SchemaObject {
  const items = schemaRef(selectionName(name))
  return {
    type: 'object',
    description: 'The answer to a list.',
    required: [name],
    properties: { [name]: { type: 'array', items } },
  }
}

function withWarnings(record: ReferenceObject): SchemaObject {
  return { allOf: [record, { type: 'object', properties: { warnings: WARNINGS } }] }
}

function removeParameters(object: ObjectType): readonly ParameterObject[] {
  if (object === assetCategory)
    return [flag('recursive', 'Delete all that the folder holds, too; else it must be empty.')]
  if (object !== apiKey) return []
  return [
    flag(
      'cascade',
      'Delete all keys that it has made, too, those that they have made, and so on, as far as the key that asks ' +
        'may delete them.',
    ),
  ]
}

const CHANGE_PARAMETERS: readonly ParameterObject[] = [
  query('confirm', 'drop: values that the columns do not keep may be lost.', {
    type: 'string',
    enum: ['drop'],
  }),
  flag('dry_run', 'Answer what the change would do, as {"plan": …}, and change nothing.'),
]

const NAMES: SchemaObject = { type: 'array', items: { type: 'string' } }

function listOf(types: Readonly<Record<string, 'string' | 'integer'>>): SchemaObject {
  const properties: Record<string, SchemaObject> = {}
  for (const [name, type] of Object.entries(types)) properties[name] = { type }
  return { type: 'array', items: { type: 'object', required: Object.keys(types), properties } }
}

const COUNTED = listOf({ name: 'string', entries: 'integer' })

const CONVERTED = listOf({ name: 'string', entries: 'integer', nulls: 'integer' })

const WARNINGS: SchemaObject = {
  ...NAMES,
  description: 'What is odd in the table_schema that was sent; missing where nothing is.',
}

const PLAN_SCHEMA: SchemaObject = {
  type: 'object',
  required: ['plan'],
  properties: {
    warnings: WARNINGS,
    plan: {
      type: 'object',
      properties: {
        added: NAMES,
        renamed: listOf({ from: 'string', to: 'string' }),
        widened: NAMES,
        dropped: {
          ...COUNTED,
          description:
            'With the number of entries that have a value there, other than the default that the column ' +
            'gave to all of them when it was added.',
        },
        narrowed: {
          ...CONVERTED,
          description: 'With the number of entries whose value does not fit, and becomes null.',
        },
        retyped: {
          ...CONVERTED,
          description:
            'Of another type, with the number of entries whose value is not kept as it is: it becomes what ' +
            'the column takes of it (007 becomes 7), or null, as often as nulls says.',
        },
        required: {
          ...COUNTED,
          description: 'With the number of entries that would have no value: it must be 0.',
        },
        unique: {
          type: 'array',
          description: 'With the number of entries that have the value of an earlier one.',
          items: {
            type: 'object',
            required: ['name', 'entries', 'examples'],
            properties: {
              name: { type: 'string' },
              entries: { type: 'integer' },
              examples: {
                type: 'array',
                items: { type: 'integer' },
                description: 'Identifiers of the first of them.',
              },
            },
          },
        },
        refused: listOf({ name: 'string', detail: 'string' }),
      },
    },
  },
}
