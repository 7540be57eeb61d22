// Permissions, as states for screenshots and accessibility checks.

import type { Page } from 'playwright-core'
import type { Shown } from './area.ts'

export const ACCESS_SHOWN: Readonly<Record<string, Shown>> = {
  'key-why': {
    path: '/keys',
    isSignedIn: true,
    heading: 'API keys',
    async act(page) {
      await page.getByRole('link', { name: 'Newsroom import' }).click()
      await page.getByLabel('Record', { exact: true }).fill('hello')
      await page.getByRole('option', { name: /hello\.html/ }).click()
      await page.locator('.why-reasons').scrollIntoViewIfNeeded()
    },
  },
  'keys-why': {
    path: '/keys?why=',
    isSignedIn: true,
    heading: 'API keys',
    async act(page) {
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Key').fill('Newsroom')
      await dialog.getByRole('option', { name: 'Newsroom import' }).click()
      await dialog.getByLabel('Record', { exact: true }).fill('hello')
      await dialog.getByRole('option', { name: /hello\.html/ }).click()
      await dialog.locator('.why-reasons').waitFor()
    },
  },
  'folder-access': {
    path: '/content/1',
    isSignedIn: true,
    heading: 'Main',
    act: openAccess,
  },
}

async function openAccess(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Actions for this folder' }).click()
  await page.getByRole('menuitem', { name: 'Access', exact: true }).click()
  await page.getByRole('dialog').getByText('from the user’s role').first().waitFor()
}
