// A calendar as states for screenshots and accessibility checks, with the data of demo-calendar.ts.

import type { Page } from 'playwright-core'
import type { Shown } from './area.ts'

const CALENDAR = { isSignedIn: true, heading: 'Programme' } as const

const MONTH = '/calendars/1?view=month&date=2026-03-18'

async function openSettings(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Actions for this calendar' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.getByRole('dialog').getByRole('combobox', { name: 'Folder' }).waitFor()
}

async function openEvent(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: title }).first().click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Title' }).waitFor()
}

const seen = (title: string) => (page: Page) =>
  page.getByRole('button', { name: title }).first().waitFor()

export const CALENDAR_SHOWN: Readonly<Record<string, Shown>> = {
  'calendar-month': { ...CALENDAR, path: MONTH, act: seen('Board') },
  'calendar-week': {
    ...CALENDAR,
    path: '/calendars/1?view=week&date=2026-03-18',
    act: seen('Board'),
  },
  'calendar-list': {
    ...CALENDAR,
    path: '/calendars/1?view=list&date=2026-03-16',
    act: seen('Board'),
  },
  'calendar-empty': {
    ...CALENDAR,
    path: '/calendars/1?view=list&date=2020-03-16',
    act: (page) => page.getByText('No events in this period').waitFor(),
  },
  'calendar-event': {
    ...CALENDAR,
    path: '/calendars/1?view=list&date=2026-03-16',
    act: (page) => openEvent(page, 'Lecture'),
  },
  'calendar-series': {
    ...CALENDAR,
    path: '/calendars/1?view=list&date=2026-03-16',
    async act(page) {
      await openEvent(page, 'Guided tour')
      await page.getByLabel('Applies to').selectOption('all')
      await page.getByRole('button', { name: 'Tuesday' }).scrollIntoViewIfNeeded()
    },
  },
  'calendar-new': {
    ...CALENDAR,
    path: `${MONTH}&event=new&from=2026-03-18T09:00&to=2026-03-18T10:00`,
    act: (page) => page.getByRole('dialog').getByRole('textbox', { name: 'Title' }).waitFor(),
  },
  'calendar-scope': {
    ...CALENDAR,
    path: '/calendars/1?view=list&date=2026-03-16',
    async act(page) {
      await openEvent(page, 'Guided tour')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('heading', { name: 'Which events do you want to delete?' }).waitFor()
    },
  },
  'calendar-subscribe': {
    ...CALENDAR,
    path: MONTH,
    async act(page) {
      await page.getByRole('button', { name: 'Subscribe' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'calendar-settings': {
    ...CALENDAR,
    path: MONTH,
    act: openSettings,
  },
  'calendar-public': {
    ...CALENDAR,
    path: MONTH,
    async act(page) {
      await openSettings(page)
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('checkbox', { name: 'Public' }).check()
      await dialog.getByLabel('Public columns').selectOption('Selected columns')
      await dialog.getByRole('checkbox', { name: 'Location' }).check()
      await dialog.getByText('Anyone can read').scrollIntoViewIfNeeded()
    },
  },
}
