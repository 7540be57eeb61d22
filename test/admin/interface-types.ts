// Generates the types of the interface for the administration area from the OpenAPI document of the server.

import { join } from 'node:path'
import { loadPackage, GENERATORS_DIRECTORY } from '../helpers/generators.ts'
import { startTestServer } from '../helpers/server.ts'

/** Found from any output directory of the compiler. */
export const TYPES_PATH = join(GENERATORS_DIRECTORY, '../../lib/admin/client/interface.d.ts')

const HEAD = `// Made by npm run admin:types from the document of the System API; a test compares it with what that is now.

`

export async function buildTypes(): Promise<string> {
  const server = await startTestServer({ config: { baseUrl: 'http://localhost:8080' } })
  try {
    const { body } = await server.call('GET', '/public/api/system/swagger.json')
    const { default: openapiTypescript, astToString } = loadPackage('openapi-typescript')
    return HEAD + withoutSlips(astToString(await openapiTypescript(withNull(body))))
  } finally {
    await server.close()
  }
}

/** A required member of a body that also accepts null. */
const REMOVED_PASSWORD = 'set_password'

/**
 * The document lists one type for each member of a body. The server also accepts null, and the area
 * sends null.
 */
function withNull(document: any): any {
  for (const item of Object.values<any>(document.paths))
    for (const { requestBody, operationId } of Object.values<any>(item)) {
      const { schema } = requestBody?.content['application/json'] ?? {}
      if (schema === undefined) continue
      widen(schema)
      if (operationId === REMOVED_PASSWORD) schema.properties.password.type = ['string', 'null']
    }
  return document
}

function widen({ properties = {}, required = [], items }: any): void {
  if (items !== undefined) widen(items)
  for (const [name, member] of Object.entries<any>(properties)) {
    widen(member)
    if (required.includes(name) || typeof member.type !== 'string') continue
    member.type = [member.type, 'null']
    if (member.enum !== undefined) member.enum = [...member.enum, null]
  }
}

/** The order of members follows the document; trailing whitespace is removed. */
function withoutSlips(text: string): string {
  return text.replaceAll(/[ \t]+$/gm, '')
}
