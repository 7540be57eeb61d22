// What both documents share. The library is loaded with the first document that is asked for: it would
// be a good part of the time that the server takes to start.

import type { OpenApiBuilder } from 'openapi3-ts/oas31'
import { OTHER_PROBLEM_ANSWER, PAGE_SCHEMA, PROBLEM_SCHEMA, problemAnswers } from './answers.ts'
import { serverUrl } from './operation.ts'

/** That of the interface, which paths carry. */
const API_VERSION = '2'

export interface Heading {
  readonly title: string
  readonly description: string
  /** Absolute, without a slash at its end; may hold a path. */
  readonly baseUrl: string
}

export async function openDocument({
  title,
  description,
  baseUrl,
}: Heading): Promise<OpenApiBuilder> {
  const { OpenApiBuilder: Builder } = await import('openapi3-ts/oas31')
  const builder = Builder.create({
    openapi: '3.1.0',
    info: { title, version: API_VERSION, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: serverUrl(baseUrl) }],
    security: [{ bearerAuth: [] }],
    tags: [],
    paths: {},
    components: { schemas: {}, responses: {}, securitySchemes: {} },
  })

  builder.addSecurityScheme('bearerAuth', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key: "cms_…".',
  })
  builder.addSchema('page', PAGE_SCHEMA).addSchema('problem', PROBLEM_SCHEMA)
  builder.addResponse('problem', OTHER_PROBLEM_ANSWER)
  for (const [name, answer] of Object.entries(problemAnswers())) builder.addResponse(name, answer)
  return builder
}
