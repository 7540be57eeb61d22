// cms-server types: the same types from the directory and from a server. They compile under strict with openapi-fetch and
// with fetch, and a page that was made with them shows public rows.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { makeKey, runCli, startChild, type ChildServer } from '../helpers/child-server.ts'
import { GENERATORS_DIRECTORY } from '../helpers/generators.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { send } from '../helpers/server.ts'

const SCHEMA =
  "title C(40) NOTNULL, count I, size ENUM('small','big'), price N(8.2), day D, about X, hidden C(9), total N(12.2) COMPUTED 'price * count'"

describe('types', () => {
  const directory = mkdtempSync(join(tmpdir(), 'cms-types-'))
  const dataDir = newDataDirectory()
  let server: ChildServer
  let key: string
  let text: string
  const call = async (method: string, path: string, json?: object): Promise<any> => {
    const { status, text, body } = await send(server.url, method, path, {
      key,
      ...(json && { json }),
    })
    assert.ok(status < 300, text)
    return body
  }
  before(async () => {
    server = await startChild(dataDir, ['--docs', 'keyed'])
    key = await makeKey(dataDir)
    await call('POST', '/api/v2/datatable', { name: 'Products', table_schema: SCHEMA })
    await call('POST', '/api/v2/datatable', {
      name: 'Products',
      parent_category_id: 12,
      table_schema: 'a C(9)',
    })
    const name = 'It’s {new} *'
    const values =
      "a ENUM('x*/','it''s','</script>'), paths I, tags SET('n','o'), data JSON, place POINT, uid UUID"
    await call('POST', '/api/v2/datatable', {
      name,
      parent_category_id: 12,
      table_schema: values,
    })
    await call('POST', '/api/v2/calendar', { name: '2026', parent_category_id: 12 })
    // Names of types that the text itself uses, and the name that a second module of one name gets.
    for (const name of ['List', 'Pick', 'Products Calendar5', 'Products'])
      await call('POST', '/api/v2/calendar', { name, parent_category_id: 12 })
    text = await types(['--data', dataDir])
  })
  after(async () => {
    await server.kill('SIGTERM')
    rmSync(directory, { recursive: true })
    removeDataDirectories()
  })

  async function types(args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await runCli(['types', ...args])
    assert.equal(code, 0, stderr)
    return stdout
  }

  test('are equal from the directory, from its server and from a stopped site', async () => {
    assert.equal(await types(['--url', server.url, '--key', key]), text)
    await server.kill('SIGTERM')
    assert.equal(await types(['--data', dataDir]), text)
    server = await startChild(dataDir, ['--docs', 'keyed'])
  })

  test('have unique names per module, and names chosen by users stay text', () => {
    const names = [...text.matchAll(/^export interface (\w+) \{$/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== 'Entries')
    assert.deepEqual(names.slice(-16), [
      'Products',
      'paths',
      'ProductsDatatable2',
      'paths',
      'ItSNew',
      'paths',
      'Calendar1',
      'paths',
      'ListCalendar2',
      'paths',
      'PickCalendar3',
      'paths',
      'ProductsCalendar5',
      'paths',
      'ProductsCalendar5_',
      'paths',
    ])
    assert.match(text, /^\/\*\* Datatable 3: It’s \{new\} \* \*\/$/m)
    assert.match(text, /readonly tags: readonly \("n" \| "o"\)\[\] \| null/)
    assert.match(text, /readonly data: unknown/)
    // A computed column is read and not sent.
    assert.match(text, /readonly total: string \| null/)
    assert.doesNotMatch(text, /type ProductsInput = .*'total'/)
    assert.match(text, /readonly place: readonly \(number\)\[\] \| null/)
    assert.match(text, /readonly a: "x\*\/" \| "it's" \| "<\/script>" \| null/)
  })

  test('are equal with the key from a secret file', async () => {
    const path = join(directory, 'key')
    writeFileSync(path, `${key}\n`)
    const env = { CMS_KEY_FILE: path }
    const { stdout, stderr } = await runCli(['types', '--url', server.url], { env })
    assert.deepEqual([stdout, stderr], [text, ''])
  })

  test('are refused to a wrong key, and without a key if nothing is public', async () => {
    for (const args of [[], ['--key', 'cms_wrong']]) {
      const { code, stdout, stderr } = await runCli(['types', '--url', server.url, ...args])
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, /^cms-server: .*key/i)
    }
    const both = await runCli(['types', '--url', server.url, '--data', dataDir])
    assert.deepEqual([both.code, both.stdout], [2, ''])
    assert.match(both.stderr, /^error: give --data for a directory, or --url for a server$/m)
  })

  test('compile in strict mode, and a program with them sees what the server stores', async () => {
    const modules = join(GENERATORS_DIRECTORY, '../../node_modules')
    writeFileSync(join(directory, 'types.ts'), text)
    cpSync(join(GENERATORS_DIRECTORY, 'types/program.ts'), join(directory, 'program.ts'))
    writeFileSync(join(directory, 'rich.ts'), RICH)
    symlinkSync(modules, join(directory, 'node_modules'))
    writeFileSync(join(directory, 'package.json'), '{"type":"module"}')
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      target: 'es2023',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: [],
    }
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
    assert.equal(await compile(join(modules, 'typescript/bin/tsc'), directory), '')

    const outfile = join(directory, 'bundle.js')
    const entryPoints = [join(directory, 'program.ts')]
    await build({ entryPoints, outfile, bundle: true, format: 'esm', logLevel: 'silent' })
    const program = await import(pathToFileURL(outfile).href)
    assert.deepEqual(await program.run(key, `${server.url}/api/v2`), {
      created: '12.50',
      changed: [3, null],
      read: ['Lamp', undefined],
      found: [['Lamp', null]],
      bulk: [1, 1],
      plain: ['Lamp', 1],
      refused: [422, 'invalid-content'],
      ignored: 2,
    })
  })

  test('without a key describe public rows, and a page shows them', {
    skip: NO_BROWSER,
  }, async (t) => {
    const columns = ['title', 'size', 'price', 'day']
    await call('POST', '/api/v2/datatable/1', { public: true, public_columns: columns })
    const ofPublic = await types(['--url', server.url])
    assert.match(ofPublic, /readonly price: string \| null/)
    assert.doesNotMatch(ofPublic, /hidden|owner|ProductsInput|Datatable2|products\/search/)

    const program = `import type { paths } from './public'
      import createClient from 'openapi-fetch'
      const client = createClient<paths>({ baseUrl: '${server.url}/api/v2' })
      const { data } = await client.GET('/module/datatable/1/products', { params: { query: { orderStr: 'title' } } })
      document.title = data?.datatable_entry.map(({ title, price }) => title + ' ' + price).join() ?? 'nothing'`
    writeFileSync(join(directory, 'public.ts'), ofPublic)
    writeFileSync(join(directory, 'page.ts'), program)
    const outfile = join(directory, 'page.js')
    const entryPoints = [join(directory, 'page.ts')]
    await build({ entryPoints, outfile, bundle: true, format: 'esm', logLevel: 'silent' })
    const front = createServer(({ url }, response) => {
      const isScript = url === '/page.js'
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
      response.end(
        isScript ? readFileSync(outfile) : '<script type="module" src="/page.js"></script>',
      )
    })
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
    t.after(() => front.close().closeAllConnections())
    const browser = await openBrowser()
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(front.address() as AddressInfo).port}/`)
    await page.waitForFunction(`document.title !== ''`)
    assert.equal(await page.title(), 'Lamp 12.50')
    await browser.close()
  })
})

/** Returns what the compiler prints. */
function compile(compiler: string, cwd: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [compiler, '-p', cwd], (_, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })
}

/** A program that must compile, except for the lines after @ts-expect-error. */
const RICH = `import type { ItSNewInput, ItSNewQry } from './types'
export const body: ItSNewInput = { tags: ['n', 'o'], data: { a: [1, null] }, place: [13.4, 52.5], uid: null }
export const searches: ItSNewQry[] = [
  { tags: 'n' },
  { tags: { $in: ['n', null] } },
  { data: { '$.a[0]': { $gt: 0 } } },
  { data: 5 },
  { place: { $near: { point: [13.4, 52.5], km: 10 } } },
  { place: { $within: [5.9, 45.8, 10.5, 47.8] } },
  { place: null },
  // @ts-expect-error -- The list has no such text.
  { tags: 'x' },
  // @ts-expect-error -- The distance is missing.
  { place: { $near: { point: [13.4, 52.5] } } },
]
`
