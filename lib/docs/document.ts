// What both documents share. The library is loaded with the first document that is asked for: it would
// be a good part of the time that the server takes to start.

import type { ComponentsObject, OpenApiBuilder } from 'openapi3-ts/oas31'
import { otherProblemAnswer, PAGE_SCHEMA, PROBLEM_SCHEMA, problemAnswers } from './answers.ts'
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
    components: { schemas: {}, responses: {}, securitySchemes: {} },
  })

  builder.addSecurityScheme('bearerAuth', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key: "cms_…".',
  })
  builder.addSchema('page', PAGE_SCHEMA).addSchema('problem', PROBLEM_SCHEMA)
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '')
  builder.addResponse('problem', otherProblemAnswer(prefix))
  for (const [name, answer] of Object.entries(problemAnswers(prefix)))
    builder.addResponse(name, answer)
  return builder
}

const REFERENCE = /"#\/components\/(\w+)\/([^"/]+)"/g

/** The components that a part of a document refers to, as `schemas/page`. */
export function referencesIn(text: string): readonly string[] {
  return [...text.matchAll(REFERENCE)].map(([, kind = '', name = '']) => `${kind}/${name}`)
}

/** Of these components those that something refers to, or a component of which that is true. */
export function usedComponents(
  { schemas = {}, responses = {}, ...rest }: ComponentsObject,
  references: Iterable<string>,
): ComponentsObject {
  const used = new Set<string>()
  const add = (names: Iterable<string>): void => {
    for (const name of names) {
      if (used.has(name)) continue
      used.add(name)
      const [kind, key = ''] = name.split('/', 2)
      const component = (kind === 'schemas' ? schemas : responses)[key]
      if (component !== undefined) add(referencesIn(JSON.stringify(component)))
    }
  }
  add(references)
  const keep = <T>(kind: string, components: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(components).filter(([key]) => used.has(`${kind}/${key}`)))
  return { ...rest, schemas: keep('schemas', schemas), responses: keep('responses', responses) }
}
