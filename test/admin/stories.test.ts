// Stories across several pages. The tests of each page cover what that page does.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { startTestServer } from '../helpers/server.ts'
import { PASSWORD, previewIn, until, visit } from './area.ts'

const HOME =
  '<!doctype html><title>Hello</title><link rel="stylesheet" href="site.css"><h1>Hello</h1>'
const STYLE = 'h1 { color: teal }'

describe('a story', { skip: NO_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser.close())

  test('leads from the first start to a published site without a shell', async () => {
    const server = await startTestServer()
    const { page, context, faults } = await visit(browser, { url: server.url })
    await page.goto(`${server.url}${server.welcome}`)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Repeat password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('link', { name: 'Go to Home' }).click()

    // The start page shows a second link with this name a moment later.
    await page.getByRole('link', { name: 'Content', exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Main' }).waitFor()
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByRole('menuitemradio', { name: 'Publish immediately' }).click()
    const file = (name: string, mimeType: string, text: string) => ({
      name,
      mimeType,
      buffer: Buffer.from(text),
    })
    await page.setInputFiles('input[type=file] >> nth=0', [
      file('index.html', 'text/html', HOME),
      file('site.css', 'text/css', STYLE),
    ])
    await page.getByText('2 files uploaded').waitFor()

    await page.getByRole('link', { name: 'index.html', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'index.html' }).waitFor()
    const inner = await previewIn(page)
    await until(inner, "document.querySelector('h1')?.textContent === 'Hello'")
    const { pathname } = new URL(page.url())
    const id = pathname.split('/').at(-1)
    const { status, text } = await server.call('GET', `/file/${id}/index.html`)
    assert.deepEqual([status, text], [200, HOME])
    assert.deepEqual(faults, [])
    await context.close()
    await server.close()
  })
})
