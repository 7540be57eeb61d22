// OpenAPI descriptions of creates and upserts of entries.

import type { ParameterObject, SchemaObject } from 'openapi3-ts/oas31'
import { LIMITS } from '../../config/limits.ts'
import { jsonAnswer, jsonBody } from '../../docs/answers.ts'
import { BODY_LIMITS } from '../../docs/body-limits.ts'
import type { DocumentedModule, ModuleEndpointDocs } from '../../docs/endpoint.ts'
import { exampleEntry, exampleWholeEntry } from '../../docs/examples.ts'
import { queryParameter } from '../../docs/parameters.ts'
import { closed, createSchema, listOf, schemaRef, wholly } from '../../docs/schemas.ts'
import { sizeOf, upsertKeyNames } from '../../schema/entry.ts'
import { maxListEntries } from '../../shared/list-size.ts'
import { common, conflicts, entrySchemaName, partOf, PREFER } from './entry-docs.ts'

function canUpsert({ entry }: DocumentedModule): boolean {
  return upsertKeyNames(entry).length > 0
}

/** Only modules with a unique column have the parameter. */
function onConflict(module: DocumentedModule): readonly ParameterObject[] {
  if (!canUpsert(module)) return []
  const names = upsertKeyNames(module.entry)
  const description =
    'Create or update: if an entry has the same value in this unique column, or the same values in these columns, it is updated, and columns that are left out stay the ' +
    'same. Needs the grant modify. Without the grant view, the response has no body.'
  return [queryParameter('on_conflict', description, { type: 'string', enum: [...names] })]
}

export const createDocs: ModuleEndpointDocs = (module) => {
  const { object, givenNames } = module.entry
  const example = { [object.name]: partOf(exampleWholeEntry(object), givenNames) }
  const headers = ['Location', 'ETag', 'Preference-Applied'] as const
  const schema = createdSchema(module, givenEntry(module))
  return {
    ...common('create', module),
    ...conflicts(module),
    description:
      'The response has the columns and no identifier. With the header Prefer: return=representation it is ' +
      'the whole entry, with Location. A list of such bodies is also accepted, as in `POST …/bulk`.',
    parameters: [PREFER, ...onConflict(module)],
    body: jsonBody({
      schema: closed(createSchema(object)),
      example: exampleEntry(object),
      limit: BODY_LIMITS.bulk,
    }),
    answers: {
      201: jsonAnswer('The stored values.', { schema, example, headers }),
      ...(canUpsert(module) && {
        200: jsonAnswer('With on_conflict: the stored values of an entry that was updated.', {
          schema,
          example,
          headers,
        }),
      }),
    },
  }
}

export const bulkDocs: ModuleEndpointDocs = (module) => {
  const { object, givenNames } = module.entry
  const maxEntries = maxListEntries(sizeOf(module.entry), LIMITS)
  const entry = partOf(exampleWholeEntry(object), givenNames)
  return {
    ...common('bulk_create', module),
    ...conflicts(module),
    description: `The body is a list of 1 to ${maxEntries.toLocaleString('en')} entries. One commit creates all of them or none.`,
    parameters: [PREFER, ...onConflict(module)],
    body: jsonBody({
      schema: listOf(closed(createSchema(object)), maxEntries),
      example: [exampleEntry(object)],
      limit: BODY_LIMITS.bulk,
    }),
    answers: {
      201: jsonAnswer('The stored values, in the order of the list.', {
        schema: createdSchema(module, { type: 'array', items: givenEntry(module) }),
        example: { [object.name]: [entry] },
        headers: ['Preference-Applied'],
      }),
      ...(canUpsert(module) && {
        200: jsonAnswer('With on_conflict: the stored values, and for each whether it is new.', {
          schema: upsertedSchema(module),
          example: { [object.name]: [entry], created: [false] },
          headers: ['Preference-Applied'],
        }),
      }),
    },
  }
}

/** Schema of the columns that a create returns. */
function givenEntry(module: DocumentedModule): SchemaObject {
  return wholly(schemaRef(entrySchemaName(module)), [...module.entry.givenNames])
}

function createdSchema({ entry }: DocumentedModule, created: SchemaObject): SchemaObject {
  const { name } = entry.object
  return { type: 'object', required: [name], properties: { [name]: created } }
}

function upsertedSchema(module: DocumentedModule): SchemaObject {
  const { name } = module.entry.object
  const created: SchemaObject = { type: 'array', items: { type: 'boolean' } }
  const entries: SchemaObject = { type: 'array', items: givenEntry(module) }
  return { type: 'object', required: [name, 'created'], properties: { [name]: entries, created } }
}
