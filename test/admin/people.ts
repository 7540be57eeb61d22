// A realistic set of users, folders and keys, and the pages that show them.

import type { Page } from 'playwright-core'
import type { TestServer } from '../helpers/server.ts'
import type { Shown } from './area.ts'

/** A name with markup that would run as a script, and with one very long word. */
export const HOSTILE = `<img src=x onerror=alert(1)>${'W'.repeat(180)}`

/** Reverses the direction of the text after it. */
export const TURNING = '\u202Egnp.exe'

export async function havePeople({ call }: TestServer): Promise<void> {
  const make = async (object: string, json: object): Promise<number> => {
    const { status, body } = await call('POST', `/api/v2/${object}`, { json })
    if (status !== 201) throw new Error(`${object}: ${JSON.stringify(body)}`)
    return body[`${object}_id`]
  }
  const news = await make('asset_category', { name: 'News', parent_category_id: 1 })
  const shop = await make('asset_category', { name: 'Shop', parent_category_id: 1 })
  await make('role', {
    name: 'Translator',
    description: 'Translates pages, without publishing them.',
    grants: ['view', 'modify'],
  })
  const ada = await make('user', {
    name: 'Ada Lovelace',
    role: 'editor',
    email: 'ada@example.org',
    category_roles: [{ asset_category_id: shop, role: 'viewer' }],
  })
  await make('user', { name: 'Grace Hopper', role: 'stager', email: 'grace@example.org' })
  await make('user', { name: 'Alan Turing', role: 'viewer', status: 'disabled' })
  await make('user', { name: 'website', role: null })
  const day = 86_400_000
  const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString()
  await make('api_key', { name: 'Website', grants: ['view'], date_expires: inDays(210) })
  await make('api_key', { name: 'Nightly build', user_id: ada, date_expires: inDays(24) })
  await make('api_key', {
    name: 'Newsroom import',
    user_id: ada,
    asset_category_id: news,
    grants: ['view', 'create'],
  })
  await make('api_key', { name: 'Old laptop', user_id: ada, status: 'inactive' })
}

const openDialog = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('dialog').waitFor()
}

const openActions = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menu').waitFor()
}

const openByMenu = (name: string) => async (page: Page) => {
  await openActions(page)
  await page.getByRole('menuitem', { name, exact: true }).click()
  await page.getByRole('dialog').waitFor()
}

const openRow =
  (name: string, act: NonNullable<Shown['act']>): NonNullable<Shown['act']> =>
  async (page) => {
    await page.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await act(page)
  }

const KEYS = { path: '/keys', isSignedIn: true, heading: 'API keys' } as const
const USERS = { path: '/users', isSignedIn: true, heading: 'Users' } as const

export const SHOWN_PEOPLE: Readonly<Record<string, Shown>> = {
  keys: { ...KEYS, act: (page) => page.getByRole('link', { name: 'Website' }).waitFor() },
  'keys-selected': {
    ...KEYS,
    async act(page) {
      await page.getByRole('checkbox', { name: 'Select Website' }).check()
      await page.getByRole('checkbox', { name: 'Select Old laptop' }).check()
      await page.getByText('2 selected').waitFor()
    },
  },
  'keys-none': {
    ...KEYS,
    async act(page) {
      await page.getByLabel('Search').fill('nothing like that')
      await page.getByText('No keys found').waitFor()
    },
  },
  'key-new': { ...KEYS, act: openDialog('New key') },
  'key-new-grants': {
    ...KEYS,
    async act(page) {
      await openDialog('New key')(page)
      await page.getByLabel('Permissions').selectOption('stager')
      await page.getByLabel('Folder optional').click()
      await page.getByRole('listbox').getByRole('option').nth(1).waitFor()
    },
  },
  key: {
    ...KEYS,
    act: openRow('Newsroom import', (page) => page.waitForLoadState('networkidle')),
  },
  'key-rotate': { ...KEYS, act: openRow('Website', openDialog('Rotate secret')) },
  'key-revoke': {
    ...KEYS,
    act: openRow('Website', async (page) => {
      await openByMenu('Revoke')(page)
      await page.getByText('No other key was created with this key.').waitFor()
    }),
  },
  tokens: {
    path: '/profile/tokens',
    isSignedIn: true,
    heading: 'My API keys',
    act: (page) => page.getByRole('link', { name: 'Website' }).waitFor(),
  },
  profile: {
    path: '/profile',
    isSignedIn: true,
    heading: 'Profile',
    act: (page) => page.getByText('this session').waitFor(),
  },
  users: { ...USERS, act: (page) => page.getByRole('link', { name: 'Ada Lovelace' }).waitFor() },
  roles: {
    path: '/users/roles',
    isSignedIn: true,
    heading: 'Roles',
    act: (page) => page.getByText('Translator').waitFor(),
  },
  'role-new': {
    path: '/users/roles',
    isSignedIn: true,
    heading: 'Roles',
    act: openDialog('New role'),
  },
  'user-new': { ...USERS, act: openDialog('New user') },
  user: {
    ...USERS,
    act: openRow('Ada Lovelace', async (page) => {
      await page.getByLabel('In folder').click()
      await page.getByRole('option', { name: '/Main/Shop' }).click()
      await page.getByText('From the role in /Main/Shop').waitFor()
    }),
  },
  'user-link': { ...USERS, act: openRow('Ada Lovelace', openDialog('Create invitation link')) },
  'user-actions': { ...USERS, act: openRow('Ada Lovelace', openActions) },
  'user-password': { ...USERS, act: openRow('Ada Lovelace', openByMenu('Set password')) },
  'user-delete': { ...USERS, act: openRow('Ada Lovelace', openByMenu('Delete')) },
}
