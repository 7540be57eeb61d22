// A real browser. Wants Chromium: at CHROME_PATH, or where Debian has it.

import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const CHROME = process.env['CHROME_PATH'] ?? '/usr/bin/chromium'

/** A reason to skip, where there is none. */
export const NO_BROWSER = existsSync(CHROME) ? false : `there is no browser at ${CHROME}`

/** Milliseconds. A page that never comes fails; one that comes late, on a machine with other work, does not. */
const TIMEOUT_MS = 180_000

export async function openBrowser(): Promise<Browser> {
  // A container has no kernel features for a second sandbox.
  const browser = await chromium.launch({ executablePath: CHROME, args: ['--no-sandbox'] })
  const newContext = browser.newContext.bind(browser)
  // New pages are made by it, too.
  browser.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(TIMEOUT_MS)
    return context
  }
  return browser
}
