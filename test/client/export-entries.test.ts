import assert from 'node:assert/strict'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, it } from 'node:test'
import { openServer, type TestServer } from './server.ts'
import { fileWith, makeTable } from './tables.ts'
import { temporaryDirectory } from './tree.ts'

const COLUMNS =
  'title C(80), price N(8.2), big I8, ratio F, ok L, day D, at T, note X, ' +
  "tags SET('a','b, c','[d','=e'), data JSON, place POINT, page MD, uid UUID, " +
  "twice N(12.2) COMPUTED 'price * 2'"

const UID = '0198c1a2-7b3c-7def-8123-456789abcdef'

const ROWS = [
  { title: 'a "b", c; d\te', price: '12.50', big: '9007199254740993', ratio: -0.5, ok: true },
  { title: ' Üñ 文件 🎈 ', day: '2026-01-31', at: '2026-01-31T12:00:00.000Z', ok: false },
  { note: 'line\nline\r\nline\rend' },
  { note: 'line\nfeed' },
  { note: 'carriage\rreturn' },
  { title: '=1+1', big: 7 },
  { title: '', note: null },
  { title: null, note: '' },
  { tags: ['b, c', 'a'], data: { a: [1, 'x, "y"', null, { '=b': 1e-7 }] }, place: [-13.4, -1e-7] },
  { tags: ['=e', '[d'], data: 'a text', place: [180, 0], page: '# A\n', uid: UID },
  { tags: [], data: [], place: [0, 90] },
  { tags: ['=e'], data: '-1', place: [-0.5, 0] },
  { tags: ['a'], data: -1 },
]

let server: TestServer
before(async () => {
  server = await openServer()
})
after(() => server.close())

for (const name of ['out.csv', 'out.json', 'out.ndjson']) {
  it(`an export to ${name} is imported unchanged, here and elsewhere`, async (t) => {
    const [table, other] = [await makeTable(server, COLUMNS), await makeTable(server, COLUMNS)]
    await table.load(await fileWith(t, 'rows.json', JSON.stringify(ROWS)))
    const rows = await table.read()
    const target = await fileWith(t, name, 'something old')

    assert.equal(await table.save(target), ROWS.length)
    assert.deepEqual(await readdir(dirname(target)), [name])
    const same = await table.load(target)
    assert.deepEqual([same.created, same.updated, same.failures], [0, ROWS.length, []])
    assert.deepEqual(await table.read(), rows)

    assert.equal((await other.load(target, { asNew: true })).created, ROWS.length)
    assert.deepEqual(await other.read(), rows)
  })
}

it('an empty text in a single column is kept by JSON and becomes null by CSV', async (t) => {
  const table = await makeTable(server, 'title C(80)')
  await table.load(await fileWith(t, 'rows.json', '[{"title":""},{"title":null}]'))
  for (const [name, first] of [
    ['out.csv', null],
    ['out.ndjson', ''],
  ] as const) {
    const target = await fileWith(t, name, '')
    await table.save(target, { fields: ['title'] })
    const copy = await makeTable(server, 'title C(80)')
    await copy.load(target)
    assert.deepEqual(await copy.read(), [{ title: first }, { title: null }])
  }
})

it('fields, qry and order select the exported values, over several pages', async (t) => {
  const table = await makeTable(server, 'title C(80), amount I')
  const text = Array.from({ length: 2_500 }, (_, at) => `t${at % 7},${at}\n`).join('')
  await table.load(await fileWith(t, 'many.csv', `title,amount\n${text}`))
  const target = await fileWith(t, 'out.csv', '')
  let seen = [0, 0]

  const written = await table.save(target, {
    fields: ['amount', 'title'],
    qry: '{"amount":{"$gte":1000}}',
    order: { field: 'amount', isDescending: true },
    onProgress: (done, total) => (seen = [done, total]),
  })
  const lines = (await readFile(target, 'utf8')).split('\r\n')
  assert.deepEqual([written, ...seen], [1_500, 1_500, 1_500])
  assert.deepEqual([lines.length, lines[0], lines[1]], [1_502, 'amount,title', '2499,t0'])
  assert.deepEqual(lines.slice(-2), ['1000,t6', ''])

  await table.save(target, { onProgress: (done, total) => (seen = [done, total]) })
  assert.deepEqual(seen, [2_500, 2_500])
})

it('an empty table is exported as a row of names, or as an empty list', async (t) => {
  const table = await makeTable(server, 'title C(80)')
  const read = async (name: string): Promise<string> => {
    const target = await fileWith(t, name, '')
    assert.equal(await table.save(target), 0)
    return readFile(target, 'utf8')
  }
  assert.equal(await read('a.csv'), 'datatable_entry_id,title,date_added,date_modified,owner\r\n')
  assert.deepEqual(JSON.parse(await read('a.json')), [])
  assert.equal(await read('a.ndjson'), '')
})

it('a failed export keeps the existing file', async (t) => {
  const table = await makeTable(server, 'title C(80)')
  const target = await fileWith(t, 'out.csv', 'old')
  await assert.rejects(table.save(target, { fields: ['titel'] }), /did you mean "title"/)
  assert.equal(await readFile(target, 'utf8'), 'old')
  assert.deepEqual(await readdir(dirname(target)), ['out.csv'])

  const directory = join(await temporaryDirectory(t), 'out.csv')
  await mkdir(directory)
  await assert.rejects(table.save(directory), /a directory has this name/)
  await assert.rejects(table.save(join(directory, 'no/out.csv')), /it does not exist/)
})

it('formulas are escaped in CSV on request, and numbers are not', async (t) => {
  const table = await makeTable(server, 'title C(80), price N(8.2), ratio F')
  const titles = [
    '=1+1',
    '+1',
    '-1',
    '-1+1',
    '@A1',
    '\tx',
    '\rx',
    '\nx',
    '＝1',
    "'=1",
    'a=1',
    ' =1',
  ]
  const rows = titles.map((title) => ({ title, price: '-1.50', ratio: -0.5 }))
  await table.load(await fileWith(t, 'rows.json', JSON.stringify(rows)))
  const target = await fileWith(t, 'out.csv', '')
  await table.save(target, { guardsFormulas: true })
  const copy = await makeTable(server, 'title C(80), price N(8.2), ratio F')
  await copy.load(target, { asNew: true })
  const guarded = new Set(['=1+1', '+1', '-1+1', '@A1', '\tx', '\rx', '\nx', '＝1'])
  assert.deepEqual(
    await copy.read(),
    rows.map((row) => ({ ...row, title: guarded.has(row.title) ? `'${row.title}` : row.title })),
  )

  await table.save(target)
  assert.match(await readFile(target, 'utf8'), /^1,=1\+1,/m)
  const json = await fileWith(t, 'out.json', '')
  await assert.rejects(table.save(json, { guardsFormulas: true }), /only for \.csv files/)
})
