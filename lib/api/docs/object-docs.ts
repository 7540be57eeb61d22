// OpenAPI descriptions of the common object pattern: search, create, read, update and delete of each core object.

import type { ParameterObject, ReferenceObject, SchemaObject } from 'openapi3-ts/oas31'
import { LIMITS } from '../../config/limits.ts'
import {
  jsonAnswer,
  jsonBody,
  NO_CONTENT,
  NOT_MODIFIED,
  PENDING_REMOVAL,
} from '../../docs/answers.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { BODY_LIMITS } from '../../docs/body-limits.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'
import { examplePage, exampleRecord, exampleUpdated } from '../../docs/examples.ts'
import {
  fieldsParameter,
  flag,
  IF_MATCH,
  IF_NONE_MATCH,
  listParameters,
  queryParameter,
} from '../../docs/parameters.ts'
import {
  createSchema,
  listOf,
  pageSchema,
  schemaRef,
  selectionName,
  mergePatchSchema,
  updateSchema,
} from '../../docs/schemas.ts'
import type { ObjectRules, Option } from '../../operations/object-rules.ts'
import type { Visibility } from '../../operations/visibility.ts'
import type { ObjectType } from '../../schema/object.ts'

interface ObjectDocs {
  readonly create: EndpointDocs
  /** Only for objects that support bulk create. */
  readonly bulk: EndpointDocs
  readonly update: EndpointDocs
  readonly remove: EndpointDocs
}

interface ReadDocs {
  readonly search: EndpointDocs
  readonly read: EndpointDocs
}

const UPDATE =
  'The body contains only the fields to change; null clears a field. A read-only field is accepted if it has its current value, ' +
  'so that a client can read a record, change it and post it back.'

/** A list of columns is changed, and never cleared. */
const KEPT = ['columns']

export function objectDocs(rules: ObjectRules): ObjectDocs {
  const { object, notes } = rules
  const { name, label } = object
  return {
    create: {
      tag: name,
      operationId: `create_${name}`,
      ...describeCreate(rules),
      body: jsonBody({
        schema: createSchema(object),
        example: object.example?.create ?? {},
        limit: BODY_LIMITS[rules.body],
      }),
      answers: {
        201: jsonAnswer(`The new ${label}.`, {
          schema: withMembers(schemaRef(name), notes?.created),
          example: { ...exampleRecord(object), ...notes?.createdExample },
          headers: ['Location', 'ETag'],
        }),
      },
      problems: [409],
    },
    bulk: bulkDocs(rules),
    update: {
      tag: name,
      operationId: `update_${name}`,
      description: [UPDATE, ...(notes?.update ?? [])].join('\n\n'),
      parameters: [...optionParameters(rules.updateOptions), IF_MATCH],
      body: jsonBody({
        schema: updateSchema(object),
        example: object.example?.update ?? {},
        limit: BODY_LIMITS[rules.body],
      }),
      mergePatch: mergePatchSchema(object, KEPT),
      answers: {
        200: jsonAnswer(`The ${label} after the change.`, {
          schema: updatedSchema(rules),
          example: exampleUpdated(object),
          headers: ['ETag'],
        }),
      },
      problems: [409],
    },
    remove: {
      tag: name,
      operationId: `delete_${name}`,
      parameters: [...optionParameters(rules.removeOptions), IF_MATCH],
      answers: {
        ...(rules.object.name === assetFile.name && { 202: PENDING_REMOVAL }),
        204: NO_CONTENT,
      },
      problems: [409],
    },
  }
}

/** For every object, including objects that are read-only. */
export function readDocs(visibility: Visibility): ReadDocs {
  const { name, label, fields } = visibility.object
  return {
    search: {
      tag: name,
      operationId: `search_${name}`,
      parameters: listParameters(visibility.object),
      answers: {
        200: jsonAnswer('One page.', {
          schema: pageSchema(name, schemaRef(selectionName(name))),
          example: examplePage(name, listedRecord(visibility)),
          headers: ['Link', 'X-Total', 'Server-Timing'],
        }),
      },
    },
    read: {
      tag: name,
      operationId: `read_${name}`,
      parameters: [
        fieldsParameter(Object.keys(fields), 'The fields to return, separated by commas.'),
        IF_NONE_MATCH,
      ],
      answers: {
        200: jsonAnswer(`The ${label}; with fields, only those fields.`, {
          schema: schemaRef(selectionName(name)),
          example: exampleRecord(visibility.object),
          headers: ['ETag'],
        }),
        304: NOT_MODIFIED,
      },
    },
  }
}

/** The record with further members. */
function withMembers(
  record: ReferenceObject,
  members: SchemaObject | undefined,
): SchemaObject | ReferenceObject {
  return members === undefined ? record : { allOf: [record, members] }
}

function describeCreate({
  object,
  notes,
  createAll,
}: ObjectRules): Pick<EndpointDocs, 'description'> {
  const bulk = `A list of up to ${LIMITS.maxNewFiles} such bodies is also accepted, as in \`POST /${object.name}/bulk\`: one commit creates all of them or none.`
  const lines = [...(notes?.create ?? []), ...(createAll === undefined ? [] : [bulk])]
  return lines.length === 0 ? {} : { description: lines.join('\n\n') }
}

function bulkDocs({ object, body, notes }: ObjectRules): EndpointDocs {
  const { name, label } = object
  return {
    tag: name,
    operationId: `bulk_create_${name}`,
    description: [
      `The body is a list of 1 to ${LIMITS.maxNewFiles} ${label}s. One commit creates all of them or none. The response has the records as in a list; an error names the position in the list.`,
      ...(notes?.create ?? []),
    ].join('\n\n'),
    body: jsonBody({
      schema: listOf(createSchema(object), LIMITS.maxNewFiles),
      example: ['first', 'second'].map((word) => inList(word, object)),
      limit: BODY_LIMITS[body],
    }),
    answers: {
      201: jsonAnswer(`The new ${label}s, in the order of the list.`, {
        schema: createdList(object),
        example: { [name]: [exampleRecord(object)] },
      }),
    },
    problems: [409],
  }
}

/** Returns an example with its own name, because names are unique in a folder. */
function inList(word: string, { example }: ObjectType): object {
  const values: Readonly<Record<string, unknown>> = { ...example?.create }
  return { ...values, name: `${word}-${String(values['name'])}` }
}

/** Lists omit the attached field. */
function listedRecord({ object, attached }: Visibility): object {
  const { [attached?.field ?? '']: _, ...listed } = exampleRecord(object)
  return listed
}

function updatedSchema({ object, notes }: ObjectRules): SchemaObject | ReferenceObject {
  const record = withMembers(schemaRef(object.name), notes?.updated)
  return notes?.planned === undefined ? record : { anyOf: [record, notes.planned] }
}

function createdList({ name }: ObjectType): SchemaObject {
  const items = schemaRef(selectionName(name))
  return {
    type: 'object',
    required: [name],
    properties: { [name]: { type: 'array', items } },
  }
}

function optionParameters(options: readonly Option[] = []): readonly ParameterObject[] {
  return options.map(({ name, description, word }) =>
    word === undefined
      ? flag(name, description)
      : queryParameter(name, description, { type: 'string', enum: [word] }),
  )
}

interface Rotation {
  /** Description of the response: `The key with its new secret.` */
  readonly answer: string
  /** Description of `keep_old`. */
  readonly keepOld: string
  /** Schema of an object whose only member is the secret. */
  readonly secret: SchemaObject
  readonly example: string
  readonly description?: string
}

export function rotateDocs(object: ObjectType, rotation: Rotation): EndpointDocs {
  const { answer, keepOld, secret, example, description } = rotation
  const keep_old = { type: 'string', description: keepOld } satisfies SchemaObject
  return {
    tag: object.name,
    operationId: `rotate_${object.name}`,
    ...(description !== undefined && { description }),
    parameters: [IF_MATCH],
    body: {
      ...jsonBody({
        schema: { type: 'object', properties: { keep_old } },
        example: { keep_old: '12h' },
        limit: BODY_LIMITS.json,
      }),
      required: false,
    },
    answers: {
      200: jsonAnswer(answer, {
        schema: withMembers(schemaRef(object.name), secret),
        example: { ...exampleRecord(object), secret: example },
        headers: ['ETag'],
      }),
    },
  }
}
