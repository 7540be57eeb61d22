// Imports a Directus template (schema, relations, content, files) into an empty server. Needs Node.js and no package.
//
//   CMS_KEY=… node examples/directus/import.js path/to/template/src

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const [source = '.'] = process.argv.slice(2)
const { CMS_URL = 'http://127.0.0.1:8080', CMS_KEY = '' } = process.env
const [USERS, FILES] = ['directus_users', 'directus_files']
/** The policy whose permissions Directus grants to visitors. */
const PUBLIC = 'abf8a154-5b1c-4a46-ac9c-7300570f4f17'
const MAX_ROWS = 100
const KEPT_RULES = ['CASCADE', 'SET NULL']

const TIMES = { timestamp: 'T', dateTime: 'T', date: 'D', time: 'C(8)' }
const NUMBERS = { integer: 'I', bigInteger: 'I8', float: 'F', boolean: 'L' }
const OTHERS = { uuid: 'UUID', text: 'X', json: 'JSON', csv: 'JSON', 'geometry.Point': 'POINT' }
const TYPES = { ...TIMES, ...NUMBERS, ...OTHERS }
const RICH = { 'input-rich-text-html': 'HTML', 'input-rich-text-md': 'MD', 'select-color': 'COLOR' }

const readJson = (name) => JSON.parse(readFileSync(join(source, `${name}.json`), 'utf8'))
const [fields, relations, permissions] = ['fields', 'relations', 'permissions'].map(readJson)
const visible = permissions.filter(({ policy, action }) => policy === PUBLIC && action === 'read')
const isPublic = (name) => visible.some(({ collection }) => collection === name)

/** Numbers of entries and files by the collection and identifier of Directus. */
const ids = new Map()

async function call(method, path, body, headers = {}) {
  const isForm = body instanceof FormData
  const type = isForm ? {} : { 'content-type': 'application/json' }
  const response = await fetch(CMS_URL + path, {
    method,
    headers: { authorization: `Bearer ${CMS_KEY}`, ...type, ...headers },
    body: isForm ? body : JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

function tableOf(collection) {
  const own = fields.filter((field) => field.collection === collection && field.type !== 'alias')
  const links = relations
    .filter((relation) => relation.collection === collection)
    .flatMap((relation) => linksOf(relation))
  const plain = own.filter(({ field }) => links.every((link) => link.field !== field))
  return { name: collection, plain, links, rows: [readJson(`content/${collection}`)].flat() }
}

/** The references of a relation: one, or one for each collection of a many-to-any relation. */
function linksOf({ field, related_collection: one, schema, meta }) {
  const rule = KEPT_RULES.includes(schema?.on_delete) ? schema.on_delete : 'RESTRICT'
  const { one_allowed_collections: several, one_collection_field: kind } = meta ?? {}
  if (!several) return [{ name: field, field, target: one, rule }]
  const nameOf = (target) => `${field}_${target}`
  return several.map((target) => ({ name: nameOf(target), field, target, kind, rule }))
}

function plainColumn({ rows }, field) {
  const { field: name, schema = {} } = field
  const { default_value: initial } = schema
  const isLiteral = ['string', 'number', 'boolean'].includes(typeof initial)
  const words = [
    `${name} ${typeOf(rows, field)}`,
    name === 'id' ? 'KEY' : schema.is_unique && 'UNIQUE',
    name !== 'id' && schema.is_nullable === false && 'NOTNULL',
    isLiteral && initial !== 'CURRENT_TIMESTAMP' && `DEFAULT ${quote(initial)}`,
  ]
  return words.filter(Boolean).join(' ')
}

function typeOf(rows, { field, type, schema, meta }) {
  const { choices, allowOther } = meta?.options ?? {}
  if (choices && !allowOther) {
    // Directus offers choices without enforcing them, so the values of rows belong to them.
    const used = [schema?.default_value, ...rows.map((row) => row[field])]
    const all = new Set([...choices.map(({ value }) => value), ...used.flat()])
    const list = [...all].filter(Boolean).map(quote).join(', ')
    if (type === 'string') return `ENUM(${list})`
    if (meta.interface.startsWith('select-multiple')) return `SET(${list})`
  }
  if (type === 'decimal') return `N(${schema.numeric_precision}.${schema.numeric_scale})`
  return RICH[meta?.interface] ?? TYPES[type] ?? `C(${schema?.max_length ?? 255})`
}

function quote(text) {
  return `'${String(text).replaceAll("'", "''")}'`
}

/** Creates the table without references, because a reference can name a table that is created later. */
async function create(table) {
  const columns = table.plain.map((field) => plainColumn(table, field)).join(', ')
  const body = { name: table.name, table_schema: columns, public: isPublic(table.name) }
  const made = await call('POST', '/api/v2/datatable', body)
  Object.assign(table, { number: made.datatable_id, url: made.module_url, columns })
  await inParts(table.rows, async (part) => {
    const plain = (row) => table.plain.map(({ field }) => [field, row[field]])
    const rows = part.map((row) => Object.fromEntries(plain(row)))
    const saved = await call('POST', table.url, rows, { prefer: 'return=representation' })
    for (const { id, datatable_entry_id: number } of saved.datatable_entry)
      ids.set(`${table.name} ${id}`, number)
  })
}

async function connect(table, numbers) {
  if (table.links.length === 0) return
  const columns = table.links.map(({ name, target, rule }) => {
    const type = target === FILES ? 'FILE' : `I REFERENCES datatable ${numbers.get(target)}`
    return `${name} ${type} ON DELETE ${rule}`
  })
  const table_schema = [table.columns, ...columns].join(', ')
  await call('POST', `/api/v2/datatable/${table.number}`, { table_schema })
  const rows = table.rows.map((row) => ({ id: row.id, ...linkValues(table, row) }))
  await inParts(rows, (part) => call('POST', `${table.url}?on_conflict=id`, part))
}

function linkValues({ links }, row) {
  const own = links.filter(({ kind, target }) => kind === undefined || row[kind] === target)
  const entryOf = ({ target, field }) => ids.get(`${target} ${row[field]}`)
  return Object.fromEntries(own.map((link) => [link.name, entryOf(link)]))
}

async function inParts(rows, send) {
  for (let at = 0; at < rows.length; at += MAX_ROWS) await send(rows.slice(at, at + MAX_ROWS))
}

const ofFiles = { name: 'directus', public: isPublic(FILES) }
const { asset_category_id: folder } = await call('POST', '/api/v2/asset_category', ofFiles)
for (const { id, type, filename_disk: name } of readJson('files')) {
  const form = new FormData()
  form.set('asset_category_id', folder)
  form.set('fileState', 'publish')
  form.set('Filedata', new Blob([readFileSync(join(source, 'assets', name))], { type }), name)
  ids.set(`${FILES} ${id}`, (await call('POST', '/upload', form)).asset_file_id)
}

const collections = readJson('collections').filter(({ schema }) => schema)
const users = ['id', 'first_name', 'last_name'].map((field) => ({ field, type: 'string' }))
const tables = [
  { name: USERS, plain: users, links: [], rows: readJson('users') },
  ...collections.map(({ collection }) => tableOf(collection)),
]
for (const table of tables) await create(table)
const numbers = new Map(tables.map(({ name, number }) => [name, number]))
for (const table of tables) await connect(table, numbers)
for (const { url, rows, links } of tables)
  console.log(`${url}: ${rows.length} entries, ${links.length} references`)
