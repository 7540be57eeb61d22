// The entry pages as states for screenshots and accessibility checks, with the data of demo-entries.ts.

import type { Page } from 'playwright-core'
import type { Shown } from './area.ts'
import { EVENTS } from './demo-entries.ts'

const PATH = `/data/${EVENTS}`

/** Waits until the grid is visible and no request is pending. */
async function atRest(page: Page): Promise<void> {
  await page.locator('[role=grid][aria-busy=false]').waitFor()
}

function events(act: (page: Page) => Promise<unknown>, query = ''): Shown {
  return {
    path: `${PATH}${query}`,
    isSignedIn: true,
    heading: 'Events',
    async act(page) {
      await atRest(page)
      await act(page)
    },
  }
}

const cell = (page: Page, row: number, column: number) =>
  page.locator(`[aria-rowindex="${row + 1}"] > [aria-colindex="${column}"]`)

const QRY = encodeURIComponent('{"kind":"concert","price":{"$gte":10,"$lte":50}}')

export const ENTRIES_SHOWN: Readonly<Record<string, Shown>> = {
  entries: events(async () => undefined),
  'entries-selected': events(async (page) => {
    await page.getByRole('checkbox', { name: 'Select On rivers 2', exact: true }).click()
    await page
      .getByRole('checkbox', { name: 'Select A walk in Oslo 5', exact: true })
      .click({ modifiers: ['Shift'] })
  }),
  'entries-filtered': events(
    (page) => page.getByText('11 entries found').waitFor(),
    `?qry=${QRY}&sort=-price`,
  ),
  'entries-nothing': {
    path: `${PATH}?text=nowhere`,
    isSignedIn: true,
    heading: 'Events',
    act: (page) => page.getByText('No entries found').waitFor(),
  },
  'entries-cell': events(async (page) => {
    await cell(page, 2, 2).dblclick()
    await page.keyboard.type('x'.repeat(140))
    await page.keyboard.press('Enter')
    await page.getByText('Enter at most 120 characters.').first().waitFor()
  }),
  'entries-columns': events(async (page) => {
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('dialog').waitFor()
  }),
  'entries-change': events(async (page) => {
    await page.getByRole('checkbox', { name: 'Select On rivers 2', exact: true }).click()
    await page.getByRole('button', { name: 'Change a column' }).click()
    await page.getByRole('dialog').waitFor()
  }),
  'entries-import': events(async (page) => {
    const buffer = Buffer.from('Title,kind,price,unknown\nNew one,talk,9.50,x\nAnother,film,,y\n')
    await page.setInputFiles('input[type=file]', { name: 'a.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).waitFor()
  }),
  'entries-imported': events(async (page) => {
    const buffer = Buffer.from('title,kind,price\nNew one,lecture,9.50\nAnother,film,9.555\n')
    await page.setInputFiles('input[type=file]', { name: 'a.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('2 rows rejected').waitFor()
  }),
  entry: {
    path: `${PATH}/3?sort=-price&at=20`,
    isSignedIn: true,
    heading: 'The long night 3',
    act: (page) => page.getByRole('button', { name: 'Save' }).waitFor(),
  },
  'entry-faults': {
    path: `${PATH}/new`,
    isSignedIn: true,
    heading: 'New entry in Events',
    async act(page) {
      await page.getByLabel('price').fill('many')
      await page.getByRole('button', { name: 'Create entry' }).click()
      await page.locator('[aria-invalid=true]').first().waitFor()
    },
  },
  'entry-hostile': {
    path: `${PATH}/61`,
    isSignedIn: true,
    heading: /^<img/,
    act: (page) => page.getByRole('button', { name: 'Save' }).waitFor(),
  },
  'entry-history': {
    path: `${PATH}/62`,
    isSignedIn: true,
    heading: /^W+$/,
    async act(page) {
      await page
        .getByRole('region', { name: 'History' })
        .getByText('Created')
        .scrollIntoViewIfNeeded()
    },
  },
}
