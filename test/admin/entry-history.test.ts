// The history of an entry in the administration area.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { make } from '../helpers/content.ts'
import { historyOf, update } from '../helpers/history.ts'
import { makeEntry, makeTable } from '../helpers/modules.ts'
import type { TestServer } from '../helpers/server.ts'
import { axeFaults, isTooWide, open, setPassword, startSite, visit } from './area.ts'

describe('the history of an entry', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  before(async () => {
    server = await startSite()
    await make(server, 'user', { name: 'vera', role: 'viewer' })
    await setPassword(server, 'vera')
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  async function makePrices(): Promise<{ readonly path: string; readonly entry: string }> {
    const table = await makeTable(server, 'title C(80) NOTNULL, price N(8.2), body X', {
      title_field: 'title',
    })
    await makeEntry(server, table.url, { title: 'Lamp', price: '5.00' })
    const entry = `${table.url}/1`
    await update(server, entry, { price: '7.50', body: 'W'.repeat(2_000) })
    await update(server, entry, { title: 'Lantern', body: 'x'.repeat(70_000) })
    await update(server, entry, { body: null })
    return { path: `/data/${table.id}/1`, entry }
  }

  test('shows each change with its author, its time and its values, and restores a state by the keyboard alone', async () => {
    const { path, entry } = await makePrices()
    const viewport = { width: 360, height: 800 }
    const visited = await visit(browser, { url: server.url, user: 'admin', viewport })
    const { page } = visited
    await open(visited, server.url, { path, heading: 'Lantern' })
    const list = page.getByRole('region', { name: 'History' })
    const items = list.locator('ol > li')
    await items.nth(3).waitFor()
    const texts = (await items.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))
    assert.match(texts[0] ?? '', /^Changed admin, .+ body: not kept \(70 kB\) → no value$/i)
    assert.match(
      texts[1] ?? '',
      /Cannot be restored, because a value was too large to be kept: body. title: Lamp → Lantern body: W{300}… → not kept/i,
    )
    assert.match(texts[2] ?? '', /price: 5.00 → 7.50 body: no value → W{300}…$/i)
    assert.match(texts[3] ?? '', /^Created admin, .+ Restore$/)
    assert.equal(await isTooWide(page), false)
    assert.deepEqual(await axeFaults(page), [])

    const buttons = list.getByRole('button', { name: /^Restore this state: / })
    assert.equal(await buttons.count(), 2)
    await buttons.nth(0).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Restore this state?' }).waitFor()
    await page.keyboard.press('Escape')
    assert.equal((await historyOf(server, entry)).history.length, 4)
    await page.getByLabel('title').fill('Typed')
    await buttons.nth(1).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).press('Enter')
    await page.getByText('The earlier state was restored.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Lamp' }).waitFor()
    assert.equal(await page.getByLabel('price').inputValue(), '5.00')
    assert.equal(await page.getByLabel('title').inputValue(), 'Lamp')
    assert.equal(await page.getByText('Discard draft').count(), 0)
    await items.nth(4).waitFor()
    assert.equal(await buttons.count(), 3)
    assert.deepEqual(visited.faults, [])
    await visited.context.close()
  })

  test('a viewer reads the history in German and has no button to restore', async () => {
    const { path } = await makePrices()
    const visited = await visit(browser, { url: server.url, user: 'vera', locale: 'de-DE' })
    const { page } = visited
    await open(visited, server.url, { path, heading: 'Lantern' })
    const list = page.getByRole('region', { name: 'Verlauf' })
    await list.getByText('Angelegt').waitFor()
    assert.equal(await list.getByRole('button').count(), 0)
    assert.deepEqual(visited.faults, [])
    await visited.context.close()
  })

  test('shows the changed lines of a long text with the lines around them', async () => {
    const table = await makeTable(server, 'title C(80), body X', { title_field: 'title' })
    const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`)
    await makeEntry(server, table.url, { title: 'Long', body: lines.join('\n') })
    await update(server, `${table.url}/1`, { body: lines.with(9, 'another line').join('\n') })
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page } = visited
    await open(visited, server.url, { path: `/data/${table.id}/1`, heading: 'Long' })
    const diff = page.locator('.text-diff')
    await diff.waitFor()
    assert.deepEqual(await diff.locator('del').allInnerTexts(), ['− line 10'])
    assert.deepEqual(await diff.locator('ins').allInnerTexts(), ['+ another line'])
    const around = (await diff.locator('span').allInnerTexts()).map((text) => text.trim())
    assert.deepEqual(around, ['⋯', 'line 8', 'line 9', 'line 11', 'line 12', '⋯'])
    assert.deepEqual(await axeFaults(page), [])
    assert.deepEqual(visited.faults, [])
    await visited.context.close()
  })
})
