// A viewer, a stager, an editor and an admin: each sees exactly what they may use. The server performs every
// action that a page offers, and refuses every action that a page does not offer.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { make } from '../helpers/content.ts'
import { eventually } from '../helpers/raw.ts'
import type { TestServer } from '../helpers/server.ts'
import { goWithin, setPassword, startSite, visit } from './area.ts'
import { DEEDS, type Things } from './deeds.ts'

const PEOPLE = ['viewer', 'stager', 'editor', 'admin'] as const

type Person = (typeof PEOPLE)[number]

const ALL: readonly Person[] = PEOPLE
const ADMIN: readonly Person[] = ['admin']

/** The people who may open each page. A new page in lib/admin/pages.ts needs a line here. */
const MAY_OPEN: Readonly<Record<string, readonly Person[]>> = {
  '/': ALL,
  '/content': ALL,
  '/content/:id': ALL,
  '/scheduled': ['stager', 'editor', 'admin'],
  '/content/file/:id': ALL,
  '/content/file/:id/preview': ALL,
  '/content/file/:id/edit': ['stager', 'editor', 'admin'],
  '/calendars/:id': ALL,
  '/data': ALL,
  '/data/:id': ALL,
  '/data/:id/:entry': ALL,
  '/data/:id/schema': ALL,
  '/data/:id/api': ALL,
  '/documents/system': ALL,
  '/documents/module': ALL,
  '/profile': ALL,
  '/profile/tokens': ALL,
  '/profile/tokens/:id': ALL,
  '/users': ADMIN,
  '/users/roles': ADMIN,
  '/users/:id': ADMIN,
  '/keys': ADMIN,
  '/keys/:id': ADMIN,
  '/menus': ALL,
  '/menus/:id': ALL,
  '/trash': ['editor', 'admin'],
  '/webhooks': ADMIN,
  '/webhooks/:id': ADMIN,
  '/dashboard': ADMIN,
  '/audit': ADMIN,
  '/backup': ADMIN,
}

/** Pages that need no sign-in. */
const OPEN = ['/welcome']

const SOURCE = readFileSync(new URL('../../../lib/admin/pages.ts', import.meta.url), 'utf8')
const PATHS = [...SOURCE.matchAll(/^\s*(?:\{ )?path: '([^']+)'/gm)].map(([, path = '']) => path)
const IN_SIDE_BAR = [...SOURCE.matchAll(/path: '([^']+)',(?:(?!path:)[^])*?shown: \{ group/g)]

test('every page has a list of users who may open it', () => {
  assert.ok(PATHS.length > 15)
  const known = [...Object.keys(MAY_OPEN), ...OPEN]
  assert.deepEqual(
    PATHS.filter((path) => !known.includes(path)),
    [],
    'MAY_OPEN wants a line for each of these',
  )
})

describe('one of four users', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  let things: Things
  const keys: Record<string, string> = {}
  before(async () => {
    server = await startSite()
    for (const name of PEOPLE) {
      if (name !== 'admin') await make(server, 'user', { name, role: name })
      if (name !== 'admin') await setPassword(server, name)
      const qry = encodeURIComponent(JSON.stringify({ name }))
      const { body } = await server.call('GET', `/api/v2/user?qry=${qry}`)
      const key = { name: `key of ${name}`, user_id: body.user[0].user_id }
      keys[name] = (await make(server, 'api_key', key)).secret
    }
    things = await makeThings(server)
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  for (const person of PEOPLE) {
    test(`the ${person} can open exactly the permitted pages, in the side bar and by address`, async () => {
      const { page, context, faults } = await visit(browser, { url: server.url, user: person })
      await page.goto(`${server.url}/admin`)
      await page.getByRole('heading', { level: 1, name: `Welcome, ${person}` }).waitFor()
      const links = await page.getByRole('navigation').getByRole('link').all()
      const offered = await Promise.all(links.map((link) => link.getAttribute('href')))
      const expected = IN_SIDE_BAR.map(([, path = '']) => path)
        .filter((path) => MAY_OPEN[path]?.includes(person))
        .map((path) => `/admin${path === '/' ? '' : path}`)
      assert.deepEqual(offered.toSorted(), expected.toSorted())
      for (const path of PATHS.filter((each) => each !== '/' && !OPEN.includes(each))) {
        await goWithin(page, `/admin${addressOf(path)}`)
        const isForbidden = (await page.locator('main h1').innerText()) === 'No access'
        assert.equal(!isForbidden, MAY_OPEN[path]?.includes(person), `${person} ${path}`)
      }
      assert.deepEqual(faults, [])
      await context.close()
    })

    test(`the ${person} is offered exactly the permitted actions`, async () => {
      const { page, context } = await visit(browser, { url: server.url, user: person })
      let opened = ''
      let made = await makeThings(server)
      for (const deed of DEEDS) {
        const path = deed.path(things)
        if (path !== opened) {
          await page.goto(`${server.url}/admin${path}`)
          await untilThere(page)
          opened = path
        }
        const may = deed.people.includes(person)
        const ask = () => deed.isOffered(page)
        // A permitted action may appear late; a forbidden action must not appear at any time.
        const isOffered = may ? await eventually(ask) : await ask()
        const { status } = await deed.send(server, { key: keys[person] ?? '', things: made })
        // A refused request has changed nothing.
        if (status < 300) made = await makeThings(server)
        assert.deepEqual(
          { isOffered, isDone: status < 300 },
          { isOffered: may, isDone: may },
          `${person}: ${deed.name} (${status})`,
        )
        if (!may) assert.ok(status === 403 || status === 404, `${deed.name}: ${status}`)
      }
      await context.close()
    })
  }

  /** Every parameter has one record of its type. */
  function addressOf(path: string): string {
    if (path.startsWith('/content/file')) return path.replace(':id', String(things.file))
    if (path.startsWith('/calendars')) return path.replace(':id', String(things.calendar.id))
    return path.replace(/:\w+/g, '1')
  }
})

async function untilThere(page: Page): Promise<void> {
  await page.locator('main h1').waitFor()
  await page.waitForLoadState('networkidle')
}

async function makeThings(server: TestServer): Promise<Things> {
  const name = `thing-${Math.random()}`
  const file = {
    name: `${name}.html`,
    type: 'html',
    parent_category_id: 1,
    pageContent: '<p>1</p>',
  }
  const { asset_file_id: id } = await make(server, 'asset_file', { ...file, fileState: 'publish' })
  await server.call('PATCH', `/api/v2/asset_file/${id}`, { json: { pageContent: '<p>2</p>' } })
  const calendar = await make(server, 'calendar', { name, parent_category_id: 1 })
  const folder = await make(server, 'asset_category', { name, parent_category_id: 1 })
  const { user_id: someone } = await make(server, 'user', { name, role: 'viewer' })
  const json = { event_title: 'Board', start_time: '2026-03-18T09:00:00Z' }
  await server.call('POST', calendar.module_url, { json })
  const { body } = await server.call('GET', calendar.module_url)
  return {
    file: id,
    fileName: file.name,
    someone,
    folder: folder.asset_category_id,
    calendar: {
      id: calendar.calendar_id,
      url: calendar.module_url,
      event: body.calendar_entry[0].calendar_entry_id,
    },
  }
}
