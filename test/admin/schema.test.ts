// Stories about the schema of a datatable in a real browser. Each story asserts the resulting state of the
// server.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import type { TestServer } from '../helpers/server.ts'
import { isTooWide, setPassword, shows, startSite, visit, type Visit } from './area.ts'

const SCHEMA = 'name C(200) NOTNULL,\nprice N(10.2),\nnote X'

describe('the schema of a datatable', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  before(async () => {
    server = await startSite()
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  interface Made {
    readonly id: number
    readonly url: string
  }

  /** Creates twelve entries; six of them have a note. */
  async function make(name: string, table_schema = SCHEMA): Promise<Made> {
    const title_field = table_schema === SCHEMA ? 'name' : null
    const json = { name, table_schema, title_field }
    const { body } = await server.call('POST', '/api/v2/datatable', { json })
    const url = body.module_url
    const rows = Array.from({ length: 12 }, (_, at) => ({
      name: `N ${at}`,
      price: `${at}.50`,
      note: at % 2 === 0 ? 'seen' : null,
    }))
    if (table_schema === SCHEMA) await server.call('POST', url, { json: rows })
    return { id: body.datatable_id, url }
  }

  async function held(id: number) {
    return (await server.call('GET', `/api/v2/datatable/${id}`)).body
  }

  async function entries({ url }: Made): Promise<readonly Record<string, unknown>[]> {
    return (await server.call('GET', `${url}?fields=*`)).body.datatable_entry
  }

  async function openSchema(id: number, user = 'admin', width = 1_280): Promise<Visit> {
    const viewport = { width, height: 800 }
    const visited = await visit(browser, { url: server.url, user, viewport })
    await visited.page.goto(`${server.url}/admin/data/${id}/schema`)
    await visited.page.getByLabel('Schema as text').waitFor()
    return visited
  }

  const column = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
  const text = (page: Page) => page.getByLabel('Schema as text')
  const review = (page: Page) => page.getByRole('button', { name: 'Review changes' }).click()
  const change = (page: Page) => page.getByRole('button', { name: 'Change datatable' }).click()

  test('a rename keeps the values, and a drop shows how many are lost', async () => {
    const made = await make('Wares')
    const { page, faults, context } = await openSchema(made.id)
    await column(page, 'price').getByLabel('Name', { exact: true }).fill('cost in €')
    await column(page, 'cost_in__').getByLabel('Name', { exact: true }).fill('cost')
    await page.getByRole('button', { name: 'Delete note' }).click()
    await page.getByRole('button', { name: 'Add column' }).click()
    await page.getByRole('menuitem', { name: 'Integer', exact: true }).click()
    await page.keyboard.type('stock')
    await column(page, 'stock').getByLabel('Default').fill('7')
    assert.equal(
      await text(page).inputValue(),
      'name C(200) NOTNULL,\ncost N(10.2),\nstock I DEFAULT 7',
    )

    await review(page)
    const dialog = page.getByRole('dialog')
    await dialog.getByText('price is renamed to cost.').waitFor()
    await dialog.getByText('6 entries lose their value.').waitFor()
    await change(page)
    await dialog
      .getByText('To continue, select this checkbox. Otherwise, keep the column as it is.')
      .waitFor()
    assert.equal((await held(made.id)).table_schema, SCHEMA)
    await dialog.getByLabel('Permanently delete the values in note').check()
    await change(page)
    await page.getByText('The datatable was changed.').waitFor()

    const { table_schema: schema, columns } = await held(made.id)
    assert.equal(schema, 'name C(200) NOTNULL,\ncost N(10.2),\nstock I DEFAULT 7')
    assert.deepEqual(
      columns.map(({ name }: { readonly name: string }) => name),
      ['name', 'cost', 'stock'],
    )
    const [, second] = await entries(made)
    assert.deepEqual(
      [second?.['cost'], second?.['stock'], second?.['note']],
      ['1.50', 7, undefined],
    )
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a change without losses can be undone with all values', async () => {
    const made = await make('Undone')
    const { page, context } = await openSchema(made.id)
    await text(page).fill(SCHEMA.replace('price', 'cost'))
    await column(page, 'cost').getByText('was price').waitFor()
    await review(page)
    await page.getByRole('dialog').getByText('All values are kept.').waitFor()
    await change(page)
    await page.getByText('The datatable was changed.').waitFor()
    assert.equal((await entries(made))[1]?.['cost'], '1.50')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The change was undone.').waitFor()
    assert.equal((await held(made.id)).table_schema, SCHEMA)
    assert.equal((await entries(made))[1]?.['price'], '1.50')
    await context.close()
  })

  test('two people who change the schema at once both keep their input', async () => {
    const made = await make('Both')
    const { page, context } = await openSchema(made.id)
    await column(page, 'note').getByLabel('Name', { exact: true }).fill('remark')
    const json = { table_schema: `${SCHEMA}, theirs D` }
    await server.call('PATCH', `/api/v2/datatable/${made.id}`, { json })
    await review(page)
    await page.getByText('Somebody else changed').first().waitFor()
    assert.ok((await text(page).inputValue()).endsWith('remark X'))
    await page.getByRole('button', { name: 'Accept their change' }).click()
    await review(page)
    await page.getByRole('dialog').getByText('note is renamed to remark.').waitFor()
    assert.equal(await page.getByRole('dialog').getByText('is deleted').count(), 0)
    await change(page)
    await page.getByText('The datatable was changed.').waitFor()
    assert.equal(
      (await held(made.id)).table_schema,
      'name C(200) NOTNULL,\nprice N(10.2),\nremark X,\ntheirs D',
    )
    assert.equal((await entries(made))[0]?.['remark'], 'seen')
    await context.close()
  })

  test('a plan is shown again if an entry was added since it was confirmed', async () => {
    const made = await make('Counted')
    const { page, context } = await openSchema(made.id)
    await page.getByRole('button', { name: 'Delete note' }).click()
    await review(page)
    await page.getByText('6 entries lose their value.').waitFor()
    await server.call('POST', made.url, { json: { name: 'late', note: 'seen' } })
    await page.getByLabel('Permanently delete the values in note').check()
    await change(page)
    await page.getByText('Entries have changed in the meantime').waitFor()
    await page.getByText('7 entries lose their value.').waitFor()
    assert.equal((await held(made.id)).table_schema, SCHEMA)
    await change(page)
    await page.getByText('The datatable was changed.').waitFor()
    assert.equal((await held(made.id)).table_schema, 'name C(200) NOTNULL,\nprice N(10.2)')
    await context.close()
  })

  test('an impossible change is reported with the number of entries that prevent it', async () => {
    const made = await make('Barred')
    const { page, context } = await openSchema(made.id)
    await column(page, 'note').getByLabel('Required').check()
    assert.ok((await text(page).inputValue()).endsWith('note X NOTNULL'))
    await review(page)
    await page.getByText('This change is not possible').waitFor()
    await page.getByText('6 entries have no value in this column.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Change datatable' }).count(), 0)
    await page.getByRole('button', { name: 'Back to the schema' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    assert.equal(await text(page).inputValue(), SCHEMA)
    await context.close()
  })

  test('faults of the text are shown at their place, including faults that the server found', async () => {
    const made = await make('Wrong')
    const { page, context } = await openSchema(made.id)
    await text(page).fill(`${SCHEMA},\nmore C(9) NOT NULL`)
    const told = page.getByText('Line 4: Write NOTNULL as one word.')
    await told.waitFor()
    await shows(() => column(page, 'name').getByLabel('Name', { exact: true }).isDisabled(), true)
    await page.getByRole('button', { name: 'Show' }).click()
    const [from, to] = await page.evaluate<[number, number]>(
      '[document.activeElement.selectionStart, document.activeElement.selectionEnd]',
    )
    assert.equal((await text(page).inputValue()).slice(from, to), 'NOT')

    await text(page).fill(`${SCHEMA},\nowner C(9)`)
    await review(page)
    await page.getByText(/Line 4: column 4 "owner": the name is reserved/).waitFor()
    await shows(() => page.locator('.schema-text-marks mark').textContent(), 'owner C(9)')
    assert.equal((await held(made.id)).table_schema, SCHEMA)
    await context.close()
  })

  test('options that the list does not show stay in the text', async () => {
    const schema =
      "datatable_entry_id I KEY AUTO, a  VARCHAR(20) INDEX i DEF 'x',\r\n b I(11)  NULL"
    const { id } = await make('Odd', schema)
    const { page, context } = await openSchema(id)
    await column(page, 'a').getByLabel('Name', { exact: true }).fill('z')
    await column(page, 'z').getByLabel('Required').check()
    await column(page, 'b').getByLabel('Default').fill('3')
    await review(page)
    await change(page)
    await page.getByText('The datatable was changed.').waitFor()
    assert.equal(
      (await held(id)).table_schema,
      "datatable_entry_id I KEY AUTO, z  VARCHAR(20) NOTNULL INDEX i DEF 'x',\n b I(11)  NULL DEFAULT 3",
    )
    await context.close()
  })

  test('a column can be added, named and moved by the keyboard alone', async () => {
    const made = await make('Keys')
    const { page, context } = await openSchema(made.id)
    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('n')
    await page.waitForFunction("document.activeElement.name === 'column_name'")
    await page.keyboard.type('code')
    await column(page, 'code').waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    assert.equal(
      await text(page).inputValue(),
      'name C(200) NOTNULL,\ncode C(255),\nprice N(10.2),\nnote X',
    )
    await page.keyboard.press('Control+s')
    await page.getByRole('dialog').getByText('code is added.').waitFor()
    await page.getByRole('button', { name: 'Change datatable' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('The datatable was changed.').waitFor()
    assert.match((await held(made.id)).table_schema, /^name C\(200\) NOTNULL,\ncode C\(255\),/)
    await context.close()
  })

  test('a column can be moved by the mouse', async () => {
    const { id } = await make('Dragged')
    const { page, context } = await openSchema(id)
    await page
      .getByRole('button', { name: /^Move note/ })
      .dragTo(column(page, 'name').getByLabel('Name', { exact: true }))
    await page.waitForFunction("document.querySelector('textarea').value.startsWith('note X')")
    assert.equal(await text(page).inputValue(), 'note X,\nname C(200) NOTNULL,\nprice N(10.2)')
    await context.close()
  })

  test('input survives a reload, also at a width of 360 px', async () => {
    const { id } = await make('Kept')
    const { page, context } = await openSchema(id, 'admin', 360)
    await column(page, 'price').getByLabel('Name', { exact: true }).fill('cost')
    await column(page, 'price').waitFor({ state: 'detached' })
    assert.equal(await isTooWide(page), false)
    await page.reload()
    await column(page, 'cost').getByText('was price').waitFor()
    await page.getByText('Your unsaved input was restored.').waitFor()
    await review(page)
    await page.getByText('price is renamed to cost.').waitFor()
    assert.equal(await isTooWide(page), false)
    await context.close()
  })

  test('a user who can only read sees no controls for changes', async () => {
    const { id } = await make('Looked at')
    await server.call('POST', '/api/v2/user', { json: { name: 'vera', role: 'viewer' } })
    await setPassword(server, 'vera')
    const { page, faults, context } = await openSchema(id, 'vera')
    await page.getByText('This account can view the schema but not change it.').waitFor()
    await shows(() => column(page, 'name').getByLabel('Name', { exact: true }).isDisabled(), true)
    assert.equal(await text(page).getAttribute('readonly'), '')
    for (const name of ['Add column', 'Actions', 'Review changes'])
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
    assert.deepEqual(faults, [])
    await context.close()
  })
})
