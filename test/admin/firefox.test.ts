// The administration area in the Firefox of the distribution: the first day of an editor, and pages in the states that
// Chromium shows in other tests.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openFirefoxBrowser } from '../helpers/browser.ts'
import { NO_FIREFOX } from '../helpers/firefox.ts'
import { halves } from '../helpers/pictures.ts'
import type { TestServer } from '../helpers/server.ts'
import { isTooWide, open, SHOWN, shows, visit, type Visit } from './area.ts'
import { startJourney, travel } from './journey.ts'
import { startWholeSite } from './whole-site.ts'

/** Each has a mechanism of its own: the grid, drag and drop, frames, dialogs, dates, charts. */
const STATES = [
  ...['start', 'content-selected', 'menu', 'editor', 'editor-faults', 'entries-cell', 'entry'],
  ...['data-new', 'calendar-week', 'calendar-event', 'user', 'dashboard'],
]

describe('Firefox', { skip: NO_FIREFOX }, () => {
  let server: TestServer
  let browser: Browser
  /** All states are opened in one tab, because a new tab costs as much as the page. */
  let signedIn: Visit
  before(async () => {
    ;[server, browser] = await Promise.all([startWholeSite(), openFirefoxBrowser()])
    const viewport = { width: 1_280, height: 800 }
    signedIn = await visit(browser, { url: server.url, user: 'admin', viewport })
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  // The whole day takes half a minute at each width; CMS_RIG=full adds a phone and a tablet.
  for (const width of process.env['CMS_RIG'] === 'full' ? [360, 1_024, 1_280] : [1_280])
    test(`leads an editor through the first day, ${width} px wide`, async () => {
      const journey = await startJourney()
      const viewport = { width, height: 800 }
      assert.deepEqual((await travel(journey, browser, { viewport })).faults, [])
      await journey.server.close()
    })

  for (const name of STATES)
    test(`shows ${name}`, async () => {
      const { page, faults } = signedIn
      const earlier = faults.length
      const shown = SHOWN[name]
      assert.ok(shown)
      await open(signedIn, server.url, shown)
      assert.deepEqual(faults.slice(earlier), [])
      assert.equal(await isTooWide(page), false)
      await page.evaluate('sessionStorage.clear()')
      await page.unrouteAll()
    })

  test('uploads a picture that is dropped into a text', async () => {
    const { page, faults } = signedIn
    const earlier = faults.length
    await page.goto(`${server.url}/admin/content?everywhere=1&q=about.html`)
    await page.getByRole('link', { name: 'about.html', exact: true }).click()
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.locator('.cm-content').click()
    await drop(page)
    await shows(() => page.locator('.cm-content').innerText(), /harbor-view\.png/)
    assert.deepEqual(faults.slice(earlier), [])
  })
})

/** Firefox drops the files of events that a script makes for the clipboard. */
async function drop(page: Page): Promise<void> {
  const bytes = [...(await halves(6, 4).png().toBuffer())]
  await page.evaluate(`{
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(${JSON.stringify(bytes)})], 'harbor-view.png', { type: 'image/png' }))
    const line = document.querySelector('.cm-line')
    const { right: clientX, top } = line.getBoundingClientRect()
    const place = { clientX, clientY: top + 5, bubbles: true, cancelable: true }
    line.dispatchEvent(new DragEvent('drop', { ...place, dataTransfer: data }))
  }`)
}
