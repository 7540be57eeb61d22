// A hundred thousand entries: search, sort and change them, and export and import files of them.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { importEntries } from '../../lib/client/import-entries.ts'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { make } from '../helpers/content.ts'
import type { TestServer } from '../helpers/server.ts'
import { open, shows, startSite, visit, type Visit } from './area.ts'
import { addDemoEntries, EVENTS } from './demo-entries.ts'
import { PICKER, written } from './written-file.ts'

const COUNT = 100_000
/** Milliseconds for hundreds of successive changes. */
const MANY_MS = 150_000
const CITIES = ['Oslo', 'Köln', 'Reykjavík', 'Nîmes']

describe('many entries', { skip: NO_BROWSER }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'cms-entries-'))
  let server: TestServer
  let browser: Browser
  let events: string
  let people: string
  before(async () => {
    server = await startSite()
    events = await addDemoEntries(server)
    people = await makeTable('People', 'name C(40) NOTNULL, city C(20), age I')
    const rows = Array.from(
      { length: COUNT },
      (_, at) => `Person ${at + 1},${CITIES[at % 4]},${at % 90}`,
    )
    const source = join(folder, 'people.csv')
    writeFileSync(source, ['name,city,age', ...rows].join('\n'))
    const { url, key } = server
    const { created } = await importEntries({
      url,
      key,
      module: people,
      source,
      // Keeps the order of the file.
      concurrency: 1,
    })
    assert.equal(created, COUNT)
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function makeTable(name: string, columns: string): Promise<string> {
    const fields = { name, title_field: columns.split(' ', 1)[0], table_schema: columns }
    const { module_url: url } = await make(server, 'datatable', fields)
    return new URL(url, server.url).pathname
  }

  const cell = (page: Page, row: number, column: number) =>
    page.locator(`[aria-rowindex="${row + 1}"] > [aria-colindex="${column}"]`)

  const idOf = (path: string): string => path.split('/').at(-2) ?? ''

  interface See {
    readonly query?: string
    readonly locale?: string
  }

  async function see(path: string, heading: string, options: See = {}): Promise<Visit> {
    const { query = '', locale = 'en-GB' } = options
    const visited = await visit(browser, { url: server.url, user: 'admin', locale })
    await visited.context.addInitScript(PICKER)
    await open(visited, server.url, { path: `/data/${idOf(path)}${query}`, heading })
    return visited
  }

  const atRest = (page: Page): Promise<void> =>
    page.locator('[role=grid][aria-busy=false]').waitFor()

  async function close({ context, faults }: Visit): Promise<void> {
    assert.deepEqual(faults, [])
    await context.close()
  }

  const totalOf = async (path: string, qry: object): Promise<number> => {
    const query = `count=exact&length=1&qry=${encodeURIComponent(JSON.stringify(qry))}`
    return (await server.call('GET', `${path}?${query}`)).body.page.total
  }

  async function entriesOf(path: string): Promise<readonly any[]> {
    const { body } = await server.call('GET', `${path}?length=1000`)
    return body.datatable_entry.map(
      ({ datatable_entry_id: _, date_added: __, date_modified: ___, owner: ____, ...rest }: any) =>
        rest,
    )
  }

  async function bringIn(page: Page, text: string): Promise<void> {
    const buffer = Buffer.from(text)
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page
        .getByRole('button', { name: /^(?:Import|Importieren)$/ })
        .last()
        .click(),
    ])
    await chooser.setFiles({ name: 'a.csv', mimeType: 'text/csv', buffer })
    await importButton(page).waitFor()
  }

  const importButton = (page: Page) =>
    page.getByRole('dialog').getByRole('button', { name: /^(?:Import|Importieren)$/ })

  const start = (page: Page): Promise<void> => importButton(page).click()

  test('one key leads to the last entry, and a change there is saved', async () => {
    const visited = await see(people, 'People')
    const { page } = visited
    await page.getByText('100,000 entries').waitFor()
    await cell(page, 1, 2).click()
    await page.keyboard.press('Control+ArrowDown')
    await page.locator(':focus').getByText('Person 100000').waitFor()
    const focused = page.locator('[role=row]:has(> :focus)')
    await shows(() => focused.getAttribute('aria-rowindex'), '100001')
    assert.ok((await page.getByRole('row').count()) < 60)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('Porto')
    await page.keyboard.press('Enter')
    await page.getByText('city was changed.').waitFor()
    assert.equal(await totalOf(people, { city: 'Porto', name: 'Person 100000' }), 1)
    await page.keyboard.press('Control+Home')
    await cell(page, 1, 2).getByText('Person 1', { exact: true }).waitFor()
    await close(visited)
  })

  test('the scroll bar reaches every place, even in a list higher than a browser allows', async () => {
    const visited = await see(people, 'People')
    const { page } = visited
    await atRest(page)
    for (const share of [0.5, 0.25, 1, 0]) {
      await page.evaluate(`{
        const grid = document.querySelector('[role=grid]')
        grid.scrollTop = ${share} * (grid.scrollHeight - grid.clientHeight)
      }`)
      const first = Math.round(share * COUNT)
      const near = Math.max(Math.min(first, COUNT - 4), 1)
      await cell(page, near, 2).getByText(`Person ${near}`, { exact: true }).waitFor()
    }
    await close(visited)
  })

  test('search and order apply to all entries and are part of the address', async () => {
    const visited = await see(people, 'People')
    const { page } = visited
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByLabel('Column').selectOption('city')
    await page.getByLabel('Comparison').selectOption('is')
    await page.getByLabel('Value').fill('Köln')
    await page.getByText('25,000 entries found').waitFor()
    await page.getByRole('columnheader', { name: 'age' }).click()
    await page.getByText(/^More than/).waitFor()
    await page.getByRole('button', { name: 'Count all' }).click()
    await page.getByText('25,000 entries found').waitFor()
    const other = await see(people, 'People', { query: new URL(page.url()).search })
    await other.page.getByText(/^More than/).waitFor()
    await other.page.getByRole('gridcell', { name: 'Köln' }).first().waitFor()
    await close(other)
    await close(visited)
  })

  test('a range with unread rows can be selected, and all of its rows count', async () => {
    const visited = await see(people, 'People')
    const { page } = visited
    await atRest(page)
    // Identifiers are read in pages of 1,000 rows; this range is in two of them.
    await page.evaluate("document.querySelector('[role=grid]').scrollTop = 800 * 36")
    await page.getByRole('checkbox', { name: 'Select Person 803', exact: true }).click()
    await page.evaluate("document.querySelector('[role=grid]').scrollTop = 1_200 * 36")
    await page
      .getByRole('checkbox', { name: 'Select Person 1205', exact: true })
      .click({ modifiers: ['Shift'] })
    await page.getByText('403 selected').waitFor()
    await page.getByRole('button', { name: 'Change a column' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Column').selectOption('age')
    await dialog.getByLabel('New value').fill('99')
    await dialog.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByText('403 entries were changed.').waitFor({ timeout: MANY_MS })
    assert.equal(await totalOf(people, { age: 99 }), 403)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The change to 403 entries was undone.').waitFor({ timeout: MANY_MS })
    assert.equal(await totalOf(people, { age: 99 }), 0)
    await close(visited)
  })

  test('all found entries are exported as CSV', async () => {
    const visited = await see(people, 'People', {
      query: `?qry=${encodeURIComponent('{"city":"Reykjavík"}')}`,
    })
    const { page } = visited
    await page.getByText('25,000 entries found').waitFor()
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Export results as CSV', exact: true }).click()
    await page.getByText('25,000 entries were exported.').waitFor()
    const { name, text } = await written(page)
    assert.match(name, /^people-\d{4}-\d\d-\d\d\.csv$/)
    const lines = text.trimEnd().split('\r\n')
    assert.equal(lines.length, (await totalOf(people, { city: 'Reykjavík' })) + 1)
    assert.equal(lines[0], 'datatable_entry_id,name,city,age')
    assert.equal(lines[1], '3,Person 3,Reykjavík,2')
    await close(visited)
  })

  test('formulas are exported with an apostrophe, or unchanged on request', async () => {
    const formulas = await makeTable('Formulas', 'a C(40), n N(8.2)')
    await server.call('POST', formulas, {
      json: [{ a: '=1+1', n: '-1.50' }, { a: '@SUM(1)', n: '2' }, { a: '-5' }, { a: "it's" }],
    })
    const visited = await see(formulas, 'Formulas')
    const { page } = visited
    const head = 'datatable_entry_id,a,n\r\n'
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Export as CSV', exact: true }).click()
    await page
      .getByText(
        'A leading apostrophe was added to 2 cells that a spreadsheet would run as formulas.',
      )
      .waitFor()
    const guarded = (await written(page)).text
    assert.equal(guarded, `${head}1,'=1+1,-1.50\r\n2,'@SUM(1),2\r\n3,-5,\r\n4,it's,\r\n`)
    await close(visited)
    const again = await see(formulas, 'Formulas')
    await again.page.getByRole('button', { name: 'Export', exact: true }).click()
    await again.page.getByRole('menuitem', { name: 'Export unchanged as CSV', exact: true }).click()
    await again.page.getByText('4 entries were exported.', { exact: true }).waitFor()
    const { text } = await written(again.page)
    assert.equal(text, `${head}1,=1+1,-1.50\r\n2,@SUM(1),2\r\n3,-5,\r\n4,it's,\r\n`)
    await close(again)
  })

  test('an import of an export restores the entries', async () => {
    const odd = { title: 'a "b",\nc;\td', kind: 'talk', teaser: ' =1+1 ', text: '' }
    await server.call('POST', events, { json: odd })
    const visited = await see(events, 'Events')
    const { page } = visited
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Export as CSV', exact: true }).click()
    await page.getByText('63 entries were exported.').waitFor()
    const { text } = await written(page)
    await close(visited)

    const { body } = await server.call('GET', `/api/v2/datatable/${EVENTS}`)
    const copy = await makeTable('Copy', body.table_schema)
    const second = await see(copy, 'Copy')
    await bringIn(second.page, text)
    await second.page.getByLabel('datatable_entry_id').selectOption('Do not import')
    await start(second.page)
    await second.page.getByText('63 entries created').waitFor()
    assert.deepEqual(await entriesOf(copy), await entriesOf(events))
    await close(second)
  })

  test('a file for Excel is read back with decimal commas, and ambiguous numbers are refused', async () => {
    const prices = await makeTable('Preise', 'name C(40), price N(12.3)')
    await server.call('POST', prices, { json: [{ name: 'Käse; mild', price: '-1234.5' }] })
    const visited = await see(prices, 'Preise', { locale: 'de-DE' })
    const { page } = visited
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Als CSV für Excel exportieren', exact: true }).click()
    await page.getByText('1 Eintrag wurde exportiert.').waitFor()
    const { text } = await written(page)
    const head = 'sep=;\r\ndatatable_entry_id;name;price\r\n'
    assert.equal(text, `\uFEFF${head}1;"Käse; mild";-1234,5\r\n`)
    await page.reload()
    await bringIn(page, `${text};Brot;2,5\r\n;Wein;1.234,5\r\n;Salz;1.234\r\n;Senf;1.2\r\n`)
    await start(page)
    await page.getByText('2 Zeilen abgelehnt').first().waitFor()
    await page.getByText('price: „1.234,5“ kann zwei Zahlen bedeuten.').waitFor()
    await page.getByText('price: „1.234“ kann zwei Zahlen bedeuten.').waitFor()
    assert.deepEqual(
      (await entriesOf(prices)).map(({ price }) => price),
      ['-1234.5', '2.5', '1.2'],
    )
    await page.goto(`${server.url}/admin/data/${idOf(prices)}/new`)
    await page.getByLabel('Price').fill('1.234,5')
    await page.getByRole('button', { name: 'Eintrag anlegen' }).click()
    await page.getByText('„1.234,5“ kann zwei Zahlen bedeuten.').waitFor()
    await page.getByLabel('Price').fill('2,75')
    await page.getByRole('button', { name: 'Eintrag anlegen' }).click()
    await page.getByRole('gridcell', { name: '2,75' }).waitFor()
    assert.equal(await totalOf(prices, { price: '2.75' }), 1)
    await close(visited)
  })

  test('the mapping of an import is kept for the next file, which the empty table asks for', async () => {
    const table = await makeTable('Kept', 'name C(40), age I')
    const visited = await see(table, 'Kept')
    const { page } = visited
    await page.getByText('No entries yet').waitFor()
    await bringIn(page, 'Person,Years\nAda,36\n')
    await page.getByLabel('Person').selectOption('name')
    await start(page)
    await page.getByText('1 entry created').waitFor()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Import another file' }).click(),
    ])
    const buffer = Buffer.from('Person,Years\nAlan,41\n')
    await chooser.setFiles({ name: 'b.csv', mimeType: 'text/csv', buffer })
    await shows(() => page.getByLabel('Person').inputValue(), 'name')
    await start(page)
    await page.getByText('1 entry created').waitFor()
    assert.deepEqual(await entriesOf(table), [
      { name: 'Ada', age: null },
      { name: 'Alan', age: null },
    ])
    await close(visited)
  })

  test('rejected rows are listed with their lines, and the others are imported', async () => {
    const table = await makeTable('Lines', 'name C(10) NOTNULL, age I1')
    await server.call('POST', table, { json: { name: 'first', age: 1 } })
    const visited = await see(table, 'Lines')
    const { page } = visited
    const lines = [
      'datatable_entry_id;Name;age',
      ';second;2',
      '1;;5',
      ';third;999',
      '9;nobody;1',
      ';four;4;5',
    ]
    await bringIn(page, [...lines, ';"sixth\n6";6', '1;renamed;'].join('\n'))
    await start(page)
    await page.getByText('Some rows were not imported').waitFor()
    await page.getByText('4 rows rejected').first().waitFor()
    for (const line of [3, 4, 5, 6]) await page.getByText(`Line ${line}`, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Save rejected rows' }).click()
    await page.getByText('The rejected rows were saved.').waitFor()
    const refused = await written(page)
    assert.equal(refused.name, 'refused.csv')
    assert.match(refused.text, /^datatable_entry_id,Name,age,line,reason\r\n1,,5,3,/)
    const found = await entriesOf(table)
    assert.deepEqual(found, [
      { name: 'renamed', age: null },
      { name: 'second', age: 2 },
      { name: 'sixth\n6', age: 6 },
    ])
    await close(visited)
  })
})
