// The layout of the editor page: text and preview side by side or one at a time, and one row of controls on a phone.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { makeFile } from '../helpers/content.ts'
import type { TestServer } from '../helpers/server.ts'
import { axeFaults, previewIn, shows, startSite, until, visit } from './area.ts'
import { smallScreenFaults, TELEPHONE } from './small-screen.ts'

describe('the layout of the editor', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  let file: any
  before(async () => {
    server = await startSite()
    const name = 'a page with a name that is long.html'
    file = await makeFile(server, { name, type: 'html', pageContent: '<h1>One</h1>' })
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  async function openEditor(options: Partial<Parameters<typeof visit>[1]>) {
    const visited = await visit(browser, { url: server.url, user: 'admin', ...options })
    await goTo(visited.page)
    return visited
  }

  async function goTo(page: Page): Promise<void> {
    await page.goto(`${server.url}/admin/content/file/${file.asset_file_id}/edit`)
    await page.locator('.cm-content').waitFor()
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  async function type(page: Page, text: string): Promise<void> {
    await page.locator('.cm-content').focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.insertText(text)
  }

  test('a wide window shows both, and remembers another choice', async () => {
    const { page, context, faults } = await openEditor({ viewport: { width: 1_280, height: 800 } })
    const frame = await previewIn(page)
    await until(frame, "document.querySelector('h1')?.textContent === 'One'")
    await type(page, '<p>two</p>')
    await until(frame, "document.querySelector('p')?.textContent === 'two'")
    await button(page, 'Text').click()
    await page.locator('.preview').waitFor({ state: 'detached' })
    await goTo(page)
    assert.equal(await page.locator('.preview').count(), 0)
    await button(page, 'Side by side').click()
    await goTo(page)
    await page.locator('.preview-frame').waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a narrower window shows the preview as a second tab, and keeps the history of the text', async () => {
    const { page, context } = await openEditor({ viewport: { width: 1_024, height: 768 } })
    assert.equal(await page.locator('.preview').count(), 0)
    await type(page, '<p>two</p>')
    await button(page, 'Preview').click()
    const frame = await previewIn(page)
    await until(frame, "document.querySelector('p')?.textContent === 'two'")
    assert.equal(await page.locator('.cm-content').isVisible(), false)
    assert.deepEqual(await axeFaults(page), [])
    await button(page, 'Text').click()
    await page.locator('.cm-content').focus()
    await page.keyboard.press('Control+z')
    await shows(() => page.locator('.cm-content').innerText(), '<h1>One</h1>')
    // The next file opens with its text.
    await button(page, 'Preview').click()
    await goTo(page)
    assert.equal(await page.locator('.preview').count(), 0)
    await context.close()
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`a phone has one row of controls above the text, ${colorScheme}`, async () => {
      const { page, context, faults } = await openEditor({ ...TELEPHONE, colorScheme })
      const bar = await page.locator('.editor-bar').boundingBox()
      const text = await page.locator('.code-frame').boundingBox()
      assert.ok(bar !== null && text !== null)
      assert.ok(bar.height <= 56, `the row is ${bar.height} px high`)
      assert.ok(text.y <= 170, `the text begins at ${text.y} px`)
      assert.ok(text.height >= 480, `the text is ${text.height} px high`)
      assert.deepEqual(await smallScreenFaults(page), [])
      assert.deepEqual(await axeFaults(page), [])

      await type(page, '<p>two</p>')
      await page.getByRole('status').getByText('Draft kept').waitFor()
      await button(page, 'Preview').click()
      const frame = await previewIn(page)
      await until(frame, "document.querySelector('p')?.textContent === 'two'")
      await button(page, 'Text').click()
      await button(page, 'Save').click()
      await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
      await button(page, 'More save options').click()
      await page.getByRole('menuitem', { name: 'Save and publish' }).click()
      await shows(
        async () =>
          (await server.call('GET', `/api/v2/asset_file/${file.asset_file_id}`)).body.live_version >
          0,
        true,
      )
      await button(page, 'More save options').click()
      await page.getByRole('menuitem', { name: 'Versions' }).click()
      await page.getByRole('heading', { level: 1, name: file.name }).waitFor()
      await goTo(page)
      await page.getByRole('link', { name: 'Back to Main' }).click()
      await page.getByRole('heading', { level: 1, name: 'Main' }).waitFor()
      assert.deepEqual(faults, [])
      await context.close()
    })
  }
})
