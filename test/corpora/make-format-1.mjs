// Creates format-1.tar.gz: a data directory of format 1, and the answers of the server that wrote it. Runs
// once, with a checkout of version 0.1.0 in which `npm ci && npm run build` has run:
//
//   node test/corpora/make-format-1.mjs CHECKOUT test/corpora/format-1.tar.gz
//
// The script kills the server right after its last save. The records still contain small contents and a
// lease, and the mark of a clean stop is missing.

import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const [checkout, target] = process.argv.slice(2).map((path) => resolve(path))
const directory = mkdtempSync(join(tmpdir(), 'cms-format-1-'))
const data = join(directory, 'data')
const bin = join(checkout, 'bin', 'cms-server')
const flags = [
  '--data',
  data,
  '--port',
  '0',
  '--base-url',
  'http://cms.test',
  '--log-level',
  'warn',
]
const child = spawn(bin, ['start', ...flags], { stdio: ['ignore', 'pipe', 'ignore'] })
const url = await new Promise((found) => {
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
    const told = /listening on (\S+)/.exec(text)?.[1]
    if (told !== undefined) found(told)
  })
})
const secret = execFileSync(bin, ['key', 'create', '--data', data, '--name', 'first'])
const authorization = `Bearer ${secret.toString().trim()}`

async function call(method, path, json, headers = {}) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization, ...(json && { 'content-type': 'application/json' }), ...headers },
    body: json && JSON.stringify(json),
  })
  const text = await answer.text()
  if (!answer.ok && method !== 'GET') throw new Error(`${method} ${path}: ${text}`)
  return { status: answer.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
}
const post = async (path, json, headers) => (await call('POST', path, json, headers)).body

// Folders, files, versions, groups.
const { asset_category_id: news } = await post('/api/v2/asset_category', { name: 'News' })
const { asset_category_id: old } = await post('/api/v2/asset_category', {
  name: 'Älteres',
  parent_category_id: news,
})
const files = []
for (let at = 0; at < 12; at += 1) {
  const file = { name: `page-${at}.html`, type: 'html', fileState: at % 2 ? 'publish' : 'stage' }
  const { asset_file_id: id } = await post('/api/v2/asset_file', {
    ...file,
    parent_category_id: at % 3 ? news : old,
    pageContent: `<p>${'word '.repeat(at)}${at}</p>`,
  })
  files.push(id)
  if (at % 4 === 0) await post(`/api/v2/asset_file/${id}`, { pageContent: `<p>second ${at}</p>` })
}
await post('/api/v2/file_group', { name: 'g', asset_file_ids: files.slice(0, 5) })
await post('/api/v2/file_group', { name: 'empty', asset_file_ids: [] })
await call('DELETE', `/api/v2/asset_file/${files[3]}`)
await post('/api/v2/user', { name: 'ada' })

// A table with every type of column, and entries with extreme values; then its columns change.
const schema =
  'title C(250) NOTNULL,long C(900) NULL,note X(Large) NULL,n I(11) NULL,big I8(20) NULL,price N(20.4) NULL,ratio F(10) NULL,sold L NULL,day D NULL,at T NULL'
const table = await post('/api/v2/datatable', {
  name: 'things',
  parent_category_id: news,
  datatable_type: 'Data',
  title_field: 'title',
  table_schema: schema,
})
const entries = `/api/v2/module/datatable/${table.datatable_id}/things`
const TITLES = ['Zoë', 'a', 'A', 'straße', '', ' ', 'x'.repeat(240), '\u{1f600}', 'tab\there', 'ab']
const NUMBERS = [0, -1, 1, 127, 128, 255, 256, 65_535, 65_536, -65_536, 2_147_483_647, null]
await post(
  entries,
  Array.from({ length: 120 }, (_, at) => ({
    title: `${TITLES[at % TITLES.length]}${at % 20 < 10 ? '' : at}`,
    long: at % 5 ? `${'ä'.repeat(300)}${at % 7}` : null,
    note: at % 5 ? `note ${at}` : null,
    n: NUMBERS[at % NUMBERS.length],
    big: at % 7 ? (at - 60) * 1_000_000_007 : null,
    price: at % 6 ? `${at - 50}.${at % 10}5` : null,
    ratio: at % 3 ? (at - 40) / 7 : null,
    sold: at % 4 ? at % 2 === 0 : null,
    day: at % 9 ? `20${String(10 + (at % 20))}-0${1 + (at % 9)}-1${at % 10}` : null,
    at: at % 8 ? `2026-01-31T12:00:${String(at % 60).padStart(2, '0')}.${100 + at}Z` : null,
  })),
)
for (const id of [3, 7, 11]) await post(`${entries}/${id}`, { title: `changed ${id}`, n: id })
for (const id of [4, 8]) await call('DELETE', `${entries}/${id}`)
await post(entries, { title: 'once' }, { 'idempotency-key': 'the-first-key' })
await post(`/api/v2/datatable/${table.datatable_id}`, {
  table_schema: `${schema},extra C(20) NULL DEFAULT 'none'`,
})

const calendar = await post('/api/v2/calendar', { name: 'events', parent_category_id: news })
const events = `/api/v2/module/calendar/${calendar.calendar_id}/events`
for (let at = 1; at <= 9; at += 1)
  await post(events, {
    event_title: `Talk ${at}`,
    start_time: `2026-03-0${at}T10:00:00Z`,
    rrule: at % 2 ? 'FREQ=WEEKLY;COUNT=3' : null,
  })
const gone = await post('/api/v2/datatable', {
  name: 'gone',
  parent_category_id: news,
  datatable_type: 'Data',
  title_field: 'title',
  table_schema: 'title C(20) NULL',
})
await call('DELETE', `/api/v2/datatable/${gone.datatable_id}`)
await new Promise((done) => setTimeout(done, 1_000))

// Requests and answers: each whole list, each list by each field, and by ranges of values.
const qry = (value) => `qry=${encodeURIComponent(JSON.stringify(value))}`
// Lists of files and of the audit trail are limited to the current rows, because more rows follow.
const rows = (await call('GET', '/api/v2/audit?length=1000')).body.audit
const made = { audit_id: { $lte: rows.at(-1).audit_id } }
const lists = ['asset_category', 'file_group', 'datatable', 'calendar', 'user']
const paths = [
  ...lists.map((name) => `/api/v2/${name}?length=1000&fields=*`),
  `/api/v2/asset_file?length=1000&fields=*&${qry({ asset_file_id: { $lte: files.at(-1) } })}`,
  `/api/v2/audit?length=1000&fields=*&${qry(made)}`,
  ...files.map((id) => `/api/v2/asset_file/${id}`),
  ...files.map((id) => `/api/v2/asset_file/${id}/versions`),
  ...files.map((id, at) => `/file/${id}/page-${at}.html`),
  `/api/v2/asset_file?${qry({ parent_category_id: old })}&orderStr=name`,
  `/api/v2/file_group?${qry({ asset_file_ids: files[1] })}`,
  `/api/v2/audit?${qry({ date_added: { $gte: '2020-01-01' }, ...made })}&orderStr=date_added&orderDir=desc`,
  `/api/v2/audit?${qry({ object_id: 1, ...made })}&length=1000`,
  `${events}?length=100&fields=*&orderStr=start_time`,
  `${events}?from=2026-03-01&to=2026-04-01&expand=true`,
  ...Array.from({ length: 125 }, (_, at) => `${entries}/${at + 1}`),
]
const COLUMNS = [
  'title',
  'long',
  'n',
  'big',
  'price',
  'ratio',
  'sold',
  'day',
  'at',
  'date_added',
  'extra',
]
for (const column of [...COLUMNS, 'datatable_entry_id'])
  for (const direction of ['asc', 'desc'])
    paths.push(`${entries}?length=1000&fields=*&orderStr=${column}&orderDir=${direction}`)
const MATCHES = [
  { title: 'a' },
  { title: '/^changed/' },
  { title: { $gt: 'a', $lt: 'b' } },
  { title: 'x'.repeat(240) },
  { long: `${'ä'.repeat(300)}3` },
  { n: null },
  { n: -1 },
  { n: { $gte: 128, $lt: 65_536 } },
  { n: { $in: [0, 1, 255, 7] } },
  { big: { $lt: 0 } },
  { price: { $gt: '10.5', $lte: '60' } },
  { ratio: { $gte: -1.5, $lt: 2 } },
  { sold: true },
  { day: { $gte: '2015-01-01', $lt: '2020-01-01' } },
  { at: { $gt: '2026-01-31T12:00:30Z' } },
  { 'datatable_entry.datatable_entry_id': { $gt: 100 } },
]
for (const match of MATCHES) paths.push(`${entries}?length=1000&count=exact&${qry(match)}`)

const answers = []
for (const path of paths) {
  const { status, text } = await call('GET', path)
  answers.push({ path, status, text })
}
// The last save, and the kill right after it.
const last = await post('/api/v2/asset_file', {
  name: 'last.html',
  type: 'html',
  fileState: 'publish',
  parent_category_id: news,
  pageContent: '<p>last</p>',
})
child.kill('SIGKILL')
await new Promise((done) => child.once('exit', done))
answers.push({ path: `/file/${last.asset_file_id}/last.html`, status: 200, text: '<p>last</p>' })

const count = (status) => answers.filter((answer) => answer.status === status).length
console.log(`${answers.length} answers, ${count(200)} of them 200`)
for (const { path, status, text } of answers)
  if (status !== 200 && status !== 404) console.log(status, path, text.slice(0, 200))
writeFileSync(join(directory, 'answers.json'), JSON.stringify({ authorization, answers }))
rmSync(join(data, 'lock'), { force: true })
rmSync(join(data, 'records', 'lock.mdb'), { force: true })
execFileSync('tar', ['-C', directory, '--sparse', '-czf', target, 'data', 'answers.json'])
rmSync(directory, { recursive: true })
