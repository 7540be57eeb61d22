// The entries of a datatable in the administration area. The stories assert the resulting state of the
// server.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { make } from '../helpers/content.ts'
import type { TestServer } from '../helpers/server.ts'
import { isTooWide, open, setPassword, shows, startSite, visit, type Visit } from './area.ts'
import { addDemoEntries, EVENTS, HOSTILE_VALUE } from './demo-entries.ts'

const SHOWN = { path: `/data/${EVENTS}`, heading: 'Events' }

describe('the entries of a datatable', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  let path: string
  before(async () => {
    server = await startSite()
    path = await addDemoEntries(server)
    await make(server, 'user', { name: 'vera', role: 'viewer' })
    await setPassword(server, 'vera')
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  async function see(user = 'admin', query = '', width = 1_280): Promise<Visit> {
    const viewport = { width, height: 800 }
    const visited = await visit(browser, { url: server.url, user, viewport })
    await open(visited, server.url, { ...SHOWN, path: `${SHOWN.path}${query}` })
    await visited.page.locator('[role=grid][aria-busy=false]').waitFor()
    return visited
  }

  async function close({ context, faults }: Visit): Promise<void> {
    assert.deepEqual(faults, [])
    await context.close()
  }

  const cell = (page: Page, row: number, column: number) =>
    page.locator(`[aria-rowindex="${row + 1}"] > [aria-colindex="${column}"]`)

  const press = async (page: Page, ...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key)
  }

  const readEntry = async (id: number): Promise<any> =>
    (await server.call('GET', `${path}/${id}?fields=*`)).body

  const leads = (page: Page) => page.locator('.entry-lead').allInnerTexts()

  test('a cell can be changed by the keyboard alone, is saved at once and can be undone', async () => {
    const visited = await see()
    const { page } = visited
    await cell(page, 1, 2).click()
    await press(page, 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight')
    await page.keyboard.type('12345.60')
    await press(page, 'Enter')
    await page.getByText('price was changed.').waitFor()
    assert.equal((await readEntry(2)).price, '12345.60')
    await press(page, 'ArrowUp', 'Control+z')
    await page.getByText('The change to price was undone.').waitFor()
    assert.equal((await readEntry(2)).price, '5.50')
    await press(page, 'Delete')
    await page.getByText('price was changed.').waitFor()
    assert.equal((await readEntry(2)).price, null)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The change to price was undone.').waitFor()
    assert.equal((await readEntry(2)).price, '5.50')
    await close(visited)
  })

  test('a number keeps all of its digits', async () => {
    const visited = await see()
    const { page } = visited
    await cell(page, 3, 7).dblclick()
    const field = page.locator('.cell-input')
    await shows(() => field.inputValue(), '9007199254740995')
    await field.fill('9223372036854775807')
    await press(page, 'Tab')
    await page.getByText('code was changed.').waitFor()
    assert.equal((await readEntry(3)).code, '9223372036854775807')
    await shows(() => page.locator(':focus').getAttribute('aria-colindex'), '8')
    await close(visited)
  })

  test('a refused value stays in its cell, even over a reload', async () => {
    const visited = await see()
    const { page } = visited
    await cell(page, 4, 5).dblclick()
    await page.locator('.cell-input').fill('many')
    await press(page, 'Enter')
    await page.locator('.cell-fault').waitFor()
    await shows(() => page.locator('.cell-input').inputValue(), 'many')
    await page.reload()
    await page.getByText('1 cell is not saved yet').waitFor()
    await page.getByRole('status').getByText('many').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    assert.equal(await page.getByText('1 cell is not saved yet').count(), 0)
    assert.equal((await readEntry(4)).price, '7.50')
    await close(visited)
  })

  test('the slower of two people who change a cell sees both values and chooses', async () => {
    for (const [answer, outcome] of [
      ['Use theirs', 'theirs'],
      ['Keep mine', 'mine'],
    ] as const) {
      const visited = await see()
      const { page } = visited
      await cell(page, 5, 2).dblclick()
      await page.locator('.cell-input').fill('mine')
      await server.call('PATCH', `${path}/5`, { json: { title: 'theirs' } })
      await press(page, 'Enter')
      await page.locator('.cell-theirs').getByText('theirs').waitFor()
      await shows(() => page.locator('.cell-input').inputValue(), 'mine')
      await page.getByRole('button', { name: answer }).click()
      await cell(page, 5, 2).getByText(outcome).waitFor()
      await page.locator('.cell-fault').waitFor({ state: 'detached' })
      if (outcome === 'mine') await page.getByText('title was changed.').waitFor()
      assert.equal((await readEntry(5)).title, outcome)
      await server.call('PATCH', `${path}/5`, { json: { title: 'A walk in Oslo 5' } })
      await close(visited)
    }
  })

  test('changes of two people to different columns of an entry do not conflict', async () => {
    const visited = await see()
    const { page } = visited
    await cell(page, 6, 6).dblclick()
    await page.locator('.cell-input').fill('7')
    await server.call('PATCH', `${path}/6`, { json: { teaser: 'theirs' } })
    await press(page, 'Enter')
    await page.getByText('Visitors was changed.').waitFor()
    const { visitors, teaser } = await readEntry(6)
    assert.deepEqual([visitors, teaser], [7, 'theirs'])
    await close(visited)
  })

  test('conditions become a qry that can be edited as text, and both are part of the address', async () => {
    const visited = await see()
    const { page } = visited
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByLabel('Column').selectOption('visitors')
    await page.getByLabel('Comparison').selectOption('between')
    await page.getByLabel('Value').fill('37')
    await page.getByLabel('and').fill('111')
    await page.getByText('3 entries found').waitFor()
    const qry = page.getByLabel('Query (qry)')
    await shows(() => qry.inputValue(), '{"visitors":{"$gte":37,"$lte":111}}')
    await qry.fill('{"visitors":{"$gte":37,"$lt":111}')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.locator('.field-fault').waitFor()
    await qry.fill('{"$or":[{"visitors":37},{"visitors":74}]}')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('2 entries found').waitFor()
    await page.getByText('This query has conditions that the fields cannot show.').waitFor()
    await page.reload()
    await page.getByText('2 entries found').waitFor()
    await shows(
      () => page.getByLabel('Query (qry)').inputValue(),
      '{"$or":[{"visitors":37},{"visitors":74}]}',
    )
    await close(visited)
  })

  test('a heading sorts up, down and not at all', async () => {
    const visited = await see()
    const { page } = visited
    const heading = page.getByRole('columnheader', { name: 'Visitors' })
    await shows(() => heading.getAttribute('title'), 'visitors')
    await heading.click()
    await page.locator('[aria-sort=ascending]').waitFor()
    await heading.click()
    await page.locator('[aria-sort=descending]').waitFor()
    await page.locator('[role=grid][aria-busy=false]').waitFor()
    await cell(page, 1, 2).getByText('A walk in Oslo 60').waitFor()
    assert.match(page.url(), /sort=-visitors/)
    await close(visited)
  })

  test('selected entries can be changed, restored by undo, and deleted', async () => {
    const json = ['a', 'b', 'c', 'd'].map((end) => ({ title: `heap ${end}`, kind: 'talk' }))
    await server.call('POST', path, { json })
    const visited = await see('admin', '?text=heap')
    const { page } = visited
    await page.getByRole('checkbox', { name: 'Select heap a' }).click()
    await page.getByRole('checkbox', { name: 'Select heap c' }).click({ modifiers: ['Shift'] })
    await page.getByText('3 selected').waitFor()
    await page.getByRole('button', { name: 'Change a column' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Column').selectOption('visitors')
    await dialog.getByLabel('New value').fill('9')
    await dialog.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByText('3 entries were changed.').waitFor()
    const found = async (qry: object): Promise<number> =>
      (await server.call('GET', `${path}?count=exact&qry=${JSON.stringify(qry)}`)).body.page.total
    assert.equal(await found({ visitors: 9 }), 3)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The change to 3 entries was undone.').waitFor()
    assert.equal(await found({ visitors: 9 }), 0)
    await page.getByRole('button', { name: 'Select all results' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('4 entries were deleted.').waitFor()
    assert.equal(await found({ title: { $startsWith: 'heap' } }), 0)
    await page.getByText('No entries found').waitFor()
    await close(visited)
  })

  test('a filter offers loaded values and can be cleared, and columns fit their content', async () => {
    const visited = await see()
    const { page } = visited
    const width = async (name: string): Promise<number> =>
      (await page.getByRole('columnheader', { name, exact: true }).boundingBox())?.width ?? 0
    await page.getByRole('grid').and(page.locator('[aria-busy=false]')).waitFor()
    assert.ok((await width('Visitors')) < (await width('Code')), 'the longer numbers need more')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByLabel('Column').selectOption('visitors')
    await shows(() => page.locator('datalist option').first().textContent(), '0')
    await page.getByLabel('Value').fill('37')
    await page.getByText('1 entry found').waitFor()
    await page.getByRole('button', { name: 'Clear filter' }).click()
    await page.getByText('62 entries').waitFor()

    const height = async (): Promise<number> =>
      (await page.locator('.entry-body > [role=row]').first().boundingBox())?.height ?? 0
    const before = await height()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByLabel('Compact rows').check()
    await page.getByRole('dialog').getByText('Close', { exact: true }).click()
    await shows(async () => (await height()) < before, true)
    await page.reload()
    await page.getByText('62 entries').waitFor()
    await shows(async () => (await height()) < before, true)
    await close(visited)
  })

  test('an entry can be created, changed, duplicated and deleted in a form', async () => {
    const visited = await see()
    const { page } = visited
    await page.getByRole('link', { name: 'New entry' }).click()
    await page.getByRole('button', { name: 'Create entry' }).click()
    await page.getByText('This field is required.').first().waitFor()
    // The same mark as in all other forms.
    await page.getByLabel('Price optional').waitFor()
    assert.equal(await page.getByLabel('Kind optional').count(), 0)
    await page.locator('.form-faults').getByRole('button', { name: 'Kind' }).click()
    await shows(() => page.locator(':focus').getAttribute('name'), 'kind')
    assert.equal(await page.getByText('Is free').getAttribute('title'), 'is_free')
    assert.equal(await page.getByRole('button', { name: 'Create entry' }).isVisible(), true)
    await page.getByLabel('title').fill('By form')
    await page.getByLabel('kind').selectOption('film')
    await page.getByLabel('price').fill('1.005')
    await page.getByRole('button', { name: 'Create entry' }).click()
    await page.locator('.field-fault').getByText('decimal places').waitFor()
    await page.getByLabel('price').fill('1.50')
    await page.getByRole('button', { name: 'Create entry' }).click()
    await page.getByRole('button', { name: 'Open entry' }).click()
    await page.getByRole('heading', { level: 1, name: 'By form' }).waitFor()
    const id = Number(/\d+$/.exec(new URL(page.url()).pathname)?.[0])
    assert.deepEqual([(await readEntry(id)).price, (await readEntry(id)).text], ['1.50', null])
    await page.getByLabel('title').fill('Typed')
    await page.reload()
    await page.getByText('Your unsaved input was restored.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    assert.equal((await readEntry(id)).title, 'Typed')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await page.getByRole('button', { name: 'Create entry' }).click()
    await page.getByText('The entry was created.').waitFor()
    assert.equal((await readEntry(id + 1)).price, '1.50')
    await page.goto(`${server.url}/admin${SHOWN.path}/${id}`)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The entry was deleted.').waitFor()
    assert.equal((await server.call('GET', `${path}/${id}`)).status, 404)
    await close(visited)
  })

  test('the form leads to the previous and next entry of its list', async () => {
    const visited = await see('admin', '?sort=-visitors')
    const { page } = visited
    await cell(page, 2, 2).getByText('Late quartet 59').click()
    await press(page, 'Shift+Enter')
    await page.getByRole('heading', { level: 1, name: 'Late quartet 59' }).waitFor()
    await page.getByRole('button', { name: 'Next entry' }).click()
    await page.getByRole('heading', { level: 1, name: 'The long night 58' }).waitFor()
    await page.getByRole('button', { name: 'Previous entry' }).click()
    await page.getByRole('heading', { level: 1, name: 'Late quartet 59' }).waitFor()
    await page.getByRole('link', { name: 'Events' }).click()
    await page.locator('[aria-sort=descending]').waitFor()
    await close(visited)
  })

  test('a viewer can only look', async () => {
    const visited = await see('vera')
    const { page } = visited
    await shows(() => page.getByRole('grid').getAttribute('aria-readonly'), 'true')
    assert.equal(await page.getByRole('link', { name: 'New entry' }).count(), 0)
    await cell(page, 1, 2).dblclick()
    await page.keyboard.type('x')
    assert.equal(await page.locator('.cell-input').count(), 0)
    await press(page, 'Enter')
    await page.getByRole('heading', { level: 1, name: 'Spring concert 1' }).waitFor()
    await page.getByText('This account can view entries').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
    await page.goto(`${server.url}/admin${SHOWN.path}/new`)
    await page.getByText('This account can view entries').waitFor()
    await close(visited)
  })

  test('hostile values run nothing and break nothing, 360 px wide', async () => {
    const visited = await see('admin', '?text=onerror', 360)
    const { page } = visited
    await page.getByRole('grid').locator('[tabindex="0"]').focus()
    await press(page, 'Control+End', 'Home', 'ArrowRight')
    await page.locator(':focus').getByText(HOSTILE_VALUE).waitFor()
    assert.equal(await isTooWide(page), false)
    await press(page, 'Shift+Enter')
    await page.getByRole('heading', { level: 1, name: '<img' }).waitFor()
    assert.equal(await isTooWide(page), false)
    assert.equal(await page.locator('main img, main script').count(), 0)
    assert.doesNotMatch(await page.title(), /^[12]/)
    await close(visited)
  })

  test('input stays while the server is away and is saved when it is back', async () => {
    const visited = await see()
    const { page, context } = visited
    const read = page.waitForResponse(/\/8\?fields/)
    await cell(page, 8, 6).dblclick()
    await page.locator('.cell-input').fill('4711')
    await read
    await context.setOffline(true)
    await press(page, 'Enter')
    await page.locator('.cell-fault').getByText('The server cannot be reached').waitFor()
    await shows(() => page.locator('.cell-input').inputValue(), '4711')
    await context.setOffline(false)
    await press(page, 'Enter')
    await page.getByText('Visitors was changed.').waitFor()
    assert.equal((await readEntry(8)).visitors, 4_711)
    await close(visited)
  })

  test('a window that gets the focus again shows changes made meanwhile', async () => {
    const visited = await see()
    const { page } = visited
    await server.call('PATCH', `${path}/7`, { json: { title: 'Changed elsewhere' } })
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await cell(page, 7, 2).getByText('Changed elsewhere').waitFor()
    assert.ok((await leads(page)).length > 10)
    await close(visited)
  })
})
