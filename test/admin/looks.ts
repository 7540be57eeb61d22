// Checks the appearance of every page with axe and the browser. Each theme has its own test file, because
// together they would be the longest file.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import type { TestServer } from '../helpers/server.ts'
import {
  axeFaults,
  goWithin,
  isDark,
  isTooWide,
  open,
  SHOWN,
  type Shown,
  visit,
  type Visit,
} from './area.ts'
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

/** The page has no frame, or an open dialog or a list of uploads belongs to the frame and does not close with the page. */
const OUTLASTS =
  "document.querySelector('.bare-frame, .upload-panel, dialog[open]:not(main *)') !== null"

export function testLooks({ colorScheme, width, otherWidth }: Looks): void {
  describe(`the pages, ${colorScheme}`, { skip: NO_BROWSER }, () => {
    let server: TestServer
    let browser: Browser
    /** All pages are opened in one tab with a session: a new tab costs as much as the page. */
    let signedIn: Visit
    /** Widths and paths. The first state of each path is loaded; the others open within the area, which costs less. */
    const loaded = new Set<string>()
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
          const place = `${each} ${shown.path.split(/[?#]/)[0]}`
          const isKnown = visited === signedIn && loaded.has(place)
          if (isKnown && !(await page.evaluate<boolean>(OUTLASTS))) await reopen(page, shown)
          else await open(visited, url, shown)
          if (!(await page.evaluate<boolean>(OUTLASTS))) loaded.add(place)
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

/** Opens a state of a page that has been loaded before. The page between the two ends the state of the first. */
async function reopen(page: Page, { path, heading, act }: Shown): Promise<void> {
  await goWithin(page, '/admin/nowhere')
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  await goWithin(page, `/admin${path}`)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await act?.(page)
}
