// The parts that both OpenAPI documents share. The library is imported with the first requested document, because the
// import would add noticeably to the start time of the server.

import type { ComponentsObject, OpenApiBuilder, ResponseObject } from 'openapi3-ts/oas31'
import { otherProblemAnswer, PAGE_SCHEMA, PROBLEM_SCHEMA, problemAnswerOf } from './answers.ts'
import { serverUrl } from './operation.ts'

/** The version of the API, as in its paths. */
const API_VERSION = '2'

export interface Heading {
  readonly title: string
  readonly description: string
  /** Absolute, without a trailing slash; may contain a path. */
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
    info: {
      title,
      version: API_VERSION,
      description,
      contact: { name: 'Who runs this server', url: baseUrl },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl(baseUrl) }],
    security: [{ bearerAuth: [] }],
    tags: [],
    paths: {},
    components: { schemas: {}, securitySchemes: {} },
  })

  builder.addSecurityScheme('bearerAuth', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key: "cms_…".',
  })
  builder.addSchema('page', PAGE_SCHEMA).addSchema('problem', PROBLEM_SCHEMA)
  return builder
}

const REFERENCE = /"#\/components\/(\w+)\/([^"/]+)"/g

/** The components that a part of a document refers to, as `schemas/page`. */
export function referencesIn(text: string): readonly string[] {
  return [...text.matchAll(REFERENCE)].map(([, kind = '', name = '']) => `${kind}/${name}`)
}

/** Returns the components that are referenced, directly or through other components. Problem responses are built here. */
export function usedComponents(
  { schemas = {}, ...rest }: ComponentsObject,
  references: Iterable<string>,
  baseUrl: string,
): ComponentsObject {
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '')
  const used: Required<Pick<ComponentsObject, 'schemas' | 'responses'>> = {
    schemas: {},
    responses: {},
  }
  const add = (names: Iterable<string>): void => {
    for (const name of names) {
      const [kind, key = ''] = name.split('/', 2)
      const place = kind === 'schemas' ? used.schemas : used.responses
      const component = kind === 'schemas' ? schemas[key] : answerOf(key, prefix)
      if (place[key] !== undefined || component === undefined) continue
      place[key] = component
      add(referencesIn(JSON.stringify(component)))
    }
  }
  add(references)
  return { ...rest, ...used }
}

function answerOf(name: string, prefix: string): ResponseObject {
  return name === 'problem' ? otherProblemAnswer(prefix) : problemAnswerOf(name, prefix)
}
