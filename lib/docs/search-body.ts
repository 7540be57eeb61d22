// Documents of POST …/search, made from those of the list: the parameters are members of the body.

import type { ResponseObject, SchemaObject } from 'openapi3-ts/oas31'
import { jsonBody } from './answers.ts'
import { BODY_LIMITS } from './body-limits.ts'
import type { EndpointDocs } from './endpoint.ts'

export const SEARCH_SUMMARY = 'The same search with its parameters in the body'

/** What is not quite as in the query. A blank orderDir is accepted, so that the pattern of the query does not hold. */
const OWN: Readonly<Record<string, SchemaObject>> = {
  qry: { type: 'object', description: 'As in the query, or as a string.' },
  orderDir: { type: 'string', description: 'ASC or DESC, or one for each field of orderStr.' },
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
      'For a search that is too long for an address. The members are the query parameters of the list. Nothing is changed.',
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

/** The address of the next page could not hold the search. */
function withoutLink({ headers = {}, ...answer }: ResponseObject): ResponseObject {
  const { Link: __, ...others } = headers
  return { ...answer, headers: others }
}
