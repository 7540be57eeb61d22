// Comments in the area: two people talk about a file and an entry, and the start page shows mentions.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { make, makeFile, makeFolder } from '../helpers/content.ts'
import { makeCalendar, makeEntry, makeTable } from '../helpers/modules.ts'
import type { TestServer } from '../helpers/server.ts'
import { axeFaults, goWithin, isTooWide, setPassword, shows, startSite, visit } from './area.ts'

describe('comments', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  let folder: number
  let fileId: number
  let entryPath: string
  let calendar: string
  before(async () => {
    server = await startSite()
    await make(server, 'user', { name: 'ada lovelace', role: 'editor' })
    await make(server, 'user', { name: 'bob', role: 'viewer' })
    for (const name of ['ada lovelace', 'bob']) await setPassword(server, name)
    await server.call('PATCH', '/api/v2/user/1', { json: { display_name: 'Grace Hopper' } })
    folder = (await makeFolder(server, { name: 'Press' })).asset_category_id
    const place = { parent_category_id: folder }
    fileId = (await makeFile(server, { ...place, name: 'news.html' })).asset_file_id
    const table = await makeTable(server, 'title C(20)', { ...place, name: 'Jobs' })
    const entry = await makeEntry(server, table.url, { title: 'Cook' })
    entryPath = `/admin/data/${table.id}/${entry.datatable_entry_id}`
    const { id, url } = await makeCalendar(server, { ...place, name: 'Dates' })
    const fair = { event_title: 'Fair', start_time: '2030-05-06T10:00:00Z' }
    const { calendar_entry_id: event } = await makeEntry(server, url, fair)
    calendar = `/admin/calendars/${id}?event=${event}`
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  const isFocused = (element: Element): boolean => element === document.activeElement

  async function write(page: Page, text: string): Promise<void> {
    const field = page.getByRole('textbox', { name: 'New comment' })
    await field.pressSequentially(text)
    await field.press('Control+Enter')
  }

  test('a person mentions another, who answers, edits, resolves and deletes', async () => {
    const admin = await visit(browser, { url: server.url, user: 'admin' })
    const { page } = admin
    await page.goto(`${server.url}/admin/content/file/${fileId}?part=comments`)
    await page.getByText('No comments yet').waitFor()
    const field = page.getByRole('textbox', { name: 'New comment' })
    await field.pressSequentially('Please check, @lov')
    const offered = page.getByRole('option', { name: 'ada lovelace' })
    await offered.waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await field.press('Enter')
    assert.equal(await field.inputValue(), 'Please check, @"ada lovelace" ')
    await field.pressSequentially('today.')
    await field.press('Control+Enter')
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Please check, @"ada lovelace" today.' })
      .waitFor()
    await shows(() => field.inputValue(), '')

    await goWithin(page, `/admin/content/${folder}`)
    const row = page.getByRole('row').filter({ hasText: 'news.html' })
    await row.getByText('1 open comment').waitFor()
    assert.deepEqual(await axeFaults(page), [])

    const ada = await visit(browser, { url: server.url, user: 'ada lovelace' })
    await ada.page.goto(`${server.url}/admin/`)
    await ada.page.getByRole('heading', { name: 'Comments for you' }).waitFor()
    assert.deepEqual(await axeFaults(ada.page), [])
    await ada.page.getByRole('link', { name: 'news.html' }).first().click()
    const comment = ada.page.getByRole('listitem').filter({ hasText: 'Please check' })
    // An editor sees the display names of others.
    await comment.getByText('Grace Hopper').waitFor()
    assert.equal(await comment.getByRole('button', { name: 'Edit comment' }).count(), 0)
    await write(ada.page, 'Done.')
    const own = ada.page.getByRole('listitem').filter({ hasText: 'Done.' })
    await own.getByRole('button', { name: 'Edit comment' }).click()
    await ada.page.getByRole('textbox', { name: 'Comment', exact: true }).fill('Done now.')
    await ada.page.getByRole('button', { name: 'Save' }).click()
    await ada.page.getByText('Done now.').waitFor()
    await comment.getByRole('button', { name: 'Reply' }).click()
    const reply = comment.getByRole('textbox', { name: 'New reply' })
    await reply.pressSequentially('I have checked it.')
    await reply.press('Control+Enter')
    const replies = comment.getByRole('listitem')
    await replies.filter({ hasText: 'I have checked it.' }).waitFor()
    await shows(() => comment.getByRole('button', { name: 'Reply' }).evaluate(isFocused), true)
    assert.equal(await replies.getByRole('button', { name: 'Resolve' }).count(), 0)
    assert.deepEqual(await axeFaults(ada.page), [])
    await goWithin(page, '/admin/')
    await page.getByText('I have checked it.').waitFor()
    await comment.getByRole('button', { name: 'Resolve' }).click()
    await ada.page.getByRole('button', { name: 'Show 1 resolved comment' }).click()
    await replies.filter({ hasText: 'I have checked it.' }).waitFor()
    await comment.getByText('Resolved').waitFor()
    await comment.getByRole('button', { name: 'Reopen' }).waitFor()

    const changed = ada.page.getByRole('listitem').filter({ hasText: 'Done now.' })
    await changed.getByRole('button', { name: 'Delete comment' }).click()
    await ada.page.getByRole('button', { name: 'Delete', exact: true }).click()
    await ada.page.getByText('Comment deleted.').waitFor()
    await goWithin(ada.page, '/admin/')
    await ada.page.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await ada.page.getByText('Comments for you').count(), 0)
    assert.deepEqual([...admin.faults, ...ada.faults], [])
    await Promise.all([admin.context.close(), ada.context.close()])
  })

  test('an entry has comments beside its form, on a narrow screen too', async () => {
    const viewport = { width: 360, height: 800 }
    const options = { url: server.url, user: 'admin', viewport }
    const { page, context, faults } = await visit(browser, options)
    await page.goto(`${server.url}${entryPath}`)
    await page.getByRole('heading', { name: 'Comments' }).waitFor()
    await write(page, 'Is this job still open?')
    await page.getByRole('listitem').filter({ hasText: 'still open' }).waitFor()
    assert.equal(await isTooWide(page), false)
    assert.deepEqual(await axeFaults(page), [])
    await goWithin(page, entryPath.slice(0, entryPath.lastIndexOf('/')))
    await page.getByRole('grid').getByText('1 open comment').waitFor()
    assert.equal(await isTooWide(page), false)
    assert.deepEqual(await axeFaults(page), [])
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('an event has comments below its form, and a mention leads to the event', async () => {
    const viewport = { width: 360, height: 800 }
    const admin = await visit(browser, { url: server.url, user: 'admin', viewport })
    await admin.page.goto(`${server.url}${calendar}`)
    await admin.page.getByRole('heading', { name: 'Comments' }).waitFor()
    await write(admin.page, 'Is the hall booked, @"ada lovelace"?')
    await admin.page.getByRole('listitem').filter({ hasText: 'the hall' }).waitFor()
    assert.equal(await isTooWide(admin.page), false)
    assert.deepEqual(await axeFaults(admin.page), [])

    const ada = await visit(browser, { url: server.url, user: 'ada lovelace' })
    await ada.page.goto(`${server.url}/admin/`)
    await ada.page.getByRole('link', { name: 'Dates' }).first().click()
    const comment = ada.page.getByRole('listitem').filter({ hasText: 'the hall' })
    await comment.getByRole('button', { name: 'Resolve' }).waitFor()
    // Escape closes the list of people, and not the dialog.
    const field = ada.page.getByRole('textbox', { name: 'New comment' })
    await field.pressSequentially('@adm')
    const offered = ada.page.getByRole('option', { name: 'Grace Hopper admin' })
    await offered.waitFor()
    await field.press('Escape')
    await offered.waitFor({ state: 'detached' })
    assert.equal(await field.inputValue(), '@adm')
    assert.deepEqual([...admin.faults, ...ada.faults], [])
    await Promise.all([admin.context.close(), ada.context.close()])
  })

  test('a viewer sees no comments', async () => {
    const { page } = await visit(browser, { url: server.url, user: 'bob' })
    await page.goto(`${server.url}${calendar}`)
    await page.getByRole('dialog').getByText('Fair').waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Comments' }).count(), 0)
    await page.goto(`${server.url}/admin/content/file/${fileId}?part=comments`)
    await page.getByRole('tab', { name: 'Details' }).waitFor()
    assert.equal(await page.getByRole('tab', { name: 'Comments' }).count(), 0)
  })
})
