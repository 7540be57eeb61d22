// The history of an event in the dialog of the event.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { make } from '../helpers/content.ts'
import { historyOf, update } from '../helpers/history.ts'
import type { TestServer } from '../helpers/server.ts'
import { axeFaults, isTooWide, setPassword, shows, startSite } from './area.ts'
import { BOARD, entriesOf, openStories, type Stories, WEEKLY } from './calendar-stories.ts'

describe('the history of an event', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  let stories: Stories
  before(async () => {
    server = await startSite()
    await make(server, 'user', { name: 'vera', role: 'viewer' })
    await setPassword(server, 'vera')
    browser = await openBrowser()
    stories = openStories(server, browser)
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  async function makeBoard() {
    const calendar = await stories.haveCalendar([BOARD], { table_schema: 'room C(40)' })
    const [{ calendar_entry_id: id }] = await entriesOf(server, calendar)
    const entry = `${calendar.module_url}/${id}`
    const later = { start_time: '2026-03-18T10:00:00+01:00', end_time: '2026-03-18T11:30:00+01:00' }
    await update(server, entry, { ...later, event_title: 'Council', room: 'Hall' })
    const days = { all_day: true, start_time: '2026-03-18', end_time: '2026-03-20' }
    await update(server, entry, days)
    return { calendar, entry, query: `view=list&date=2026-03-16&event=${id}` }
  }

  test('shows the values as the form does, and restores a state by the keyboard alone', async () => {
    const { calendar, entry, query } = await makeBoard()
    const options = { viewport: { width: 360, height: 800 }, timezoneId: 'America/New_York' }
    const { page, faults, context } = await stories.open(calendar, query, options)
    const dialog = page.getByRole('dialog', { name: 'Edit event' })
    await dialog.getByText('History', { exact: true }).focus()
    await page.keyboard.press('Enter')
    const items = dialog.locator('.entry-history > ol > li')
    await items.nth(2).waitFor()
    const texts = (await items.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))
    const [days = '', moved = '', made = ''] = texts
    assert.match(days, /^Changed admin, .+ Start: 18 Mar 2026, 10:00 → 18 March 2026 /)
    assert.match(days, /End: 18 Mar 2026, 11:30 → 19 March 2026 All day: no → yes$/i)
    assert.match(moved, /Title: Board → Council Start: 18 Mar 2026, 09:00 → 18 Mar 2026, 10:00 /)
    assert.match(moved, /Room: no value → Hall$/)
    assert.match(made, /^Created admin, .+ Restore$/)
    assert.equal(await isTooWide(page), false)
    assert.deepEqual(await axeFaults(page), [])

    const buttons = dialog.getByRole('button', { name: /^Restore this state: / })
    assert.equal(await buttons.count(), 2)
    await buttons.first().press('Enter')
    await page.getByRole('dialog', { name: 'Restore this state?' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor()
    assert.equal((await historyOf(server, entry)).history.length, 3)
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Typed')
    await buttons.first().press('Enter')
    const sure = page.getByRole('dialog', { name: 'Restore this state?' })
    await sure.getByRole('button', { name: 'Restore' }).press('Enter')
    await page.getByText('The earlier state was restored.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    const [stored] = await entriesOf(server, calendar)
    assert.equal(stored.event_title, 'Council')
    assert.equal(stored.all_day, false)
    assert.equal(stored.start_time, '2026-03-18T09:00:00.000Z')

    await page
      .getByRole('button', { name: /Council/ })
      .first()
      .click()
    const title = dialog.getByRole('textbox', { name: 'Title' })
    await shows(() => title.inputValue(), 'Council')
    await shows(() => dialog.getByLabel('Start time').inputValue(), '10:00')
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('restores the rule of a series, and a stale state is refused', async () => {
    const calendar = await stories.haveCalendar([WEEKLY])
    const [{ calendar_entry_id: id }] = await entriesOf(server, calendar)
    const entry = `${calendar.module_url}/${id}`
    await update(server, entry, { rrule: 'FREQ=WEEKLY;COUNT=2' })
    const query = `view=list&date=2026-03-16&event=${id}`
    const { page, faults, context } = await stories.open(calendar, query)
    const dialog = page.getByRole('dialog', { name: 'Edit event' })
    await dialog.getByText('History', { exact: true }).click()
    await dialog.getByText('FREQ=WEEKLY;COUNT=4').waitFor()
    const restore = async (): Promise<void> => {
      const buttons = dialog.getByRole('button', { name: /^Restore this state: / })
      await buttons.last().click()
      const sure = page.getByRole('dialog', { name: 'Restore this state?' })
      await sure.getByRole('button', { name: 'Restore' }).click()
    }
    await update(server, entry, { location: 'Room 2' })
    await restore()
    await page.getByText('Somebody else changed this in the meantime.').waitFor()
    assert.equal((await historyOf(server, entry)).history.length, 3)
    await page.reload()
    await dialog.getByText('History', { exact: true }).click()
    await restore()
    await page.getByText('The earlier state was restored.').waitFor()
    assert.equal((await stories.startsOf(calendar)).length, 4)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a viewer reads the history in German and has no button to restore', async () => {
    const { calendar, query } = await makeBoard()
    const options = { user: 'vera', locale: 'de-DE' }
    const { page, faults, context } = await stories.open(calendar, query, options)
    const dialog = page.getByRole('dialog', { name: 'Council' })
    await dialog.getByText('Verlauf', { exact: true }).click()
    await dialog.getByText('Angelegt').waitFor()
    await dialog.getByText('Beginn:').first().waitFor()
    const buttons = await dialog.getByRole('button').allInnerTexts()
    assert.equal(buttons.includes('Wiederherstellen'), false)
    assert.deepEqual(await axeFaults(page), [])
    assert.deepEqual(faults, [])
    await context.close()
  })
})
