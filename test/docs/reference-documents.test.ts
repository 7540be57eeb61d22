// References in the documents and in the TypeScript types: the names that can be expanded, and their records.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { makeFolder } from '../helpers/content.ts'
import { GENERATORS_DIRECTORY } from '../helpers/generators.ts'
import { makeCalendar, type MadeModule, makeTable } from '../helpers/modules.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'

const TYPESCRIPT = join(GENERATORS_DIRECTORY, '../../node_modules/typescript/bin/tsc')

let server: TestServer
let authors: MadeModule
let posts: MadeModule
let folder: number
before(async () => {
  server = await startTestServer({ config: { docs: 'keyed' } })
  folder = (await makeFolder(server)).asset_category_id
  authors = await makeTable(server, 'name C(80)', { name: 'Authors' })
  posts = await makeTable(
    server,
    `title C(9), author I REFERENCES datatable ${authors.id}, related I REFERENCES SELF MANY, photo I REFERENCES asset_file`,
    { name: 'Posts', parent_category_id: folder },
  )
})
after(() => server.close())

async function parametersOf({ url }: MadeModule, kind: string): Promise<Record<string, any>> {
  const id = /\d+/.exec(url.slice(url.indexOf(kind)))?.[0]
  const path = `/public/api/module/swagger.json?module=${kind}/${id}`
  const { body } = await server.call('GET', path)
  const operations = Object.entries<any>(body.paths).filter(([address]) =>
    address.includes(`/${id}/`),
  )
  return {
    schema: body.components.schemas[`${kind}_${id}_entry`],
    expands: operations.flatMap(([address, { get }]) =>
      (get?.parameters ?? [])
        .filter(({ name }: any) => name === 'expand')
        .map(({ description, schema }: any) => [
          address.endsWith('{entry_id}'),
          schema.type,
          description,
        ]),
    ),
  }
}

test('the document names the references that can be expanded, and describes their records', async () => {
  const { schema, expands } = await parametersOf(posts, 'datatable')
  assert.deepEqual(Object.keys(schema.properties.expanded.properties), [
    'author',
    'related',
    'photo',
  ])
  assert.deepEqual(schema.properties.expanded.properties.author.type, ['object', 'null'])
  assert.equal(schema.properties.expanded.properties.related.type, 'array')
  assert.deepEqual(
    expands.map(([isRead, type]: any) => [isRead, type]),
    [
      [false, 'string'],
      [true, 'string'],
    ],
  )
  for (const [, , description] of expands)
    assert.match(description, /Fields: author, related, photo\./)

  const plain = await parametersOf(authors, 'datatable')
  assert.deepEqual([plain['schema'].properties.expanded, plain['expands']], [undefined, []])
})

test('a calendar keeps its parameter for occurrences', async () => {
  const plain = await parametersOf(await makeCalendar(server), 'calendar')
  assert.deepEqual(
    plain['expands'].map(([, type]: any) => type),
    ['boolean'],
  )
  const table_schema = `speaker I REFERENCES datatable ${authors.id}`
  const { expands } = await parametersOf(await makeCalendar(server, { table_schema }), 'calendar')
  assert.deepEqual(
    expands.map(([isRead, type, description]: any) => [
      isRead,
      type,
      /occurrence/.test(description),
    ]),
    [
      [false, 'string', true],
      [true, 'string', false],
    ],
  )
})

const PROGRAM = `import type { ExpandedFile, paths, Posts, PostsQry } from './types'
const post = {} as Posts
const name: string | null | undefined = post.expanded?.author?.name
const first: Posts | undefined = post.expanded?.related?.[0]
const photo: ExpandedFile | null | undefined = post.expanded?.photo
// @ts-expect-error: an author has no such column
const wrong = post.expanded?.author?.nothing
const qry: PostsQry = { title: 'a', 'author.name': { $ne: 'Ada' }, $or: [{ 'datatable_9.post': { $some: {} } }] }
type Query = NonNullable<paths['${'/module/datatable/ID/posts'}']['get']['parameters']['query']>
const query: Query = { expand: 'author,related.author', fields: 'title' }
export { first, name, photo, qry, query, wrong }
`

/** Returns the messages of the compiler. */
function compile(types: string, program: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'cms-reference-types-'))
  writeFileSync(join(directory, 'types.ts'), types)
  writeFileSync(join(directory, 'program.ts'), program)
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
  }
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  return new Promise((resolve) => {
    execFile(process.execPath, [TYPESCRIPT, '-p', directory], (_, stdout, stderr) => {
      rmSync(directory, { recursive: true })
      resolve(stdout + stderr)
    })
  })
}

test('the TypeScript types have the expanded records, also of tables that the key may not see', async () => {
  const program = PROGRAM.replace('ID', String(posts.id))
  const all = await server.call('GET', '/public/api/module/types.ts')
  assert.equal(await compile(all.text, program), '')

  const key = await server.makeKey({ name: 'inside', grants: 'view', category: folder })
  const inside = await server.call('GET', '/public/api/module/types.ts', { key })
  assert.doesNotMatch(inside.text, /Authors/)
  const unknown = program
    .replace('const name: string | null | undefined', 'const name: unknown')
    .replace(/\/\/ @ts-expect-error.*\n/, '')
  assert.equal(await compile(inside.text, unknown), '')
})
