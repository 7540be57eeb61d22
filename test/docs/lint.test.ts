// The documents against two independent linters: redocly with the rules in redocly.yaml, and Spectral with
// its rules for OpenAPI.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { loadPackage } from '../helpers/generators.ts'
import { REDOCLY_CONFIG, runRedocly } from '../helpers/redocly.ts'
import { startTestServer } from '../helpers/server.ts'
import { makeModules } from './traffic.ts'

/** The linters report the address of a test server as a mistake. */
const HOST = { host: 'cms.our-site.org' }

const directory = mkdtempSync(join(tmpdir(), 'cms-lint-'))
const documents = new Map<string, any>()

before(async () => {
  const server = await startTestServer()
  try {
    const read = async (name: string): Promise<any> =>
      (await server.call('GET', `/public/api/${name}/swagger.json`, { headers: HOST })).body
    documents.set('system', await read('system'))
    documents.set('empty', await read('module'))
    await makeModules(server.call)
    documents.set('module', await read('module'))
  } finally {
    await server.close()
  }
})
after(() => rmSync(directory, { recursive: true, force: true }))

async function lint(name: string, document: unknown): Promise<readonly string[]> {
  const path = join(directory, `${name}.json`)
  writeFileSync(path, JSON.stringify(document))
  const { stdout, stderr } = await runRedocly([
    'lint',
    path,
    `--config=${REDOCLY_CONFIG}`,
    '--format=json',
  ])
  assert.ok(stdout.startsWith('{'), stderr)
  const { problems } = JSON.parse(stdout)
  return problems.map((problem: any) => `${problem.ruleId}: ${problem.message}`)
}

/** Returns the findings of Spectral, including hints. */
async function lintAgain(document: unknown): Promise<readonly string[]> {
  const { Spectral } = loadPackage('@stoplight/spectral-core')
  const { oas } = loadPackage('@stoplight/spectral-rulesets')
  const spectral = new Spectral()
  spectral.setRuleset({ extends: [oas] })
  const findings: readonly any[] = await spectral.run(document)
  return findings
    .map(({ code, path, message }) => `${code}: ${path.join('/')}: ${message}`)
    .filter((finding) => !OF_EXAMPLES.test(finding))
}

/**
 * An element of `columns` has the members type and default, so Spectral mistakes such an element for a schema
 * anywhere in an example.
 */
const OF_EXAMPLES = /^oas3-valid-schema-example: \S+\/example\/\S*columns\/\d+\/default: /

for (const name of ['system', 'module', 'empty'])
  test(`Spectral reports nothing for the document (${name})`, async () => {
    assert.deepEqual(await lintAgain(documents.get(name)), [])
  })

test('the linter reports nothing for the System API document', async () => {
  assert.deepEqual(await lint('system', documents.get('system')), [])
})

test('the linter reports nothing for the module document', async () => {
  assert.deepEqual(await lint('module', documents.get('module')), [])
})

test('the linter reports nothing for a site without modules', async () => {
  assert.deepEqual(await lint('empty', documents.get('empty')), [])
})

test('the linter finds faults', async () => {
  const document = structuredClone(documents.get('module'))
  const [item] = Object.values<any>(document.paths)
  item.get.responses[200] = { $ref: '#/components/responses/nowhere' }
  item.get.operationId = item.post.operationId
  const found = await lint('wrong', document)
  assert.ok(
    found.some((text) => text.startsWith('no-unresolved-refs')),
    found.join(),
  )
  assert.ok(
    found.some((text) => text.startsWith('operation-operationId-unique')),
    found.join(),
  )
  const again = await lintAgain(document)
  assert.ok(
    again.some((text) => text.startsWith('operation-operationId-unique')),
    again.join(),
  )
})
