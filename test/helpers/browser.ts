// A real browser: Chromium at CHROME_PATH, or Debian's headless shell. The shell has the same engine and no window: since
// version 156 the full browser renders its toolbars beside each page, and a test file takes 88 s instead of 18 s.

import { existsSync } from 'node:fs'
import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  chromium,
  firefox,
  type Page,
} from 'playwright-core'
import { FIREFOX } from './firefox.ts'
import { closeAtEnd } from './leftovers.ts'

const CHROME = process.env['CHROME_PATH'] ?? '/usr/bin/chromium-headless-shell'

/** A reason to skip, or false if the browser exists. */
export const NO_BROWSER = existsSync(CHROME) ? false : `there is no browser at ${CHROME}`

/** Milliseconds. The timeout is long enough for a slow page on a busy machine. */
const TIMEOUT_MS = 50_000

/**
 * Factor by which pages are slowed down; 0 by default, which changes nothing. A test that reads a
 * page once, without waiting for its update, nearly always passes on an idle machine and fails on a
 * busy one. With slow pages the test fails reliably.
 */
const SLOWNESS = Number(process.env['CMS_SLOW_PAGES'] ?? 0)

/** Milliseconds of added latency per answer and factor. */
const LATENCY_MS = 25

const open = new Set<Browser>()

closeAtEnd(() => Promise.all([...open].map((browser) => browser.close())))

export async function openBrowser(): Promise<Browser> {
  // Chromium's own sandbox needs kernel features that containers lack. Without --disable-gpu, a process emulates a
  // graphics card.
  const args = ['--no-sandbox', '--disable-gpu']
  const browser = await chromium.launch({ executablePath: CHROME, args })
  open.add(browser)
  browser.on('disconnected', () => open.delete(browser))
  const newContext = browser.newContext.bind(browser)
  // browser.newPage() also calls newContext().
  browser.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(TIMEOUT_MS)
    if (SLOWNESS > 0) slowDown(context)
    return context
  }
  return browser
}

/** The Firefox of the distribution, which Playwright drives by WebDriver BiDi. */
export async function openFirefoxBrowser(): Promise<Browser> {
  const browser = await firefox.launch({ executablePath: FIREFOX, channel: 'moz-firefox' })
  open.add(browser)
  browser.on('disconnected', () => open.delete(browser))
  // Firefox does not know the command, which Playwright sends for every window and every page.
  ignoreCommand(browser, 'emulation.setMediaFeaturesOverride')
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(TIMEOUT_MS)
    return context
  }
  return browser
}

/** The session of the protocol is no public part of Playwright, whose version is pinned. */
function ignoreCommand(browser: Browser, ignored: string): void {
  const { _connection: connection } = browser as unknown as Connected
  const { _browserSession: session } = connection.toImpl(browser)
  const send = session.send.bind(session)
  session.send = (method, params) =>
    method === ignored ? Promise.resolve({}) : send(method, params)
}

interface Connected {
  readonly _connection: {
    toImpl(browser: Browser): {
      readonly _browserSession: { send(method: string, params: object): Promise<unknown> }
    }
  }
}

function slowDown(context: BrowserContext): void {
  const sessions = new Set<CDPSession>()
  context.on('page', (page) => void slowDownPage(page, sessions))
  // An open session that emulates a slow network overrides setOffline().
  const setOffline = context.setOffline.bind(context)
  context.setOffline = async (isOffline) => {
    await Promise.allSettled([...sessions].map((session) => session.detach()))
    sessions.clear()
    await setOffline(isOffline)
  }
}

async function slowDownPage(page: Page, sessions: Set<CDPSession>): Promise<void> {
  const latency = SLOWNESS * LATENCY_MS
  const network = { offline: false, latency, downloadThroughput: -1, uploadThroughput: -1 }
  try {
    const session = await page.context().newCDPSession(page)
    sessions.add(session)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWNESS })
    await session.send('Network.emulateNetworkConditions', network)
  } catch (error) {
    // The page was closed before the session was ready.
    if (!page.isClosed()) throw error
  }
}
