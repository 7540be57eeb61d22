// The administration area in a real browser. Every visit collects all faults of its pages.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, BrowserContextOptions, Frame, Page } from 'playwright-core'
import { hashPassword } from '../../lib/workers/passwords.ts'
import { startTestServer, type TestOptions, type TestServer } from '../helpers/server.ts'
import { SHOWN_PEOPLE } from './people.ts'
import { SITE_PAGES } from './site-pages.ts'
import { CONTENT_SHOWN } from './content-shown.ts'
import { CALENDAR_SHOWN } from './calendar-shown.ts'
import { EDITOR_SHOWN } from './editor-shown.ts'
import { ENTRIES_SHOWN } from './entries-shown.ts'
import { ACCOUNT_SHOWN } from './account-shown.ts'
import { ACCESS_SHOWN } from './access-shown.ts'
import { WEBHOOKS_SHOWN } from './webhooks-shown.ts'
import { PALETTE_SHOWN } from './palette-shown.ts'
import { DATA_SHOWN } from './data-shown.ts'
import { DIALOGS_SHOWN } from './dialogs-shown.ts'
import { openKeptTab } from './kept-tabs.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export const PASSWORD = 'a sentence that nobody guesses'

/** Starts a server on which the user admin has a password. */
export async function startSite(options: TestOptions = {}): Promise<TestServer> {
  const server = await startTestServer(options)
  await setPassword(server, 'admin')
  return server
}

export async function setPassword(server: TestServer, name: string): Promise<void> {
  const hashed = await hashPassword(PASSWORD)
  await server.command({ command: 'user.password', name, hashed })
}

export interface Visit {
  readonly context: BrowserContext
  readonly page: Page
  /** Errors on the console, uncaught exceptions, and requests to other origins. */
  readonly faults: readonly string[]
}

export interface VisitOptions extends BrowserContextOptions {
  /** Address of the server including a path prefix. */
  readonly url: string
  /** The user who is already signed in; undefined if nobody is. */
  readonly user?: string | undefined
}

/** Console messages about error responses, which are not faults of the page. */
const REFUSED =
  /^Failed to load resource: (?:the server responded with a status of 4|net::ERR_INTERNET_DISC)/

export async function visit(
  browser: Browser,
  { url, user, ...options }: VisitOptions,
): Promise<Visit> {
  const page = await openKeptTab(browser, { locale: 'en-GB', ...options }, `${url}/admin`)
  if (user !== undefined) await signInBefore(page.context(), { url, user })
  return watchTab(page, url)
}

/** Opens a page in a browser that may have a session already. */
export async function openTab(context: BrowserContext, url: string): Promise<Visit> {
  return watchTab(await context.newPage(), url)
}

function watchTab(page: Page, url: string): Visit {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !REFUSED.test(message.text())) faults.push(message.text())
  })
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(`${url}/`) || /^(?:data|blob):/.test(request.url())
    if (!isOwn) faults.push(`request to ${request.url()}`)
  })
  return { context: page.context(), page, faults }
}

/** Gives the browser a session cookie and returns the identifier of the session's key. */
export async function signInBefore(
  { request }: BrowserContext,
  { url, user }: { readonly url: string; readonly user: string },
): Promise<number> {
  const data = { name: user, password: PASSWORD }
  const answer = await request.post(`${url}/api/v2/session`, { data })
  if (answer.status() !== 201) throw new Error(`${user} could not sign in: ${answer.status()}`)
  return (await answer.json()).api_key_id
}

/** Checks the rules of WCAG and axe's best practices. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  // evaluate() bypasses the page's Content-Security-Policy, which would block the script. A second check of the same
  // document takes a third of the processor time, because the script is compiled.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE)
  return page.evaluate<string[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => id + ': ' + html.slice(0, 200) + ' ' + (any[0]?.message ?? ''))))`,
  )
}

export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  )
}

export function isDark(page: Page): Promise<boolean> {
  const color = 'getComputedStyle(document.documentElement).backgroundColor'
  return page.evaluate<boolean>(`/\\d+/.exec(${color})[0] < 128`)
}

/**
 * Polls an expression in the page. The policy of the pages blocks Playwright's own waitForFunction.
 */
export async function until(place: Page | Frame, fact: string): Promise<void> {
  for (let left = MOST_POLLS; left > 0; left -= 1) {
    if (await place.evaluate<boolean>(fact)) return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new Error(`It did not come to be that ${fact}`)
}

/** Reads repeatedly until the result matches, because pages update asynchronously. */
export async function shows<T>(read: () => Promise<T>, expected: T | RegExp): Promise<void> {
  for (let left = MOST_POLLS; ; left -= 1) {
    const shown = await read()
    try {
      if (expected instanceof RegExp) assert.match(String(shown), expected)
      else assert.deepEqual(shown, expected)
      return
    } catch (error) {
      if (left === 0) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** The frame of a preview, which loads after its page. */
export async function previewIn(page: Page, address = '**/admin/preview'): Promise<Frame> {
  const element = await page.waitForSelector('.preview-frame')
  const inner = await element.contentFrame()
  if (inner === null) throw new Error('The preview is no frame')
  await inner.waitForURL(address)
  return inner
}

const MOST_POLLS = 1_500
const POLL_MS = 20

/** A page in a state for screenshots and accessibility checks. */
export interface Shown {
  readonly path: string
  /** Signs in as admin. */
  readonly isSignedIn?: boolean
  /** The heading of the part under test. */
  readonly heading: string | RegExp
  /** Brings the page into the state and waits for the result. */
  readonly act?: (page: Page) => Promise<unknown>
  /** A slow step that only screenshots need. */
  readonly pose?: (page: Page) => Promise<unknown>
}

/** All pages, for axe and for screenshots. Every new page needs a line here. */
export const SHOWN: Readonly<Record<string, Shown>> = {
  ...CONTENT_SHOWN,
  ...CALENDAR_SHOWN,
  ...EDITOR_SHOWN,
  ...ENTRIES_SHOWN,
  ...DATA_SHOWN,
  'sign-in': { path: '/', heading: 'Sign in' },
  'sign-in-failed': {
    path: '/',
    heading: 'Sign in',
    async act(page) {
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('This field is required.').first().waitFor()
    },
  },
  start: {
    path: '/',
    isSignedIn: true,
    heading: /^Welcome, /,
    // The completed steps appear after further requests.
    act: (page) => page.waitForLoadState('networkidle'),
  },
  menu: {
    path: '/',
    isSignedIn: true,
    heading: /^Welcome, /,
    async act(page) {
      const drawer = page.getByRole('button', { name: 'Open menu' })
      if (await drawer.isVisible()) await drawer.click()
      await page.getByRole('button', { name: /^Account of/ }).click()
      await page.getByRole('menu').waitFor()
    },
  },
  'session-over': {
    path: '/',
    isSignedIn: true,
    heading: /^Welcome, /,
    async act(page) {
      // Imitates the message of another tab.
      await page.evaluate("new BroadcastChannel('cms/admin').postMessage('signed-out')")
      await page.getByRole('dialog').waitFor()
    },
  },
  offline: {
    path: '/welcome',
    isSignedIn: true,
    heading: 'Create your first API key',
    async act(page) {
      await page.context().setOffline(true)
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByText('No connection to the server.').waitFor()
    },
  },
  ...SITE_PAGES,
  unknown: { path: '/nowhere/at/all', isSignedIn: true, heading: 'Page not found' },
  'welcome-over': { path: '/welcome#code', heading: 'This link is no longer valid' },
  'welcome-without-code': { path: '/welcome', heading: 'Welcome' },
  'first-key': { path: '/welcome', isSignedIn: true, heading: 'Create your first API key' },
  'first-key-made': {
    path: '/welcome',
    isSignedIn: true,
    heading: 'Create your first API key',
    async act(page) {
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByRole('heading', { name: 'Your key is ready' }).waitFor()
    },
  },
  ...SHOWN_PEOPLE,
  ...ACCOUNT_SHOWN,
  ...ACCESS_SHOWN,
  ...WEBHOOKS_SHOWN,
  ...PALETTE_SHOWN,
  ...DIALOGS_SHOWN,
}

/**
 * Opens another path without loading the area again, as its links do. Waits for the focus of the heading, which
 * marks the end of the change, or for a dialog, which takes the focus. A load takes four times the processor time.
 */
export async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `document.activeElement?.blur(); history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  )
  await page.locator('main h1:focus, dialog[open]').first().waitFor()
}

export async function open(
  { page }: Visit,
  url: string,
  { path, heading, act }: Shown,
): Promise<void> {
  await page.goto(`${url}/admin${path}`)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await act?.(page)
}
