// The components of the pages in a real browser: by mouse and keyboard, and for assistive technology.

import assert from 'node:assert/strict'
import { after, before, beforeEach, afterEach, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import type { TestServer } from '../helpers/server.ts'
import { axeFaults, isTooWide, open, setPassword, shows, startSite, type Visit } from './area.ts'
import { visitGallery } from './open-gallery.ts'

/** The elements that must stay free and are covered. */
function coveredBy(page: Page, selector: string): Promise<readonly string[]> {
  return page.evaluate<string[]>(`(() => {
    const over = document.querySelector('${selector}').getBoundingClientRect()
    const free = '.button-primary, [type="submit"], .pagination, .floating-bar, .dock-item'
    return [...document.querySelectorAll(free)].flatMap((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect()
      const isClear = right <= over.left || left >= over.right || bottom <= over.top || top >= over.bottom
      return isClear || right === left ? [] : [element.className + ' at ' + scrollY]
    })
  })()`)
}

const GALLERY = { path: '', heading: 'Gallery' }

describe('the parts of pages', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  let visited: Visit
  let page: Page
  before(async () => {
    server = await startSite()
    browser = await openBrowser()
    visited = await visitGallery(browser, { url: server.url, user: 'admin' })
    page = visited.page
  })
  after(async () => {
    await browser.close()
    await server.close()
  })
  // All tests load the page in one tab: a new tab costs more processor time than most tests.
  beforeEach(async () => {
    await page.emulateMedia({ colorScheme: null })
    await page.setViewportSize({ width: 1_280, height: 720 })
    await open(visited, server.url, GALLERY)
  })
  afterEach(async () => {
    assert.deepEqual(visited.faults, [])
    await page.evaluate('localStorage.clear(), sessionStorage.clear()')
  })

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const focused = (): Promise<string> => page.locator(':focus').innerText()
  const told = (): Promise<string> => page.locator('output').first().innerText()

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 1_280]) {
      test(`have no accessibility faults, ${colorScheme}, ${width} px wide`, async () => {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 800 })
        // Lazily loaded parts appear a moment later.
        await page.waitForTimeout(500)
        assert.deepEqual(await axeFaults(page), [])
        assert.equal(await isTooWide(page), false)
        await button('Dialog').click()
        await page.getByRole('dialog').waitFor()
        assert.deepEqual(await axeFaults(page), [])
      })
    }
  }

  test('a dialog takes the focus, Escape closes it, and the focus returns', async () => {
    await button('Dialog').focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'A dialog' })
    await dialog.waitFor()
    await shows(() => dialog.locator(':focus').count(), 1)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await shows(() => focused(), 'Dialog')
  })

  test('a bulk action lists failures with their reasons and completes the others', async () => {
    await button('Heap').click()
    const dialog = page.getByRole('dialog', { name: 'Rotating' })
    await dialog.getByText('1 keys are as they were:').waitFor()
    await shows(() => dialog.getByRole('listitem').innerText(), /Key 3[^]*It is in use/)
    await page.getByText('4 keys are rotated.').waitFor()
    await shows(() => told(), 'through')
  })

  test('a confirmation returns the answer', async () => {
    for (const [answer, outcome] of [
      ['Delete', 'deleted'],
      ['Cancel', 'kept'],
    ] as const) {
      await button('Confirm').click()
      await page
        .getByRole('dialog', { name: 'Delete it?' })
        .getByRole('button', { name: answer })
        .click()
      await shows(() => told(), outcome)
    }
  })

  test('a menu is navigated by arrows and letters', async () => {
    await button('Actions').focus()
    await page.keyboard.press('ArrowDown')
    await shows(() => focused(), 'Rotate')
    await page.keyboard.press('ArrowUp')
    await shows(() => focused(), 'Revoke')
    await page.keyboard.press('r')
    await shows(() => focused(), 'Rotate')
    await page.keyboard.press('Enter')
    await shows(() => told(), 'rotated')
    await button('Actions').click()
    await page.mouse.click(5, 500)
    await page.getByRole('menu').waitFor({ state: 'detached' })
  })

  test('a toast offers undo, and a fault stays until it is closed', async () => {
    await button('Toast').click()
    const toasts = page.locator('.toasts')
    await toasts.getByText('It was moved.').waitFor()
    await toasts.getByRole('button', { name: 'Undo' }).click()
    await shows(() => told(), 'undone')
    assert.equal(await toasts.getByText('It was moved.').count(), 0)
    await button('Fault').click()
    await toasts.getByText('The request failed. No.').waitFor()
    await toasts.getByRole('button', { name: 'Close' }).click()
    assert.equal(await toasts.getByText('The request failed.').count(), 0)
  })

  test('a toast replaces the one about the same subject, and has several actions', async () => {
    const toasts = page.locator('.toasts .toast')
    await button('Toast').click()
    await button('Subject').click()
    await button('Subject').click()
    await shows(() => toasts.allInnerTexts().then((texts) => texts.length), 2)
    await toasts.getByText('Page 2 is live.').waitFor()
    await button('View page').click()
    await shows(() => told(), 'viewed')
    await button('Copy address').click()
    await shows(() => told(), 'copied')
    await shows(() => toasts.count(), 1)
  })

  for (const width of [360, 1_024, 1_280]) {
    test(`a toast covers neither a Save button nor the pager, ${width} px wide`, async () => {
      await page.setViewportSize({ width, height: 700 })
      await button('Subject').click()
      await page.mouse.move(0, 0)
      await page.locator('.toast').hover()
      for (let isMore = true; isMore; ) {
        // Two frames: the toasts move in the first.
        isMore = await page.evaluate<boolean>(
          `new Promise((done) => { const before = scrollY; scrollBy(0, 90); requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done(scrollY > before)))) })`,
        )
        assert.deepEqual(await coveredBy(page, '.toast'), [])
      }
    })
  }

  test('a shortcut is an ordinary letter in a text field', async () => {
    await page.keyboard.press('n')
    await shows(() => told(), 'by n')
    await page.getByLabel('Name', { exact: true }).focus()
    await page.keyboard.press('Control+i')
    await shows(() => told(), 'by mod+i')
    await page.keyboard.press('n')
    await shows(() => told(), 'by mod+i')
    await shows(() => page.getByLabel('Name', { exact: true }).inputValue(), 'n')
  })

  test('a form is sent by Enter, or by Ctrl-Enter from a text area, and shows faults at their fields', async () => {
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('taken')
    await page.keyboard.press('Enter')
    await page.getByText('This name is already taken.').waitFor()
    await shows(() => name.getAttribute('aria-invalid'), 'true')
    await name.fill('free')
    assert.equal(await page.getByText('This name is already taken.').count(), 0)
    await page.getByLabel('Role').selectOption('editor')
    await page.getByLabel('All of it').check()
    await page.getByLabel(/^Text/).fill('line')
    await page.keyboard.press('Control+Enter')
    const sent = page.locator('output').nth(1)
    await sent.getByText('{').waitFor()
    const expected = { name: 'free', text: 'line', role: 'editor', all: true }
    assert.deepEqual(JSON.parse(await sent.innerText()), expected)
  })

  test('a table is sorted by its headings and announces the order', async () => {
    const names = (): Promise<readonly string[]> =>
      page.locator('tbody td:nth-child(2)').allInnerTexts()
    const head = page.getByRole('columnheader', { name: 'Name' })
    await shows(() => head.getAttribute('aria-sort'), 'ascending')
    const before = await names()
    await button('Name').click()
    await shows(() => head.getAttribute('aria-sort'), 'descending')
    await shows(() => names(), before.toReversed())
  })

  test('rows can be selected by the keyboard, as a range with Shift, and all at once', async () => {
    const boxes = page.locator('tbody input')
    const count = page.locator('.pagination-text')
    await boxes.first().focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+Space')
    await count.getByText('3 selected').waitFor()
    await page.getByLabel('Select all').check()
    await count.getByText('4 selected').waitFor()
    await page.getByLabel('Select all').uncheck()
    await count.getByText('0 selected').waitFor()
  })

  test('pages are turned forwards and backwards by their cursors', async () => {
    const where = page.locator('.pagination-text')
    await shows(() => button('Previous').isDisabled(), true)
    await button('Next').click()
    await where.getByText('Page at c1').waitFor()
    await button('Next').click()
    await where.getByText('Page at c2').waitFor()
    await shows(() => button('Next').isDisabled(), true)
    await button('Previous').click()
    await where.getByText('Page at c1').waitFor()
  })

  test('arrows move between tabs', async () => {
    await page.getByRole('tab', { name: 'One' }).focus()
    await page.keyboard.press('ArrowLeft')
    await shows(() => focused(), 'Three')
    await page.getByRole('tabpanel', { name: 'Three' }).getByText('The third part.').waitFor()
    await page.keyboard.press('Home')
    await page.getByText('The first part.').waitFor()
  })

  test('the line between two parts is moved by keyboard and mouse and keeps its place', async () => {
    const line = page.getByRole('separator')
    await line.focus()
    await page.keyboard.press('ArrowLeft')
    await shows(() => line.getAttribute('aria-valuenow'), '48')
    const box = await line.boundingBox()
    if (box === null) throw new Error('It is not shown.')
    await page.mouse.move(box.x + box.width / 2, box.y + 2)
    await page.mouse.down()
    await page.mouse.move(box.x + 200, box.y + 2)
    await page.mouse.up()
    const place = await line.getAttribute('aria-valuenow')
    assert.ok(Number(place) > 55, `${place}`)
    await page.reload()
    await line.waitFor()
    await shows(() => line.getAttribute('aria-valuenow'), place)
  })

  test('a copied text is on the clipboard', async () => {
    await visited.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy: A line' }).click()
    await page.getByText('Copied').waitFor({ state: 'attached' })
    const text = await page.evaluate<string>('navigator.clipboard.readText()')
    assert.equal(text, 'curl https://www.example.org/api/v2/me')
  })
})

describe('a page', { skip: NO_BROWSER }, () => {
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

  test('that a user may not see is not in the side bar and says so at its address', async () => {
    await server.call('POST', '/api/v2/user', { json: { name: 'vera', role: 'viewer' } })
    await setPassword(server, 'vera')
    const visited = await visitGallery(browser, { url: server.url, user: 'vera' })
    const { page, context, faults } = visited
    await open(visited, server.url, { path: '/forbidden', heading: 'No access' })
    await page.getByText('You are signed in as vera').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Forbidden' }).count(), 0)
    assert.deepEqual(await axeFaults(page), [])
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('that crashes says so, and the navigation still works', async () => {
    const visited = await visitGallery(browser, { url: server.url, user: 'admin' })
    const { page, context } = visited
    await open(visited, server.url, {
      path: '/broken',
      heading: 'Something went wrong on this page',
    })
    await page.getByText('Error: It broke.').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.getByRole('link', { name: 'Gallery' }).click()
    await page.getByRole('heading', { name: 'Gallery' }).waitFor()
    await context.close()
  })
})
