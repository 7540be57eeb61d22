// A real browser. Wants Chromium: at CHROME_PATH, or where Debian has it. What a test that failed has left open is closed
// when all of its file are through: it would keep the process, and the run would wait for it to its limit.

import { existsSync } from 'node:fs'
import { after } from 'node:test'
import { type Browser, chromium } from 'playwright-core'
import { killChildren } from './child-server.ts'
import { closeTestServers } from './server.ts'

const CHROME = process.env['CHROME_PATH'] ?? '/usr/bin/chromium'

/** A reason to skip, where there is none. */
export const NO_BROWSER = existsSync(CHROME) ? false : `there is no browser at ${CHROME}`

/** Milliseconds. A page that never comes fails; one that comes late, on a machine with other work, does not. */
const TIMEOUT_MS = 50_000

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
    return context
  }
  return browser
}
