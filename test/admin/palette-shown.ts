// The palette and the list of keyboard shortcuts, as states for screenshots and accessibility checks.

import type { Shown } from './area.ts'

const KEYS = { path: '/keys', isSignedIn: true, heading: 'API keys' } as const

export const PALETTE_SHOWN: Readonly<Record<string, Shown>> = {
  palette: {
    ...KEYS,
    async act(page) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search pages and actions' }).waitFor()
    },
  },
  'palette-found': {
    ...KEYS,
    async act(page) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search pages and actions' }).fill('a')
      await page.getByRole('group', { name: 'Files' }).waitFor()
      await page.getByRole('group', { name: 'Users' }).waitFor()
      await page.getByRole('group', { name: 'API keys' }).waitFor()
    },
  },
  'palette-nothing': {
    ...KEYS,
    async act(page) {
      await page.keyboard.press('Control+k')
      await page
        .getByRole('combobox', { name: 'Search pages and actions' })
        .fill('nothing like that at all')
      await page.getByText('Nothing found.').waitFor()
    },
  },
  shortcuts: {
    ...KEYS,
    async act(page) {
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    },
  },
}
