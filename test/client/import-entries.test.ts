import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { ClientError } from '../../lib/client/client-error.ts'
import { openServer, type TestServer } from './server.ts'
import { fileWith, makeTable, useModule } from './tables.ts'

const COLUMNS = 'title C(80) NOTNULL, price N(8.2), amount I, ratio F, ok L, note X'

const EMPTY = { price: null, amount: null, ratio: null, ok: null, note: null }

let server: TestServer
before(async () => {
  server = await openServer()
})
after(() => server.close())

const FILES = [
  {
    what: 'CSV with quotes, line ends, commas and unicode',
    name: 'a.csv',
    content: 'title,note\r\n"a ""b"", c","one\r\ntwo\nthree"\r\nÜñ 文件 🎈, spaces \r\n\r\nx,\r\n',
    rows: [
      { title: 'a "b", c', note: 'one\r\ntwo\nthree' },
      { title: 'Üñ 文件 🎈', note: ' spaces ' },
      { title: 'x' },
    ],
  },
  {
    what: 'CSV with a byte order mark and semicolons, without a final line ending',
    name: 'b.CSV',
    content: '\ufefftitle;note\n"x, 1,5";y',
    rows: [{ title: 'x, 1,5', note: 'y' }],
  },
  {
    what: 'CSV with empty cells, in quotes and without',
    name: 'q.csv',
    content: 'title,note\n"",\nx,""\n',
    rows: [{ title: '' }, { title: 'x', note: '' }],
  },
  {
    what: 'CSV with tabs',
    name: 'c.csv',
    content: 'title\tnote\na, b; c\td\n',
    rows: [{ title: 'a, b; c', note: 'd' }],
  },
  {
    what: 'CSV as texts, numbers and booleans, by the column',
    name: 'd.csv',
    content: 'title,price,amount,ratio,ok\n007,12.50,-7,1.5e2,TRUE\n8,3,0,0,0\n',
    rows: [
      { title: '007', price: '12.50', amount: -7, ratio: 150, ok: true },
      { title: '8', price: '3', amount: 0, ratio: 0, ok: false },
    ],
  },
  {
    what: 'a JSON list, as its values are',
    name: 'e.json',
    content: '[{"title":"]},{","price":12.5},\n {"title":"\\"\\\\","note":""}]',
    rows: [
      { title: ']},{', price: '12.5' },
      { title: '"\\', note: '' },
    ],
  },
  {
    what: 'NDJSON with empty lines',
    name: 'f.ndjson',
    content: '{"title":"a"}\r\n\r\n{"title":"b","amount":null}\n{"title":"c"}',
    rows: [{ title: 'a' }, { title: 'b' }, { title: 'c' }],
  },
  {
    what: 'numbers of JSON with all their digits',
    name: 'h.json',
    content:
      '[{"title":"a","price":123456.780000000000000000,"ratio":0.10000000000000001},{"title":"b","amount":1e3}]',
    rows: [
      { title: 'a', price: '123456.78', ratio: 0.1 },
      { title: 'b', amount: 1000 },
    ],
  },
  { what: 'an empty JSON list', name: 'g.json', content: ' [ ] ', rows: [] },
]

describe('a file becomes entries', () => {
  for (const { what, name, content, rows } of FILES) {
    it(what, async (t) => {
      const table = await makeTable(server, COLUMNS)
      const summary = await table.load(await fileWith(t, name, content))
      assert.deepEqual([summary.created, summary.failures], [rows.length, []])
      assert.deepEqual(
        await table.read(),
        rows.map((row) => ({ ...EMPTY, ...row })),
      )
    })
  }
})

for (const name of ['long.json', 'long.ndjson', 'long.csv'])
  it(`${name}: no digit is lost, and a number that does not fit its column is refused`, async (t) => {
    const table = await makeTable(server, 'n N, i I8, f F')
    const isCsv = name.endsWith('.csv')
    const rows = ['12345678901234567.89,12345678901234567', '1.5,9007199254740993']
    const bad = ['1,12345678901234567.5', '1,9223372036854775808']
    const lines = [...rows, ...bad].map((row) => {
      const [n, i] = row.split(',')
      return isCsv ? `${row},1e400` : `{"n":${n},"i":${i}}`
    })
    const json = name.endsWith('.ndjson') ? lines.join('\n') : `[${lines.join(',')}]`
    const good = isCsv ? lines.map((row) => row.replace(',1e400', ',')) : lines
    const text = isCsv ? ['n,i,f', ...good, '7,7,1e400'].join('\n') : json
    const summary = await table.load(await fileWith(t, name, text))
    assert.deepEqual([summary.created, summary.failed], [2, isCsv ? 3 : 2])
    assert.deepEqual(await table.read(), [
      { n: '12345678901234567.89', i: '12345678901234567', f: null },
      { n: '1.5', i: '9007199254740993', f: null },
    ])
  })

it('a repeated JSON key stops the import before anything is sent', async (t) => {
  const table = await makeTable(server, COLUMNS)
  const row = '{"title":"a","amount":1,"amount":2}'
  for (const [name, content] of [
    ['twice.json', `[{"title":"b"},${row}]`],
    ['twice.ndjson', `{"title":"b"}\n${row}`],
    ['lists.json', '{"a":[{"title":"b"}],"a":[{"title":"c"}]}'],
  ] as const) {
    const source = await fileWith(t, name, content)
    await assert.rejects(table.load(source), /twice/, name)
  }
  assert.deepEqual(await table.read(), [])
})

it('the only list in an object is imported, and the summary names it', async (t) => {
  const table = await makeTable(server, 'alpha_2 C(2) NOTNULL, numeric_code C(3)')
  const object = { about: { kinds: ['x'] }, '3166-1': [{ alpha_2: 'AW' }], end: 1 }
  const source = await fileWith(t, 'iso.json', JSON.stringify(object, null, 2))
  const { created, listName } = await table.load(source)
  assert.deepEqual([created, listName], [1, '3166-1'])
  assert.deepEqual(await table.read(), [{ alpha_2: 'AW', numeric_code: null }])
})

it('20,000 rows are imported in the order of the file, many at a time', async (t) => {
  const table = await makeTable(server, 'title C(80) NOTNULL, amount I')
  const rows = Array.from({ length: 20_000 }, (_, at) => ({ title: `t${at}`, amount: at }))
  const text = rows.map(({ title, amount }) => `${title};${amount}\n`).join('')
  let seen = [0, 0]
  const summary = await table.load(await fileWith(t, 'many.csv', `title;amount\n${text}`), {
    concurrency: 1,
    onProgress: (done, total) => (seen = [done, total]),
  })
  assert.deepEqual([summary.created, summary.failed, summary.unsent], [20_000, 0, []])
  assert.deepEqual(seen, [20_000, 20_000])
  assert.deepEqual(await table.read(), rows)
})

it('rows with an identifier update the entry, and rows without one create entries', async (t) => {
  const table = await makeTable(server, 'title C(80) NOTNULL, note X')
  await table.load(await fileWith(t, 'first.csv', 'title,note\na,1\nb,2\nc,3\n'))
  const changes = 'datatable_entry_id,title,owner,note\n2,B,me,\n,new,me,4\n999,gone,,\nx,bad,,\n'
  const summary = await table.load(await fileWith(t, 'next.csv', changes), { update: true })
  assert.deepEqual([summary.created, summary.updated, summary.failed], [1, 1, 2])
  assert.deepEqual(summary.failures.map(({ path }) => path).toSorted(), ['row 3', 'row 4'])
  assert.match(JSON.stringify(summary.failures), /There is no datatable entry 999/)
  assert.deepEqual(await table.read(), [
    { title: 'a', note: '1' },
    { title: 'B', note: null },
    { title: 'c', note: '3' },
    { title: 'new', note: '4' },
  ])

  const again = await table.load(await fileWith(t, 'new.csv', changes), { asNew: true })
  assert.deepEqual([again.created, again.failed], [4, 0])
})

it('invalid rows are listed with all faults, and the others are imported', async (t) => {
  const table = await makeTable(server, 'title C(5) NOTNULL, amount I')
  const source = await fileWith(
    t,
    'rows.json',
    JSON.stringify([
      { title: 'good' },
      { amount: 1 },
      7,
      { title: 'too long', amount: 'x' },
      { title: ['list'] },
      { title: 'fine', amount: '5' },
    ]),
  )
  const { created, failed, failures } = await table.load(source)
  assert.deepEqual([created, failed], [2, 4])
  assert.deepEqual(failures.map(({ path, detail }) => `${path}: ${detail}`).toSorted(), [
    'row 2: title is required',
    'row 3: it is not an object',
    'row 4: title may have at most 5 characters; amount must be a whole number from -2147483648 to 2147483647',
    'row 5: title contains a list or an object, but a column has a single value',
  ])
  assert.deepEqual(await table.read(), [
    { title: 'good', amount: null },
    { title: 'fine', amount: 5 },
  ])

  const alone = await table.load(source, { rows: { first: 2, last: 2 } })
  assert.deepEqual(alone.failures, [{ path: 'row 2', detail: 'title is required' }])
})

it('rows with a duplicate value are listed, and the others are imported', async (t) => {
  const table = await makeTable(server, 'n R AUTO, code C(9) UNIQUE')
  const text = 'n,code\n,a\n7,b\n,a\n7,c\n,d\n'
  const { created, failures } = await table.load(await fileWith(t, 'codes.csv', text))
  assert.equal(created, 3)
  assert.deepEqual(failures.map(({ path }) => path).toSorted(), ['row 3', 'row 4'])
  for (const { detail } of failures) assert.match(detail, /must be unique/)
  const rows = await table.read()
  assert.deepEqual(
    rows.map(({ code }) => code),
    ['a', 'b', 'd'],
  )
  assert.equal(new Set(rows.map(({ n }) => n)).size, 3)

  const again = await table.load(await fileWith(t, 'again.csv', 'code\na\nnew\n'))
  assert.deepEqual([again.created, again.failures.map(({ path }) => path)], [1, ['row 1']])
})

const latin = (text: string): Buffer => Buffer.from(text, 'latin1')

const REFUSED = [
  [
    'unknown.csv',
    'titel,amount,xyz\na,1,2\n',
    /"titel" \(did you mean "title"\?\), "xyz"\. Its columns/,
  ],
  ['late.ndjson', '{"title":"a"}\n{"title":"b","amout":1}\n', /"amout" \(did you mean "amount"/],
  ['cells.csv', 'title,amount\na,1\nb,2,3\n', /expect 2, got 3 on line 3/],
  ['quote.csv', 'title,amount\na,1\n"b,2\n', /Quote Not Closed/],
  ['twice.csv', 'title,title\na,b\n', /contains the column "title" twice/],
  ['nameless.csv', 'title,\na,b\n', /Column 2 has no name/],
  ['empty.csv', '', /has no header row/],
  ['latin.csv', latin('title\nM\xfcller\n'), /it is not valid UTF-8 in line 2, at byte 7: save it/],
  ['latin.json', latin('[{"title":"a"},\n{"title":"\xfc"}]'), /UTF-8 in line 2, at byte 26/],
  [
    'late.ndjson',
    // Characters of two bytes at odd offsets, so that a chunk ends within a character.
    Buffer.concat([
      Buffer.from(`{"title":"${'ü'.repeat(39)}"}\n`.repeat(10_000)),
      latin('{"title":"\xfc"}'),
    ]),
    /UTF-8 in line 10001, at byte 910010:/,
  ],
  ['cut.csv', latin('title\na\nb\xc3'), /UTF-8 in line 3, at byte 9:/],
  ['cut.json', '[{"title":"a"},{"title":"b"}', /not valid JSON/],
  ['comma.json', '[{"title":"a"} {"title":"b"}]', /Row 1 of the file is not JSON/],
  ['last.json', '[{"title":"a"},]', /Row 2 of the file is not JSON/],
  ['two.json', '{"a":[{"title":"a"}],"b":[]}', /exactly one list; it has "a" and "b"/],
  ['none.json', '{"title":"a"}', /exactly one list; it has none/],
  ['line.ndjson', '{"title":"a"}\n{"title":\n', /Line 2 of the file is not JSON/],
  ['rows.xlsx', 'PK', /\.csv, \.json, \.ndjson, \.jsonl/],
] as const

describe('an invalid or unsuitable file changes nothing', () => {
  for (const [name, content, reason] of REFUSED) {
    it(name, async (t) => {
      const table = await makeTable(server, 'title C(80) NOTNULL, amount I')
      const source = await fileWith(t, name, content)
      await assert.rejects(table.load(source), (error: unknown) => {
        assert.ok(error instanceof ClientError, String(error))
        assert.match(error.message, reason)
        return true
      })
      assert.deepEqual(await table.read(), [])
    })
  }
})

it('unknown columns are skipped on request', async (t) => {
  const table = await makeTable(server, 'title C(80) NOTNULL')
  const source = await fileWith(t, 'more.csv', 'titel,title\nx,y\n')
  const { created } = await table.load(source, { ignoreUnknown: true })
  assert.equal(created, 1)
  assert.deepEqual(await table.read(), [{ title: 'y' }])
})

it('a calendar accepts its base fields and its columns', async (t) => {
  const { module_url } = await server.post('/api/v2/calendar', {
    name: 'Dates',
    table_schema: 'room C(20)',
  })
  const calendar = useModule(server, `${server.url}${String(module_url)}`)
  const text = 'event_title,start_time,all_day,room\nParty,2026-05-01T20:00:00+02:00,0,B 12\n'
  const options = { url: 'http://127.0.0.1:1', module: calendar.module }
  assert.equal((await calendar.load(await fileWith(t, 'dates.csv', text), options)).created, 1)
  const [event] = await useModule(server, String(module_url)).read()
  assert.deepEqual(
    [event?.['start_time'], event?.['all_day'], event?.['room']],
    ['2026-05-01T18:00:00.000Z', false, 'B 12'],
  )
})

it('digits in CSV are read as dates and numbers like in a body', async (t) => {
  const { load, read } = await makeTable(server, 'd D, t T, n N(8.2), i I, f F')
  const rows = ['20240229,20240229123456,007.50,1.00,.5', '1709164800,1709164800,1e2,1e3,5.']
  const text = `d,t,n,i,f\n${rows.join('\n')}\n`
  assert.equal((await load(await fileWith(t, 'digits.csv', text))).created, 2)
  assert.deepEqual(await read(), [
    { d: '2024-02-29', t: '2024-02-29T12:34:56.000Z', n: '7.50', i: 1, f: 0.5 },
    { d: '2024-02-29', t: '2024-02-29T00:00:00.000Z', n: '100', i: 1000, f: 5 },
  ])
  const wrong = await load(await fileWith(t, 'wrong.csv', 'd\n2024022\n5\n'))
  assert.deepEqual([wrong.created, wrong.failed], [0, 2])
})

it('a decimal is exported as a string and imported unchanged', async (t) => {
  const { load, save, read } = await makeTable(server, 'n N(8.2)')
  await load(await fileWith(t, 'n.json', '[{"n":12.5},{"n":"12.50"},{"n":3}]'))
  const before = await read()
  assert.deepEqual(before, [{ n: '12.5' }, { n: '12.50' }, { n: '3' }])
  const directory = dirname(await fileWith(t, 'x', ''))
  for (const name of ['out.csv', 'out.json', 'out.ndjson']) {
    const target = join(directory, name)
    await save(target, { fields: ['n'] })
    const other = await makeTable(server, 'n N(8.2)')
    await other.load(target)
    assert.deepEqual(await other.read(), before, name)
  }
})

it('an address of no module or with another name is reported', async (t) => {
  const { module } = await makeTable(server, 'title C(80)')
  const source = await fileWith(t, 'a.csv', 'title\na\n')
  const load = (address: string): Promise<unknown> => useModule(server, address).load(source)
  await assert.rejects(load('/api/v2/datatable/1'), /Give the address of the module/)
  await assert.rejects(load(`${module}x`), new RegExp(`use ${module}\\.`))
  await assert.rejects(load('/api/v2/module/datatable/999/x'), { status: 404 })
})
