// The example of examples/directus: a template in the form of Directus is imported, and a page shows its relations.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { BIN } from '../helpers/child-server.ts'
import { startTestServer, type TestServer, temporaryDirectory } from '../helpers/server.ts'

const EXAMPLE = join(dirname(dirname(BIN)), 'examples/directus')
const MAX_LINES = 150
const PUBLIC = 'abf8a154-5b1c-4a46-ac9c-7300570f4f17'
/** A picture of one pixel. */
const PIXEL = 'R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs='

/** The tables of the template that the example names, in its order. */
const TABLES =
  'ai_prompts block_button block_button_group block_form block_gallery block_gallery_items block_hero block_posts block_pricing block_pricing_cards block_richtext form_fields forms form_submissions form_submission_values globals navigation navigation_items page_blocks pages posts redirects'.split(
    ' ',
  )

const uuid = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

interface FieldFacts {
  readonly type?: string
  readonly schema?: object
  readonly meta?: object
}

function fieldOf(collection: string, field: string, facts: FieldFacts = {}): object {
  return { collection, field, type: 'string', schema: { max_length: 255 }, meta: {}, ...facts }
}

function relationOf(collection: string, field: string, target: string, rule = 'SET NULL'): object {
  return { collection, field, related_collection: target, schema: { on_delete: rule }, meta: {} }
}

const STATUS = { options: { choices: [{ value: 'draft' }, { value: 'published' }] } }
const KINDS = ['block_hero', 'block_richtext', 'block_form', 'block_posts', 'block_gallery']
const ANY = {
  one_allowed_collections: [...KINDS, 'block_pricing'],
  one_collection_field: 'collection',
}

const FIELDS = [
  ...TABLES.map((name) => fieldOf(name, 'id', { type: name === 'navigation' ? 'string' : 'uuid' })),
  ...['globals', 'pages', 'forms', 'posts', 'navigation_items'].map((name) =>
    fieldOf(name, 'title'),
  ),
  ...['block_hero', 'block_form'].map((name) => fieldOf(name, 'headline')),
  ...['navigation_items', 'pages'].map((name) => fieldOf(name, 'sort', { type: 'integer' })),
  fieldOf('pages', 'permalink', { schema: { max_length: 255, is_unique: true } }),
  fieldOf('pages', 'blocks', { type: 'alias' }),
  fieldOf('forms', 'emails', { type: 'json' }),
  fieldOf('posts', 'status', {
    meta: STATUS,
    schema: { default_value: 'draft', is_nullable: false },
  }),
  fieldOf('posts', 'published_at', { type: 'timestamp' }),
  fieldOf('posts', 'content', { type: 'text', meta: { interface: 'input-rich-text-html' } }),
  fieldOf('posts', 'author', { type: 'uuid' }),
  fieldOf('posts', 'image', { type: 'uuid' }),
  fieldOf('block_form', 'form', { type: 'uuid' }),
  fieldOf('navigation_items', 'navigation'),
  fieldOf('navigation_items', 'page', { type: 'uuid' }),
  fieldOf('navigation_items', 'parent', { type: 'uuid' }),
  fieldOf('page_blocks', 'page', { type: 'uuid' }),
  fieldOf('page_blocks', 'collection'),
  fieldOf('page_blocks', 'item'),
]

const RELATIONS = [
  relationOf('posts', 'author', 'directus_users'),
  relationOf('posts', 'image', 'directus_files', 'NO ACTION'),
  relationOf('block_form', 'form', 'forms'),
  relationOf('navigation_items', 'navigation', 'navigation'),
  relationOf('navigation_items', 'page', 'pages'),
  relationOf('navigation_items', 'parent', 'navigation_items', 'CASCADE'),
  relationOf('page_blocks', 'page', 'pages', 'CASCADE'),
  { collection: 'page_blocks', field: 'item', related_collection: null, schema: null, meta: ANY },
]

const [ADA, PICTURE, HOME, HERO, FORM, BLOCK, POST, ABOUT] = [1, 2, 3, 4, 5, 6, 7, 8].map(uuid)

const CONTENT: Readonly<Record<string, unknown>> = {
  globals: { id: uuid(9), title: 'Rosehaven' },
  pages: [{ id: HOME, title: 'Home', permalink: '/', sort: 1, blocks: [BLOCK] }],
  forms: [{ id: FORM, title: 'Newsletter', emails: [{ to: ['ada@example.com'] }] }],
  block_hero: [{ id: HERO, headline: 'The harbour' }],
  block_form: [{ id: uuid(10), headline: 'Subscribe', form: FORM }],
  page_blocks: [
    { id: BLOCK, page: HOME, collection: 'block_hero', item: HERO },
    { id: uuid(11), page: HOME, collection: 'block_form', item: uuid(10) },
  ],
  posts: [
    {
      id: POST,
      title: 'Open',
      status: 'published',
      author: ADA,
      image: PICTURE,
      content: '<p>Now</p>',
    },
    { id: uuid(12), title: 'Later', status: 'archived', author: null, image: null },
  ],
  navigation: [{ id: 'main' }],
  navigation_items: [
    { id: uuid(13), title: 'Team', sort: 2, navigation: 'main', page: null, parent: ABOUT },
    { id: ABOUT, title: 'About', sort: 1, navigation: 'main', page: HOME, parent: null },
  ],
}

function writeTemplate(directory: string): void {
  const write = (name: string, value: unknown): void =>
    writeFileSync(join(directory, `${name}.json`), JSON.stringify(value))
  for (const folder of ['content', 'assets']) mkdirSync(join(directory, folder))
  write('collections', [
    ...TABLES.map((collection) => ({ collection, schema: {} })),
    { collection: 'menu', schema: null },
  ])
  write('fields', FIELDS)
  write('relations', RELATIONS)
  const seen = [
    ...TABLES.filter((name) => !name.includes('submission')),
    'directus_users',
    'directus_files',
  ]
  write(
    'permissions',
    seen.map((collection) => ({ policy: PUBLIC, action: 'read', collection })),
  )
  write('users', [{ id: ADA, first_name: 'Ada', last_name: 'Lovelace', password: '$argon2$hash' }])
  write('files', [{ id: PICTURE, type: 'image/gif', filename_disk: `${PICTURE}.gif` }])
  writeFileSync(join(directory, 'assets', `${PICTURE}.gif`), Buffer.from(PIXEL, 'base64'))
  for (const name of TABLES) write(`content/${name}`, CONTENT[name] ?? [])
}

let server: TestServer
let front: Server
const told: string[] = []
before(async () => {
  server = await startTestServer()
  const directory = temporaryDirectory()
  writeTemplate(directory)
  const env = { ...process.env, CMS_URL: server.url, CMS_KEY: server.key }
  const script = join(EXAMPLE, 'import.js')
  const { stdout } = await promisify(execFile)(process.execPath, [script, directory], { env })
  told.push(...stdout.trim().split('\n'))
  front = createServer(({ url = '' }, response) => {
    const name = new URL(url, 'http://front').pathname === '/page.js' ? 'page.js' : 'index.html'
    const type = name.endsWith('.js') ? 'text/javascript' : 'text/html'
    response.setHeader('content-type', type).end(readFileSync(join(EXAMPLE, name)))
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
})
after(async () => {
  front.close()
  await server.close()
})

const table = async (path: string) => (await server.call('GET', `/api/v2/${path}`)).body

test('every table is imported with its relations', async () => {
  assert.equal(told.length, TABLES.length + 1)
  assert.equal(told.at(-2), '/api/v2/module/datatable/22/posts: 2 entries, 2 references')
  const { table_schema: schema } = await table('datatable/22')
  assert.match(schema, /status ENUM\('draft', 'published', 'archived'\) NOTNULL DEFAULT 'draft'/)
  assert.match(schema, /content HTML.*author I REFERENCES datatable 1 ON DELETE SET NULL/)
  assert.match(schema, /image FILE ON DELETE RESTRICT/)
  const search = encodeURIComponent(
    JSON.stringify({ 'datatable_20.page': { $some: { collection: 'block_hero' } } }),
  )
  const { datatable_entry: pages } = await table(`module/datatable/21/pages?qry=${search}`)
  assert.deepEqual(
    pages.map(({ title }: any) => title),
    ['Home'],
  )
  const { datatable_entry: items } = await table(
    'module/datatable/19/navigation-items?expand=parent&orderStr=sort',
  )
  assert.deepEqual(
    items.map(({ expanded }: any) => expanded.parent?.title),
    [undefined, 'About'],
  )
})

test('content that is private in the template stays private, and no password hash is copied', async () => {
  const public_ = async (path: string) => (await server.call('GET', path, { key: null })).status
  assert.equal(await public_('/api/v2/module/datatable/15/form-submissions'), 401)
  assert.equal(await public_('/api/v2/module/datatable/22/posts'), 200)
  const { datatable_entry: users } = await table('module/datatable/1/directus-users')
  assert.doesNotMatch(JSON.stringify(users), /argon2/)
})

test('the page shows the entries with their references', { skip: NO_BROWSER }, async () => {
  const browser = await openBrowser()
  const page = await browser.newPage()
  const { port } = front.address() as { port: number }
  await page.goto(`http://127.0.0.1:${port}/?site=${server.url}`)
  await page.getByRole('heading', { name: 'Rosehaven' }).waitFor()
  await page.getByText('Open by Ada Lovelace').waitFor()
  assert.equal(await page.locator('#posts li').count(), 1)
  assert.equal(
    await page
      .locator('img')
      .evaluate((image: any) => image.decode().then(() => image.naturalWidth)),
    1,
  )
  assert.deepEqual(await page.locator('#blocks li').allTextContents(), [
    'Home hero: The harbour',
    'Home form: Subscribe with the form “Newsletter”',
  ])
  assert.deepEqual(await page.locator('#menu li').allTextContents(), ['About (/)', 'About › Team'])
  await browser.close()
})

test('the script and the page have at most 150 lines each', () => {
  for (const name of ['import.js', 'page.js', 'index.html']) {
    const lines = readFileSync(join(EXAMPLE, name), 'utf8').split('\n').length - 1
    assert.ok(lines <= MAX_LINES, `${name}: ${lines}`)
  }
})
