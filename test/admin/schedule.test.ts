// Times in the area: set one on the page of a file, see it there and on the page of all scheduled files, and clear it.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { makeFile, makeFolder } from '../helpers/content.ts'
import { eventually } from '../helpers/raw.ts'
import type { TestServer } from '../helpers/server.ts'
import { axeFaults, isTooWide, startSite, visit } from './area.ts'

const ZONE = { timezoneId: 'Europe/Berlin' }

describe('schedules', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  let aheadMs = 0
  before(async () => {
    server = await startSite({ now: () => new Date(Date.now() + aheadMs) })
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  const fileNow = async (id: number): Promise<any> =>
    (await server.call('GET', `/api/v2/asset_file/${id}`)).body

  async function openDialog(id: number) {
    const seen = await visit(browser, { url: server.url, user: 'admin', ...ZONE })
    await seen.page.goto(`${server.url}/admin/content/file/${id}`)
    await seen.page.getByRole('button', { name: 'Actions for this file', exact: true }).click()
    await seen.page.getByRole('menuitem', { name: 'Schedule' }).click()
    return { ...seen, dialog: seen.page.getByRole('dialog') }
  }

  test('a time can be set in the zone of the user, is shown, and can be cleared', async () => {
    const { asset_file_id: id } = await makeFile(server, { name: 'news.html' })
    const { page, context, dialog, faults } = await openDialog(id)
    await dialog.getByText('Europe/Berlin').waitFor()
    await dialog.getByLabel(/^Publish at/).fill('2099-07-01T09:00')
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByRole('button', { name: 'Save schedule' }).click()
    await page.getByText(/^Scheduled for .*2099/).waitFor()
    assert.equal((await fileNow(id)).publish_at, '2099-07-01T07:00:00.000Z')

    await page.goto(`${server.url}/admin/scheduled`)
    await page.getByRole('heading', { name: /2099/ }).waitFor()
    await page.setViewportSize({ width: 360, height: 700 })
    assert.equal(await isTooWide(page), false)
    assert.deepEqual(await axeFaults(page), [])
    await page.getByRole('link', { name: '/Main/news.html' }).click()
    await page.getByRole('button', { name: 'Actions for this file', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Schedule' }).click()
    const field = dialog.getByLabel(/^Publish at/)
    assert.equal(await field.inputValue(), '2099-07-01T09:00')
    await field.fill('')
    await dialog.getByRole('button', { name: 'Save schedule' }).click()
    await page.getByText('Schedule saved.').waitFor()
    assert.equal((await fileNow(id)).publish_at, null)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a month shows what goes live, leads to the list of a day and survives a reload', async () => {
    for (let at = 0; at < 5; at += 1)
      await makeFile(server, {
        name: `page-${at}.html`,
        publish_at: `2098-07-10T0${9 - at}:00:00Z`,
      })
    await makeFile(server, {
      name: 'offer.html',
      fileState: 'publish',
      unpublish_at: '2098-07-31T22:30:00Z',
    })
    const options = { url: server.url, user: 'admin', locale: 'en-GB', ...ZONE }
    const { page, context, faults } = await visit(browser, options)
    await page.goto(`${server.url}/admin/scheduled?view=month&date=2098-07-01`)
    await page.getByRole('heading', { name: 'July 2098' }).waitFor()
    const day = page.locator('[data-day="2098-07-10"]')
    const seen = await day.getByRole('link').allInnerTexts()
    assert.deepEqual(
      seen.map((text) => text.replace(/\s+/g, ' ')),
      ['Publish page-4.html 07:00', 'Publish page-3.html 08:00', 'Publish page-2.html 09:00'],
    )
    // The last hour of July in UTC is the first of August in Berlin, which the last week shows.
    await page.locator('[data-day="2098-08-01"]').getByText('offer.html').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.setViewportSize({ width: 360, height: 700 })
    assert.equal(await isTooWide(page), false)
    await page.getByRole('button', { name: 'Previous' }).click()
    await page.getByRole('heading', { name: 'June 2098' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Next' }).click()
    await day.getByRole('button', { name: /^2 more/ }).click()
    await page.getByRole('heading', { name: /10 Jul 2098/ }).waitFor()
    assert.equal(await page.getByRole('link', { name: /page-\d.html/ }).count(), 5)
    await page.getByRole('button', { name: 'List' }).click()
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('the page names the files whose time was not kept, with the reason', async () => {
    const folder = (await makeFolder(server)).asset_category_id
    const publish_at = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z$/, 'Z')
    const kept = { name: 'taken.html', parent_category_id: folder }
    const { asset_file_id: id } = await makeFile(server, { ...kept, publish_at })
    await server.call('PATCH', `/api/v2/asset_file/${id}`, { json: { name: 'other.html' } })
    await makeFile(server, kept)
    aheadMs = 3_700_000
    assert.ok(await eventually(async () => (await fileNow(id)).schedule_fault !== null))
    const { page, context, faults } = await visit(browser, { url: server.url, user: 'admin' })
    await page.goto(`${server.url}/admin/scheduled`)
    await page.getByRole('heading', { name: 'Failed' }).waitFor()
    await page.getByText((await fileNow(id)).schedule_fault.detail).waitFor()
    await page.getByRole('link', { name: /other\.html$/ }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a time that clocks skip is refused, and a repeated time asks for a choice', async () => {
    const { asset_file_id: id } = await makeFile(server)
    const { context, dialog } = await openDialog(id)
    const field = dialog.getByLabel(/^Publish at/)
    const save = dialog.getByRole('button', { name: 'Save schedule' })
    await field.fill('2099-03-29T02:30')
    await save.click()
    await dialog.getByText(/^This time does not exist/).waitFor()
    await field.fill('2099-10-25T02:30')
    await save.click()
    await dialog.getByText(/^This time occurs twice/).waitFor()
    await dialog.getByLabel('Which of the two times?').selectOption({ index: 1 })
    await save.click()
    await dialog.waitFor({ state: 'hidden' })
    assert.equal((await fileNow(id)).publish_at, '2099-10-25T01:30:00.000Z')
    await context.close()
  })

  test('a newer version is offered and replaces the scheduled version', async () => {
    const { asset_file_id: id } = await makeFile(server, { publish_at: '2099-01-01' })
    const path = `/api/v2/asset_file/${id}`
    await server.call('PATCH', path, { json: { pageContent: '<p>2</p>' } })
    const { context, dialog } = await openDialog(id)
    await dialog.getByText('Version 1 is scheduled.').waitFor()
    await dialog.getByLabel('Schedule the latest version instead').check()
    await dialog.getByRole('button', { name: 'Save schedule' }).click()
    await dialog.waitFor({ state: 'hidden' })
    assert.equal((await fileNow(id)).publish_version, 2)
    await context.close()
  })

  /** Three files in a folder of their own: one of them is scheduled. */
  async function openSelection() {
    const folder = await makeFolder(server)
    const parent_category_id = folder.asset_category_id
    const made: { readonly asset_file_id: number }[] = []
    for (const [at, extra] of [{}, { publish_at: '2099-01-01' }, {}].entries())
      made.push(await makeFile(server, { name: `page-${at}.html`, parent_category_id, ...extra }))
    const seen = await visit(browser, { url: server.url, user: 'admin', ...ZONE })
    await seen.page.goto(`${server.url}/admin/content/${parent_category_id}`)
    await seen.page.getByRole('link', { name: 'page-0.html', exact: true }).waitFor()
    const timesNow = async (): Promise<unknown> =>
      Promise.all(made.map(async ({ asset_file_id: id }) => (await fileNow(id)).publish_at))
    const ids = made.map(({ asset_file_id: id }) => id)
    return { ...seen, dialog: seen.page.getByRole('dialog'), ids, timesNow }
  }

  const BEFORE = [null, '2099-01-01T00:00:00.000Z', null]
  const NINE = '2099-07-01T07:00:00.000Z'

  test('a selection gets the same time, different times stay, and Undo restores all', async () => {
    const { page, context, dialog, faults, timesNow } = await openSelection()
    // A reload removes the message of the previous step, which has the same text.
    const choose = async (): Promise<void> => {
      await page.reload()
      await page.getByRole('checkbox', { name: 'Select all' }).check()
      await page.getByRole('button', { name: 'Schedule', exact: true }).click()
      await dialog.getByRole('heading', { name: 'Schedule 3 files' }).waitFor()
    }
    const save = dialog.getByRole('button', { name: 'Save schedule' })
    await choose()
    await dialog.getByText('The files have different times. Leave this field empty').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByLabel('Unpublish at').fill('2099-08-01T00:00')
    await save.click()
    await page.getByText('Schedule saved for 3 files.').waitFor()
    assert.deepEqual(await timesNow(), BEFORE)

    await choose()
    await dialog.getByLabel(/^Publish at/).fill('2020-01-01T09:00')
    await save.click()
    // The server refuses the time for the first file, and nothing has changed.
    await dialog.locator('.field-fault').waitFor()
    assert.deepEqual(await timesNow(), BEFORE)
    await dialog.getByLabel(/^Publish at/).fill('2099-07-01T09:00')
    await save.click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Schedule saved for 3 files.').waitFor()
    assert.deepEqual(await timesNow(), [NINE, NINE, NINE])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone for 3 files.').waitFor()
    assert.deepEqual(await timesNow(), BEFORE)

    await choose()
    await dialog.getByLabel('Remove all publish times').check()
    await save.click()
    await page.getByText('Schedule saved for 3 files.').waitFor()
    assert.deepEqual(await timesNow(), [null, null, null])
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a file that cannot be scheduled is named, and the others get the time', async () => {
    const { page, context, dialog, ids } = await openSelection()
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    await dialog.getByLabel(/^Publish at/).fill('2099-07-01T09:00')
    await server.call('DELETE', `/api/v2/asset_file/${ids[0]}`)
    await dialog.getByRole('button', { name: 'Save schedule' }).click()
    await page.getByText('1 file failed:').waitFor()
    await dialog.getByRole('listitem').filter({ hasText: 'page-0.html' }).waitFor()
    const times = ids.slice(1).map(async (id) => (await fileNow(id)).publish_at)
    assert.deepEqual(await Promise.all(times), [NINE, NINE])
    await context.close()
  })

  test('all files below a folder can be published at a time', async () => {
    const { page, context, dialog, faults, timesNow } = await openSelection()
    await page.getByRole('button', { name: 'Actions for this folder' }).click()
    await page.getByRole('menuitem', { name: 'Publish all' }).click()
    await dialog.getByRole('button', { name: 'Schedule…' }).click()
    await dialog.getByRole('heading', { name: 'Schedule 3 files' }).waitFor()
    await dialog.getByLabel(/^Publish at/).fill('2099-07-01T09:00')
    await dialog.getByRole('button', { name: 'Save schedule' }).click()
    await page.getByText('Schedule saved for 3 files.').waitFor()
    assert.deepEqual(await timesNow(), [NINE, NINE, NINE])
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('uploaded files can be published at a time', async () => {
    const { page, context, dialog, faults } = await openSelection()
    await page.setInputFiles('input[type=file] >> nth=0', [
      { name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('1') },
      { name: 'two.txt', mimeType: 'text/plain', buffer: Buffer.from('2') },
    ])
    await page.getByRole('button', { name: 'Schedule…' }).click()
    await dialog.getByLabel(/^Publish at/).fill('2099-07-01T09:00')
    await dialog.getByRole('button', { name: 'Save schedule' }).click()
    await page.getByText('Schedule saved for 2 files.').waitFor()
    const qry = encodeURIComponent(JSON.stringify({ name: { $in: ['one.txt', 'two.txt'] } }))
    const { body } = await server.call('GET', `/api/v2/asset_file?qry=${qry}`)
    assert.deepEqual(
      body.asset_file.map(({ publish_at: time }: any) => time),
      [NINE, NINE],
    )
    assert.deepEqual(faults, [])
    await context.close()
  })
})
