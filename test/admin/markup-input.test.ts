// Columns of Markdown and HTML in the form of an entry: the editor, its toolbar and its preview.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { make } from '../helpers/content.ts'
import { makeEntries, type MadeModule, makeTable } from '../helpers/modules.ts'
import type { TestServer } from '../helpers/server.ts'
import {
  axeFaults,
  isTooWide,
  previewIn,
  setPassword,
  shows,
  startSite,
  until,
  visit,
  type Visit,
} from './area.ts'

const HOSTILE =
  '# Head\n\n<img src=x onerror="document.title=1"><script>document.title=2</script>\n\nEnd'

/** The policy of the frame has refused what would run. */
const REFUSED = /^Executing inline event handler violates/

describe('a column of markup', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  let table: MadeModule
  before(async () => {
    server = await startSite()
    await make(server, 'user', { name: 'vera', role: 'viewer' })
    await setPassword(server, 'vera')
    table = await makeTable(server, 'name C(40), body MD NOTNULL, teaser HTML', {
      title_field: 'name',
    })
    await makeEntries(server, table.url, [
      { name: 'One', body: HOSTILE, teaser: '<p>one</p>\r\n<p>two</p>' },
    ])
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  async function see(
    id: number | 'new',
    options: Partial<Parameters<typeof visit>[1]> = {},
  ): Promise<Visit> {
    const visited = await visit(browser, { url: server.url, user: 'admin', ...options })
    await visited.page.goto(`${server.url}/admin/data/${table.id}/${id}`)
    await textbox(visited.page, 'teaser').waitFor()
    return visited
  }

  async function close({ context, faults }: Visit): Promise<void> {
    const others = faults.filter((fault) => !REFUSED.test(fault))
    assert.deepEqual(others, [])
    await context.close()
  }

  const textbox = (page: Page, name: string) =>
    page.getByRole('textbox', { name: new RegExp(`^${name}`, 'i') })
  const stored = async (id: number): Promise<any> =>
    (await server.call('GET', `${table.url}/${id}?fields=*`)).body

  test('can be written with only the keyboard, by shortcuts and the toolbar', async () => {
    const visited = await see('new')
    const { page } = visited
    const { keyboard } = page
    await textbox(page, 'body').focus()
    await keyboard.type('A word')
    await keyboard.press('Shift+Home')
    await keyboard.press('Control+b')
    await keyboard.press('Control+i')
    await keyboard.press('End')
    await keyboard.type(' and ')
    await keyboard.press('Control+k')
    await keyboard.type('/file/1/a.pdf')
    assert.equal(await page.getByRole('dialog').count(), 0)
    await page.getByRole('toolbar').first().getByRole('button', { name: 'Heading 1' }).focus()
    await keyboard.press('ArrowRight')
    await shows(() => page.locator(':focus').getAttribute('aria-label'), 'Heading 2')
    await keyboard.press('Enter')
    await shows(() => textbox(page, 'body').innerText(), '## ***A word*** and [](/file/1/a.pdf)')
    await keyboard.press('Tab')
    await shows(() => page.locator(':focus').getAttribute('aria-label'), 'Heading 1')
    await textbox(page, 'body').focus()
    await keyboard.press('Control+Enter')
    await page.getByText('The entry was created.').waitFor()
    assert.equal((await stored(2)).body, '## ***A word*** and [](/file/1/a.pdf)')
    await close(visited)
  })

  test('names a missing text at its field', async () => {
    const visited = await see('new')
    const { page } = visited
    await page.getByRole('button', { name: 'Create entry' }).click()
    await shows(() => textbox(page, 'body').getAttribute('aria-invalid'), 'true')
    await shows(() => page.locator(':focus').getAttribute('aria-label'), 'Body')
    await close(visited)
  })

  test('is previewed in a frame that runs no scripts', async () => {
    const visited = await see(1)
    const { page } = visited
    await page.getByRole('button', { name: 'Preview' }).first().click()
    const frame = await previewIn(page)
    await until(frame, "document.querySelector('h1')?.textContent === 'Head'")
    await until(frame, "document.body.textContent.includes('End')")
    assert.equal(await frame.evaluate('document.scripts.length'), 0)
    assert.equal(await frame.evaluate('document.title'), '')
    await textbox(page, 'body').focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' *new*')
    await until(frame, "document.querySelector('em')?.textContent === 'new'")
    await close(visited)
  })

  test('keeps the line breaks of a text, and sends nothing that was not typed', async () => {
    const visited = await see(1)
    const { page } = visited
    await page.getByLabel('name').fill('Uno')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    assert.equal((await stored(1)).teaser, '<p>one</p>\r\n<p>two</p>')
    await textbox(page, 'teaser').focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('!')
    await page.getByRole('button', { name: 'Save' }).click()
    await shows(async () => (await stored(1)).teaser, '<p>one</p>\r\n<p>two</p>!')
    assert.equal((await stored(1)).body, HOSTILE)
    await close(visited)
  })

  test('is shown to viewers without a toolbar', async () => {
    const visited = await see(1, { user: 'vera' })
    const { page } = visited
    await shows(() => textbox(page, 'body').getAttribute('aria-readonly'), 'true')
    assert.equal(await page.getByRole('toolbar').count(), 0)
    await page.getByRole('button', { name: 'Preview' }).first().click()
    await previewIn(page)
    await close(visited)
  })

  test('has no accessibility faults on narrow screens in both themes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const visited = await see(1, { colorScheme, viewport: { width: 360, height: 800 } })
      const { page } = visited
      await page.getByRole('button', { name: 'Preview' }).first().click()
      await previewIn(page)
      assert.deepEqual(await axeFaults(page), [])
      assert.equal(await isTooWide(page), false)
      await close(visited)
    }
  })
})
