// Stories about the start page: each person sees the own drafts, failures, and the changes of others.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { make, makeFile } from '../helpers/content.ts'
import type { TestServer } from '../helpers/server.ts'
import { axeFaults, isTooWide, setPassword, startSite, visit } from './area.ts'

describe('the start page', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  let ada: TestServer['call']
  let adaId: number
  before(async () => {
    server = await startSite()
    browser = await openBrowser()
    for (const [name, role] of [
      ['ada', 'editor'],
      ['victor', 'viewer'],
    ] as const) {
      const { user_id: id } = await make(server, 'user', { name, role })
      if (name === 'ada') adaId = id
      await setPassword(server, name)
    }
    const key = await server.makeKey({ name: 'ada', user: 'ada' })
    ada = (method, path, options) => server.call(method, path, { ...options, key })
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  const openAs = async (user: string, shown = user) => {
    const opened = await visit(browser, { url: server.url, user })
    await opened.page.goto(`${server.url}/admin`)
    await opened.page.getByRole('heading', { level: 1, name: `Welcome, ${shown}` }).waitFor()
    return opened
  }

  test('lists drafts, newer changes and unsaved texts, and leads to them', async () => {
    const draft = await makeFile(server, { name: 'draft.html' })
    const live = await makeFile(server, { name: 'live.html', fileState: 'publish' })
    const path = `/api/v2/asset_file/${live.asset_file_id}`
    await server.call('POST', path, { json: { pageContent: '<p>newer</p>' } })
    await makeFile({ call: ada }, { name: 'by-ada.html' })

    const { page, context, faults } = await openAs('admin')
    const section = (title: string) =>
      page.locator('section').filter({ has: page.getByRole('heading', { name: title }) })
    await section('Changed since published').getByRole('link', { name: 'live.html' }).waitFor()
    assert.deepEqual(
      await section('My drafts').getByRole('link').allInnerTexts(),
      ['draft.html'],
      'drafts of others are not listed',
    )
    await section('Changed by others today').getByText('ada created file by-ada.html').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.setViewportSize({ width: 360, height: 800 })
    assert.equal(await isTooWide(page), false)
    await page.setViewportSize({ width: 1_280, height: 800 })

    await page.goto(`${server.url}/admin/content/file/${draft.asset_file_id}/edit`)
    await page.locator('.cm-content').click()
    await page.keyboard.type('unsaved')
    await page.getByText('Unsaved').first().waitFor()
    await page.goto(`${server.url}/admin`)
    const unsaved = section('Unsaved changes in this browser')
    await section('Recently opened').getByRole('link', { name: 'draft.html' }).waitFor()
    await unsaved.getByRole('link', { name: 'draft.html' }).click()
    await page.waitForURL(/\/edit$/)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('shows first steps until the user dismisses them, and counts only own work', async () => {
    // Work under a former name counts.
    const json = { name: 'ada.lovelace', display_name: 'Ada' }
    await server.call('PATCH', `/api/v2/user/${adaId}`, { json })
    const { page, context } = await openAs('ada.lovelace', 'Ada')
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    // The admin has published a file; ada has not.
    await page.getByText('Create or upload a page (done)').waitFor()
    assert.equal(await page.getByText('Publish the page (done)').count(), 0)
    await page.getByRole('button', { name: 'Hide first steps' }).click()
    await page.reload()
    await page.getByRole('heading', { name: 'My drafts' }).waitFor()
    await page.getByText(/admin .* live\.html/).waitFor()
    assert.equal(await page.getByText('created file by-ada.html').count(), 0)
    assert.equal(await page.getByRole('heading', { name: 'First steps' }).count(), 0)
    await context.close()
  })

  test('names failed webhooks and scheduled actions', async () => {
    const name = 'search index'
    await make(server, 'webhook', { name, url: 'https://search.example.invalid/changes' })
    await makeFile(server, { fileState: 'publish' })
    const { page, context } = await openAs('admin')
    await page.getByText('1 webhook is failing').waitFor()
    await page.getByRole('link', { name: 'Show webhooks' }).click()
    await page.getByRole('link', { name }).waitFor()
    await context.close()
  })

  test('and a folder tell what changed', async () => {
    const { asset_category_id: id } = await make(server, 'asset_category', { name: 'Press' })
    const inside = { parent_category_id: id, name: 'release.html' }
    const file = await makeFile({ call: ada }, inside)
    await ada('DELETE', `/api/v2/asset_file/${file.asset_file_id}`)
    await makeFile(server, { ...inside, name: 'other.html' })
    const { page, context, faults } = await visit(browser, { url: server.url, user: 'admin' })
    await page.goto(`${server.url}/admin/content/${id}`)
    await page.getByRole('button', { name: 'Actions for this folder' }).click()
    await page.getByRole('menuitem', { name: 'Changes since…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Ada deleted file release.html').waitFor()
    await dialog.getByText('admin created file other.html').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByLabel('Since').fill('2199-01-01')
    await dialog.getByText('Nothing changed since this day.').waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('is one of the pages that an unknown address offers', async () => {
    const { page, context } = await visit(browser, { url: server.url, user: 'victor' })
    await page.goto(`${server.url}/admin/contents`)
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    const links = page.getByRole('main').getByRole('link')
    const texts = await links.allInnerTexts()
    assert.deepEqual(texts.slice(1, 4), ['Home', 'Content', 'Menus'])
    assert.ok(!texts.includes('Users'))
    assert.deepEqual(await axeFaults(page), [])
    await context.close()
  })

  test('shows a viewer what was published last', async () => {
    await makeFile(server, { name: 'news.html', fileState: 'publish' })
    const { page, context } = await openAs('victor')
    const published = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Recently published' }) })
    await published.getByRole('link', { name: 'news.html' }).click()
    await page.getByRole('heading', { level: 1, name: 'news.html' }).waitFor()
    await context.close()
  })
})
