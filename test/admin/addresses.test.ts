// Addresses whose identifier is not a number show "not found", and the page sends no request to the server.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import type { TestServer } from '../helpers/server.ts'
import { goWithin, startSite, visit, type Visit } from './area.ts'

const NONE = ['NaN', '0', '-1', '1.5', '1e3', '12345678901234567', 'x'] as const

/** All paths with an identifier, and the page with an identifier in its query. */
const PATHS = [
  ...[...readFileSync('lib/admin/pages.ts', 'utf8').matchAll(/ path: '(.*:.*)'/g)].flatMap(
    ([, path]) => path ?? [],
  ),
  '/keys?user=:id',
]

describe('an address without a number', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  let visited: Visit
  const asked: string[] = []
  before(async () => {
    server = await startSite()
    browser = await openBrowser()
    visited = await visit(browser, { url: server.url, user: 'admin' })
    visited.page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      const isOfPage = pathname.startsWith('/api/') && !/\/(?:session.*|me|ready)$/.test(pathname)
      if (isOfPage) asked.push(request.url())
    })
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  test('every page that names a record is tested', () => assert.ok(PATHS.length > 12))

  for (const path of PATHS) {
    test(`${path} is not a page`, async () => {
      const { page, faults } = visited
      const last = path.lastIndexOf(':')
      const start = `/admin${path.slice(0, last).replace(':id', '1')}`
      const addresses = NONE.map((none) => start + path.slice(last).replace(/:\w+/, none))
      for (const [at, address] of addresses.entries()) {
        if (at === 0 || address.includes('?')) await page.goto(server.url + address)
        else await goWithin(page, address)
        await page.getByRole('heading', { name: 'Page not found' }).waitFor()
      }
      assert.deepEqual(asked, [])
      assert.deepEqual(faults, [])
    })
  }
})
