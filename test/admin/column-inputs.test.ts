// The inputs for multiple choices, JSON, places and colors, and their values in the grid and in CSV files.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { makeEntry, makeTable, type MadeModule } from '../helpers/modules.ts'
import type { TestServer } from '../helpers/server.ts'
import { axeFaults, isTooWide, setPassword, shows, startSite, visit, type Visit } from './area.ts'
import { PICKER, written } from './written-file.ts'

const SCHEMA =
  "name C(40) NOTNULL, tags SET('news','old, dusty','x') NOTNULL, data JSON, place POINT, tint COLOR, mail EMAIL"

const ENTRY = {
  name: 'Ada',
  tags: ['old, dusty', 'news'],
  data: { a: [1, 'x'] },
  place: [-13.5, 52.25],
  tint: '#FC0',
  mail: 'ada@example.com',
}

describe('inputs of columns', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  let table: MadeModule
  before(async () => {
    server = await startSite()
    await setPassword(server, 'admin')
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  async function see(path: string): Promise<Visit> {
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    await visited.context.addInitScript(PICKER)
    await visited.page.goto(`${server.url}/admin/data/${table.id}${path}`)
    return visited
  }

  const entries = async (): Promise<readonly any[]> =>
    (await server.call('GET', `${table.url}?fields=*`)).body.datatable_entry

  const create = (page: Page) => page.getByRole('button', { name: 'Create entry' }).click()

  test('a form sends what its fields show, and names the line of invalid JSON', async () => {
    table = await makeTable(server, SCHEMA)
    const { page, context, faults } = await see('/new')
    await page.getByLabel('name').fill('Ada')
    await page.getByLabel('data').fill('{"a": [1,\n"x"')
    await create(page)
    await page.getByText('This is not valid JSON: check line 2').waitFor()
    await page.locator('fieldset[aria-invalid=true]').getByText('This field is required.').waitFor()
    assert.deepEqual(await entries(), [])

    const tags = page.getByRole('group', { name: 'tags' })
    await tags.getByLabel('old, dusty').check()
    await tags.getByLabel('x').check()
    await tags.getByLabel('news').check()
    await tags.getByLabel('x').uncheck()
    await page.getByLabel('data').fill('{"a": [1,\n"x"]}')
    const place = page.getByRole('group', { name: 'place' })
    await place.getByLabel('Longitude').fill('-13,5')
    await place.getByLabel('Latitude').fill('91')
    await page.getByLabel('Pick a color for tint').fill('#ffcc00')
    await page.locator('[name="tint"]').fill('#FC0')
    assert.equal(await page.getByLabel('Pick a color for tint').inputValue(), '#ffcc00')
    await page.getByLabel('mail').fill('ada@example.com')
    await create(page)
    await page.locator('fieldset[aria-invalid=true]').waitFor()
    await place.getByLabel('Latitude').fill('52.25')
    await create(page)
    await page.getByText('The entry was created.').waitFor()
    const [entry] = await entries()
    assert.deepEqual({ ...entry, ...ENTRY }, entry)
    // The two refused forms are in the console of the browser.
    assert.ok(
      faults.every((fault) => fault.includes('422')),
      faults.join('\n'),
    )
    await context.close()
  })

  test('columns whose names are equal in words show their names too', async () => {
    table = await makeTable(server, 'first_name C(9), firstName C(9), created D, lastName C(9)')
    await makeEntry(server, table.url, { first_name: 'Ada' })
    const both = ['First name (first_name)', 'First name (firstName)']
    const { page, context, faults } = await see('/1')
    await shows(
      () => page.locator('form').first().locator('.field-label').allInnerTexts(),
      [...both, 'Created', 'Last name'].map((name) => `${name} optional`),
    )
    await page.goto(`${server.url}/admin/data/${table.id}`)
    const heads = page.getByRole('columnheader')
    for (const name of [...both, 'Created (created)', 'Last name'])
      await heads
        .filter({ has: page.getByText(name, { exact: true }) })
        .first()
        .waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('JSON can be edited as a tree with only the keyboard, and keeps all digits', async () => {
    table = await makeTable(server, 'name C(9), data JSON')
    const data = { price: 1.25, tags: ['a'], deep: { on: true } }
    await makeEntry(server, table.url, { name: 'x', data })
    const { page, context, faults } = await see('/1')
    const { keyboard } = page
    await page.getByRole('button', { name: 'Tree view' }).focus()
    await keyboard.press('Enter')
    const tree = page.getByRole('group', { name: 'data' })
    const press = async (name: string): Promise<void> => {
      await tree.getByRole('button', { name, exact: true }).focus()
      await keyboard.press('Enter')
    }
    await tree.getByLabel('Value of price').fill('abc')
    await tree.getByText('Enter a number').waitFor()
    await tree.getByLabel('Value of price').fill('9007199254740991')
    await press('Content of tags')
    await press('Add to tags')
    await tree.getByLabel('Type of Item 2').selectOption('string')
    await tree.getByLabel('Value of Item 2').fill('"b"')
    await press('Add to Data')
    await tree.getByLabel('Name of name_4').fill('price')
    await tree.getByText('Another value has this name.').waitFor()
    await tree.getByLabel('Name of name_4').fill('flag')
    await tree.getByLabel('Type of flag').selectOption('boolean')
    await tree.getByLabel('Value of flag').selectOption('true')
    await press('Remove deep')
    assert.deepEqual(await axeFaults(page), [])
    await page.setViewportSize({ width: 360, height: 800 })
    assert.equal(await isTooWide(page), false)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const [entry] = await entries()
    assert.deepEqual(entry.data, { price: 9007199254740991, tags: ['a', '"b"'], flag: true })
    // The choice of the view is kept.
    await page.reload()
    await tree.getByLabel('Value of price').waitFor()
    await page.getByRole('button', { name: 'Tree view' }).click()
    await page.getByRole('textbox', { name: 'data' }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a change of one field leaves the others as stored, and an emptied field has no value', async () => {
    table = await makeTable(server, SCHEMA)
    await makeEntry(server, table.url, ENTRY)
    const { page, context, faults } = await see('/1')
    await page.getByRole('group', { name: 'place' }).getByLabel('Longitude').fill('')
    await page.getByRole('group', { name: 'place' }).getByLabel('Latitude').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const [entry] = await entries()
    assert.deepEqual({ ...entry, ...ENTRY, place: null }, entry)
    assert.deepEqual(await axeFaults(page), [])
    await page.setViewportSize({ width: 360, height: 800 })
    assert.equal(await isTooWide(page), false)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a cell shows and accepts the text of a value', async () => {
    table = await makeTable(server, "name C(9), tags SET('a','b'), data JSON, place POINT")
    await makeEntry(server, table.url, { name: 'x', tags: ['b'], place: [1, 2], data: { a: 1 } })
    const { page, context } = await see('')
    const cellOf = async (name: string) => {
      const heading = page.getByRole('columnheader', { name, exact: true }).first()
      const at = await heading.getAttribute('aria-colindex')
      return page.locator(`[aria-rowindex="2"] > [aria-colindex="${at}"]`)
    }
    await page.locator('[role=grid][aria-busy=false]').waitFor()
    for (const [name, before, text] of [
      ['Tags', 'b', 'b, a'],
      ['Place', '1,2', '1.5,-2'],
    ] as const) {
      const cell = await cellOf(name)
      assert.equal((await cell.innerText()).trim(), before)
      await cell.dblclick()
      await page.locator('.cell-input').fill(text)
      await page.keyboard.press('Enter')
      await page.getByText(`${name} was changed.`, { exact: true }).waitFor()
    }
    const [entry] = await entries()
    assert.deepEqual([entry.tags, entry.place, entry.data], [['b', 'a'], [1.5, -2], { a: 1 }])
    await context.close()
  })

  test('a filter finds the entries whose list contains a text', async () => {
    table = await makeTable(server, "name C(9), tags SET('a','b')")
    for (const tags of [['a'], ['b', 'a'], ['b']])
      await makeEntry(server, table.url, { name: tags.join(''), tags })
    const { page, context } = await see('')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByLabel('Column').selectOption('tags')
    await page.getByLabel('Comparison').selectOption({ label: 'contains' })
    await page.getByLabel('Value', { exact: true }).selectOption('a')
    await page.getByText('2 entries found').waitFor()
    assert.equal(await page.getByLabel('Query (qry)').inputValue(), '{"tags":"a"}')
    await context.close()
  })

  test('a CSV file of the area can be imported with the same values', async () => {
    table = await makeTable(server, SCHEMA)
    const bodies = [
      ENTRY,
      { ...ENTRY, tags: ['x'], data: '"', place: null },
      { ...ENTRY, data: null },
    ]
    for (const body of bodies) await makeEntry(server, table.url, body)
    const before = await entries()
    const out = await see('')
    await out.page.getByRole('button', { name: 'Export', exact: true }).click()
    await out.page.getByRole('menuitem', { name: 'Export unchanged as CSV', exact: true }).click()
    await out.page.getByText(/ entries were exported\.$/).waitFor()
    const { text } = await written(out.page)
    assert.deepEqual(out.faults, [])
    await out.context.close()

    table = await makeTable(server, SCHEMA)
    const { page, context } = await see('')
    const lines = text.replaceAll(/^\d+,/gm, ',')
    const rows = `${lines},Bob,x,{a},,,\r\n`
    await page.setInputFiles('input[type=file]', {
      name: 'rows.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(rows),
    })
    await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('Some rows were not imported').waitFor()
    await page.getByText('This is not valid JSON.').first().waitFor()
    const strip = ({ name, tags, data, place, tint, mail }: any): unknown => ({
      ...{ name, tags, data, place, tint, mail },
    })
    assert.deepEqual((await entries()).map(strip), before.map(strip))
    await context.close()
  })
})
