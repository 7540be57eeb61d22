// Checks the appearance of every page with axe and the browser. Each theme has its own test file, because
// together they would be the longest file.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import type { TestServer } from '../helpers/server.ts'
import { axeFaults, isDark, isTooWide, open, SHOWN, visit, type Visit } from './area.ts'
import { startWholeSite } from './whole-site.ts'

export interface Looks {
  readonly colorScheme: 'light' | 'dark'
  /** Width of the window in pixels. */
  readonly width: number
  /** Second width, only with CMS_RIG=full. */
  readonly otherWidth: number
}

/** A dialog that can be closed, with a form that ends in other buttons. */
const LACKS_CANCEL =
  "[...document.querySelectorAll('dialog[open]:has(.dialog-head button) .form-actions:not(.comments *)')].some((row) => row.textContent.match('Cancel') === null)"

export function testLooks({ colorScheme, width, otherWidth }: Looks): void {
  describe(`the pages, ${colorScheme}`, { skip: NO_BROWSER }, () => {
    let server: TestServer
    let browser: Browser
    /** All pages are opened in one tab with a session: a new tab costs as much as the page. */
    let signedIn: Visit
    before(async () => {
      server = await startWholeSite()
      browser = await openBrowser()
      const options = { url: server.url, colorScheme, viewport: { width, height: 800 } }
      signedIn = await visit(browser, { ...options, user: 'admin' })
      // Leaves editors with unsaved changes.
      signedIn.page.on('dialog', (dialog) => void dialog.accept())
    })
    after(async () => {
      await browser.close()
      await server.close()
    })

    for (const each of process.env['CMS_RIG'] === 'full' ? [width, otherWidth] : [width]) {
      for (const [at, [name, shown]] of Object.entries(SHOWN).entries()) {
        // Each page is checked in one theme; CMS_RIG=full checks both themes in both widths.
        if (process.env['CMS_RIG'] !== 'full' && at % 2 === Number(colorScheme === 'dark')) continue
        test(`${name} has no fault, ${each} px wide`, async (t) => {
          const { url } = server
          // An earlier page may have been shown without a connection.
          await signedIn.context.setOffline(false)
          const visited =
            shown.isSignedIn === true ? signedIn : await visit(browser, { url, colorScheme })
          const { page, context, faults } = visited
          const earlier = faults.length
          t.after(async () => {
            if (visited !== signedIn) return context.close()
            await page.evaluate('sessionStorage.clear()')
            await page.unrouteAll({ behavior: 'ignoreErrors' })
          })
          await page.setViewportSize({ width: each, height: 800 })
          await open(visited, server.url, shown)
          assert.deepEqual(faults.slice(earlier), [])
          assert.deepEqual(await axeFaults(page), [])
          assert.equal(await isTooWide(page), false, 'it is wider than the screen')
          assert.equal(await isDark(page), colorScheme === 'dark')
          assert.equal(await page.evaluate(LACKS_CANCEL), false, 'a dialog has no Cancel')
          assert.match(await page.title(), /^.+ – cms-server$/)
        })
      }
    }
  })
}
