// A real browser. Wants Chromium: at CHROME_PATH, or where Debian has it.

import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const CHROME = process.env['CHROME_PATH'] ?? '/usr/bin/chromium'

/** A reason to skip, where there is none. */
export const NO_BROWSER = existsSync(CHROME) ? false : `there is no browser at ${CHROME}`

export function openBrowser(): Promise<Browser> {
  // A container has no kernel features for a second sandbox.
  return chromium.launch({ executablePath: CHROME, args: ['--no-sandbox'] })
}
