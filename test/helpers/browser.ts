// A real browser: Chromium at CHROME_PATH, or Debian's headless shell. The shell has the same engine and no window: since
// version 156 the full browser renders its toolbars beside each page, and a test file takes 88 s instead of 18 s.
// Browsers that failed tests left open are closed at the end of a file, because they would keep the process alive.

import { existsSync } from 'node:fs'
import { after } from 'node:test'
import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core'
import { killChildren } from './child-server.ts'
import { closeTestServers } from './server.ts'

const CHROME = process.env['CHROME_PATH'] ?? '/usr/bin/chromium-headless-shell'

/** A reason to skip, where there is none. */
export const NO_BROWSER = existsSync(CHROME) ? false : `there is no browser at ${CHROME}`

/** Milliseconds. A page that never comes fails; one that comes late, on a machine with other work, does not. */
const TIMEOUT_MS = 50_000

/**
 * How many times slower pages are than this machine makes them; 0 or nothing: as they are. A test that asks a page once
 * for what it shows a moment later passes nearly always, and fails on a machine with other work: so it fails here.
 */
const SLOWNESS = Number(process.env['CMS_SLOW_PAGES'] ?? 0)

/** Milliseconds that each answer is held back, for each time a page is slower. */
const LATENCY_MS = 25

const open = new Set<Browser>()

async function closeAll(): Promise<void> {
  await Promise.all([...open].map((browser) => browser.close()))
  await killChildren()
  await closeTestServers()
}

// Pictures are taken and measurements made by it, too, which are no tests.
if (process.env['NODE_TEST_CONTEXT'] !== undefined) after(closeAll)

export async function openBrowser(): Promise<Browser> {
  // A container has no kernel features for a second sandbox.
  const browser = await chromium.launch({ executablePath: CHROME, args: ['--no-sandbox'] })
  open.add(browser)
  browser.on('disconnected', () => open.delete(browser))
  const newContext = browser.newContext.bind(browser)
  // New pages are made by it, too.
  browser.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(TIMEOUT_MS)
    if (SLOWNESS > 0) slowDown(context)
    return context
  }
  return browser
}

function slowDown(context: BrowserContext): void {
  const sessions = new Set<CDPSession>()
  context.on('page', (page) => void slowDownPage(page, sessions))
  // One session that says how slow the network is keeps another one from saying that there is none.
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
    // A page that is closed at once is none to slow down.
    if (!page.isClosed()) throw error
  }
}
