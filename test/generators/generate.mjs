// node generate.mjs NAME DIRECTORY: generates the clients of one generator from system.json and module.json
// in DIRECTORY into DIRECTORY/NAME. Any further output is a finding.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const DOCUMENTS = ['system', 'module']

/** Generators are imported on demand, because each import takes a second. */
const GENERATORS = {
  async 'openapi-typescript'(input, output) {
    const { default: openapiTypescript, astToString } = await import('openapi-typescript')
    const nodes = await openapiTypescript(input)
    writeFileSync(`${output}.ts`, astToString(nodes))
  },
  async 'hey-api'(input, output) {
    const { createClient } = await import('@hey-api/openapi-ts')
    const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk']
    const logs = { level: 'warn', file: false }
    await createClient({ input: input.pathname, output: { path: output }, plugins, logs })
  },
  async orval(input, output) {
    const { generate } = await import('orval')
    const mutator = { path: join(directory, 'scenario/fetcher.ts'), name: 'fetcher' }
    const baseUrl = { getBaseUrlFromSpecification: true }
    const target = `${output}.ts`
    const options = { client: 'fetch', mode: 'single', baseUrl, override: { mutator } }
    await generate({ input: { target: input.pathname }, output: { target, ...options } })
  },
  async 'swagger-typescript-api'(input, output) {
    const { generateApi } = await import('swagger-typescript-api')
    const [, directory, name] = /^(.*)\/(\w+)$/.exec(output)
    const options = { httpClientType: 'fetch', fileName: `${name}.ts` }
    await generateApi({ input: input.pathname, output: directory, cleanOutput: false, ...options })
  },
}

const [name, directory] = process.argv.slice(2)
mkdirSync(join(directory, name), { recursive: true })
for (const document of DOCUMENTS) {
  const input = new URL(`file://${join(directory, document)}.json`)
  await GENERATORS[name](input, join(directory, name, document))
}
