// Imports of files that were exported from another module, and of rows that an earlier import did not take.

import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { formatEntriesImport } from '../../lib/client/summary.ts'
import { openServer, type TestServer } from './server.ts'
import { fileWith, makeTable, type Table } from './tables.ts'

const COLUMNS = 'title C(80) NOTNULL, amount N'

let server: TestServer
before(async () => {
  server = await openServer()
})
after(() => server.close())

/** Two tables with 250 entries each and the same identifiers. */
async function makeTwins(t: TestContext): Promise<readonly [Table, Table]> {
  const a = await makeTable(server, COLUMNS)
  const b = await makeTable(server, COLUMNS)
  for (const [name, table] of [
    ['a', a],
    ['b', b],
  ] as const) {
    const rows = Array.from({ length: 250 }, (_, at) => `${name}${at},${at}`)
    await table.load(await fileWith(t, 'rows.csv', ['title,amount', ...rows, ''].join('\n')))
  }
  return [a, b]
}

describe('an export of table A changes nothing in table B', () => {
  for (const format of ['csv', 'json', 'ndjson'])
    it(format, async (t) => {
      const [a, b] = await makeTwins(t)
      const before = await b.read()
      const file = await fileWith(t, `a.${format}`, '')
      await a.save(file)
      await assert.rejects(
        b.load(file),
        /^ClientError: Row 1 .* from another module\. Nothing was sent\. Use --as-new/,
      )
      assert.deepEqual(await b.read(), before)

      // Only the last row comes from the other table. The import still sends nothing.
      const own = await fileWith(t, `own.${format}`, '')
      await b.save(own)
      if (format === 'ndjson') {
        const lines = (await readFile(own, 'utf8')).trim().split('\n')
        const others = (await readFile(file, 'utf8')).trim().split('\n')
        await writeFile(own, [...lines.slice(0, -1), others.at(-1)].join('\n'))
        await assert.rejects(b.load(own), /^ClientError: Row 250 has the number 250/)
        assert.equal((await b.load(own, { rows: { first: 1, last: 249 } })).updated, 249)
      } else assert.equal((await b.load(own)).updated, 250)

      assert.equal((await b.load(file, { asNew: true })).created, 250)
      assert.equal((await b.load(file, { update: true })).updated, 250)
      assert.deepEqual((await b.read()).slice(0, 250), await a.read())
    })
})

it('a row with an identifier and no date_added is refused without --update', async (t) => {
  const [, b] = await makeTwins(t)
  const file = await fileWith(t, 'x.csv', 'datatable_entry_id,title\n,new\n3,changed\n')
  await assert.rejects(b.load(file), /Row 2 has the number 3 but no date_added.*--update/)
  const { created, updated } = await b.load(file, { update: true })
  assert.deepEqual([created, updated], [1, 1])
})

describe('refused rows are written to a file that can be corrected and imported', () => {
  for (const format of ['csv', 'json', 'ndjson'])
    it(format, async (t) => {
      const table = await makeTable(server, 'title C(5) NOTNULL, amount N')
      const rows = Array.from({ length: 60 }, (_, at) => ({
        title: at % 2 === 0 ? `t${at}` : 'too long',
        amount: '1',
      }))
      const long = '12345678901234567.89'
      const csv = ['title,amount', ...rows.map(({ title }) => `${title},${long}`), ''].join('\n')
      const lines = rows.map(({ title }) => `{"title":"${title}","amount":${long}}`)
      const text = { csv, json: `[${lines.join(',')}]`, ndjson: lines.join('\n') }[format] ?? ''
      const source = await fileWith(t, `rows.${format}`, text)
      const summary = await table.load(source)
      assert.deepEqual([summary.created, summary.failed, summary.failures.length], [30, 30, 20])
      const refused = join(dirname(source), `rows.refused.${format}`)
      assert.equal(summary.refusedFile, refused)
      assert.match(formatEntriesImport(summary), /^All rejected rows are in .*rows\.refused/m)

      const written = await readFile(refused, 'utf8')
      assert.equal(written.match(/too long/g)?.length, 30)
      assert.match(written, /\b60\b.*may have at most 5 characters/)
      await writeFile(refused, written.replaceAll('too long', 'short'))
      const again = await table.load(refused)
      assert.deepEqual([again.created, again.failed, again.refusedFile], [30, 0, undefined])
      assert.ok((await table.read()).every(({ amount }) => amount === long))
    })

  it('in another place, in the format of the source', async (t) => {
    const table = await makeTable(server, 'title C(5) NOTNULL')
    const source = await fileWith(t, 'rows.csv', 'title\ngood\ntoo long\n')
    const place = join(dirname(source), 'bad.csv')
    assert.equal((await table.load(source, { refused: place })).refusedFile, place)
    await assert.rejects(
      table.load(source, { refused: 'bad.json' }),
      /--refused must name a \.csv file/,
    )
    const away = await table.load(source, { refused: join(dirname(source), 'none', 'bad.csv') })
    assert.match(formatEntriesImport(away), /^The rejected rows could not be written: .*--refused/m)
  })
})
