// The pages of the administration area in a browser: under their Content-Security-Policy, below a path
// prefix, in both languages and themes, wide and narrow.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { openReverseProxy } from '../helpers/reverse-proxy.ts'
import type { TestServer } from '../helpers/server.ts'
import { isDark, open, shows, startSite, visit } from './area.ts'
import { startWholeSite } from './whole-site.ts'

describe('the administration area', { skip: NO_BROWSER }, () => {
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

  for (const stripsPrefix of [false, true]) {
    test(`works under a path that a proxy ${stripsPrefix ? 'strips' : 'keeps'}`, async () => {
      const late: { target?: string } = {}
      const target = (): string => late.target ?? ''
      const proxy = await openReverseProxy({ target, prefix: '/cms', stripsPrefix })
      const behind = await startSite({ config: { baseUrl: proxy.url } })
      late.target = behind.url
      const visited = await visit(browser, { url: proxy.url, user: 'admin' })
      const { page, faults, context } = visited
      try {
        await open(visited, proxy.url, { path: '/nowhere', heading: 'Page not found' })
        await page.getByRole('link', { name: 'Go to Home' }).click()
        await page.getByRole('heading', { name: 'Welcome, admin' }).waitFor()
        assert.equal(page.url(), `${proxy.url}/admin`)
        await page.getByRole('link', { name: 'New key' }).click()
        await page.getByRole('dialog', { name: 'New key' }).waitFor()
        assert.match(page.url(), new RegExp(`^${proxy.url}/admin/keys`))
        await page.goto(`${proxy.url}/admin/welcome#x`)
        await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
        assert.deepEqual(faults, [])
      } finally {
        await context.close()
        await behind.close()
        proxy.close()
      }
    })
  }

  test('language and appearance change at once and stay after a reload', async () => {
    const visited = await visit(browser, { url: server.url, user: 'admin', colorScheme: 'light' })
    const { page, context, faults } = visited
    await open(visited, server.url, { path: '', heading: 'Welcome, admin' })
    const choose = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: /admin$/ }).click()
      await page.getByRole('menuitemradio', { name }).click()
    }
    await choose('Deutsch')
    await page.getByRole('heading', { name: 'Willkommen, admin' }).waitFor()
    await shows(() => page.locator('html').getAttribute('lang'), 'de')
    await choose('Dunkel')
    await shows(() => isDark(page), true)
    await page.reload()
    await shows(() => isDark(page), true)
    await page.getByRole('heading', { name: 'Willkommen, admin' }).waitFor()
    await choose('Systemstandard')
    assert.equal(await isDark(page), false)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('the chosen appearance is applied before the program is loaded', async () => {
    const { page, context } = await visit(browser, { url: server.url, colorScheme: 'light' })
    await page.goto(`${server.url}/admin`)
    await page.evaluate("localStorage.setItem('cms.theme', 'dark')")
    await context.route('**/admin/assets/main-*', (route) => route.abort())
    await page.reload()
    await shows(() => isDark(page), true)
    await context.close()
  })

  test('everything can be done with the keyboard', async () => {
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page, context } = visited
    await open(visited, server.url, { path: '/nowhere', heading: 'Page not found' })
    await page.keyboard.press('Tab')
    await shows(() => page.locator(':focus').innerText(), 'Skip to content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await shows(() => page.locator(':focus').innerText(), 'Go to Home')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Welcome, admin' }).waitFor()
    await shows(() => page.locator(':focus').innerText(), 'Welcome, admin')
    await page.getByRole('button', { name: 'Account of admin' }).focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('menu').waitFor()
    await shows(() => page.locator(':focus').innerText(), 'English')
    await page.keyboard.press('End')
    await shows(() => page.locator(':focus').innerText(), 'Sign out')
    await page.keyboard.press('Escape')
    await shows(() => page.locator(':focus').getAttribute('aria-label'), 'Account of admin')
    await context.close()
  })

  test('on a narrow screen the navigation is a drawer, which a choice closes', async () => {
    const viewport = { width: 360, height: 700 }
    const visited = await visit(browser, { url: server.url, user: 'admin', viewport })
    const { page, context } = visited
    await open(visited, server.url, { path: '/nowhere', heading: 'Page not found' })
    assert.equal(await page.getByRole('navigation').isVisible(), false)
    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { name: 'Welcome, admin' }).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
    await context.close()
  })

  test('a page that cannot be loaded says so after one automatic retry', async () => {
    const { page, context } = await visit(browser, { url: server.url, user: 'admin' })
    let count = 0
    await context.route('**/admin/assets/start-page-*', (route) => {
      count += 1
      return route.fulfill({ status: 404 })
    })
    await page.goto(`${server.url}/admin`)
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
    assert.ok(count <= 4, `${count} times`)
    await context.unroute('**/admin/assets/start-page-*')
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { name: 'Welcome, admin' }).waitFor()
    await context.close()
  })
})
