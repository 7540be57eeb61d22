// The first day of an editor, in two widths of Chromium. Firefox has its own file.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { startJourney, travel } from './journey.ts'

/** Presses of the pointer and filled fields of the whole day on a desktop. More is a step back. */
const MOST_CLICKS = 50
const MOST_FIELDS = 5

describe('the first day of an editor', { skip: NO_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser.close())

  for (const width of [1_024, 360])
    test(`is short, ${width} px wide`, async () => {
      const journey = await startJourney()
      const viewport = { width, height: 800 }
      const { efforts, faults } = await travel(journey, browser, { viewport })
      assert.deepEqual(faults, [])
      if (process.env['CMS_EFFORT'] === 'shown') console.table(efforts)
      const clicks = efforts.reduce((total, each) => total + each.clicks, 0)
      const fields = efforts.reduce((total, each) => total + each.fields, 0)
      if (width > 1_000) assert.ok(clicks <= MOST_CLICKS && fields <= MOST_FIELDS)
      await journey.server.close()
    })
})
