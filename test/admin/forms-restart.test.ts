// The server is killed while forms are open, and restarted. The input survives while the server is down,
// after the restart and after a reload, and is finally saved.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { makeKey, runCli, startChild } from '../helpers/child-server.ts'
import { temporaryDirectory } from '../helpers/server.ts'
import { PASSWORD, visit } from './area.ts'

interface FormStory {
  readonly path: string
  /** Opens the form if the page does not show it at once. */
  readonly open?: (page: Page) => Promise<unknown>
  /** Input by name of the field. */
  readonly typed: Readonly<Record<string, string>>
  /** Passwords, which are never stored and must be typed again after a reload. */
  readonly again?: Readonly<Record<string, string>>
  /** The whole input is a password. */
  readonly isSecret?: boolean
  /** Selects the form if the page has several. */
  readonly within?: string
  /** The address at which the server shows the saved value, and the value in its answer. */
  readonly held?: readonly [path: string, find: (body: any) => unknown]
}

const press =
  (...names: readonly string[]): NonNullable<FormStory['open']> =>
  async (page) => {
    for (const name of names) {
      const item = page.getByRole('menuitem', { name, exact: true })
      await page.getByRole('button', { name, exact: true }).or(item).first().click()
    }
  }

const FILE_ACTIONS = 'Actions for this file'
const FOLDER_ACTIONS = 'Actions for this folder'
const CALENDAR_ACTIONS = 'Actions for this calendar'

const nameIn = (object: string, name: string): NonNullable<FormStory['held']> => [
  `/api/v2/${object}?qry=${encodeURIComponent(JSON.stringify({ name }))}`,
  (body) => body[object][0]?.name,
]

const MOST_LOOKS = 200
const PAUSE_MS = 50

const LATER = 'a sentence that is new here'

const FORMS: Readonly<Record<string, FormStory>> = {
  'a new user': {
    path: '/users?new=user',
    typed: { name: 'nina', email: 'nina@example.org' },
    again: { password: LATER },
    held: nameIn('user', 'nina'),
  },
  'a user': {
    path: '/users/2',
    typed: { email: 'una@example.org' },
    held: ['/api/v2/user/2', ({ email }) => email],
  },
  'the password of a user': {
    path: '/users/2',
    open: press('Set password'),
    within: 'dialog ',
    typed: { password: 'a sentence of another person' },
    isSecret: true,
  },
  'a new key': { path: '/keys?new=', typed: { name: 'robot' }, held: nameIn('api_key', 'robot') },
  'a key': {
    path: '/keys/1',
    within: '#change ',
    typed: { name: 'renamed' },
    held: ['/api/v2/api_key/1', ({ name }) => name],
  },
  'a new file': {
    path: '/content?new=file',
    typed: { name: 'new.txt' },
    held: nameIn('asset_file', 'new.txt'),
  },
  'a new folder': {
    path: '/content?new=folder',
    typed: { name: 'New here' },
    held: nameIn('asset_category', 'New here'),
  },
  'the name of a folder': {
    path: '/content/FOLDER',
    open: press(FOLDER_ACTIONS, 'Rename'),
    typed: { name: 'Renamed', title: 'With a title' },
    held: ['/api/v2/asset_category/FOLDER', ({ title }) => title],
  },
  'the name of a file': {
    path: '/content/file/2',
    open: press(FILE_ACTIONS, 'Rename'),
    typed: { name: 'other.txt' },
    held: ['/api/v2/asset_file/2', ({ name }) => name],
  },
  'the details of a file': {
    path: '/content/file/3',
    open: (page) => page.getByRole('tab', { name: 'Details' }).click(),
    typed: { title: 'A title', description: 'of two\nlines' },
    held: ['/api/v2/asset_file/3', ({ description }) => description],
  },
  'a new datatable': {
    path: '/data?new=datatable',
    typed: { name: 'Fresh' },
    held: nameIn('datatable', 'Fresh'),
  },
  'the settings of a datatable': {
    path: '/data/TABLE/schema',
    open: press('Actions', 'Settings'),
    within: 'dialog ',
    typed: { title: 'People here', description: 'Who they are' },
    held: ['/api/v2/datatable/TABLE', ({ title }) => title],
  },
  'a new entry': {
    path: '/data/TABLE/new',
    typed: { name: 'Grace', city: 'Oslo' },
    held: [
      'ENTRIES',
      (body) => body.datatable_entry.find(({ name }: any) => name === 'Grace').city,
    ],
  },
  'an entry': {
    path: '/data/TABLE/1',
    typed: { city: 'Rome' },
    held: ['ENTRIES', (body) => body.datatable_entry.find(({ name }: any) => name === 'Ada').city],
  },
  'a new calendar': {
    path: '/data',
    open: press('New calendar'),
    typed: { name: 'Second' },
    held: nameIn('calendar', 'Second'),
  },
  'the settings of a calendar': {
    path: '/calendars/CALENDAR',
    open: press(CALENDAR_ACTIONS, 'Settings'),
    typed: { description: 'All of the house' },
    held: ['/api/v2/calendar/CALENDAR', ({ description }) => description],
  },
  'a new event': {
    path: '/calendars/CALENDAR?view=list&date=2026-03-01&event=new&from=2026-03-02T10:00&to=2026-03-02T11:00',
    typed: { event_title: 'Board', location: 'Room 2' },
    held: ['EVENTS', (body) => body.calendar_entry.find((each: any) => each.location)?.location],
  },
  'an event': {
    path: '/calendars/CALENDAR?view=list&date=2026-03-01&event=1',
    typed: { event_title: 'Council' },
    held: [
      'EVENTS',
      (body) => body.calendar_entry.find(({ calendar_entry_id: id }: any) => id === 1)?.event_title,
    ],
  },
  'the own password': {
    path: '/profile',
    typed: { password: PASSWORD, new_password: LATER, again: LATER },
    isSecret: true,
  },
}

/** Values created by the server; words in capitals are their placeholders. */
type Places = Readonly<Record<string, string>>

interface Opened {
  readonly name: string
  readonly story: FormStory
  readonly page: Page
}

const fieldOf = ({ page, story }: Opened, name: string) =>
  page.locator(`${story.within ?? ''}form [name="${name}"]`)

async function openForm(
  context: BrowserContext,
  url: string,
  [name, story]: readonly [string, FormStory],
): Promise<Opened> {
  const page = await context.newPage()
  const opened = { name, story, page }
  await page.goto(`${url}/admin${story.path}`)
  await story.open?.(page)
  for (const [field, text] of Object.entries(story.typed)) await fieldOf(opened, field).fill(text)
  return opened
}

async function requireTyped(opened: Opened, when: string): Promise<void> {
  const { name, story } = opened
  for (const [field, text] of Object.entries(story.typed)) {
    const value = await fieldOf(opened, field)
      .inputValue({ timeout: 10_000 })
      .catch(() => 'nowhere')
    assert.equal(value, text, `${name}, ${field}: ${when}`)
  }
}

async function requireBar({ name, page }: Opened, state: 'visible' | 'detached'): Promise<void> {
  const bar = page.getByText('No connection to the server.')
  await bar.waitFor({ state, timeout: 15_000 }).catch(async () => {
    const shown = await page.locator('form').allInnerTexts()
    assert.fail(`${name}: the bar is not ${state}: ${shown.join(' ')}`)
  })
}

/** Returns whether the form is already saved: a form that reads first has waited for the server. */
async function hasGone({ page, story }: Opened): Promise<boolean> {
  const form = page.locator(`${story.within ?? ''}form:has([type=submit])`)
  await form.locator('[type=submit][aria-busy=true]').waitFor({ state: 'detached' })
  return story.held !== undefined && (await form.count()) === 0
}

async function send(opened: Opened): Promise<void> {
  const { page, story } = opened
  // A page in a background tab runs slowly.
  await page.bringToFront()
  for (const [field, text] of Object.entries(story.again ?? {}))
    await fieldOf(opened, field).fill(text)
  await page.locator(`${story.within ?? ''}form [type=submit]`).click()
}

/**
 * Navigates to the address, because the address does not always include what is open over the page.
 */
async function reload({ page, story }: Opened): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/admin${story.path}`)
  await story.open?.(page)
  await page.getByText('Your unsaved input was restored.').waitFor()
}

test('no form loses its input when the server dies', {
  skip: NO_BROWSER || (process.env['CMS_RIG'] !== 'full' && 'takes long: CMS_RIG=full'),
}, async () => {
  const dataDir = join(temporaryDirectory(), 'data')
  let server = await startChild(dataDir)
  const { url } = server
  const key = await makeKey(dataDir)
  await runCli(['user', 'password', 'admin', '--data', dataDir], { input: `${PASSWORD}\n` })
  const call = async (method: string, path: string, json?: object): Promise<any> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const body = json === undefined ? undefined : JSON.stringify(json)
    const answer = await fetch(url + path, { method, headers, ...(body && { body }) })
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
    return answer.json()
  }
  const places = await makePlaces(call)
  const placed = (path: string): string =>
    Object.entries(places).reduce((text, [word, place]) => text.replace(word, place), path)
  const browser = await openBrowser()
  try {
    const { context } = await visit(browser, { url, user: 'admin' })
    const opened: Opened[] = []
    for (const [name, story] of Object.entries(FORMS))
      opened.push(await openForm(context, url, [name, { ...story, path: placed(story.path) }]))

    await server.kill('SIGKILL')
    for (const each of opened) {
      await send(each)
      await requireBar(each, 'visible')
      await requireTyped(each, 'the server is gone')
    }
    server = await startChild(dataDir, ['--port', new URL(url).port])
    const left: Opened[] = []
    for (const each of opened) {
      await requireBar(each, 'detached')
      await each.page.bringToFront()
      if (await hasGone(each)) continue
      left.push(each)
      await requireTyped(each, 'the server is back')
      if (each.story.isSecret !== true) await reload(each)
      await requireTyped(each, 'the page was loaded anew')
    }
    for (const each of left) await send(each)
    for (const { story, name } of opened) {
      if (story.held === undefined) continue
      const [path, find] = story.held
      const isSaved = async (): Promise<boolean> =>
        Object.values(story.typed).includes(String(find(await call('GET', placed(path)))))
      for (let left = MOST_LOOKS; !(await isSaved()); left -= 1) {
        assert.ok(left > 0, `${name} is not saved`)
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
    }
  } finally {
    await browser.close()
    await server.kill('SIGKILL')
    rmSync(dirname(dataDir), { recursive: true, force: true })
  }
})

async function makePlaces(
  call: (method: string, path: string, json?: object) => Promise<any>,
): Promise<Places> {
  const make = (object: string, json: object): Promise<any> =>
    call('POST', `/api/v2/${object}`, { ...json })
  await make('user', { name: 'una', role: 'editor' })
  const { asset_category_id: folder } = await make('asset_category', {
    name: 'Shop',
    parent_category_id: 1,
  })
  for (const name of ['a.txt', 'b.txt'])
    await make('asset_file', { name, type: 'txt', parent_category_id: 1, pageContent: name })
  const table = await make('datatable', {
    name: 'People',
    title_field: 'name',
    table_schema: 'name C(40) NOTNULL, city C(20)',
  })
  await call('POST', new URL(table.module_url, 'http://x').pathname, { name: 'Ada', city: 'Bonn' })
  const calendar = await make('calendar', { name: 'House', time_zone: 'UTC' })
  const events = new URL(calendar.module_url, 'http://x').pathname
  await call('POST', events, { event_title: 'Fair', start_time: '2026-03-20T10:00:00Z' })
  return {
    FOLDER: String(folder),
    TABLE: String(table.datatable_id),
    CALENDAR: String(calendar.calendar_id),
    ENTRIES: new URL(table.module_url, 'http://x').pathname,
    EVENTS: events,
  }
}
