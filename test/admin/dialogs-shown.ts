// Dialogs that no other list of pages opens, as states for screenshots and accessibility checks.

import type { Page } from 'playwright-core'
import { make } from '../helpers/content.ts'
import type { TestServer } from '../helpers/server.ts'
import type { Shown } from './area.ts'

const LINES = ['nowhere.html', 'old/prices.html', 'contact.html#map', '/pictures/of-the-town.jpg']

/** A small public site with a menu, a staged version, and a page with addresses that lead nowhere. */
export async function addDialogSite(server: TestServer): Promise<void> {
  const folder = { name: 'Town', parent_category_id: 1, public: true }
  const { asset_category_id: id } = await make(server, 'asset_category', folder)
  const inTown = { type: 'html', parent_category_id: id }
  const page = (name: string, pageContent: string, more: object = {}) =>
    make(server, 'asset_file', { ...inTown, name, pageContent, ...more })
  const live = { fileState: 'publish' }
  const market = await page('market.html', '<h1>Market</h1>', live)
  const menu = await make(server, 'file_group', {
    name: 'Town menu',
    parent_category_id: id,
    asset_file_ids: [market.asset_file_id],
  })
  const text = `<nav>[menu group=${menu.file_group_id}]</nav>`
  const layout = await page('town-layout.html', `${text}[page_content]`, live)
  const layoutPath = `/api/v2/asset_file/${layout.asset_file_id}`
  await server.call('PATCH', `/api/v2/asset_category/${id}`, {
    json: { layout_file_id: layout.asset_file_id },
  })
  for (const name of ['town-hall.html', 'swimming-pool.html', 'library.html'])
    await page(name, `<h1>${name}</h1>`, live)
  await server.call('PATCH', layoutPath, { json: { pageContent: `<main>${text}[page_content]` } })
  const marketPath = `/api/v2/asset_file/${market.asset_file_id}`
  await server.call('PATCH', marketPath, { json: { pageContent: '<h1>Weekly market</h1>' } })
  await server.call('POST', `${marketPath}/stage`)
  await page('visit.html', LINES.map((line) => `<a href="${line}">${line}</a>`).join('\n'))
}

const button = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()

const inDialog = (page: Page) => page.getByRole('dialog')

/** Opens a dialog by a menu. */
async function choose(page: Page, menu: string, item: string): Promise<void> {
  await button(page, menu)
  await page.getByRole('menuitem', { name: item, exact: true }).click()
  await inDialog(page).waitFor()
}

function ofFile(name: string, act: (page: Page) => Promise<unknown>): Shown {
  const path = `/content?everywhere=1&q=${encodeURIComponent(name)}`
  return { path, isSignedIn: true, heading: 'Main', act }
}

const MAIN = { path: '/content/1', isSignedIn: true, heading: 'Main' } as const

const ofFolder = (name: string, item: string, wait: string): Shown => ({
  ...MAIN,
  async act(page) {
    await choose(page, `Actions for ${name}`, item)
    await inDialog(page).getByText(wait).first().waitFor()
  },
})

const CALENDAR = {
  path: '/calendars/1?view=list&date=2026-03-16',
  isSignedIn: true,
  heading: 'Programme',
} as const

const ICS = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//EN
BEGIN:VEVENT
UID:1@example.org
SUMMARY:Concert in the park
DTSTART:20260321T190000Z
DTEND:20260321T210000Z
X-COLOUR:red
END:VEVENT
BEGIN:VEVENT
UID:2@example.org
SUMMARY:Walk
DTSTART:tomorrow
END:VEVENT
END:VCALENDAR
`

const CONTENT_DIALOGS: Readonly<Record<string, Shown>> = {
  'dialog-new-folder': {
    ...MAIN,
    path: '/content/1?new=folder',
    act: (page) => inDialog(page).waitFor(),
  },
  'dialog-new-file': {
    ...MAIN,
    path: '/content/1?new=file',
    act: (page) => inDialog(page).waitFor(),
  },
  'dialog-rename-folder': ofFolder('Newsletter', 'Rename', 'Title'),
  'dialog-copy-folder': ofFolder('Newsletter', 'Copy', 'Copy here'),
  'dialog-folders-loading': {
    ...MAIN,
    async act(page) {
      // The top level of the folders is never answered.
      await page.route(/asset_category\?.*parent_category_id%22%3Anull/, () => undefined)
      await choose(page, 'Actions for Newsletter', 'Copy')
      await inDialog(page).getByText('Loading', { exact: true }).waitFor()
    },
  },
  'dialog-publish-folder': ofFolder('Town', 'Publish all', '3 files'),
  'dialog-folder-changes': ofFolder('Town', 'Changes since…', 'Since'),
  'dialog-folder-site': ofFolder('Town', 'Website settings', 'Redirects'),
  'dialog-folder-delete': ofFolder('Town', 'Delete', 'is not empty'),
  'dialog-keep-versions': {
    ...MAIN,
    async act(page) {
      await choose(page, 'Actions for Town', 'Version retention')
      await inDialog(page).getByLabel('Versions of files').selectOption('Remove old versions')
    },
  },
  'dialog-rename-file': ofFile('about.html', (page) =>
    choose(page, 'Actions for about.html', 'Rename'),
  ),
  'dialog-file-details': ofFile('about.html', async (page) => {
    await choose(page, 'Actions for about.html', 'Details')
    await inDialog(page).getByText('SHA-256').first().waitFor()
  }),
  'dialog-schedule': ofFile('about.html', (page) =>
    choose(page, 'Actions for about.html', 'Schedule'),
  ),
  'dialog-delete-file': ofFile('market.html', (page) =>
    choose(page, 'Actions for market.html', 'Delete'),
  ),
  'dialog-dead-links': ofFile('visit.html', (page) =>
    choose(page, 'Actions for visit.html', 'Publish'),
  ),
  'dialog-changed-pages': ofFile('town-layout.html', (page) =>
    choose(page, 'Actions for town-layout.html', 'Publish'),
  ),
  'dialog-save-view': ofFile('visit.html', (page) => choose(page, 'Views', 'Save this view')),
  'dialog-note': ofFile('contact.html', async (page) => {
    await openEditor(page, 'contact.html')
    await choose(page, 'More save options', 'Save with a note')
  }),
}

async function openEditor(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: `Text of ${name}` }).waitFor()
}

const OTHER_DIALOGS: Readonly<Record<string, Shown>> = {
  'dialog-menu-question': {
    path: '/menus',
    isSignedIn: true,
    heading: 'Menus',
    async act(page) {
      await page.getByRole('link', { name: 'Town menu' }).click()
      await button(page, 'Actions for this menu')
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await inDialog(page).getByText('published pages').waitFor()
    },
  },
  'dialog-new-menu': {
    path: '/menus',
    isSignedIn: true,
    heading: 'Menus',
    act: (page) => button(page, 'New menu'),
  },
  'dialog-import-ics': {
    ...CALENDAR,
    async act(page) {
      await choose(page, 'Actions for this calendar', 'Import')
      const file = { name: 'a.ics', mimeType: 'text/calendar', buffer: Buffer.from(ICS) }
      await inDialog(page).locator('input[type=file]').setInputFiles(file)
      await inDialog(page).getByText('New events: 1').waitFor()
    },
  },
  'dialog-delete-calendar': {
    ...CALENDAR,
    act: (page) => choose(page, 'Actions for this calendar', 'Delete calendar'),
  },
}

export const DIALOGS_SHOWN: Readonly<Record<string, Shown>> = {
  ...CONTENT_DIALOGS,
  ...OTHER_DIALOGS,
}
