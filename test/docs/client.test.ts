// A typed client that an independent generator makes from the documents. A scenario compiles with the client,
// and the scenario runs.

import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { runRedocly } from '../helpers/redocly.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { makeModules } from './traffic.ts'

const IMPORT = `import { client as system } from './system.js'`

// The scenario is a string because the test passes the source text to the compiler.
const SCENARIO = `
import { client as system } from './system.js'
import { client as modules } from './module.js'

const token = process.argv[2] ?? ''
system.configure({ auth: { bearer: token } })
modules.configure({ auth: { bearer: token } })

const folder = await system.create_asset_category({ body: { name: 'Scenario' } })
const body = {
  name: 'a.html',
  type: 'html',
  parent_category_id: folder.asset_category_id,
  pageContent: '<p>a</p>',
}
const file = await system.create_asset_file({ body })
const path = { id: file.asset_file_id }
const live: number | null = (await system.publish_asset_file({ path })).live_version
const found = await system.search_asset_file({ query: { qry: JSON.stringify({ name: 'a.html' }), length: 10 } })
const names = found.asset_file.map((item) => item.name)
await system.update_asset_file({ path, body: { title: 'A' } })

const Filedata = new Blob(['bytes'])
const form = { Filedata, asset_category_id: folder.asset_category_id, name: 'b.txt' }
const uploaded = await system.upload_file({ body: form })

await modules.create_datatable_1_press_releases({ body: { title: 'Typed', price: '1.50' } })
const query = { qry: JSON.stringify({ title: 'Typed' }), count: 'exact' as const }
const page = await modules.search_datatable_1_press_releases({ query })
const entry = page.datatable_entry[0]
await system.delete_asset_file({ path })
const refused = await system.read_asset_file({ path }).catch((error) => error.status)
const { size } = uploaded
const { total } = page.page
console.log(JSON.stringify({ live, names, size, price: entry?.price, total, refused }))
`

const directory = mkdtempSync(join(tmpdir(), 'cms-client-'))
let server: TestServer

before(async () => {
  server = await startTestServer()
  await makeModules(server.call)
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}')
  for (const name of ['system', 'module']) {
    const { text } = await server.call('GET', `/public/api/${name}/swagger.json`)
    const [path, output] = [join(directory, `${name}.json`), join(directory, `${name}.ts`)]
    writeFileSync(path, text)
    const { status, stderr } = await runRedocly(['generate-client', path, '--output', output])
    assert.equal(status, 0, stderr)
  }
})
after(async () => {
  await server.close()
  rmSync(directory, { recursive: true, force: true })
})

type File = readonly [name: string, source: string]

function compile(files: readonly File[]): { readonly status: number | null; text: string } {
  const paths = files.map(([name]) => join(directory, `${name}.ts`))
  for (const [index, [, source]] of files.entries()) writeFileSync(paths[index] ?? '', source)
  const compiler = createRequire(import.meta.url).resolve('typescript/package.json')
  const args = ['--strict', '--target', 'es2023', '--module', 'nodenext', '--skipLibCheck']
  const types = ['--ignoreConfig', '--types', 'node', '--typeRoots', typeRoots()]
  const program = join(dirname(compiler), 'bin/tsc')
  const all = [program, ...args, ...types, ...paths]
  const { status, stdout } = spawnSync(process.execPath, all, { encoding: 'utf8' })
  return { status, text: stdout }
}

function typeRoots(): string {
  return dirname(dirname(createRequire(import.meta.url).resolve('@types/node/package.json')))
}

test('the client compiles and runs a scenario', async () => {
  const { status, text } = compile([['scenario', SCENARIO]])
  assert.equal(status, 0, text)

  const child = await new Promise<{ stdout: string; stderr: string }>((resolve) => {
    const args = [join(directory, 'scenario.js'), server.key]
    execFile(process.execPath, args, (_, stdout, stderr) => resolve({ stdout, stderr }))
  })
  assert.equal(child.stderr, '')
  assert.deepEqual(JSON.parse(child.stdout), {
    live: 1,
    names: ['a.html'],
    size: 5,
    price: '1.50',
    total: 1,
    refused: 404,
  })
})

test('the client compiles for allowed calls and not for forbidden calls', () => {
  const right = [
    `await system.create_asset_file({ body: { name: 'a', type: 'html', parent_category_id: 1 } })`,
    `await system.search_asset_file({ query: { length: 5 } })`,
    `const secret: string = (await system.create_api_key({ body: { name: 'k' } })).secret`,
  ]
  const wrong = [
    `await system.create_asset_file({ body: { name: 'a', type: 'html' } })`,
    `await system.search_asset_file({ query: { length: 'many' } })`,
    `const secret: number = (await system.create_api_key({ body: { name: 'k' } })).secret`,
  ]
  const lines = [...right, ...wrong]
  const files = lines.map((line, index) => [`line-${index}`, `${IMPORT}\n${line}`] as const)
  const { text } = compile(files)
  const refused = files.filter(([name]) => text.includes(`${name}.ts(`)).map(([, line]) => line)
  assert.deepEqual(
    refused,
    files.slice(right.length).map(([, line]) => line),
  )
})
