// Texts that ADOdb accepts, sent as table_schema: the defaults of entries, and the refusals with their
// messages. All other texts: test/schema/columns.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newName, pointersOf, read } from '../../helpers/content.ts'
import { changeSchema, makeEntry, makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

/** Column, its resulting type, and the value of an entry that sends none. */
const TAKEN: readonly (readonly [string, string, unknown])[] = [
  ['D DEFAULT 20200102', 'D', '2020-01-02'],
  ["T DEFAULT '20200102030405'", 'T', '2020-01-02T03:04:05.000Z'],
  ["T DEFAULT '1970-01-01 00:00:00'", 'T', '1970-01-01T00:00:00.000Z'],
  ["D DEFAULT '2020-1-2'", 'D', '2020-01-02'],
  ['T DEFAULT 1577836800', 'T', '2020-01-01T00:00:00.000Z'],
  ["D DEFAULT '0000-00-00'", 'D', null],
  ["TS DEFAULT ''", 'TS', null],
  ["I DEFAULT 'NULL'", 'I', null],
  ["C(9) DEFAULT 'null'", 'C', null],
  ['C(9) DEFAULT (NULL)', 'C', null],
  ['F DEFAULT .5', 'F', 0.5],
  ['I DEFAULT 5.', 'I', 5],
  ['I DEFAULT 1e3', 'I', 1000],
  ['I DEFAULT 1.00', 'I', 1],
  ['N(5.2) DEFAULT -0', 'N', '0'],
  ['I UNSIGNED DEFAULT -0', 'I', 0],
  ['C(9) INDEX author', 'C', null],
  ['INT4', 'I4', null],
  ['INT8', 'I8', null],
  ['CHARACTER(5)', 'C', null],
  ['NCHAR(5)', 'C', null],
  ['SERIAL', 'I8', 1],
  ["DEFAULT 'x' C(20)", 'C', 'x'],
]

for (const [text, type, initial] of TAKEN) {
  test(`${text} is a column of type ${type} whose default is ${JSON.stringify(initial)}`, async () => {
    const { record, url } = await makeTable(server, `a ${text}, b C(5)`)
    assert.equal(record.columns[0].type, type)
    const { a } = await makeEntry(server, url, { b: 'x' })
    assert.deepEqual(a, initial)
    assert.ok(!Object.is(a, -0))
  })
}

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ['I DEFAULT .5', /must be a whole number/],
  ['D DEFAULT 2020010', /digits must be a day \(YYYYMMDD\)/],
  ['T DEFAULT 0', /digits must be a day/],
  ["T DEFAULT '2024-02-29 24:00:00'", /hours go from 00 to 23/],
  ['TIME', /"TIME" is not a type here; C\(8\) holds a time of day/],
  ['YEAR', /I2 holds a year/],
  ['BIT', /L holds true or false/],
  ['GEOMETRY', /POINT holds a longitude and a latitude, JSON any GeoJSON/],
  ['BINARY(16)', /B holds it as text/],
  ['X (NOTNULL)', /write NOTNULL without parentheses/],
  ['INT64', /did you mean I8\?/],
  ['I SIGNED', /SIGNED is the default/],
  ['C(20))', /"\)\)" stands for one "\)" inside; remove one of them/],
  ['I\u00a0NOTNULL', /"\\u00a0" is not an option, an invisible character/],
  ['\ufeffI', /"\\ufeff" is not allowed here, an invisible character/],
]

for (const [text, words] of REFUSED) {
  test(`${JSON.stringify(text)} is refused with advice`, async () => {
    const json = { name: newName('table'), table_schema: `a ${text}` }
    const refused = await server.call('POST', '/api/v2/datatable', { json })
    assert.deepEqual(pointersOf(refused), ['/table_schema'])
    assert.match(refused.body.detail, words)
  })
}

test('SERIAL is NOTNULL, AUTO and UNIQUE', async () => {
  const { record, url } = await makeTable(server, 'n SERIAL, b C(5)')
  const [{ isRequired, isAuto, isUnique, isUnsigned }] = record.columns
  assert.deepEqual([isRequired, isAuto, isUnique, isUnsigned], [true, true, true, false])
  await makeEntry(server, url, { n: 7 })
  assert.equal((await makeEntry(server, url, {})).n, 8)
  assert.equal((await server.call('POST', url, { json: { n: 8 } })).status, 409)
})

test('columns[] have every property in the responses of a create, a read, a list and a change', async () => {
  const { record, path } = await makeTable(
    server,
    "a I, b C(5) UNIQUE, c ENUM('x'), d N(5.2) DEFAULT 1",
  )
  const names = ['name', 'type', 'size', 'scale', 'isRequired', 'isUnsigned', 'isUnique', 'isAuto']
  const RULES = ['minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'computed']
  const all = [...names, 'default', 'values', ...RULES, 'references']
  const wider = await changeSchema(server, path, { table_schema: "a I8, b C(5), c ENUM('x'), d N" })
  const list = await server.call('GET', '/api/v2/datatable?length=1000&fields=columns')
  const listed = list.body.datatable.flatMap((item: any) => item.columns)
  const { body } = await read(server, path)
  for (const columns of [record.columns, wider.body.columns, body.columns, listed])
    for (const column of columns) assert.deepEqual(Object.keys(column), all)
  assert.deepEqual(record.columns[0], {
    name: 'a',
    type: 'I',
    size: null,
    scale: null,
    isRequired: false,
    isUnsigned: false,
    isUnique: false,
    isAuto: false,
    default: null,
    values: null,
    minimum: null,
    maximum: null,
    minLength: null,
    maxLength: null,
    pattern: null,
    computed: null,
    references: null,
  })
})
