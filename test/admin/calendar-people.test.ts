// A calendar for users without write access, for two concurrent users, for other programs, on a small screen,
// and for an attacker.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import ICAL from 'ical.js'
import type { Browser } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { make } from '../helpers/content.ts'
import type { TestServer } from '../helpers/server.ts'
import { setPassword, shows, startSite } from './area.ts'
import { BOARD, entriesOf, openStories, type Stories, WEEKLY } from './calendar-stories.ts'
import { FOREIGN, HOSTILE_EVENT } from './demo-calendar.ts'

const VIEW = 'view=list&date=2026-03-16'

describe('a calendar', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  let stories: Stories
  before(async () => {
    server = await startSite()
    await make(server, 'user', { name: 'vera', role: 'viewer' })
    await setPassword(server, 'vera')
    await make(server, 'user', { name: 'stan', role: 'stager' })
    await setPassword(server, 'stan')
    browser = await openBrowser()
    stories = openStories(server, browser)
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  test('a user who may only view sees everything and no controls for changes', async () => {
    const calendar = await stories.haveCalendar([{ ...WEEKLY, location: 'Room 2' }])
    const query = 'view=month&date=2026-03-18'
    const { page, context, faults } = await stories.open(calendar, query, { user: 'vera' })
    await page
      .getByRole('button', { name: /Meeting/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('every week, Monday, 4 times').waitFor()
    await dialog.getByText('Room 2').waitFor()
    assert.equal(await dialog.getByRole('textbox').count(), 0)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('n')
    await page.locator('[data-event]').first().focus()
    await page.keyboard.press('Shift+ArrowRight')
    await page.locator('[data-day="2026-03-18"]').click({ position: { x: 60, y: 90 } })
    assert.equal(await page.getByRole('button', { name: 'New event' }).count(), 0)
    assert.equal(await dialog.count(), 0)
    await page.getByRole('button', { name: 'Actions for this calendar' }).click()
    await shows(() => page.getByRole('menuitem').allInnerTexts(), ['Download as .ics'])
    const [entry] = await entriesOf(server, calendar)
    assert.equal(entry.start_time, '2026-03-16T08:00:00.000Z')
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('further columns are set in the settings and appear in the form at once', async () => {
    const calendar = await stories.haveCalendar([BOARD])
    const { page, context, faults } = await stories.open(calendar, VIEW)
    const settings = async () => {
      await page.getByRole('button', { name: 'Actions for this calendar' }).click()
      await page.getByRole('menuitem', { name: 'Settings' }).click()
    }
    await settings()
    const columns = page.getByLabel('Schema as text')
    await columns.fill('room Q(40)')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.locator('.field-fault').waitFor()
    await columns.fill('room C(40), seats I')
    await page.getByLabel('Title column').selectOption('room')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const { body } = await server.call('GET', `/api/v2/calendar/${calendar.calendar_id}`)
    assert.deepEqual([body.table_schema, body.title_field], ['room C(40), seats I', 'room'])
    await page.getByRole('button', { name: /Board/ }).click()
    await page.getByLabel('room').fill('Hall')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('“Board” was saved.').waitFor()
    assert.equal((await entriesOf(server, calendar))[0].room, 'Hall')

    await settings()
    const room = page.getByRole('group', { name: 'room', exact: true })
    await room.getByLabel('Name', { exact: true }).fill('place')
    await shows(() => columns.inputValue(), 'place C(40), seats I')
    await page.getByLabel('Title column').selectOption('place')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await shows(async () => (await entriesOf(server, calendar))[0].place, 'Hall')
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a user who may not delete is offered no undo that would be refused', async () => {
    const calendar = await stories.haveCalendar([WEEKLY])
    const { page, context } = await stories.open(calendar, VIEW, { user: 'stan' })
    await page
      .getByRole('button', { name: /Meeting/ })
      .nth(1)
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Long meeting')
    assert.equal(await dialog.getByRole('button', { name: 'Delete' }).count(), 0)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“Long meeting” was saved.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0)
    assert.deepEqual(await stories.startsOf(calendar), [
      'Meeting 2026-03-16T08:00:00.000Z',
      'Long meeting 2026-03-23T08:00:00.000Z',
      'Meeting 2026-03-30T07:00:00.000Z',
      'Meeting 2026-04-06T07:00:00.000Z',
    ])
    await context.close()
  })

  test('the second of two people who change an event sees the first change and keeps the input', async () => {
    const calendar = await stories.haveCalendar([BOARD])
    const { page, context } = await stories.open(calendar, 'view=list&date=2026-03-18')
    await page.getByRole('button', { name: /Board/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: /^Location/ }).fill('Library')
    const [{ calendar_entry_id: id }] = (await entriesOf(server, calendar)) as [any]
    const path = `${calendar.module_url}/${id}`
    await server.call('POST', path, { json: { event_title: 'Board of friends' } })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Somebody else changed this in the meantime').waitFor()
    await dialog.getByText('Title: Board → Board of friends').waitFor()
    await shows(() => dialog.getByRole('textbox', { name: /^Location/ }).inputValue(), 'Library')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“Board of friends” was saved.').waitFor()
    const [entry] = await entriesOf(server, calendar)
    assert.deepEqual([entry.event_title, entry.location], ['Board of friends', 'Library'])
    await context.close()
  })

  test('an event that somebody else moved is not moved again', async () => {
    const calendar = await stories.haveCalendar([BOARD])
    const { page, context } = await stories.open(calendar, 'view=week&date=2026-03-18')
    const event = page.getByRole('button', { name: /Board/ })
    await event.focus()
    const [{ calendar_entry_id: id }] = (await entriesOf(server, calendar)) as [any]
    const json = { end_time: '2026-03-18T13:00:00+01:00' }
    await server.call('POST', `${calendar.module_url}/${id}`, { json })
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('Somebody else changed this event.').waitFor()
    await page.getByRole('button', { name: /Board.*09:00–13:00/ }).waitFor()
    assert.equal((await entriesOf(server, calendar))[0].start_time, '2026-03-18T08:00:00.000Z')
    await context.close()
  })

  test('a rule that the form cannot show stays unchanged', async () => {
    const rrule = 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'
    const calendar = await stories.haveCalendar([{ ...BOARD, rrule }])
    const { page, context } = await stories.open(calendar, 'view=list&date=2026-03-18')
    await page.getByRole('button', { name: /Board/ }).first().click()
    await page.getByLabel('Applies to').selectOption('all')
    await shows(() => page.getByRole('textbox', { name: /RRULE/ }).inputValue(), rrule)
    await page.getByRole('textbox', { name: 'Title' }).fill('Payday')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“Payday” was saved.').waitFor()
    assert.equal((await entriesOf(server, calendar))[0].rrule, rrule)
    await page
      .getByRole('button', { name: /Payday/ })
      .first()
      .click()
    await page.getByLabel('Applies to').selectOption('all')
    await page.getByRole('textbox', { name: /RRULE/ }).fill('FREQ=OFTEN')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY').waitFor()
    assert.equal((await entriesOf(server, calendar))[0].rrule, rrule)
    await context.close()
  })

  test('the feed shows other programs the same events as the page', async () => {
    const calendar = await stories.haveCalendar()
    const query = 'view=month&date=2026-03-18&event=new&from=2026-03-31T18:30&to=2026-03-31T20:00'
    const { page, context } = await stories.open(calendar, query)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Choir; “Grüße”')
    await dialog.getByLabel('Repeats').selectOption('monthlyLast')
    await dialog.getByLabel('Ends').selectOption('after')
    await dialog.getByLabel('Number of events').fill('3')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('was created.').waitFor()
    await page.getByRole('button', { name: 'Actions for this calendar' }).click()
    const coming = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Download as .ics' }).click()
    const download = await coming
    assert.equal(download.suggestedFilename(), `${calendar.module_name}.ics`)
    const text = readFileSync(await download.path(), 'utf8')
    const parsed = new ICAL.Component(ICAL.parse(text))
    const event = new ICAL.Event(parsed.getFirstSubcomponent('vevent') ?? undefined)
    assert.equal(event.summary, 'Choir; “Grüße”')
    const starts = event.iterator()
    const told = Array.from({ length: 3 }, () => String(starts.next()))
    assert.deepEqual(told, ['2026-03-31T18:30:00', '2026-04-28T18:30:00', '2026-05-26T18:30:00'])
    assert.equal(starts.next(), undefined)
    for (const date of told.map((each) => each.slice(0, 10))) {
      await page.goto(
        `${server.url}/admin/calendars/${calendar.calendar_id}?view=list&date=${date}`,
      )
      const section = page.locator(`section:has(time[datetime="${date}"])`)
      await section.getByText('18:30 – 20:00').waitFor()
    }
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.getByText(`${server.url}${calendar.module_url}.ics`, { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Create secret address' }).click()
    const address = await page.getByRole('group', { name: 'Secret address' }).innerText()
    const read = () => server.call('GET', address.slice(server.url.length), { key: null })
    assert.match((await read()).text, /^BEGIN:VCALENDAR/)
    // The calendar may move to another folder that the person may read.
    const folder = await make(server, 'asset_category', {
      name: 'Elsewhere',
      parent_category_id: 12,
    })
    const json = { parent_category_id: folder.asset_category_id }
    const moved = await server.call('POST', `/api/v2/calendar/${calendar.calendar_id}`, { json })
    assert.equal(moved.status, 200, moved.text)
    assert.match((await read()).text, /^BEGIN:VCALENDAR/)
    await page.getByRole('button', { name: /^Revoke/ }).click()
    await page.getByText('The secret address no longer works.').waitFor()
    assert.equal((await read()).status, 401)
    await context.close()
  })

  test('a file of another program is imported, and updated by a second import', async () => {
    const calendar = await stories.haveCalendar()
    const { page, context } = await stories.open(calendar, 'view=list&date=2026-03-16')
    const bring = async (text: string): Promise<void> => {
      await page.getByRole('button', { name: 'Actions for this calendar' }).click()
      await page.getByRole('menuitem', { name: 'Import' }).click()
      const files = { name: 'a.ics', mimeType: 'text/calendar', buffer: Buffer.from(text) }
      await page.getByLabel('File (.ics)').setInputFiles(files)
    }
    const go = () => page.getByRole('button', { name: 'Import', exact: true }).click()
    await bring(FOREIGN)
    await page.getByText('New events: 3. Updated events: 0.').waitFor()
    await page.getByText('repeats in the time zone America/New_York').waitFor()
    await page.getByText('Far away: It changes one event of a series').waitFor()
    await page.getByText('VALARM (1), ATTENDEE (1)').waitFor()
    await go()
    await page.getByText('3 events were imported.').waitFor()
    assert.deepEqual(await stories.startsOf(calendar), [
      'Course 2026-03-02T17:00:00.000Z',
      'Course moved 2026-03-10T18:00:00.000Z',
      'Course 2026-03-23T17:00:00.000Z',
      'Holiday 2026-04-02T22:00:00.000Z',
    ])
    await bring(FOREIGN.replaceAll('SUMMARY:Course', 'SUMMARY:Class'))
    await page.getByText('New events: 0. Updated events: 2. Unchanged events: 1.').waitFor()
    await go()
    await page.getByText('2 events were imported.').waitFor()
    await shows(
      async () => (await stories.startsOf(calendar)).map((each) => each.split(' 2026')[0]),
      ['Class', 'Class moved', 'Class', 'Holiday'],
    )
    await bring('no calendar')
    await page.getByText('This is not a calendar file.').waitFor()
    await page.getByText('line 1 is not a property').waitFor()
    await context.close()
  })

  test('hostile titles are shown as text, and a small screen shows the list', async () => {
    const long = 'W'.repeat(250)
    const calendar = await stories.haveCalendar([
      { ...BOARD, event_title: HOSTILE_EVENT, description: HOSTILE_EVENT },
      { ...BOARD, event_title: long, location: long },
    ])
    const viewport = { width: 360, height: 700 }
    const visited = await stories.open(calendar, 'date=2026-03-18', { viewport })
    const { page, context, faults } = visited
    for (const view of ['List', 'Week', 'Month']) {
      const button = page.getByRole('button', { name: view, exact: true })
      if (view === 'List') await shows(() => button.getAttribute('aria-pressed'), 'true')
      await button.click()
      await page.getByText(HOSTILE_EVENT).first().waitFor()
      const isTooWide = 'document.documentElement.scrollWidth > innerWidth'
      assert.equal(await page.evaluate(isTooWide), false, view)
    }
    await page.getByText(HOSTILE_EVENT).first().click()
    const title = page.getByRole('textbox', { name: 'Title' })
    await shows(() => title.inputValue(), HOSTILE_EVENT)
    await shows(() => page.title(), /^Calendar/)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('further columns are fields of the form, and faults are shown beside them', async () => {
    const table_schema =
      "room C(20) NOTNULL, seats I, open L, ends C(9), audience ENUM('all','members'), tags SET('a','b'), place POINT, data JSON DEFAULT '{\"x\":1}'"
    const calendar = await stories.haveCalendar([], { table_schema })
    const { page, context } = await stories.open(calendar, 'view=month&date=2026-03-18')
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Concert')
    await dialog.getByRole('textbox', { name: /^Ends \(ends\)/ }).waitFor()
    await dialog.getByRole('textbox', { name: /^seats/i }).fill('many')
    await dialog.getByRole('combobox', { name: 'audience' }).selectOption('members')
    await dialog.getByRole('checkbox', { name: 'open' }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.locator('[name="column.seats"][aria-invalid="true"]').waitFor()
    await page.locator('[name="column.room"][aria-invalid="true"]').waitFor()
    await dialog.getByRole('textbox', { name: /^seats/i }).fill('120')
    await dialog.getByRole('group', { name: 'tags' }).getByLabel('b').check()
    await dialog.getByLabel('Longitude').fill('13.4')
    await dialog.getByLabel('Latitude').fill('52.5')
    const data = dialog.getByRole('textbox', { name: /^data/i })
    await shows(() => data.innerText(), '{"x":1}')
    await data.fill('{x}')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('This is not valid JSON: check line 1').waitFor()
    await data.fill('{"y":[2]}')
    // The editor reports the text after its own turn.
    await dialog.getByText('This is not valid JSON').waitFor({ state: 'hidden' })
    await dialog.getByRole('textbox', { name: 'room' }).fill('Hall')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“Concert” was created.').waitFor()
    const [{ room, seats, open, audience, tags, place, data: json }] = (await entriesOf(
      server,
      calendar,
    )) as [any]
    assert.deepEqual([room, seats, open, audience], ['Hall', 120, true, 'members'])
    assert.deepEqual([tags, place, json], [['b'], [13.4, 52.5], { y: [2] }])
    await context.close()
  })

  test('a calendar can be renamed, moved to another zone, and deleted after its name was typed', async () => {
    const calendar = await stories.haveCalendar([BOARD])
    const path = `/api/v2/calendar/${calendar.calendar_id}`
    const { page, context } = await stories.open(calendar, 'view=list&date=2026-03-18')
    const actions = page.getByRole('button', { name: 'Actions for this calendar' })
    await actions.click()
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Friends')
    await page.getByRole('combobox', { name: 'Time zone' }).fill('new york')
    await page.getByRole('option', { name: 'America/New_York' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Friends' }).waitFor()
    await page.getByText('04:00 – 05:00').waitFor()
    assert.equal((await server.call('GET', path)).body.time_zone, 'America/New_York')
    await actions.click()
    await page.getByRole('menuitem', { name: 'Delete calendar' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Deleted items stay in the trash for 30 days.').waitFor()
    await dialog.getByRole('button', { name: 'Delete calendar' }).click()
    await page.getByText('The calendar Friends was deleted.').waitFor()
    assert.equal((await server.call('GET', path)).status, 404)
    await context.close()
  })
})
