// OpenAPI description of POST …/search, made from the list operation: its query parameters become members of the body.

import type { ResponseObject, SchemaObject } from 'openapi3-ts/oas31'
import { jsonBody } from './answers.ts'
import { BODY_LIMITS } from './body-limits.ts'
import type { EndpointDocs } from './endpoint.ts'

export const SEARCH_SUMMARY = 'The same search with its parameters in the body'

/** Members that differ from the query parameters. The pattern of orderDir does not apply, because a blank value is accepted. */
const OWN: Readonly<Record<string, SchemaObject>> = {
  qry: {
    type: 'object',
    additionalProperties: true,
    description: 'The search as an object, or as a string with JSON.',
  },
  orderDir: {
    type: 'string',
    description: 'ASC or DESC for all fields, or one direction for each field of orderStr.',
  },
}

export function searchByPost(list: EndpointDocs): EndpointDocs {
  const { parameters = [], answers, operationId, description: _, ...rest } = list
  const properties = Object.fromEntries(
    parameters.map(({ name, schema = {} }) => [name, OWN[name] ?? schema]),
  )
  return {
    ...rest,
    operationId: `${operationId}_by_post`,
    description:
      'For a search that is too long for a URL. The members of the body are the query parameters of the list. The request changes nothing.',
    body: {
      ...jsonBody({
        schema: { type: 'object', additionalProperties: false, properties },
        example: { length: 10 },
        limit: BODY_LIMITS.search,
      }),
      required: false,
    },
    answers: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [status, withoutLink(answer)]),
    ),
  }
}

/** Removes the Link header, because the URL of the next page could not hold the search. */
function withoutLink({ headers = {}, ...answer }: ResponseObject): ResponseObject {
  const { Link: __, ...others } = headers
  return { ...answer, headers: others }
}
