// Four independent generators make clients from both documents. No generator warns, all output compiles with
// strict, and a program with each client works with a site.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { build } from 'esbuild'
import pMap from 'p-map'
import { GENERATORS_DIRECTORY } from '../helpers/generators.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'

const NAMES = ['openapi-typescript', 'hey-api', 'orval', 'swagger-typescript-api'] as const

const TABLE = {
  name: 'Products',
  table_schema:
    'title C(40) NOTNULL, count I, hot L, price N(8.2), day D, ' +
    "state ENUM('new','used'), tags SET('red','blue'), data JSON, " +
    'also I REFERENCES SELF MANY ON DELETE SET NULL',
}

const directory = mkdtempSync(join(tmpdir(), 'cms-generators-'))
const printed = new Map<string, string>()
let server: TestServer

before(async () => {
  server = await startTestServer()
  const { status } = await server.call('POST', '/api/v2/datatable', { json: TABLE })
  assert.equal(status, 201)
  for (const name of ['system', 'module']) {
    const { text } = await server.call('GET', `/public/api/${name}/swagger.json`)
    writeFileSync(join(directory, `${name}.json`), text)
  }
  cpSync(join(GENERATORS_DIRECTORY, 'scenario'), join(directory, 'scenario'), { recursive: true })
  symlinkSync(join(GENERATORS_DIRECTORY, '../../node_modules'), join(directory, 'node_modules'))
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}')
  const generator = join(GENERATORS_DIRECTORY, 'generate.mjs')
  const generate = async (name: string): Promise<void> =>
    void printed.set(name, await runNode([generator, name, directory]))
  await pMap(NAMES, generate, { concurrency: 2 })
})
after(async () => {
  await server.close()
  rmSync(directory, { recursive: true, force: true })
})

/** Returns everything that the program prints, with its exit status unless the status is 0. */
function runNode(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const env = { ...process.env, NO_COLOR: '1' }
    execFile(process.execPath, args, { cwd: directory, env }, (error, stdout, stderr) => {
      resolve(`${stdout}${stderr}${error === null ? '' : `\nstatus ${error.code}`}`)
    })
  })
}

for (const name of NAMES) {
  test(`${name} generates from both documents without a warning`, () => {
    const text = stripVTControlCharacters(printed.get(name) ?? 'nothing')
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    const findings = lines.filter((line) => !isNews(line))
    assert.deepEqual(findings, [])
  })
}

const NEWS =
  /^(@hey-api\/openapi-ts v[\d.]+|\[Job 1\] .*|🎉 .* orval!|(ℹ|✔|\[info\]|\[success\]) .*)$/u

/** Whether a line reports the start, the progress or the end of a generator. */
function isNews(line: string): boolean {
  return NEWS.test(line) && !/warn|error|fail/i.test(line)
}

test('the generated clients compile in strict mode with the programs that use them', async () => {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable'],
    skipLibCheck: true,
    types: [],
  }
  const include = ['scenario', ...NAMES].map((name) => `${name}/**/*.ts`)
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }))
  const compiler = createRequire(import.meta.url).resolve('typescript/package.json')
  const program = join(dirname(compiler), 'bin/tsc')
  assert.equal(await runNode([program, '-p', directory]), '')
})

/** Values that every program reads, whichever generator made its client. */
function expected(name: string): object {
  const values = { title: name, count: 7, hot: true, price: '12.50', day: '2026-01-31' }
  return {
    files: {
      several: ['b.html', 'c.html'],
      live: 1,
      found: ['b.html'],
      refused: [404, 'not-found'],
      size: 5,
    },
    downloaded: [0, 255, 13, 10, 128],
    columns: ['title', 'when', 'n'],
    created: { ...values, state: null, tags: null, data: null, also: [] },
    count: 2,
    found: [{ title: name, price: '12.50', day: '2026-01-31' }],
    related: ['used', ['blue', 'red'], { size: [3, 4] }, true, [name]],
    updated: [-1, false, '12.50'],
    left: [1, 1],
    health: 'ok',
  }
}

test('the programs run and return equal results', async () => {
  await build({
    entryPoints: NAMES.map((name) => join(directory, `scenario/${name}.ts`)),
    outdir: join(directory, 'programs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
  })
  for (const name of NAMES) {
    const program = await import(pathToFileURL(join(directory, `programs/${name}.js`)).href)
    const outcome = await program.run(server.key, `${server.url}/api/v2`)
    assert.deepEqual(outcome, expected(name), name)
  }
})
