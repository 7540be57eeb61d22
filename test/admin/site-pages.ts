// The site pages as states for screenshots and accessibility checks.

import type { Page } from 'playwright-core'
import type { Shown } from './area.ts'

const DASHBOARD = { path: '/dashboard', isSignedIn: true, heading: 'Server status' }
const AUDIT = { isSignedIn: true, heading: 'Audit trail' }

export const SITE_PAGES: Readonly<Record<string, Shown>> = {
  menus: { path: '/menus', isSignedIn: true, heading: 'Menus' },
  menu: {
    path: '/menus/1',
    isSignedIn: true,
    heading: 'Main menu',
    act: (page) => page.getByRole('button', { name: 'Move about.html up' }).waitFor(),
  },
  dashboard: {
    ...DASHBOARD,
    act: (page) => page.getByText('Over the last ten seconds').waitFor(),
    pose: seeQuarterOfHour,
  },
  'dashboard-contents': {
    ...DASHBOARD,
    async act(page) {
      await page.getByText('Over the last ten seconds').waitFor()
      await page.getByText('Show as table').click()
      await page.getByRole('heading', { name: 'Disk' }).scrollIntoViewIfNeeded()
    },
  },
  audit: {
    ...AUDIT,
    path: '/audit',
    async act(page) {
      await page.getByRole('button', { name: 'Details' }).nth(1).click()
    },
  },
  'audit-none': {
    ...AUDIT,
    path: `/audit?qry=${encodeURIComponent('{"user_name":"nobody"}')}`,
    act: (page) => page.getByText('No changes found').waitFor(),
  },
  backup: { path: '/backup', isSignedIn: true, heading: 'Backup' },
  'documents-system': {
    path: '/documents/system',
    isSignedIn: true,
    heading: 'System API',
    act: (page) => page.frameLocator('iframe').getByText('/asset_category').first().waitFor(),
  },
  'documents-module': {
    path: '/documents/module',
    isSignedIn: true,
    heading: 'Module API',
    act: (page) => page.frameLocator('iframe').locator('.info').waitFor(),
  },
}

const LOOKS = 65

/** The clock of the page advances by this step; a longer step would count as a gap. */
const STEP_MS = 13_000

/** A page that has been open for a long time on a busy site. */
async function seeQuarterOfHour(page: Page): Promise<void> {
  await page.clock.install()
  for (let look = 0; look < LOOKS; look += 1) {
    const count = 4 + Math.round(30 * (1 + Math.sin(look / 6)))
    await page.evaluate(
      `Promise.all(Array.from({ length: ${count} }, (_, at) => fetch('../' + (at % 9 === 0 ? 'nothing' : 'problems'))))`,
    )
    const answered = page.waitForResponse((response) => response.url().endsWith('/metrics'))
    await page.clock.fastForward(STEP_MS)
    await answered
  }
}
