// The layout does not shift while a page loads.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import type { TestServer } from '../helpers/server.ts'
import { SHOWN, visit } from './area.ts'
import { jumpsOf, watchJumps } from './jumps.ts'
import { startWholeSite } from './whole-site.ts'

/** Cumulative layout shift. Web Vitals rates values up to five times as high as good. */
const MOST = 0.02

/** Each page once, in the first of its states, and further pages that only links reach. */
const PATHS = new Map(
  [
    ...Object.values(SHOWN).flatMap(({ path, isSignedIn }) => (isSignedIn === true ? [path] : [])),
    '/content/file/2',
    '/data/1/schema',
    '/data/1/api',
    '/keys/1',
    '/users/2',
  ]
    .map((path) => [path.split('?')[0], path] as const)
    .toReversed(),
)

const IS_FULL = process.env['CMS_RIG'] === 'full'

const WIDTHS = IS_FULL ? [1_280, 360] : [1_280]

/** The pages with the most successive updates. */
const USUAL = [
  '/',
  '/content',
  '/data',
  '/data/1',
  '/dashboard',
  '/keys',
  '/calendars/1',
  '/profile',
]

describe('a page that loads', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  before(async () => {
    server = await startWholeSite()
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  for (const width of WIDTHS) {
    test(`does not shift its layout, ${width} px wide`, async () => {
      const viewport = { width, height: 800 }
      const { page, context } = await visit(browser, { url: server.url, user: 'admin', viewport })
      const { settled } = await watchJumps(context)
      const found: string[] = []
      for (const [name = '', path] of PATHS) {
        if (!IS_FULL && !USUAL.includes(name)) continue
        await page.goto(`${server.url}/admin${path}`, { waitUntil: 'commit' })
        await page.locator('main h1').waitFor()
        await settled()
        const { total, all } = await jumpsOf(page)
        if (total > MOST) found.push(`${path} ${total} ${all}`)
      }
      await context.close()
      assert.deepEqual(found, [])
    })
  }
})
