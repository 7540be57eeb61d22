// The types of the interface for the administration area, from the document that the server gives.

import { join } from 'node:path'
import { loadPackage, GENERATORS_DIRECTORY } from '../helpers/generators.ts'
import { startTestServer } from '../helpers/server.ts'

/** From wherever this file was compiled to. */
export const TYPES_PATH = join(GENERATORS_DIRECTORY, '../../lib/admin/client/interface.d.ts')

const HEAD = `// Made by npm run admin:types from the document of the System API; a test compares it with what that is now.

`

export async function buildTypes(): Promise<string> {
  const server = await startTestServer({ config: { baseUrl: 'http://localhost:8080' } })
  try {
    const { body } = await server.call('GET', '/public/api/system/swagger.json')
    const { default: openapiTypescript, astToString } = loadPackage('openapi-typescript')
    return HEAD + withoutSlips(astToString(await openapiTypescript(body)))
  } finally {
    await server.close()
  }
}

/** The order of members is that of the document; what is left at the ends of lines is nobody's. */
function withoutSlips(text: string): string {
  return text.replaceAll(/[ \t]+$/gm, '')
}
