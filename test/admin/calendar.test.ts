// A calendar in the administration area. Each story ends with the resulting state of the server.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import type { TestServer } from '../helpers/server.ts'
import { isTooWide, shows, startSite } from './area.ts'
import {
  BOARD,
  boxOf,
  center,
  drag,
  entriesOf,
  openStories,
  type Stories,
  WEEKLY,
} from './calendar-stories.ts'

/** The window shows the whole month. */
const WHOLE = { viewport: { width: 1_280, height: 1_100 } }

describe('a calendar', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  let stories: Stories
  before(async () => {
    server = await startSite()
    browser = await openBrowser()
    stories = openStories(server, browser)
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  const eventIn = (page: Page, name: RegExp) => page.getByRole('button', { name }).first()

  const day = (page: Page, date: string) => page.locator(`[data-day="${date}"]`).last()

  test('an event can be created at an empty place, with times of the calendar', async () => {
    const calendar = await stories.haveCalendar()
    const options = { timezoneId: 'America/New_York' }
    const { page, context, faults } = await stories.open(
      calendar,
      'view=month&date=2026-03-18',
      options,
    )
    await page.getByText('Times in Europe/Berlin (your time zone: America/New_York)').waitFor()
    await day(page, '2026-03-18').click({ position: { x: 60, y: 90 } })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Opening')
    await dialog.getByRole('checkbox', { name: 'All day' }).uncheck()
    await dialog.getByLabel('Start time').fill('18:00')
    await shows(() => dialog.getByLabel(/^End time/).inputValue(), '19:00')
    await dialog.getByText('In your time zone America/New_York').waitFor()
    await dialog.getByRole('textbox', { name: /^Location/ }).fill('Hall')
    await page.keyboard.press('Enter')
    await eventIn(page, /Opening/).waitFor()
    const [made] = await entriesOf(server, calendar)
    assert.equal(made.start_time, '2026-03-18T17:00:00.000Z')
    assert.equal(made.end_time, '2026-03-18T18:00:00.000Z')
    assert.equal(made.location, 'Hall')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone.').waitFor()
    assert.deepEqual(await entriesOf(server, calendar), [])
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('input survives a reload', async () => {
    const calendar = await stories.haveCalendar()
    const { page, context } = await stories.open(calendar, 'view=month&date=2026-03-18')
    await page.keyboard.press('n')
    await page.getByRole('textbox', { name: 'Title' }).fill('Half an id')
    await page.reload()
    await page.getByText('Your unsaved input was restored.').waitFor()
    await shows(() => page.getByRole('textbox', { name: 'Title' }).inputValue(), 'Half an id')
    await context.close()
  })

  test('the mouse moves an event to another day, and Undo moves it back', async () => {
    const calendar = await stories.haveCalendar([BOARD])
    const { page, context } = await stories.open(calendar, 'view=month&date=2026-03-18', WHOLE)
    await drag(page, eventIn(page, /Board/), await center(day(page, '2026-03-30')))
    await page.getByText('“Board” was moved.').waitFor()
    // Daylight saving time began in between; the event stays at nine o'clock.
    const [moved] = await entriesOf(server, calendar)
    assert.equal(moved.start_time, '2026-03-30T07:00:00.000Z')
    assert.equal(moved.end_time, '2026-03-30T08:00:00.000Z')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone.').waitFor()
    assert.equal((await entriesOf(server, calendar))[0].start_time, '2026-03-18T08:00:00.000Z')
    await context.close()
  })

  test('in a week the mouse moves an event and its end', async () => {
    const calendar = await stories.haveCalendar([BOARD])
    const { page, context } = await stories.open(calendar, 'view=week&date=2026-03-18')
    const event = eventIn(page, /Board/)
    const box = await boxOf(event)
    const column = await boxOf(day(page, '2026-03-19'))
    // An hour is 48 pixels high.
    await drag(page, event, { x: column.x + 40, y: box.y + 6 + 96 })
    await page.getByText('“Board” was moved.').waitFor()
    const [moved] = await entriesOf(server, calendar)
    assert.equal(moved.start_time, '2026-03-19T10:00:00.000Z')
    const end = await boxOf(eventIn(page, /11:00–12:00/))
    await page.mouse.move(end.x + 30, end.y + end.height - 3)
    await page.mouse.down()
    await page.mouse.move(end.x + 30, end.y + end.height + 45, { steps: 5 })
    await page.mouse.up()
    await eventIn(page, /11:00–13:00/).waitFor()
    await shows(
      async () => (await entriesOf(server, calendar))[0].end_time,
      '2026-03-19T12:00:00.000Z',
    )
    const [longer] = await entriesOf(server, calendar)
    assert.equal(longer.start_time, '2026-03-19T10:00:00.000Z')
    assert.equal(longer.end_time, '2026-03-19T12:00:00.000Z')
    await context.close()
  })

  test('a day of the week leads to its day view, which begins at its first event', async () => {
    const from = '2026-03-18T21:00:00+01:00'
    const late = { event_title: 'Night', start_time: from, end_time: '2026-03-19T05:00:00+01:00' }
    const early = { event_title: 'Run', start_time: '2026-03-19T06:00:00+01:00' }
    const calendar = await stories.haveCalendar([late, early])
    const { page, context, faults } = await stories.open(calendar, 'view=week&date=2026-03-18')
    await page.getByRole('button', { name: 'Thu 19' }).click()
    await page.getByRole('heading', { level: 2, name: '19 Mar 2026' }).waitFor()
    await shows(() => page.locator('.week-column').count(), 1)
    // An hour is 48 pixels high. Events of the previous evening do not move the start to midnight.
    await shows(() => page.locator('.week').evaluate(({ scrollTop }) => scrollTop), 48 * 5.75)
    assert.equal(await isTooWide(page), false)
    await page.keyboard.press('j')
    await page.getByRole('heading', { level: 2, name: '20 Mar 2026' }).waitFor()
    await page.getByRole('button', { name: 'Fri 20' }).click()
    await shows(() => page.locator('.week-column').count(), 7)
    await page.keyboard.press('d')
    await shows(() => page.locator('.week-column').count(), 1)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('the keyboard opens, moves and extends an event, which keeps the focus', async () => {
    const calendar = await stories.haveCalendar([BOARD])
    const { page, context } = await stories.open(calendar, 'view=week&date=2026-03-18')
    await eventIn(page, /Board/).focus()
    for (const keys of [
      'Shift+ArrowRight',
      'Shift+ArrowDown',
      'Shift+ArrowDown',
      'Alt+Shift+ArrowDown',
    ])
      await page.keyboard.press(keys)
    await page.getByText('“Board” was moved.').waitFor()
    const [moved] = await entriesOf(server, calendar)
    assert.equal(moved.start_time, '2026-03-19T08:30:00.000Z')
    assert.equal(moved.end_time, '2026-03-19T09:45:00.000Z')
    await page.locator('[data-event]:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Title' }).waitFor()
    await context.close()
  })

  test('a series keeps its time of day over a clock change and can be moved as a whole', async () => {
    const calendar = await stories.haveCalendar([WEEKLY])
    const { page, context } = await stories.open(calendar, 'view=list&date=2026-03-16')
    for (const date of ['2026-03-16', '2026-03-23', '2026-03-30', '2026-04-06']) {
      const section = page.locator(`section:has(time[datetime="${date}"])`)
      await section.getByText('09:00 – 10:00').waitFor()
    }
    await page
      .getByRole('button', { name: /Meeting/ })
      .nth(2)
      .click()
    await page.getByLabel('Applies to').selectOption('all')
    await page.getByLabel('Start time').fill('11:30')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“Meeting” was saved.').waitFor()
    assert.deepEqual(await stories.startsOf(calendar), [
      'Meeting 2026-03-16T10:30:00.000Z',
      'Meeting 2026-03-23T10:30:00.000Z',
      'Meeting 2026-03-30T09:30:00.000Z',
      'Meeting 2026-04-06T09:30:00.000Z',
    ])
    await context.close()
  })

  test('one event of a series can be moved, and Undo restores the series', async () => {
    const calendar = await stories.haveCalendar([WEEKLY])
    const { page, context } = await stories.open(calendar, 'view=month&date=2026-03-18', WHOLE)
    const whole = await stories.startsOf(calendar)
    const second = day(page, '2026-03-23').getByRole('button', { name: /Meeting/ })
    await drag(page, second, await center(day(page, '2026-03-25')))
    await page.getByRole('button', { name: 'Only this event' }).click()
    await page.getByText('“Meeting” was moved.').waitFor()
    assert.deepEqual(await stories.startsOf(calendar), [
      'Meeting 2026-03-16T08:00:00.000Z',
      'Meeting 2026-03-25T08:00:00.000Z',
      'Meeting 2026-03-30T07:00:00.000Z',
      'Meeting 2026-04-06T07:00:00.000Z',
    ])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone.').waitFor()
    assert.deepEqual(await stories.startsOf(calendar), whole)
    assert.equal((await entriesOf(server, calendar)).length, 1)
    await context.close()
  })

  test('all following events of a series can be changed, and one can be deleted', async () => {
    const calendar = await stories.haveCalendar([WEEKLY])
    const { page, context } = await stories.open(calendar, 'view=list&date=2026-03-16')
    await page
      .getByRole('button', { name: /Meeting/ })
      .nth(2)
      .click()
    await page.getByLabel('Applies to').selectOption('following')
    await page.getByRole('textbox', { name: 'Title' }).fill('Short meeting')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“Short meeting” was saved.').waitFor()
    await page
      .getByRole('button', { name: /Short meeting/ })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Only this event' }).click()
    await page.getByText('“Short meeting” was deleted.').waitFor()
    assert.deepEqual(await stories.startsOf(calendar), [
      'Meeting 2026-03-16T08:00:00.000Z',
      'Meeting 2026-03-23T08:00:00.000Z',
      'Short meeting 2026-04-06T07:00:00.000Z',
    ])
    await context.close()
  })

  test('an event that was moved out of its series moves with it, and can be deleted and restored', async () => {
    const calendar = await stories.haveCalendar([WEEKLY])
    const moved = {
      event_title: 'Elsewhere',
      start_time: '2026-03-25T10:00:00Z',
      recurrence_of: 1,
      recurrence_id: '2026-03-23T08:00:00Z',
    }
    const { status, text } = await server.call('POST', calendar.module_url, { json: moved })
    assert.equal(status, 201, text)
    const { page, context } = await stories.open(calendar, 'view=list&date=2026-03-16')
    await eventIn(page, /Meeting/).click()
    await page.getByLabel('Applies to').selectOption('all')
    await page.getByLabel('Start time').fill('08:00')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“Meeting” was saved.').waitFor()
    const all = [
      'Meeting 2026-03-16T07:00:00.000Z',
      'Elsewhere 2026-03-25T10:00:00.000Z',
      'Meeting 2026-03-30T06:00:00.000Z',
      'Meeting 2026-04-06T06:00:00.000Z',
    ]
    assert.deepEqual(await stories.startsOf(calendar), all)

    await eventIn(page, /Elsewhere/).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Title' }).waitFor()
    assert.equal(await dialog.getByLabel('Repeats').count(), 0)
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('“Elsewhere” was deleted.').waitFor()
    assert.deepEqual(await stories.startsOf(calendar), all.toSpliced(1, 1))
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone.').waitFor()
    assert.deepEqual(await stories.startsOf(calendar), all)
    await context.close()
  })

  test('a change of a series without a response is made once', async () => {
    const calendar = await stories.haveCalendar([WEEKLY])
    const { page, context } = await stories.open(calendar, 'view=list&date=2026-03-23')
    await eventIn(page, /Meeting/).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Away')
    let isLost = false
    await page.route(/\/calendar\/\d+\/[^/]+$/, async (route) => {
      if (isLost || route.request().method() !== 'POST') return route.continue()
      isLost = true
      await route.fetch()
      return route.abort('connectionreset')
    })
    const save = page.getByRole('dialog').getByRole('button', { name: 'Save' })
    await save.click()
    await page.getByText('No connection to the server.').waitFor()
    await save.click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const titles = (await entriesOf(server, calendar)).map((each) => each.event_title)
    assert.deepEqual(titles, ['Meeting', 'Away'])
    await context.close()
  })
})
