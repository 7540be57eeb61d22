// OpenAPI descriptions of secret rotation: POST …/{id}/rotate.

import type { SchemaObject } from 'openapi3-ts/oas31'
import type { ObjectType } from '../../schema/object.ts'
import { jsonAnswer, jsonBody } from '../../docs/answers.ts'
import { BODY_LIMITS } from '../../docs/body-limits.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'
import { exampleRecord } from '../../docs/examples.ts'
import { withMembers } from './object-docs.ts'
import { IF_MATCH } from '../../docs/parameters.ts'
import { schemaRef } from '../../docs/schemas.ts'

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
