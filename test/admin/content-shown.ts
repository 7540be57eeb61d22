// The content pages as states for screenshots and accessibility checks, with the data of demo-content.ts.

import type { Page } from 'playwright-core'
import type { Shown } from './area.ts'
import { film } from './film.ts'

/** On a narrow screen, the tree is in a drawer. */
async function openFinder(page: Page): Promise<void> {
  const drawer = page.getByRole('button', { name: 'Folders', exact: true })
  if (await drawer.isVisible()) await drawer.click()
}

async function openPublicAccess(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Actions for this folder' }).click()
  await page.getByRole('menuitem', { name: 'Public access' }).click()
}

async function openWebsite(page: Page): Promise<void> {
  await openFinder(page)
  await page.getByRole('treeitem', { name: 'Website' }).click()
  await page.getByRole('heading', { level: 1, name: 'Website', exact: true }).waitFor()
  await page.getByRole('link', { name: 'index.html', exact: true }).waitFor()
}

async function openHome(page: Page): Promise<void> {
  await openWebsite(page)
  await page.getByRole('link', { name: 'index.html', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'index.html' }).waitFor()
  await page.getByRole('heading', { name: 'Version 4' }).waitFor()
  await page.frameLocator('.preview-frame').getByText('half price').waitFor()
}

export const CONTENT_SHOWN: Readonly<Record<string, Shown>> = {
  content: { path: '/content', isSignedIn: true, heading: 'Main', act: openWebsite },
  'content-empty': {
    path: '/content/12',
    isSignedIn: true,
    heading: 'Modules',
    act: (page) => page.getByText('No files here yet').waitFor(),
  },
  'content-selected': {
    path: '/content',
    isSignedIn: true,
    heading: 'Main',
    async act(page) {
      await openWebsite(page)
      await page.getByRole('checkbox', { name: 'Select index.html' }).click()
      await page.getByRole('checkbox', { name: 'Select site.css' }).click({ modifiers: ['Shift'] })
    },
  },
  'content-tiles': {
    path: '/content?everywhere=1&q=room',
    isSignedIn: true,
    heading: 'Main',
    async act(page) {
      await page.getByRole('button', { name: 'Tiles' }).click()
      await page.locator('.thumbnail img').first().waitFor()
    },
  },
  'content-film': {
    path: '/content',
    isSignedIn: true,
    heading: 'Main',
    async act(page) {
      await openWebsite(page)
      const buffer = Buffer.from(await film(page), 'base64')
      // The name sorts first, because the list renders only the rows near the visible part.
      const name = `001-tour-${Date.now()}.webm`
      await page.setInputFiles('input[type=file] >> nth=0', {
        name,
        mimeType: 'video/webm',
        buffer,
      })
      await page.getByText('1 file uploaded').waitFor()
      await page.getByRole('button', { name: 'Tiles' }).click()
      await page.locator('.tile video').first().scrollIntoViewIfNeeded()
      await page.waitForLoadState('networkidle')
    },
  },
  'content-move': {
    path: '/content',
    isSignedIn: true,
    heading: 'Main',
    async act(page) {
      await openWebsite(page)
      await page.getByRole('button', { name: 'Actions for about.html' }).click()
      await page.getByRole('menuitem', { name: 'Move' }).click()
      await page.getByRole('dialog').getByRole('treeitem', { name: 'Images' }).click()
    },
  },
  'content-upload': {
    path: '/content',
    isSignedIn: true,
    heading: 'Main',
    async act(page) {
      await openWebsite(page)
      await page.setInputFiles('input[type=file] >> nth=0', [
        { name: 'index.html', mimeType: 'text/html', buffer: Buffer.from('<p>new</p>') },
        { name: 'site.css', mimeType: 'text/css', buffer: Buffer.from('p {}') },
      ])
      await page.getByText('2 names are taken.').waitFor()
    },
  },
  'content-public': {
    path: '/content',
    isSignedIn: true,
    heading: 'Main',
    async act(page) {
      await openWebsite(page)
      await openPublicAccess(page)
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Public access').selectOption('Public')
      await dialog.getByText('Anyone can read').waitFor()
    },
  },
  'content-public-above': {
    path: '/content',
    isSignedIn: true,
    heading: 'Main',
    async act(page) {
      await openFinder(page)
      await page.getByRole('searchbox', { name: 'Find a folder' }).fill('2025')
      await page.getByRole('button', { name: /^2025/ }).click()
      await page.getByRole('heading', { level: 1, name: '2025' }).waitFor()
      await openPublicAccess(page)
      await page.getByRole('dialog').getByText('has been public since').waitFor()
    },
  },
  'file-image': {
    path: '/content?everywhere=1&q=room-3',
    isSignedIn: true,
    heading: 'Main',
    async act(page) {
      await page.getByRole('link', { name: 'room-3.svg', exact: true }).click()
      await page.locator('.version-image img').waitFor()
    },
  },
  file: { path: '/content', isSignedIn: true, heading: 'Main', act: openHome },
  'file-links': {
    path: '/content',
    isSignedIn: true,
    heading: 'Main',
    async act(page) {
      await openHome(page)
      await page.getByRole('tab', { name: 'Links' }).click()
      for (const note of ['for the print shop', 'for the board of the museum']) {
        await page.getByRole('button', { name: 'New link' }).click()
        await page.getByRole('dialog').getByLabel('Note').fill(note)
        await page.getByRole('button', { name: 'Create link' }).click()
        await page.getByRole('listitem').filter({ hasText: note }).first().waitFor()
      }
    },
  },
  'file-comments': {
    path: '/content',
    isSignedIn: true,
    heading: 'Main',
    async act(page) {
      await openHome(page)
      await page.getByRole('tab', { name: 'Comments' }).click()
      const field = page.getByRole('textbox', { name: 'New comment' })
      await field.waitFor()
      // An earlier picture has written them.
      if ((await page.getByText('half price still').count()) > 0) return
      for (const text of ['Is half price still right, @mia?', 'Yes, until the end of the month.']) {
        await field.fill(text)
        await page.getByRole('button', { name: 'Comment', exact: true }).click()
        await page.getByRole('listitem').filter({ hasText: text }).first().waitFor()
      }
    },
  },
  'file-diff': {
    path: '/content',
    isSignedIn: true,
    heading: 'Main',
    async act(page) {
      await openHome(page)
      await page.getByRole('button', { name: 'Actions for version 2' }).click()
      await page.getByRole('menuitem', { name: 'Compare with version 4' }).click()
      await page.getByText('2 lines added').waitFor()
    },
  },
  'file-details': {
    path: '/content',
    isSignedIn: true,
    heading: 'Main',
    async act(page) {
      await openHome(page)
      await page.getByRole('tab', { name: 'Details' }).click()
      await page.getByRole('textbox', { name: 'Title' }).waitFor()
    },
  },
}
