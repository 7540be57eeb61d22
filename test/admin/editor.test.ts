// Editing texts in the administration area. Each story ends with the resulting state of the server.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import type { TestServer } from '../helpers/server.ts'
import { PASSWORD, setPassword, shows, startSite, visit } from './area.ts'

describe('the editor', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  before(async () => {
    server = await startSite()
    await server.call('POST', '/api/v2/user', { json: { name: 'ada', role: 'editor' } })
    await setPassword(server, 'ada')
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  let made = 0

  async function makeFile(pageContent: string, ending = 'html'): Promise<number> {
    made += 1
    const json = {
      name: `text-${made}.${ending}`,
      type: ending,
      parent_category_id: 1,
      pageContent,
    }
    return Number((await server.call('POST', '/api/v2/asset_file', { json })).body.asset_file_id)
  }

  const read = async (id: number): Promise<any> =>
    (await server.call('GET', `/api/v2/asset_file/${id}`)).body

  async function openEditor(
    id: number,
    options: { readonly user?: string; readonly page?: Page } = {},
  ) {
    const { user = 'admin' } = options
    const visited = await visit(browser, { url: server.url, user })
    await goTo(visited.page, id)
    return visited
  }

  async function goTo(page: Page, id: number): Promise<void> {
    await page.goto(`${server.url}/admin/content/file/${id}/edit`)
    await page.locator('.cm-content').waitFor()
  }

  const textOf = (page: Page): Promise<string> =>
    page.evaluate<string>(
      "[...document.querySelectorAll('.code-frame .cm-line')].map((line) => line.textContent).join('\\n')",
    )

  async function typeAt(page: Page, place: 'Home' | 'End', text: string): Promise<void> {
    await page.locator('.cm-content').focus()
    await page.keyboard.press(`Control+${place}`)
    await page.keyboard.insertText(text)
  }

  const status = (page: Page, text: string): Promise<void> =>
    page.getByRole('status').getByText(text, { exact: true }).waitFor()

  async function choose(page: Page, item: string): Promise<void> {
    await page.getByRole('button', { name: 'More save options' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  test('a new file can be written, saved by Ctrl-S and published', async () => {
    const { page, context, faults } = await visit(browser, { url: server.url, user: 'admin' })
    await page.goto(`${server.url}/admin/content/1`)
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('menuitem', { name: 'New file' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('first.html')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Text of first.html' }).waitFor()
    await typeAt(page, 'End', '<h1>Hello</h1>')
    await status(page, 'Draft kept')
    await page.keyboard.press('Control+s')
    await page.getByText('Saved as version 2.').waitFor()
    await status(page, 'Saved')
    const id = Number(/file\/(\d+)\/edit/.exec(page.url())?.[1])
    assert.equal((await read(id)).pageContent, '<h1>Hello</h1>')
    await page.keyboard.press('Control+s')
    await page.getByText('Nothing has changed since the last save.').waitFor()
    await choose(page, 'Save and publish')
    await page.getByText('Version 2 is live.').waitFor()
    await typeAt(page, 'End', '<p>On stage</p>')
    await choose(page, 'Save and stage')
    await page.getByText('Version 3 is staged.').waitFor()
    const { version, live_version: live, staged_version: staged } = await read(id)
    assert.deepEqual([version, live, staged], [3, 2, 3])

    // The way back keeps the text, and the next save meets no change of somebody else.
    const toast = page.locator('.toast')
    await toast.getByRole('button', { name: 'Undo' }).click()
    await toast.getByText('Undone. first.html is back to its previous state.').waitFor()
    const { staged_version: before, pageContent } = await read(id)
    assert.deepEqual([before, pageContent], [2, '<h1>Hello</h1><p>On stage</p>'])
    await page.getByText('Published · 1 newer change').waitFor()
    await typeAt(page, 'End', '!')
    await page.keyboard.press('Control+s')
    await page.getByText('Saved as version 4.').waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('changes of two people to different lines are both in the next version', async () => {
    const id = await makeFile('<h1>one</h1>\n<p>two</p>\n<p>three</p>\n<p>four</p>\n')
    const [mine, theirs] = [await openEditor(id), await openEditor(id, { user: 'ada' })]
    await typeAt(theirs.page, 'End', '<p>from ada</p>\n')
    await theirs.page.keyboard.press('Control+s')
    await theirs.page.getByText('Saved as version 2.').waitFor()
    await typeAt(mine.page, 'Home', '<!-- from admin -->\n')
    await mine.page.keyboard.press('Control+s')
    await mine.page.getByText('Both texts were merged as version 3.').waitFor()
    const both =
      '<!-- from admin -->\n<h1>one</h1>\n<p>two</p>\n<p>three</p>\n<p>four</p>\n<p>from ada</p>\n'
    assert.equal((await read(id)).pageContent, both)
    await shows(() => textOf(mine.page), both)
    await mine.context.close()
    await theirs.context.close()
  })

  test('a merged text is not published before somebody has seen it', async () => {
    const id = await makeFile('one\ntwo\nthree\n', 'txt')
    const { page, context } = await openEditor(id)
    await typeAt(page, 'End', 'mine\n')
    const json = { pageContent: 'theirs\none\ntwo\nthree\n' }
    await server.call('PATCH', `/api/v2/asset_file/${id}`, { json })
    await choose(page, 'Save and publish')
    await page.getByText('Check the result, then save again.').waitFor()
    assert.equal((await read(id)).live_version, null)
    await choose(page, 'Save and publish')
    await page.getByText('Version 3 is live.').waitFor()
    assert.equal((await read(id)).pageContent, 'theirs\none\ntwo\nthree\nmine\n')
    await context.close()
  })

  test('changes of the same lines ask for a choice, and both texts can be kept', async () => {
    const id = await makeFile('<h1>one</h1>\n<p>two</p>\n<p>three</p>\n')
    const { page, context, faults } = await openEditor(id)
    await page.locator('.cm-content').focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Shift+End')
    await page.keyboard.insertText('<h1>mine</h1>')
    const json = { pageContent: '<h1>theirs</h1>\n<p>two</p>\n<p>third</p>\n' }
    await server.call('PATCH', `/api/v2/asset_file/${id}`, { json })
    await page.keyboard.press('Control+s')
    await page.getByText('admin saved version 2 on').waitFor()
    await page.getByText('1 conflict left').waitFor()
    // Leaving the dialog decides nothing and loses nothing.
    await page.getByRole('button', { name: 'Back to my text' }).click()
    await shows(() => textOf(page), /<h1>mine<\/h1>\n<p>two<\/p>\n<p>three/)
    await page.keyboard.press('Control+s')
    await page.getByRole('button', { name: 'Both', exact: true }).click()
    await page.getByText('All conflicts are resolved.').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved as version 3.').waitFor()
    const { pageContent } = await read(id)
    assert.equal(pageContent, '<h1>theirs</h1>\n<h1>mine</h1>\n<p>two</p>\n<p>third</p>\n')
    await status(page, 'Saved')
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('decisions about a conflict survive a reload', async () => {
    const id = await makeFile('one\ntwo\nthree\nfour\nfive\n', 'txt')
    const { page, context } = await openEditor(id)
    await page.locator('.cm-content').focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('1\ntwo\nthree\nfour\n5\n')
    const json = { pageContent: 'eins\ntwo\nthree\nfour\nfünf\n' }
    await server.call('PATCH', `/api/v2/asset_file/${id}`, { json })
    await page.keyboard.press('Control+s')
    await page.getByText('2 conflicts left').waitFor()
    await page.getByRole('button', { name: 'Theirs', exact: true }).first().click()
    await page.getByText('1 conflict left').waitFor()
    await page.reload()
    await page.getByText(/^Draft from/).waitFor()
    await shows(() => textOf(page), 'eins\ntwo\nthree\nfour\n5\n')
    await page.keyboard.press('Control+s')
    await page.getByText('1 conflict left').waitFor()
    await page.getByRole('button', { name: 'Mine', exact: true }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved as version 3.').waitFor()
    assert.equal((await read(id)).pageContent, 'eins\ntwo\nthree\nfour\n5\n')
    await context.close()
  })

  for (const [side, expected] of [
    ['Mine', 'mine\n'],
    ['Theirs', 'theirs\n'],
  ] as const) {
    test(`${side} everywhere does what its name says`, async () => {
      const id = await makeFile('one\n', 'txt')
      const { page, context } = await openEditor(id)
      await page.locator('.cm-content').focus()
      await page.keyboard.press('Control+Home')
      await page.keyboard.press('Shift+End')
      await page.keyboard.insertText('mine')
      await server.call('PATCH', `/api/v2/asset_file/${id}`, { json: { pageContent: 'theirs\n' } })
      await page.keyboard.press('Control+s')
      await page.getByRole('button', { name: `Use all ${side.toLowerCase()}` }).click()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await status(page, 'Saved')
      assert.equal((await read(id)).pageContent, expected)
      assert.equal((await read(id)).version, 3)
      await context.close()
    })
  }

  test('a reload loses nothing, and a discarded draft can be restored', async () => {
    const id = await makeFile('one\n', 'txt')
    const { page, context, faults } = await openEditor(id)
    await typeAt(page, 'End', 'half of a sen')
    await page.reload()
    await page.getByText(/^Draft from/).waitFor()
    await shows(() => textOf(page), 'one\nhalf of a sen')
    await page.getByRole('button', { name: 'Show differences' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your changes since version 1' })
    await dialog.getByText('half of a sen').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByText('The draft was discarded.').waitFor()
    await shows(() => textOf(page), 'one\n')
    await page.getByRole('button', { name: 'Undo' }).click()
    await shows(() => textOf(page), 'one\nhalf of a sen')
    await page.keyboard.press('Control+s')
    await page.getByText('Saved as version 2.').waitFor()
    assert.equal((await read(id)).pageContent, 'one\nhalf of a sen')
    await page.reload()
    await page.locator('.cm-content').waitFor()
    await status(page, 'Saved')
    assert.equal(await page.getByText(/^Draft from/).count(), 0)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a draft of an older version is merged with the newer version', async () => {
    const id = await makeFile('one\ntwo\nthree\n', 'txt')
    const { page, context } = await openEditor(id)
    await typeAt(page, 'End', 'mine\n')
    await page.goto(`${server.url}/admin`)
    const json = { pageContent: 'theirs\none\ntwo\nthree\n' }
    await server.call('PATCH', `/api/v2/asset_file/${id}`, { json })
    await goTo(page, id)
    await page.getByText('Version 2 was saved in the meantime').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Both texts were merged as version 3.').waitFor()
    assert.equal((await read(id)).pageContent, 'theirs\none\ntwo\nthree\nmine\n')
    await context.close()
  })

  test('an expired session asks for a sign-in over the page, and the save continues afterwards', async () => {
    const id = await makeFile('one\n', 'txt')
    const { page, context } = await openEditor(id)
    await typeAt(page, 'End', 'two\n')
    const qry = encodeURIComponent(JSON.stringify({ date_signed_in: { $exists: true } }))
    const { body } = await server.call('GET', `/api/v2/api_key?qry=${qry}&length=100`)
    for (const { api_key_id: key } of body.api_key)
      await server.call('DELETE', `/api/v2/api_key/${key}`)
    await page.keyboard.press('Control+s')
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.waitFor()
    assert.equal((await read(id)).version, 1)
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('Saved as version 2.').waitFor()
    assert.equal((await read(id)).pageContent, 'one\ntwo\n')
    await context.close()
  })

  test('a second tab of the same file is warned and can continue the draft of the first', async () => {
    const id = await makeFile('one\n', 'txt')
    const { page, context } = await openEditor(id)
    await typeAt(page, 'End', 'typed in the first')
    const other = await context.newPage()
    await goTo(other, id)
    await other.getByText('This file is open in another tab').waitFor()
    await shows(() => other.locator('.cm-content').getAttribute('aria-readonly'), 'true')
    await typeAt(other, 'End', 'nothing')
    await shows(() => textOf(other), 'one\ntyped in the first')
    await other.getByRole('button', { name: 'Edit here' }).click()
    await page.getByText('This file is open in another tab').waitFor()
    await other.getByText(/^Draft from/).waitFor()
    await typeAt(other, 'End', ', saved in the second')
    await other.keyboard.press('Control+s')
    await other.getByText('Saved as version 2.').waitFor()
    assert.equal((await read(id)).pageContent, 'one\ntyped in the first, saved in the second')
    await context.close()
  })
})
