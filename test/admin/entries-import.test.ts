// A CSV file with a fault near its end: the page sends nothing, and the dialog names the line and the remedy.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { make } from '../helpers/content.ts'
import type { TestServer } from '../helpers/server.ts'
import { open, shows, startSite, visit } from './area.ts'

const ROWS = 4_000
/** The faulty line comes after many batches and chunks. */
const FAULTY = 3_500

describe('import of a faulty CSV file', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  let address: string
  before(async () => {
    server = await startSite()
    const fields = { name: 'Rows', title_field: 'name', table_schema: 'name C(200), note X' }
    const { module_url: url } = await make(server, 'datatable', fields)
    address = new URL(url, server.url).pathname
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  /** A file in which the line with this number is replaced; the heading is line 1. */
  function fileWith(line: string, number = FAULTY): Buffer {
    const lines = [
      'name,note',
      ...Array.from({ length: ROWS }, (_, at) => `row ${at},${'x'.repeat(90)}`),
    ]
    return Buffer.from(lines.with(number - 1, line).join('\r\n'), 'latin1')
  }

  const total = async (): Promise<number> =>
    (await server.call('GET', `${address}?count=exact&length=1`)).body.page.total

  const FAULTS: readonly (readonly [string, Buffer, RegExp])[] = [
    ['an encoding', fileWith('caf\u00e9,x'), /^Line 3,500 is not UTF-8\. Save the file as UTF-8/],
    ['an encoding at its end', fileWith('caf\u00e9', ROWS + 1), /^Line 4,001 is not UTF-8\./],
    ['UTF-16', Buffer.from('\ufeffname,note\r\na,b\r\n', 'utf16le'), /^Line 1 is not UTF-8\./],
    [
      'an open quote',
      fileWith('\r\n"a,b'),
      /^In the row that begins on line 3,501, a quotation mark \("\) is not closed\./,
    ],
    [
      'a stray quote',
      fileWith('a "b" c,d'),
      /^Line 3,500 has a quotation mark \("\) in the wrong place\./,
    ],
    ['text after a quote', fileWith('"a"b,d'), /^Line 3,500 has a quotation mark/],
  ]

  for (const [name, buffer, text] of FAULTS) {
    test(`${name}: nothing is sent, and the line is named`, async () => {
      const { context, page, faults } = await visit(browser, { url: server.url, user: 'admin' })
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.method() !== 'GET' && request.url().includes('/module/'))
          sent.push(request.url())
      })
      const id = address.split('/').at(-2)
      await open({ context, page, faults }, server.url, { path: `/data/${id}`, heading: 'Rows' })
      await page.setInputFiles('input[type=file]', { name: 'a.csv', mimeType: 'text/csv', buffer })
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Nothing was imported').waitFor()
      await dialog.getByText(text).waitFor()
      assert.equal(await total(), 0)
      assert.deepEqual(sent, [])

      // The user can choose another file immediately.
      const sound = {
        name: 'b.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('name\ncaf\u00e9\n'),
      }
      await page.setInputFiles('input[type=file]', sound)
      await dialog.getByRole('button', { name: 'Import', exact: true }).waitFor()
      assert.deepEqual(faults, [])
      await context.close()
    })
  }

  test('sends lists that the server accepts, where every column is unique', async () => {
    const fields = { name: 'Codes', table_schema: 'a I UNIQUE, b I UNIQUE, c I UNIQUE, d I UNIQUE' }
    const { datatable_id: id, module_url: url } = await make(server, 'datatable', fields)
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page } = visited
    await open(visited, server.url, { path: `/data/${id}`, heading: 'Codes' })
    const rows = Array.from({ length: 600 }, (_, at) => `${at},${at},${at},${at}`)
    const buffer = Buffer.from(['a,b,c,d', ...rows].join('\n'))
    await page.setInputFiles('input[type=file]', { name: 'a.csv', mimeType: 'text/csv', buffer })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog.getByText('600').first().waitFor()
    const stored = async (): Promise<number> =>
      (await server.call('GET', `${new URL(url, server.url).pathname}?count=exact&length=1`)).body
        .page.total
    await shows(stored, 600)
    assert.deepEqual(visited.faults, [])
    await visited.context.close()
  })
})
