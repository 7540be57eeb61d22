// The datatable pages as states for screenshots and accessibility checks, with the data of demo-data.ts.

import type { Page } from 'playwright-core'
import type { Shown } from './area.ts'

const DATA = { path: '/data', isSignedIn: true, heading: 'Data' } as const
const NEW = { path: '/data?new=datatable', isSignedIn: true, heading: 'New datatable' } as const

/** Opens a page of the datatable "Products", whose identifier is not known in advance. */
async function openPart(page: Page, part: string): Promise<void> {
  const href = await page.getByRole('link', { name: 'Products' }).getAttribute('href')
  await page.goto(new URL(`${href}/${part}`, page.url()).href)
  await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor()
}

async function openSchema(page: Page): Promise<void> {
  await openPart(page, 'schema')
  await page.getByRole('group', { name: 'price' }).waitFor()
}

async function change(page: Page): Promise<void> {
  await openSchema(page)
  const price = page.getByRole('group', { name: 'price', exact: true })
  await price.getByLabel('Name', { exact: true }).fill('cost')
  await page.getByRole('button', { name: 'Delete description' }).click()
  await page.getByRole('button', { name: 'More options for in_stock' }).click()
  await page.getByText('Not negative').waitFor()
}

const review = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Review changes' }).click()

async function choose(page: Page, action: string): Promise<void> {
  await openSchema(page)
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('menuitem', { name: action }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor()
}

export const DATA_SHOWN: Readonly<Record<string, Shown>> = {
  data: { ...DATA, act: (page) => page.getByRole('link', { name: 'Products' }).waitFor() },
  'data-none': {
    ...DATA,
    async act(page) {
      await page.getByLabel('Search by name').fill('no such thing')
      await page.getByText('Nothing found').waitFor()
    },
  },
  'data-new-calendar': {
    ...DATA,
    async act(page) {
      await page.getByRole('button', { name: 'New calendar' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'data-new': {
    ...NEW,
    act: (page) => page.getByRole('button', { name: 'People' }).click(),
  },
  'data-new-csv': {
    ...NEW,
    async act(page) {
      const text = 'City,Inhabitants,Area,Founded\nTromsø,77000,2480.37,1794-06-20\nOslo,709000,,\n'
      const file = { name: 'cities.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
      await page.getByLabel('CSV file').setInputFiles(file)
      await page.getByText('First rows of cities.csv').first().waitFor()
    },
  },
  'data-schema': { ...DATA, act: openSchema },
  'data-schema-changed': { ...DATA, act: change },
  'data-schema-fault': {
    ...DATA,
    async act(page) {
      await openSchema(page)
      await page.getByLabel('Schema as text').fill('name C(200) NOT NULL,\nprice N(10.20),\nsku')
      await page.getByText('Line 3:').waitFor()
    },
  },
  'data-plan': {
    ...DATA,
    async act(page) {
      await change(page)
      await review(page)
      await page.getByText('4 entries lose their value.').waitFor()
    },
  },
  'data-plan-blocked': {
    ...DATA,
    async act(page) {
      await openSchema(page)
      const description = page.getByRole('group', { name: 'description' })
      await description.getByLabel('Required').check()
      await review(page)
      await page.getByText('This change is not possible').waitFor()
    },
  },
  'data-settings': { ...DATA, act: (page) => choose(page, 'Settings') },
  'data-public': {
    ...DATA,
    async act(page) {
      await choose(page, 'Settings')
      await page.getByRole('dialog').getByText('Anyone can read').scrollIntoViewIfNeeded()
    },
  },
  'data-delete': { ...DATA, act: (page) => choose(page, 'Delete') },
  'data-api': {
    ...DATA,
    async act(page) {
      await openPart(page, 'api')
      await page.getByRole('heading', { name: 'Examples' }).waitFor()
    },
  },
}
