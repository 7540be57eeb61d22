// Actions of users in the administration area, each with the request that does the same. A page offers an
// action exactly if the server permits the request.

import type { Locator, Page } from 'playwright-core'
import type { Answer, TestServer } from '../helpers/server.ts'

export interface Things {
  readonly file: number
  readonly fileName: string
  readonly folder: number
  /** A user who performs none of the actions. */
  readonly someone: number
  readonly calendar: { readonly id: number; readonly url: string; readonly event: number }
}

interface Sender {
  readonly key: string
  readonly things: Things
}

export interface Deed {
  readonly name: string
  readonly people: readonly string[]
  readonly path: (things: Things) => string
  readonly isOffered: (page: Page) => Promise<boolean>
  readonly send: (server: TestServer, sender: Sender) => Promise<Answer>
}

const CHANGERS = ['stager', 'editor', 'admin']
const EDITORS = ['editor', 'admin']
const ADMINS = ['admin']
const ALL = ['viewer', ...CHANGERS]

const file = ({ file: id }: Things): string => `/content/file/${id}`
const folder = ({ folder: id }: Things): string => `/content/${id}`
const calendar = ({ calendar: { id } }: Things): string =>
  `/calendars/${id}?view=list&date=2026-03-18`

const button = (name: string) => (page: Page) =>
  isThere(page.getByRole('button', { name, exact: true }))

/** An item of a menu, which is opened first if it exists and is closed. */
const item = (menu: string, name: string) => async (page: Page) => {
  const opener = page.getByRole('button', { name: menu, exact: true })
  if (!(await isThere(opener))) return false
  if ((await opener.getAttribute('aria-expanded')) !== 'true') await opener.click()
  return isThere(page.getByRole('menuitem', { name, exact: true }))
}

/** The dialog of a menu item shows its state to more people than may save it. */
const saveIn = (menu: string, name: string) => async (page: Page) => {
  const dialog = page.getByRole('dialog')
  if (!(await isThere(dialog))) {
    if (!(await item(menu, name)(page))) return false
    await page.getByRole('menuitem', { name, exact: true }).click()
    await dialog.waitFor()
  }
  return isThere(dialog.getByRole('button', { name: 'Save' }))
}

async function isThere(locator: Locator): Promise<boolean> {
  return (await locator.count()) > 0
}

interface Told {
  readonly method: string
  readonly json?: object
}

const change = (json: object): Told => ({ method: 'PATCH', json })
const REMOVE: Told = { method: 'DELETE' }
const READ: Told = { method: 'GET' }
const post = (json: object): Told => ({ method: 'POST', json })

/** A request to this address of the interface. */
const to = (path: (things: Things) => string, { method, json }: Told): Deed['send'] => {
  return (server, { key, things }) =>
    server.call(method, path(things), { key, ...(json !== undefined && { json }) })
}

const fileRecord = ({ file: id }: Things): string => `/api/v2/asset_file/${id}`
const folderRecord = ({ folder: id }: Things): string => `/api/v2/asset_category/${id}`
const calendarRecord = ({ calendar: { id } }: Things): string => `/api/v2/calendar/${id}`
const eventRecord = ({ calendar: { url, event } }: Things): string => `${url}/${event}`

const HERE = { parent_category_id: 1 }

/** A new name for each call. */
const named = (): string => `deed-${Math.random()}`

export const DEEDS: readonly Deed[] = [
  {
    name: 'upload a file',
    people: CHANGERS,
    path: folder,
    isOffered: button('Upload'),
    send: (server, { key }) =>
      server.call('POST', '/api/v2/asset_file', {
        key,
        json: { name: `${named()}.html`, type: 'html', pageContent: '', ...HERE },
      }),
  },
  {
    name: 'make a folder',
    people: CHANGERS,
    path: folder,
    isOffered: item('New', 'New folder'),
    send: (server, { key }) =>
      server.call('POST', '/api/v2/asset_category', { key, json: { name: named(), ...HERE } }),
  },
  {
    name: 'rename a folder',
    people: CHANGERS,
    path: folder,
    isOffered: item('Actions for this folder', 'Rename'),
    send: to(folderRecord, change({ title: 'Other' })),
  },
  {
    name: 'make a folder public',
    people: EDITORS,
    path: (things) => `${folder(things)}?q=`,
    isOffered: saveIn('Actions for this folder', 'Public access'),
    send: to(folderRecord, change({ public: true })),
  },
  {
    name: 'delete a folder',
    people: EDITORS,
    path: folder,
    isOffered: item('Actions for this folder', 'Delete'),
    send: to(folderRecord, REMOVE),
  },
  {
    name: 'rename a file',
    people: CHANGERS,
    path: file,
    isOffered: item('Actions for this file', 'Rename'),
    send: to(fileRecord, change({ title: 'Other' })),
  },
  {
    name: 'put a file on stage',
    people: CHANGERS,
    path: file,
    isOffered: item('Actions for this file', 'Stage'),
    send: to((things) => `${fileRecord(things)}/stage`, post({})),
  },
  {
    name: 'publish a file',
    people: EDITORS,
    path: file,
    isOffered: button('Publish'),
    send: to((things) => `${fileRecord(things)}/publish`, post({})),
  },
  {
    name: 'take a file offline',
    people: EDITORS,
    path: file,
    isOffered: item('Actions for this file', 'Unpublish'),
    send: to((things) => `${fileRecord(things)}/unpublish`, post({})),
  },
  {
    name: 'delete a file',
    people: EDITORS,
    path: file,
    isOffered: item('Actions for this file', 'Delete'),
    send: to(fileRecord, REMOVE),
  },
  {
    name: 'see the live version of a file',
    people: ALL,
    path: file,
    isOffered: (page) => isThere(page.getByText('Download', { exact: true })),
    send: to(({ file: id, fileName }) => `/file/${id}/${fileName}`, READ),
  },
  {
    name: 'see the draft of a file',
    people: CHANGERS,
    path: (things) => `${file(things)}?version=2`,
    isOffered: async (page) =>
      !(await isThere(page.getByText('You can only see the live version'))),
    send: to((things) => `${fileRecord(things)}/versions/2/content`, READ),
  },
  {
    name: 'make a link to a draft',
    people: CHANGERS,
    path: (things) => `${file(things)}?version=1`,
    isOffered: async (page) => {
      await page.getByRole('tab', { name: 'Links' }).click()
      await page.getByRole('button', { name: 'New link' }).click()
      return isThere(page.getByRole('option', { name: 'Version 2' }))
    },
    send: to((things) => `${fileRecord(things)}/link`, post({ version: 2 })),
  },
  {
    name: 'make an event',
    people: CHANGERS,
    path: calendar,
    isOffered: button('New event'),
    send: to(
      ({ calendar: { url } }) => url,
      post({ event_title: 'Another', start_time: '2026-03-18T10:00:00Z' }),
    ),
  },
  {
    name: 'change an event',
    people: CHANGERS,
    path: (things) => `${calendar(things)}&event=${things.calendar.event}`,
    isOffered: async (page) => {
      await page
        .getByRole('dialog')
        .getByText('Board')
        .or(page.getByLabel('Title'))
        .first()
        .waitFor()
      return isThere(page.getByRole('dialog').getByRole('button', { name: 'Save' }))
    },
    send: to(eventRecord, post({ event_title: 'Council' })),
  },
  {
    name: 'delete an event',
    people: EDITORS,
    path: (things) => `${calendar(things)}&event=${things.calendar.event}`,
    isOffered: async (page) => {
      await page
        .getByRole('dialog')
        .getByText('Board')
        .or(page.getByLabel('Title'))
        .first()
        .waitFor()
      return isThere(page.getByRole('dialog').getByRole('button', { name: 'Delete' }))
    },
    send: to(eventRecord, REMOVE),
  },
  {
    name: 'see the events of a calendar',
    people: ALL,
    path: calendar,
    isOffered: (page) => isThere(page.getByRole('button', { name: /Board/ })),
    send: to(({ calendar: { url } }) => url, READ),
  },
  {
    name: 'change a calendar',
    people: CHANGERS,
    path: calendar,
    isOffered: item('Actions for this calendar', 'Settings'),
    send: to(calendarRecord, change({ description: 'Other' })),
  },
  {
    name: 'delete a calendar',
    people: EDITORS,
    path: calendar,
    isOffered: item('Actions for this calendar', 'Delete calendar'),
    send: to(calendarRecord, REMOVE),
  },
  {
    name: 'see and make users',
    people: ADMINS,
    path: () => '/users',
    isOffered: button('New user'),
    send: (server, { key }) =>
      server.call('POST', '/api/v2/user', { key, json: { name: named() } }),
  },
  {
    name: 'make a key for somebody else',
    people: ADMINS,
    path: () => '/keys',
    isOffered: button('New key'),
    send: (server, { key, things: { someone } }) =>
      server.call('POST', '/api/v2/api_key', { key, json: { name: named(), user_id: someone } }),
  },
  {
    name: 'make a token of their own',
    people: ALL,
    path: () => '/profile/tokens',
    isOffered: button('New key'),
    send: (server, { key }) =>
      server.call('POST', '/api/v2/api_key', { key, json: { name: named() } }),
  },
  {
    name: 'make a webhook',
    people: ADMINS,
    path: () => '/webhooks',
    isOffered: button('New webhook'),
    send: (server, { key }) => {
      const json = { name: named(), url: 'https://hooks.example.org/', status: 'paused' }
      return server.call('POST', '/api/v2/webhook', { key, json })
    },
  },
  {
    name: 'read the audit trail',
    people: ADMINS,
    path: () => '/audit',
    isOffered: (page) => isThere(page.getByRole('button', { name: 'Details' })),
    send: to(() => '/api/v2/audit', READ),
  },
  {
    name: 'take a backup',
    people: ADMINS,
    path: () => '/backup',
    isOffered: (page) => isThere(page.getByRole('button', { name: /^Download/ })),
    send: to(() => '/api/v2/backup', READ),
  },
]
